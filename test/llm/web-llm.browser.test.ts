import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestServer } from '../browser/launch.js';
import { testLanguageModel } from '../conformance/language-model.js';
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

  it('reaches no network but its own files', () => {
    expect(page.seen.requests.filter((address) => !address.startsWith(server.origin) && !address.startsWith('blob:'))).toEqual([]);
    expect(page.seen.errors).toEqual([]);
    expect(page.seen.consoleLines).toEqual([]);
  });
});
