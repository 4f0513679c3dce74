import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestServer } from '../browser/launch.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { readReply } from '../fakes/read-reply.js';
import { buildModelPage, ggufLoad, ModelPage, serveModels } from '../llm/model-page.js';

const file = process.env.ANAMNESIS_GGUF ?? '';
const isHere = existsSync(file);
if (!isHere) process.stdout.write('wllama is not tested: set ANAMNESIS_GGUF to a small instruct model, for example SmolLM2-135M-Instruct.Q4_1.gguf.\n');

const CONTEXT_TOKENS = 1_024;
const DEADLINE_MS = 180_000;

describe.skipIf(!isHere)('wllama', () => {
  let browser: Browser;
  let server: TestServer;
  let page: ModelPage;

  beforeAll(async () => {
    await buildModelPage();
    [browser, server] = await Promise.all([launchBrowser(), serveModels([dirname(file)])]);
    page = await ModelPage.open(browser, server.origin);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  testLanguageModel({ name: 'wllama on the CPU', load: ({ onProgress }) => page.load(ggufLoad(basename(file), false, CONTEXT_TOKENS), onProgress), deadlineMs: DEADLINE_MS });
  it('asks no server but the page’s own', () => {
    expect(page.seen.requests.filter((address) => !address.startsWith(server.origin) && !address.startsWith(`blob:${server.origin}`))).toEqual([]);
    expect(page.seen.errors).toEqual([]);
    expect(page.seen.consoleLines).toEqual([]);
  });

  it('answers sensibly', { timeout: DEADLINE_MS * 2 }, async () => {
    const model = await page.load(ggufLoad(basename(file), false, CONTEXT_TOKENS));
    expect((await readReply(model, { messages: [{ role: 'user', content: 'What is the capital of France?' }], maxTokens: 16 })).text).toContain('Paris');
    await model.dispose();
  });
});
