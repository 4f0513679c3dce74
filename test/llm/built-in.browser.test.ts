import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, record, serve, type TestServer } from '../browser/launch.js';

/** In words, since a function's own import() would be rewritten by the test runner. */
const LOAD = `import('/js/src/llm/built-in.js').then(({ loadBuiltIn }) => loadBuiltIn({ language: 'en' })).then((model) => ((globalThis.model = model), model.id), ({ name, code }) => name + ' ' + code)`;

/** Answers the adapter's trial; everything else goes to the browser's own interface, which in Chromium echoes the prompt. */
const WITH_TRIAL = `{
  const ask = LanguageModel.prototype.promptStreaming;
  LanguageModel.prototype.promptStreaming = function (input, options) {
    return input.startsWith('Is water wet') ? new Blob(['Yes.']).stream().pipeThrough(new TextDecoderStream()) : ask.call(this, input, options);
  };
}`;

/** Reads a reply in the page; a failure by its name and code. */
const READ = `globalThis.read = async (request) => {
  const events = [];
  try {
    for await (const event of model.chat(request)) events.push(event);
  } catch (error) {
    return [error.name, error.code];
  }
  return events;
}`;

let browser: Browser;
let server: TestServer;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await serve({ csp: null });
});

afterEach(() => page.close());

afterAll(async () => {
  await browser.close();
  await server.close();
});

async function load(prelude?: string): Promise<{ readonly outcome: unknown; readonly errors: readonly string[] }> {
  page = await browser.newPage();
  const seen = record(page);
  if (prelude !== undefined) await page.addInitScript(prelude);
  await page.goto(`${server.origin}/plain.html`);
  seen.errors.length = 0;
  return { outcome: await page.evaluate(LOAD), errors: seen.errors };
}

const read = (request: string): Promise<unknown> => page.evaluate(`read(${request})`);

describe('loadBuiltIn in Chromium', () => {
  it('HOST-08 rejects quietly where the browser’s model is not to be had', async () => {
    const { outcome, errors } = await load();
    expect(outcome).toBe('ModelError built-in-unavailable');
    expect(errors).toEqual([]);
  });

  it('HOST-08 rejects quietly where the browser has no such thing', async () => {
    const { outcome } = await load('delete globalThis.LanguageModel');
    expect(await page.evaluate('typeof LanguageModel')).toBe('undefined');
    expect(outcome).toBe('ModelError built-in-unavailable');
  });

  it('speaks to the browser’s own interface as it is', async (test) => {
    await load(`if (globalThis.LanguageModel) ${WITH_TRIAL}`);
    if ((await page.evaluate('typeof globalThis.model')) === 'undefined') test.skip('this browser offers no model');
    await page.evaluate(READ);
    const events = (await read(`{ messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'I cough.' }, { role: 'assistant', content: 'Since when?' }, { role: 'user', content: 'Monday 🤒' }], maxTokens: 500 }`)) as readonly { type: string; text: string; reason: string; promptTokens: number; replyTokens: number }[];
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
    expect(events.at(-1)!.promptTokens).toBeGreaterThan(0);
    expect(events.at(-1)!.replyTokens).toBeGreaterThan(0);
    expect(await page.evaluate('model.contextTokens')).toBeGreaterThan(0);
    expect(await page.evaluate(`model.countTokens('')`)).toBe(0);
    expect(await page.evaluate(`model.countTokens('a cough since Monday')`)).toBeGreaterThan(1);
    expect(await read(`{ messages: [{ role: 'user', content: 'fever and cough, '.repeat(model.contextTokens) }], maxTokens: 5 }`)).toEqual(['ModelError', 'context-overflow']);
    expect(await read(`{ messages: [{ role: 'user', content: 'fever and cough, '.repeat(model.contextTokens) }, { role: 'assistant', content: 'Yes?' }, { role: 'user', content: 'Well.' }], maxTokens: 5 }`)).toEqual(['ModelError', 'context-overflow']);
    expect(await read(`{ messages: [{ role: 'user', content: 'I cough.' }], maxTokens: 500, signal: AbortSignal.abort() }`)).toEqual(['AbortError', 20]);
    const first = await read(`{ messages: [{ role: 'user', content: 'I cough.' }], maxTokens: 500 }`);
    expect(await read(`{ messages: [{ role: 'user', content: 'I cough.' }], maxTokens: 500 }`)).toEqual(first);
    await page.evaluate('model.dispose()');
    expect(await read(`{ messages: [{ role: 'user', content: 'I cough.' }], maxTokens: 500 }`)).toEqual(['ModelError', 'model-closed']);
  });
});
