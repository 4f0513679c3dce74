import { describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { stateOf } from '../browser/visit.js';
import { violations } from './axe.js';
import { finishWithoutModel, PanelSite, panelOf, press, progressOf, unfold, untilLoaded, watchProgress, WORKERS } from './model-panel.js';
import { catalogueOf, FILES, fillHub, HUB_BYTES, keptOf, mirrorFiles, TOTAL_BYTES } from './model-site.js';
import { HEADACHE, replyText, tell, untilPhase } from './model-visit.js';

const [, A, B] = FILES;
const site = new PanelSite();

describe('a device that cannot run a model', () => {
  it('GPU-01: without an adapter the panel says why, and the symptom check reaches a result', async () => {
    const { chat } = await site.open({ workers: WORKERS.noAdapter });
    await untilPhase(chat, 'none');
    expect(await panelOf(chat).innerText()).toBe('Without a language model on this device');
    await unfold(chat);
    await panelOf(chat).getByText('gives no access to a graphics processor').waitFor();
    await finishWithoutModel(chat);
    expect(site.weights()).toEqual([]);
    expect(site.seen.consoleLines).toEqual([]);
  });

  it('GPU-06: an imitated processor is not taken, and no weight is asked for', async () => {
    const { page, chat } = await site.open({ workers: WORKERS.looks });
    expect(await untilPhase(chat, 'none')).toMatchObject({ reason: 'software-adapter' });
    await unfold(chat);
    await panelOf(chat).getByText('only imitated here').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(site.hub.requests).toEqual(['GET /mirror/site/index.json']);
  });

  it('GPU-02: the form of the weights is chosen before any of them is asked for', async () => {
    site.hub.addMirror('site', mirrorFiles(['tiny/q4f16', 'tiny/q4f32']));
    const catalogue = catalogueOf([{ id: 'q4f16', features: ['shader-f16'] }, { id: 'q4f32' }]);
    const { chat } = await site.open({ workers: WORKERS.looks, catalogue, allowSoftware: true });
    expect((await untilPhase(chat, 'offered')).offer?.id).toBe('tiny/q4f32');
    expect(site.weights()).toEqual([]);
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(site.weights().filter((address) => address.includes('q4f16'))).toEqual([]);
    expect(site.weights().some((address) => address.includes('q4f32'))).toBe(true);
  });

  it('GPU-02: says so where only f16 weights are there and the device has none', async () => {
    site.hub.addMirror('site', mirrorFiles(['tiny/q4f16']));
    const { chat } = await site.open({ workers: WORKERS.looks, catalogue: catalogueOf([{ id: 'q4f16', features: ['shader-f16'] }]), allowSoftware: true });
    expect(await untilPhase(chat, 'none')).toMatchObject({ reason: 'feature-missing' });
    expect(site.weights()).toEqual([]);
  });
});

describe('the way to a model', () => {
  it('asks its own site for lists alone before the visitor’s leave, then fetches, pauses, goes on and loads, and can delete', async () => {
    const { page, chat } = await site.open();
    const { offer } = await untilPhase(chat, 'offered');
    expect(offer).toMatchObject({ downloadBytes: TOTAL_BYTES, storedBytes: 0, servers: [], keeps: true });
    expect(site.hub.requests).toEqual(['GET /mirror/site/index.json', 'GET /mirror/site/tiny/q4f32/manifest.json']);
    expect((await keptOf(page)).files).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await watchProgress(chat);
    site.hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    site.hub.spoil(B!.path, { kind: 'stall', at: 120_000 });
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
    expect(site.hub.served.filter((one) => one.file.endsWith(A!.path)).map((one) => one.status)).toEqual([200, 206]);
    expect((await keptOf(page)).files).toHaveLength(FILES.length + 1);
    await press(chat, 'Delete from this device');
    expect((await untilPhase(chat, 'offered')).offer?.storedBytes).toBe(0);
    expect((await keptOf(page)).files).toEqual([]);
  });

  it('offers what is missing after a fetch was given up, and deletes the part that is here', async () => {
    const { page, chat } = await site.open();
    await untilPhase(chat, 'offered');
    site.hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    await press(chat, 'Cancel');
    const { offer } = await untilPhase(chat, 'offered');
    expect(offer?.storedBytes).toBeGreaterThanOrEqual(150_000);
    await panelOf(chat).getByText('is here already').waitFor();
    site.hub.spoil(A!.path, { kind: 'stall', at: 200_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 200_000);
    await press(chat, 'Pause');
    await press(chat, 'Delete what was fetched');
    expect((await untilPhase(chat, 'offered')).offer?.storedBytes).toBe(0);
    expect((await keptOf(page)).files).toEqual([]);
  });

  it('asks a public server for nothing before the visitor’s leave, for sizes after the first, for files after the second', async () => {
    fillHub(site.hub);
    const { page, chat } = await site.open({ source: 'hub', hub: site.hub.url.href });
    expect((await untilPhase(chat, 'offered')).offer).toMatchObject({ downloadBytes: null, servers: ['huggingface.co', 'hf.co', 'raw.githubusercontent.com', 'api.github.com'] });
    await panelOf(chat).getByText('huggingface.co, hf.co, raw.githubusercontent.com, api.github.com. Those servers learn').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.waitForTimeout(200);
    expect(site.hub.requests).toEqual([]);
    await press(chat, /^Ask these servers/);
    await page.waitForFunction((element) => (element as AnamnesisChat).state.model?.offer?.downloadBytes !== null, await chat.elementHandle());
    expect((await stateOf(chat)).model?.offer?.downloadBytes).toBe(HUB_BYTES);
    await panelOf(chat).getByRole('button', { name: 'Fetch 1.0 MB and use it' }).waitFor();
    expect(site.hub.requests.length).toBeGreaterThan(0);
    expect(site.hub.requests.filter((line) => !/^GET \/(?:api|repos)\//.test(line))).toEqual([]);
    expect((await keptOf(page)).files).toEqual([]);
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(site.hub.count('params_shard_0.bin')).toBe(1);
    expect(site.hub.count('tiny.wasm')).toBe(1);
  });

  it('NET-16: what is whole on the device is used at the next visit without asking for leave or for a network', async () => {
    const first = await site.open();
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, 'ready');
    await first.page.close();
    site.hub.forget();
    await site.context.route(`${site.hub.url.href}**`, (route) => route.abort('internetdisconnected'));
    const { chat } = await site.open();
    expect((await untilPhase(chat, 'ready')).offer).toMatchObject({ storedBytes: TOTAL_BYTES });
    expect(site.hub.requests).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toContain('Light hurting the eyes fits migraine.');
  });

  it('a model that becomes ready in mid-consultation answers from the next turn on', async () => {
    const { chat } = await site.open();
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
    const { page, chat } = await site.open({ workers: WORKERS.dies });
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
    const { page, chat } = await site.open();
    await untilPhase(chat, 'offered');
    site.hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
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
    expect(site.hub.served.filter((one) => one.file.endsWith(A!.path)).map((one) => one.range)).toEqual([undefined, 'bytes=150000-']);
    expect(page.workers()).toHaveLength(1);
  });

  it('RUN-08: a tab that wants the model while another fetches it waits, and asks for nothing twice', async () => {
    const first = await site.open();
    await untilPhase(first.chat, 'offered');
    site.hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(first.chat, /^Fetch /);
    await untilLoaded(first.chat, 150_000);
    const { page, chat } = await site.open();
    await untilPhase(chat, 'offered');
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'waiting');
    await panelOf(chat).getByText('Another tab of this browser is fetching the same model').waitFor();
    expect(await violations(page)).toEqual([]);
    site.hub.release();
    const phases = [await untilPhase(first.chat, 'ready', 'failed'), await untilPhase(chat, 'ready', 'failed')];
    expect(phases.map(({ phase, reason }) => `${phase} ${reason ?? ''}`.trim()).sort()).toEqual(['failed in-use-elsewhere', 'ready']);
    expect(FILES.map(({ path }) => site.hub.count(`tiny/q4f32/${path}`))).toEqual([1, 1, 1, 1]);
  });

  it('GPU-14: an element that comes and goes with a model on the device leaves no worker behind, and answers', async () => {
    const { page, chat } = await site.open();
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
    const { page, chat } = await site.open();
    await untilPhase(chat, 'offered');
    site.hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    await chat.evaluate((element) => element.setAttribute('lang', 'zh'));
    await expect.poll(() => site.seen.requests.some((address) => address.includes('/mm-zh/'))).toBe(true);
    await page.waitForTimeout(300);
    expect((await stateOf(chat)).model?.phase).toBe('downloading');
    site.hub.release();
    await untilPhase(chat, 'ready');
  });

  it('HOST-18: takes a catalogue from a reactive framework, functions among its members', async () => {
    const { chat } = await site.open({
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
