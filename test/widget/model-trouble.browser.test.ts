import { describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { serve, type TestServer } from '../browser/launch.js';
import { stateOf, type Visit } from '../browser/visit.js';
import { sha256Of } from '../fakes/hub-server.js';
import { webLlmModels } from '../llm/model-page.js';
import { mirrorMlc } from '../models/mirror.js';
import { violations } from './axe.js';
import { finishWithoutModel, PanelSite, panelOf, press, unfold, untilLoaded, WORKERS } from './model-panel.js';
import { catalogueOf, CPU_VARIANT, FILES, keptOf, mirrorFiles, openSite, SITE, type SiteVisit, writeInterceptor, writeMirror } from './model-site.js';
import { HEADACHE, replyText, tell, untilPhase } from './model-visit.js';

const [, A, B] = FILES;
const tiny = webLlmModels();
if (tiny === undefined) process.stdout.write('Real weights are not loaded through the panel: set ANAMNESIS_WEBLLM_MODELS to the folder with tiny/ and tiny.wasm.\n');
writeMirror('models-here');
writeInterceptor('intercepts.js', '/models-here/');
const site = new PanelSite();

describe('trouble on the way', () => {
  it('GPU-11: a page that broke off in mid-load opens without the model, which stays off until it is turned on', async () => {
    const first = await site.open({ workers: WORKERS.hangs });
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, 'loading');
    expect(await violations(first.page)).toEqual([]);
    const crashed = first.page.waitForEvent('crash');
    const session = await site.context.newCDPSession(first.page);
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    site.hub.forget();
    for (let visits = 0; visits < 2; visits++) {
      const { page, chat } = await site.open({ workers: WORKERS.hangs });
      expect(await untilPhase(chat, 'off')).toMatchObject({ reason: 'safe-mode', offer: null });
      await unfold(chat);
      await panelOf(chat).getByText('the page broke off while the language model was being loaded').waitFor();
      if (visits === 0) expect(await violations(page)).toEqual([]);
      await tell(chat, HEADACHE.en);
      expect((await stateOf(chat)).screen).toBe('question');
      await page.close();
    }
    expect(site.hub.requests).toEqual([]);
    const { page, chat } = await site.open();
    await untilPhase(chat, 'off');
    await unfold(chat);
    await press(chat, 'Turn on');
    await untilPhase(chat, 'ready');
    expect((await keptOf(page)).marks).toEqual([]);
  });

  it('GPU-11: a page that was left in mid-load is no page that broke off', async () => {
    const first = await site.open({ workers: WORKERS.hangs });
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
    await first.page.goto(`${site.origin}/late.html`);
    await first.page.close();
    const { chat } = await site.open();
    await untilPhase(chat, 'ready');
  });

  it.each([
    ['has loaded', WORKERS.good, 'ready'],
    ['is loading', WORKERS.hangs, 'loading'],
  ])('RUN-08: a second tab goes on without while the first one %s a model, and may take it up later', async (_how, workers, phase) => {
    const first = await site.open({ workers });
    await untilPhase(first.chat, 'offered');
    await press(first.chat, /^Fetch /);
    await untilPhase(first.chat, phase);
    const { page, chat } = await site.open();
    expect(await untilPhase(chat, 'failed', 'off', 'ready')).toMatchObject({ phase: 'failed', reason: 'in-use-elsewhere' });
    await panelOf(chat).getByText('Another tab of this browser runs the language model').waitFor();
    expect(await violations(page)).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect(await replyText(chat)).toBe('');
    await first.page.close();
    await press(chat, 'Try again');
    await untilPhase(chat, 'ready');
    expect(site.hub.count('tiny/q4f32/params_shard_0.bin')).toBe(1);
  });

  it.each([
    ['NET-03', 'a web page in place of the weights', { kind: 'html' }, 1, 'file-replaced', 'A network sign-in page may be in the way'],
    ['NET-06', 'weights with one byte changed', { kind: 'flip', at: 99_000 }, 2, 'integrity-mismatch', 'arrived changed'],
    ['NET-01', 'a server that is gone', { kind: 'status', status: 404 }, 1, 'download-failed', 'could not be fetched'],
  ] as const)('%s: %s: the panel says so, nothing of it is kept, no model is started, and the next try works', async (_id, _what, fault, times, reason, sentence) => {
    const { page, chat } = await site.open();
    await untilPhase(chat, 'offered');
    site.hub.spoil(A!.path, fault, times);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await press(chat, /^Fetch /);
    expect(await untilPhase(chat, 'failed', 'ready')).toMatchObject({ phase: 'failed', reason });
    await panelOf(chat).getByText(sentence).waitFor();
    expect(workers.filter((address) => address.includes('web-llm'))).toEqual([]);
    expect((await keptOf(page)).files.filter((name) => name.includes(sha256Of(A!.bytes)))).toEqual([]);
    if (reason === 'file-replaced') expect(await violations(page)).toEqual([]);
    await tell(chat, HEADACHE.en);
    expect((await stateOf(chat)).screen).toBe('question');
    await press(chat, 'Try again');
    await untilPhase(chat, 'ready');
  });

  it('NET-01: a connection that is cut is taken up where it was, and nothing that is here is asked for again', async () => {
    const { chat } = await site.open();
    await untilPhase(chat, 'offered');
    site.hub.spoil(B!.path, { kind: 'cut', at: 125_000 });
    await press(chat, /^Fetch /);
    await untilPhase(chat, 'ready');
    expect(FILES.map(({ path }) => site.hub.count(`tiny/q4f32/${path}`))).toEqual([1, 1, 2, 1]);
  });

  it('NET-15: a tab that is frozen in mid-fetch goes on afterwards without a false failure', async () => {
    const { page, chat } = await site.open();
    await untilPhase(chat, 'offered');
    site.hub.spoil(A!.path, { kind: 'stall', at: 150_000 });
    await press(chat, /^Fetch /);
    await untilLoaded(chat, 150_000);
    const session = await site.context.newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    site.hub.release();
    expect(await untilPhase(chat, 'failed', 'ready')).toMatchObject({ phase: 'ready' });
  });

  it('GPU-10: where the runtime cannot start on the GPU, a fresh worker starts on the processor', async () => {
    site.hub.addMirror('site', mirrorFiles(['tiny/gguf']));
    const { page, chat } = await site.open({ workers: WORKERS.cpu, catalogue: catalogueOf([CPU_VARIANT]) });
    await untilPhase(chat, 'offered');
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await press(chat, /^Fetch /);
    expect(await untilPhase(chat, 'failed', 'ready')).toMatchObject({ phase: 'ready', runs: 'cpu' });
    expect(workers.filter((address) => address.includes('wllama'))).toHaveLength(2);
    expect(page.workers()).toHaveLength(1);
  });

  it('NET-08: without room on the device the model runs from memory, says so, and the answers are still kept', async () => {
    const { page, chat } = await site.open({ keep: true });
    await untilPhase(chat, 'offered');
    const session = await site.context.newCDPSession(page);
    const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate());
    await session.send('Storage.overrideQuotaForOrigin', { origin: site.origin, quotaSize: usage + 500_000 });
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
      const { page, chat } = await site.open({ storage: 'none' });
      expect((await untilPhase(chat, 'offered')).offer).toMatchObject({ keeps: false, storedBytes: 0 });
      await panelOf(chat).getByText('gone when you close this page').waitFor();
      await press(chat, /^Fetch /);
      await untilPhase(chat, 'ready');
      expect(await keptOf(page)).toEqual({ files: [], marks: [], databases: 0, caches: 0 });
      await page.close();
    }
  });

  it('erases the model and its marks with everything else', async () => {
    const { page, chat } = await site.open();
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
    const { chat } = await site.open({
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
    const { chat } = await site.open({ workers: '/nowhere/' });
    expect(await untilPhase(chat, 'none')).toMatchObject({ reason: 'runtime-failed' });
    expect(site.weights()).toEqual([]);
    await finishWithoutModel(chat);
  });

  it('RUN-01: where the runtime’s worker is not there, or the files are no model, the load fails in words and leaves no mark', async () => {
    for (const workers of [WORKERS.missing, WORKERS.real]) {
      const { page, chat } = await site.open({ workers });
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

  it.skipIf(tiny === undefined)('HOST-09: WebLLM itself loads real weights there', async () => {
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
  const refusals = (): string[] => site.seen.consoleLines.filter((line) => line.startsWith('refused ') && line !== 'refused script-src wasm-eval');

  async function openStrict(strict: TestServer, options: SiteVisit): Promise<Visit> {
    await site.context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.warn(`refused ${event.effectiveDirective} ${event.blockedURI}`));
    });
    site.allowed = [`${strict.origin}/`, `blob:${strict.origin}/`];
    return openSite(site.context, strict.origin, { path: 'hospital-page.html', ...options });
  }
});
