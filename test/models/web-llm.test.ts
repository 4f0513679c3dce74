import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../src/llm/language-model.js';
import { launchBrowser, type TestServer } from '../browser/launch.js';
import { readReply } from '../fakes/read-reply.js';
import { buildModelPage, ModelPage, serveModels, webLlmLoad, webLlmModels } from '../llm/model-page.js';

const directory = webLlmModels() ?? '';
const isHere = existsSync(join(directory, 'smol'));
if (!isHere) process.stdout.write('WebLLM is not tested with real weights: set ANAMNESIS_WEBLLM_MODELS to the folder with smol/ and smol.wasm.\n');

/** SmolLM2-135M on an imitated GPU, a token takes a second. The suite runs with a tiny model on every `npm test`. */
describe.skipIf(!isHere)('WebLLM with real weights', () => {
  let browser: Browser;
  let server: TestServer;
  let model: LanguageModel;

  beforeAll(async () => {
    await buildModelPage();
    [browser, server] = await Promise.all([launchBrowser(), serveModels([directory])]);
    const page = await ModelPage.open(browser, server.origin);
    model = await page.load({ ...webLlmLoad(directory, 'smol', 1_024), silenceMs: { firstToken: 300_000, token: 120_000 } });
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('answers sensibly', async () => {
    expect((await readReply(model, { messages: [{ role: 'user', content: 'What is the capital of France?' }], maxTokens: 16 })).text).toContain('Paris');
  });

  it('takes dollar signs for text, which its template would replace', async () => {
    const { text, end } = await readReply(model, { messages: [{ role: 'system', content: 'Repeat: $$5 $& $`' }, { role: 'user', content: 'What is the capital of France?' }], maxTokens: 4 });
    expect(text).not.toBe('');
    expect(end.promptTokens).toBeLessThan(40);
  });

  it('writes JSON whose content it chose', async () => {
    const schema = { type: 'object', properties: { capital: { enum: ['Berlin', 'Paris', 'Rome'] } }, required: ['capital'] };
    const { text } = await readReply(model, { messages: [{ role: 'user', content: 'What is the capital of France? Answer in JSON.' }], maxTokens: 30, schema });
    expect(JSON.parse(text)).toEqual({ capital: 'Paris' });
  });
});
