import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, record, type PageRecord, serve, type TestServer } from '../browser/launch.js';
import { answerAll, stateOf, type Visit } from '../browser/visit.js';
import { HubServer } from '../fakes/hub-server.js';
import { webLlmModels } from '../llm/model-page.js';
import { mirrorMlc } from '../models/mirror.js';
import { violations } from './axe.js';
import { catalogueOf, CPU_VARIANT, FILES, fillHub, HUB_BYTES, keptOf, mirrorFiles, openSite, SITE, type SiteVisit, TOTAL_BYTES, writeInterceptor, writeMirror, writeWorkers } from './model-site.js';
import { HEADACHE, replyText, tell, untilPhase } from './model-visit.js';

const [, A, B] = FILES;
const WORKERS = {
  good: writeWorkers('good'),
  hangs: writeWorkers('hangs', { load: 'hangs' }),
  dies: writeWorkers('dies', { reply: 'dies' }),
  cpu: writeWorkers('cpu', { load: 'cpu' }),
  real: writeWorkers('real', { load: 'real' }),
  missing: writeWorkers('missing', { load: 'missing' }),
  looks: writeWorkers('looks', { probe: 'real' }),
  noAdapter: writeWorkers('no-adapter', { probe: 'real', prelude: 'GPU.prototype.requestAdapter = () => Promise.resolve(null)' }),
};
writeMirror('models-here');
writeInterceptor('intercepts.js', '/models-here/');
const tiny = webLlmModels();
if (tiny === undefined) process.stdout.write('Real weights are not loaded through the panel: set ANAMNESIS_WEBLLM_MODELS to the folder with tiny/ and tiny.wasm.\n');

let browser: Browser;
let server: TestServer;
let hub: HubServer;
let context: BrowserContext;
let seen: PageRecord;
/** Starts of the addresses that may be asked. */
let allowed: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve({ csp: null, roots: [SITE] })]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  hub = await HubServer.start();
  hub.addMirror('site', mirrorFiles());
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', reducedMotion: 'reduce' });
  seen = record(context);
  allowed = [`${server.origin}/`, `blob:${server.origin}/`, hub.url.href];
});
afterEach(async () => {
  await context.close();
  await hub.close();
  expect(seen.errors).toEqual([]);
  expect(seen.requests.filter((address) => !allowed.some((start) => address.startsWith(start)))).toEqual([]);
});

/** Over the mirror that can be spoilt. */
const open = (options: Partial<SiteVisit> = {}) => openSite(context, server.origin, { base: new URL('mirror/site/', hub.url).href, workers: WORKERS.good, ...options });
const panelOf = (chat: Locator): Locator => chat.locator('[part=model-panel]');
/** It closes by itself once there is nothing to watch. */
async function unfold(chat: Locator): Promise<void> {
  if (!(await panelOf(chat).evaluate((panel) => (panel as HTMLDetailsElement).open))) await panelOf(chat).locator('summary').click();
}
const press = (chat: Locator, name: string | RegExp): Promise<void> => panelOf(chat).getByRole('button', { name }).click();
const weights = (): string[] => [...hub.requests, ...seen.requests].filter((address) => /params_shard|\.wasm|\.gguf/.test(address));
/** Waits until so much of the model is here. */
async function untilLoaded(chat: Locator, bytes: number): Promise<void> {
  await chat.page().waitForFunction(([element, least]) => ((element as AnamnesisChat).state.model?.loadedBytes ?? 0) >= least, [await chat.elementHandle(), bytes] as const);
}

/** From now on keeps every value that the progress bar shows. */
function watchProgress(chat: Locator): Promise<void> {
  return chat.evaluate((element) => {
    const values: number[] = [];
    Object.assign(globalThis, { values });
    new MutationObserver(() => {
      const now = element.shadowRoot?.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow');
      if (now !== null && now !== undefined) values.push(Number(now));
    }).observe(element.shadowRoot!, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-valuenow'] });
  });
}
const progressOf = (chat: Locator): Promise<number[]> => chat.evaluate(() => (globalThis as unknown as { values: number[] }).values);

/** The symptom check goes on to a result, and no model writes in it. */
async function finishWithoutModel(chat: Locator): Promise<void> {
  await tell(chat, HEADACHE.en);
  await answerAll(chat);
  const { consultation } = await stateOf(chat);
  expect(consultation?.result?.enough).toBe(true);
  expect(consultation?.reply).toBeNull();
}

describe('a device that cannot run a model', () => {
  it('GPU-01: without an adapter the panel says why, and the symptom check reaches a result', async () => {
    const { chat } = await open({ workers: WORKERS.noAdapter });
    await untilPhase(chat, 'none');
    await panelOf(chat).getByText('gives no access to a graphics processor').waitFor();
    await finishWithoutModel(chat);
    expect(weights()).toEqual([]);
    expect(seen.consoleLines).toEqual([]);
  });

  it('GPU-06: an imitated processor is not taken, and no weight is asked for', async () => {
    const { page, chat } = await open({ workers: WORKERS.looks });
    expect(await untilPhase(chat, 'none')).toMatchObject({ reason: 'software-adapter' });
    await panelOf(chat).getByText('only imitated here').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(hub.requests).toEqual(['GET /mirror/site/index.json']);
  });

  it('GPU-02: the form of the weights is chosen before any of them is asked for', async () => {
    hub.addMirror('site', mirrorFiles(['tiny/q4f16', 'tiny/q4f32']));
    const catalogue = catalogueOf([{ id: 'q4f16', features: ['shader-f16'] }, { id: 'q4f32' }]);
    const { chat } = await open({ workers: WORKERS.looks, catalogue, allowSoftware: true });
    expect((await untilPhase(chat, 'offered')).offer?.id).toBe('tiny/q4f32');
    expect(weights()).toEqual([]);
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(weights().filter((address) => address.includes('q4f16'))).toEqual([]);
    expect(weights().some((address) => address.includes('q4f32'))).toBe(true);
  });

  it('GPU-02: says so where only f16 weights are there and the device has none', async () => {
    hub.addMirror('site', mirrorFiles(['tiny/q4f16']));
    const { chat } = await open({ workers: WORKERS.looks, catalogue: catalogueOf([{ id: 'q4f16', features: ['shader-f16'] }]), allowSoftware: true });
    expect(await untilPhase(chat, 'none')).toMatchObject({ reason: 'feature-missing' });
    expect(weights()).toEqual([]);
  });
});

describe('the way to a model', () => {
  it('asks its own site for lists alone before the visitor’s leave, then fetches, pauses, goes on and loads, and can delete', async () => {
    const { page, chat } = await open();
    const { offer } = await untilPhase(chat, 'offered');
    expect(offer).toMatchObject({ downloadBytes: TOTAL_BYTES, storedBytes: 0, servers: [], keeps: true });
    expect(hub.requests).toEqual(['GET /mirror/site/index.json', 'GET /mirror/site/tiny/q4f32/manifest.json']);
    expect((await keptOf(page)).files).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await watchProgress(chat);
    hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    hub.spoil(B!.path, { kind: 'stall', at: 120_000 });
    await press(chat, 'Fetch 1.0 MB and use it');
    await untilLoaded(chat, 270_000);
    expect(await violations(page)).toEqual([]);
    await press(chat, 'Pause');
    await untilPhase(chat, 'paused');
    expect(await violations(page)).toEqual([]);
    await page.waitForTimeout(100);
    expect((await stateOf(chat)).model?.phase).toBe('paused');
    await press(chat, 'Go on');
    await untilPhase(chat, 'ready');
    await unfold(chat);
    expect(await violations(page)).toEqual([]);
    const values = await progressOf(chat);
    expect(values.length).toBeGreaterThan(2);
    expect(values.every((value, at) => value >= 0 && value <= 100 && value >= (values[at - 1] ?? 0))).toBe(true);
    expect(hub.served.filter((one) => one.file.endsWith(A!.path)).map((one) => one.status)).toEqual([200, 206]);
    expect((await keptOf(page)).files).toHaveLength(FILES.length + 1);
    await press(chat, 'Delete from this device');
    expect((await untilPhase(chat, 'offered')).offer?.storedBytes).toBe(0);
    expect((await keptOf(page)).files).toEqual([]);
  });

  it('offers what is missing after a fetch was given up, and deletes the part that is here', async () => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    await press(chat, 'Cancel');
    const { offer } = await untilPhase(chat, 'offered');
    expect(offer?.storedBytes).toBeGreaterThanOrEqual(150_000);
    await panelOf(chat).getByText('is here already').waitFor();
    hub.spoil(A!.path, { kind: 'stall', at: 200_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 200_000);
    await press(chat, 'Pause');
    await press(chat, 'Delete what was fetched');
    expect((await untilPhase(chat, 'offered')).offer?.storedBytes).toBe(0);
    expect((await keptOf(page)).files).toEqual([]);
  });

  it('asks a public server for nothing before the visitor’s leave, for sizes after the first, for files after the second', async () => {
    fillHub(hub);
    const { page, chat } = await open({ source: 'hub', hub: hub.url.href });
    expect((await untilPhase(chat, 'offered')).offer).toMatchObject({ downloadBytes: null, servers: ['huggingface.co', 'raw.githubusercontent.com', 'api.github.com'] });
    await panelOf(chat).getByText('huggingface.co, raw.githubusercontent.com, api.github.com. Those servers learn').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.waitForTimeout(200);
    expect(hub.requests).toEqual([]);
    await press(chat, /^Ask huggingface\.co/);
    await page.waitForFunction((element) => (element as AnamnesisChat).state.model?.offer?.downloadBytes !== null, await chat.elementHandle());
    expect((await stateOf(chat)).model?.offer?.downloadBytes).toBe(HUB_BYTES);
    await panelOf(chat).getByRole('button', { name: 'Fetch 1.0 MB and use it' }).waitFor();
    expect(hub.requests.length).toBeGreaterThan(0);
    expect(hub.requests.filter((line) => !/^GET \/(?:api|repos)\//.test(line))).toEqual([]);
    expect((await keptOf(page)).files).toEqual([]);
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(hub.count('params_shard_0.bin')).toBe(1);
    expect(hub.count('tiny.wasm')).toBe(1);
  });

  it('NET-16: what is whole on the device is used at the next visit without asking for leave or for a network', async () => {
    const first = await open();
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, 'ready');
    await first.page.close();
    hub.forget();
    await context.route(`${hub.url.href}**`, (route) => route.abort('internetdisconnected'));
    const { chat } = await open();
    expect((await untilPhase(chat, 'ready')).offer).toMatchObject({ storedBytes: TOTAL_BYTES });
    expect(hub.requests).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toContain('Light hurting the eyes fits migraine.');
  });

  it('a model that becomes ready in mid-consultation answers from the next turn on', async () => {
    const { chat } = await open();
    await untilPhase(chat, 'offered');
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toBe('');
    const { rounds } = (await stateOf(chat)).consultation!;
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect((await stateOf(chat)).consultation?.rounds).toEqual(rounds);
    await tell(chat, 'It has come back like this before.');
    expect(await replyText(chat)).toContain('Light hurting the eyes fits migraine.');
  });

  it('GPU-04: a model whose device is lost hands the turn back, and the panel says so', async () => {
    const { page, chat } = await open({ workers: WORKERS.dies });
    await untilPhase(chat, 'offered');
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    await tell(chat, HEADACHE.en);
    expect((await stateOf(chat)).screen).toBe('question');
    expect(await untilPhase(chat, 'failed')).toMatchObject({ reason: 'device-lost', runs: 'none' });
    await panelOf(chat).getByText('was taken away from this page').waitFor();
    expect(await violations(page)).toEqual([]);
    // Once with a fresh worker, then no more.
    expect(page.workers()).toEqual([]);
    await tell(chat, 'It has come back like this before.');
    expect((await stateOf(chat)).screen).toMatch(/question|result/);
    await press(chat, 'Try again');
    await untilPhase(chat, 'ready');
  });

  it('HOST-16: an element taken out in mid-fetch stops it, and goes on where it was when it is put back', async () => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    await chat.evaluate((element) => {
      Object.assign(globalThis, { held: element });
      element.remove();
    });
    await expect.poll(() => page.workers().length).toBe(0);
    await page.evaluate(() => document.querySelector('main')!.append((globalThis as unknown as { held: Element }).held));
    expect((await untilPhase(chat, 'offered')).offer?.storedBytes).toBeGreaterThanOrEqual(150_000);
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(hub.served.filter((one) => one.file.endsWith(A!.path)).map((one) => one.range)).toEqual([undefined, 'bytes=150000-']);
    expect(page.workers()).toHaveLength(1);
  });

  it('RUN-08: a tab that wants the model while another fetches it waits, and asks for nothing twice', async () => {
    const first = await open();
    await untilPhase(first.chat, 'offered');
    hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(first.chat, /^Fetch /);
    await untilLoaded(first.chat, 150_000);
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'waiting');
    await panelOf(chat).getByText('Another tab of this browser is fetching the same model').waitFor();
    expect(await violations(page)).toEqual([]);
    hub.release();
    const phases = [await untilPhase(first.chat, 'ready', 'failed'), await untilPhase(chat, 'ready', 'failed')];
    expect(phases.map(({ phase, reason }) => `${phase} ${reason ?? ''}`.trim()).sort()).toEqual(['failed in-use-elsewhere', 'ready']);
    expect(FILES.map(({ path }) => hub.count(`tiny/q4f32/${path}`))).toEqual([1, 1, 1, 1]);
  });

  it('GPU-14: an element that comes and goes with a model on the device leaves no worker behind, and answers', async () => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    for (let turn = 0; turn < 4; turn++) {
      await chat.evaluate(async (element) => {
        element.remove();
        await new Promise((resolve) => setTimeout(resolve, 30));
        document.querySelector('main')!.append(element);
      });
      await untilPhase(chat, 'ready');
    }
    await expect.poll(() => page.workers().length).toBe(1);
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toContain('Light hurting the eyes fits migraine.');
  });

  it('another language stops no fetch of a model that writes it too', async () => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    await chat.evaluate((element) => element.setAttribute('lang', 'zh'));
    await expect.poll(() => seen.requests.some((address) => address.includes('/mm-zh/'))).toBe(true);
    await page.waitForTimeout(300);
    expect((await stateOf(chat)).model?.phase).toBe('downloading');
    hub.release();
    await untilPhase(chat, 'ready');
  });

  it('HOST-18: takes a catalogue from a reactive framework, functions among its members', async () => {
    const { chat } = await open({
      prepare: async (page) => {
        await page.evaluate(() => {
          const wrap = (value: unknown): unknown => (typeof value !== 'object' || value === null ? value : new Proxy(value, { get: (target, name, receiver) => wrap(Reflect.get(target, name, receiver)) }));
          const element = document.querySelector('anamnesis-chat')!;
          const start = element.start.bind(element);
          element.start = (options) => {
            Object.assign(element, { modelCatalogue: wrap({ ...(element.modelCatalogue as object), onChange: () => undefined }) });
            return start(options);
          };
        });
      },
    });
    await untilPhase(chat, 'offered');
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
  });
});

describe('trouble on the way', () => {
  it('GPU-11: a page that broke off in mid-load opens without the model, which stays off until it is turned on', async () => {
    const first = await open({ workers: WORKERS.hangs });
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, 'loading');
    expect(await violations(first.page)).toEqual([]);
    const crashed = first.page.waitForEvent('crash');
    const session = await context.newCDPSession(first.page);
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    hub.forget();
    for (let visits = 0; visits < 2; visits++) {
      const { page, chat } = await open({ workers: WORKERS.hangs });
      expect(await untilPhase(chat, 'off')).toMatchObject({ reason: 'safe-mode', offer: null });
      await unfold(chat);
      await panelOf(chat).getByText('the page broke off while the language model was being loaded').waitFor();
      if (visits === 0) expect(await violations(page)).toEqual([]);
      await tell(chat, HEADACHE.en);
      expect((await stateOf(chat)).screen).toBe('question');
      await page.close();
    }
    expect(hub.requests).toEqual([]);
    const { page, chat } = await open();
    await untilPhase(chat, 'off');
    await unfold(chat);
    await press(chat, 'Turn on');
    await untilPhase(chat, 'ready');
    expect((await keptOf(page)).marks).toEqual([]);
  });

  it('GPU-11: a page that was left in mid-load is no page that broke off', async () => {
    const first = await open({ workers: WORKERS.hangs });
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, 'loading');
    expect((await keptOf(first.page)).marks).toEqual(['anamnesis-model-loading']);
    // Nor is a load that was given up; and it holds up no other.
    await press(first.chat, 'Cancel');
    await untilPhase(first.chat, 'offered');
    expect((await keptOf(first.page)).marks).toEqual([]);
    await expect.poll(() => first.page.workers().length).toBe(0);
    await press(first.chat, 'Use it');
    await untilPhase(first.chat, 'loading');
    await first.page.goto(`${server.origin}/late.html`);
    await first.page.close();
    const { chat } = await open();
    await untilPhase(chat, 'ready');
  });

  it.each([
    ['has loaded', WORKERS.good, 'ready'],
    ['is loading', WORKERS.hangs, 'loading'],
  ])('RUN-08: a second tab goes on without while the first one %s a model, and may take it up later', async (_how, workers, phase) => {
    const first = await open({ workers });
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, phase);
    const { page, chat } = await open();
    expect(await untilPhase(chat, 'failed', 'off', 'ready')).toMatchObject({ phase: 'failed', reason: 'in-use-elsewhere' });
    await panelOf(chat).getByText('Another tab of this browser runs the language model').waitFor();
    expect(await violations(page)).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toBe('');
    await first.page.close();
    await press(chat, 'Try again');
    await untilPhase(chat, 'ready');
    expect(hub.count('tiny/q4f32/params_shard_0.bin')).toBe(1);
  });

  it.each([
    ['NET-03', 'a web page in place of the weights', { kind: 'html' }, 1, 'file-replaced', 'A network sign-in page may be in the way'],
    ['NET-06', 'weights with one byte changed', { kind: 'flip', at: 99_000 }, 2, 'integrity-mismatch', 'arrived changed'],
    ['NET-01', 'a server that is gone', { kind: 'status', status: 404 }, 1, 'download-failed', 'could not be fetched'],
  ] as const)('%s: %s: the panel says so, nothing of it is kept, no model is started, and the next try works', async (_id, _what, fault, times, reason, sentence) => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    hub.spoil(A!.path, fault, times);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await press(chat, /^Fetch /);
    expect(await untilPhase(chat, 'failed', 'ready')).toMatchObject({ phase: 'failed', reason });
    await panelOf(chat).getByText(sentence).waitFor();
    expect(workers.filter((address) => address.includes('web-llm'))).toEqual([]);
    if (reason === 'file-replaced') expect(await violations(page)).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect((await stateOf(chat)).screen).toBe('question');
    await press(chat, 'Try again');
    await untilPhase(chat, 'ready');
  });

  it('NET-01: a connection that is cut is taken up where it was, and nothing that is here is asked for again', async () => {
    const { chat } = await open();
    await untilPhase(chat, 'offered');
    hub.spoil(B!.path, { kind: 'cut', at: 125_000 });
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(FILES.map(({ path }) => hub.count(`tiny/q4f32/${path}`))).toEqual([1, 1, 2, 1]);
  });

  it('NET-15: a tab that is frozen in mid-fetch goes on afterwards without a false failure', async () => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    const session = await context.newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    hub.release();
    expect(await untilPhase(chat, 'failed', 'ready')).toMatchObject({ phase: 'ready' });
  });

  it('GPU-10: where the runtime cannot start on the GPU, a fresh worker starts on the processor', async () => {
    hub.addMirror('site', mirrorFiles(['tiny/gguf']));
    const { page, chat } = await open({ workers: WORKERS.cpu, catalogue: catalogueOf([CPU_VARIANT]) });
    await untilPhase(chat, 'offered');
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await press(chat, /^Fetch /);
    expect(await untilPhase(chat, 'failed', 'ready')).toMatchObject({ phase: 'ready', runs: 'cpu' });
    expect(workers.filter((address) => address.includes('wllama'))).toHaveLength(2);
    expect(page.workers()).toHaveLength(1);
  });

  it('NET-08: without room on the device the model runs from memory, says so, and the answers are still kept', async () => {
    const { page, chat } = await open({ keep: true });
    await untilPhase(chat, 'offered');
    const session = await context.newCDPSession(page);
    const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate());
    await session.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: usage + 500_000 });
    await press(chat, /^Fetch /);
    expect((await untilPhase(chat, 'ready')).offer?.keeps).toBe(false);
    await unfold(chat);
    await panelOf(chat).getByText('gone when you close this page').waitFor();
    expect((await keptOf(page)).files.filter((name) => name.endsWith('.json'))).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toContain('Light hurting the eyes');
    await page.waitForFunction((element) => (element as AnamnesisChat).state.keeping === 'saved', await chat.elementHandle());
  });

  it('keeps nothing of a model with storage="none", and asks again at the next visit', async () => {
    for (let visits = 0; visits < 2; visits++) {
      const { page, chat } = await open({ storage: 'none' });
      expect((await untilPhase(chat, 'offered')).offer).toMatchObject({ keeps: false, storedBytes: 0 });
      await panelOf(chat).getByText('gone when you close this page').waitFor();
      await press(chat, /^Fetch /);
      await untilPhase(chat, 'ready');
      expect(await keptOf(page)).toEqual({ files: [], marks: [], databases: 0, caches: 0 });
      await page.close();
    }
  });

  it('erases the model and its marks with everything else', async () => {
    const { page, chat } = await open();
    await untilPhase(chat, 'offered');
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    await unfold(chat);
    await press(chat, 'Turn off');
    await untilPhase(chat, 'off');
    expect(await violations(page)).toEqual([]);
    expect((await keptOf(page)).marks).toEqual(['anamnesis-model-off']);
    expect((await keptOf(page)).files).not.toEqual([]);
    await chat.evaluate((element) => (element as AnamnesisChat).erase());
    expect(await keptOf(page)).toMatchObject({ files: [], marks: [] });
  });

  it.each([
    ['everything', '', 'none', null],
    ['the weights', 'params_shard', 'failed', 'file-replaced'],
  ])('NET-14: a service worker of the page that answers %s of the model with a web page is no model', async (_what, part, phase, reason) => {
    const { chat } = await open({
      base: '/models-here/',
      prepare: async (page) => {
        await page.evaluate(async (answered) => {
          await navigator.serviceWorker.register(`/intercepts.js?${answered}`);
          await new Promise<void>((resolve) => {
            if (navigator.serviceWorker.controller !== null) resolve();
            else navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
          });
        }, part);
      },
    });
    if (phase === 'failed') {
      await untilPhase(chat, 'offered');
      await press(chat, /^Fetch /);
    }
    expect(await untilPhase(chat, phase)).toMatchObject({ reason });
    await finishWithoutModel(chat);
  });

  it('RUN-01: where the worker scripts are not there the panel says so, and the symptom check reaches a result', async () => {
    const { chat } = await open({ workers: '/nowhere/' });
    expect(await untilPhase(chat, 'none')).toMatchObject({ reason: 'runtime-failed' });
    expect(weights()).toEqual([]);
    await finishWithoutModel(chat);
  });

  it('RUN-01: where the runtime’s worker is not there, or the files are no model, the load fails in words and leaves no mark', async () => {
    for (const workers of [WORKERS.missing, WORKERS.real]) {
      const { page, chat } = await open({ workers });
      if (workers === WORKERS.missing) {
        await untilPhase(chat, 'offered');
        await press(chat, /^Fetch /);
      }
      expect(await untilPhase(chat, 'failed')).toMatchObject({ reason: 'runtime-failed', runs: 'none' });
      expect((await keptOf(page)).marks).toEqual([]);
      await panelOf(chat).getByRole('button', { name: 'Try again' }).waitFor();
      await tell(chat, HEADACHE.en);
      expect((await stateOf(chat)).screen).toBe('question');
      await page.close();
    }
  });
});

describe('under the strictest policy of a hospital page', () => {
  it('HOST-09: all workers start, and the page refuses nothing', async () => {
    const strict = await serve({ roots: [SITE] });
    try {
      const { chat } = await openStrict(strict, { base: '/models-here/', workers: WORKERS.looks, allowSoftware: true });
      await untilPhase(chat, 'offered');
      await press(chat, /^Fetch /);
      await untilPhase(chat, 'ready');
      await tell(chat, HEADACHE.en);
      expect(await replyText(chat)).toContain('Light hurting the eyes fits migraine.');
      expect(refusals()).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  it.skipIf(tiny === undefined)('HOST-09: WebLLM itself loads real weights and answers there', async () => {
    const mirror = mirrorMlc(tiny!, 'tiny', 1_024);
    const strict = await serve({ roots: [mirror.root] });
    try {
      const { chat } = await openStrict(strict, { base: '/models/', catalogue: mirror.catalogue, workers: '', allowSoftware: true });
      expect((await untilPhase(chat, 'offered')).offer?.downloadBytes).toBe(mirror.bytes);
      await press(chat, /^Fetch /);
      expect(await untilPhase(chat, 'ready', 'failed')).toMatchObject({ phase: 'ready', reason: null, runs: 'gpu' });
      expect(refusals()).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  /** But for the page's probe for WebAssembly, in whose place plain JavaScript stands ready. */
  const refusals = (): string[] => seen.consoleLines.filter((line) => line.startsWith('refused ') && line !== 'refused script-src wasm-eval');

  async function openStrict(strict: TestServer, options: SiteVisit): Promise<Visit> {
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.warn(`refused ${event.effectiveDirective} ${event.blockedURI}`));
    });
    // Of two policies both hold: the page's own must know the workers' name too.
    await context.route('**/hospital-page.html', async (route) => {
      const response = await route.fetch();
      expect(response.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'; trusted-types lit-html anamnesis-worker");
      await route.fulfill({ response, body: (await response.text()).replace('trusted-types lit-html"', 'trusted-types lit-html anamnesis-worker"') });
    });
    allowed = [`${strict.origin}/`, `blob:${strict.origin}/`];
    return openSite(context, strict.origin, { path: 'hospital-page.html', ...options });
  }
});
