import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestServer } from '../browser/launch.js';
import type { ModelError } from '../../src/errors/model-error.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { readReply, within } from '../fakes/read-reply.js';
import { buildModelPage, ModelPage, serveModels, webLlmLoad, webLlmModels } from './model-page.js';

const models = webLlmModels();
if (models === undefined) process.stdout.write('WebLLM is not tested: set ANAMNESIS_WEBLLM_MODELS to the folder with tiny/ and tiny.wasm.\n');

describe.skipIf(models === undefined)('WebLLM', () => {
  const directory = models ?? '';
  const tiny = models === undefined ? undefined : webLlmLoad(directory, 'tiny', 1_024);
  let browser: Browser;
  let server: TestServer;
  let page: ModelPage;

  beforeAll(async () => {
    await buildModelPage();
    [browser, server] = await Promise.all([launchBrowser(), serveModels([directory])]);
    page = await ModelPage.open(browser, server.origin);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  testLanguageModel({ name: 'WebLLM with a tiny model', load: ({ onProgress }) => page.load(tiny!, onProgress) });

  /** Runs something in a page of its own, so that its workers can be counted. */
  const inOwnPage = async (action: (own: ModelPage) => Promise<void>): Promise<void> => {
    const own = await ModelPage.open(browser, server.origin);
    try {
      await action(own);
      expect(own.seen.errors).toEqual([]);
    } finally {
      await own.context.close();
    }
  };
  const cough = { messages: [{ role: 'user', content: 'Cough.' }], maxTokens: 5 } as const;
  const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'no failure', (error: unknown) => (error as ModelError).code);

  it('is rebuilt once and answers after the GPU process has crashed, then is lost (GPU-04)', { timeout: 240_000 }, async () => {
    await inOwnPage(async (own) => {
      const crash = async (): Promise<void> => {
        const session = await browser.newBrowserCDPSession();
        await session.send('Browser.crashGpuProcess');
        await session.detach();
      };
      const model = await own.load(tiny!);
      const before = await readReply(model, cough);
      await crash();
      expect((await within(120_000, 'the reply after the crash', readReply(model, cough))).text).toBe(before.text);
      expect(own.restarts).toEqual(['device-lost']);
      await crash();
      expect((await within(120_000, 'the loss', model.lost)).code).toBe('device-lost');
      expect(await codeOf(readReply(model, cough))).toBe('device-lost');
      const { created, terminated } = await own.workers();
      expect([created, terminated]).toEqual([2, 2]);
    });
  });

  it('rejects within the handshake when the worker’s script is not there (RUN-01)', async () => {
    await inOwnPage(async (own) => {
      expect(await codeOf(within(30_000, 'loading', own.load({ ...tiny!, workerBase: '/nowhere/' })))).toBe('runtime-failed');
    });
  });

  it('works in a fresh worker after another attempt has failed (GPU-10)', { timeout: 120_000 }, async () => {
    await inOwnPage(async (own) => {
      const broken = { ...tiny!, files: Object.fromEntries(Object.entries(tiny!.files).filter(([path]) => path !== tiny!.library)) };
      expect(await codeOf(own.load(broken))).toBe('runtime-failed');
      const model = await own.load(tiny!);
      expect((await readReply(model, cough)).text).not.toBe('');
      await model.dispose();
      expect(await own.workers()).toEqual({ created: 2, terminated: 2 });
    });
  });

  it.each([
    ['a shard', 'params_shard_0.bin'],
    ['the configuration', 'mlc-chat-config.json'],
    ['the tokenizer', 'tokenizer.json'],
  ])('says that it failed where %s is missing, instead of fetching it', { timeout: 60_000 }, async (_what, missing) => {
    await inOwnPage(async (own) => {
      const files = Object.fromEntries(Object.entries(tiny!.files).filter(([path]) => path !== missing));
      expect(await codeOf(own.load({ ...tiny!, files }))).toBe('runtime-failed');
      expect(own.seen.requests.filter((address) => address.includes(missing))).toEqual([]);
    });
  });

  it('leaves no worker behind in ten rounds, half of which fail (GPU-14)', { timeout: 300_000 }, async () => {
    await inOwnPage(async (own) => {
      const broken = { ...tiny!, files: {} };
      for (let round = 0; round < 5; round++) {
        await (await own.load(tiny!)).dispose();
        expect(await codeOf(own.load(broken))).toBe('runtime-failed');
      }
      expect(await own.workers()).toEqual({ created: 10, terminated: 10 });
      const model = await own.load(tiny!);
      expect((await readReply(model, cough)).text).not.toBe('');
    });
  });

  it('leaves out the empty thinking of a model that is told not to think, and does not count it', { timeout: 120_000 }, async () => {
    await inOwnPage(async (own) => {
      const model = await own.load({ ...tiny!, thinks: true });
      const { text, end } = await readReply(model, { ...cough, temperature: 1, seed: 3 });
      expect(text).not.toContain('think');
      expect(end).toMatchObject({ reason: 'length', replyTokens: 5 });
    });
  });

  it('works under a strict policy that allows WebAssembly and its own scripts', { timeout: 120_000 }, async () => {
    const strict = await serveModels([directory], { headers: { 'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'" } });
    const own = await ModelPage.open(browser, strict.origin);
    const model = await own.load(tiny!);
    expect((await readReply(model, { ...cough, schema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] }, maxTokens: 30 })).text).toMatch(/^\{"sure": ?(?:true|false)\}$/);
    await own.context.close();
    await strict.close();
  });

  it('reaches no network but its own files', () => {
    expect(page.seen.requests.filter((address) => !address.startsWith(server.origin) && !address.startsWith('blob:'))).toEqual([]);
    expect(page.seen.errors).toEqual([]);
    expect(page.seen.consoleLines).toEqual([]);
  });
});
