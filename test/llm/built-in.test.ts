import { afterEach, describe, expect, it } from 'vitest';
import { isBuiltInHere, loadBuiltIn } from '../../src/llm/built-in.js';
import type { ChatRequest, LanguageModel, ModelProgress } from '../../src/llm/language-model.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { FakeLanguageModel, type FakeModelOptions } from '../fakes/fake-language-model.js';
import { PromptApi, type PromptApiOptions } from '../fakes/prompt-api.js';
import { readReply, within } from '../fakes/read-reply.js';

const DEADLINE_MS = 10_000;
const ASK: ChatRequest = { messages: [{ role: 'user', content: 'Zebra has a cough' }], maxTokens: 50 };

let uninstall = (): void => undefined;
afterEach(() => uninstall());

function install(options: PromptApiOptions = {}, model: FakeModelOptions = {}): { api: PromptApi; fake: FakeLanguageModel } {
  const fake = new FakeLanguageModel(model);
  const api = new PromptApi(fake, options);
  uninstall = api.install();
  return { api, fake };
}

async function open(options: PromptApiOptions = {}, model: FakeModelOptions = {}): Promise<{ api: PromptApi; fake: FakeLanguageModel; model: LanguageModel }> {
  const installed = install(options, model);
  return { ...installed, model: await loadBuiltIn({ language: 'en' }) };
}

async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string; retryable: boolean }> {
  try {
    await within(DEADLINE_MS, 'the failure', work);
  } catch (error) {
    expect(String((error as Error).message)).not.toMatch(/Zebra|scripted/);
    return error as { code: string; message: string; retryable: boolean };
  }
  throw new Error('it did not fail');
}

testLanguageModel({
  name: 'of the browser',
  deadlineMs: DEADLINE_MS,
  load: async ({ onProgress }) => {
    const script: FakeModelOptions['script'] = ({ messages, schema }) => (schema !== undefined ? '{"decision":"ask","sure":true,"marks":["a","b"]}' : messages.at(-1)!.content.includes('story') ? 'It began with a cough. '.repeat(40) : `About: ${messages.at(-1)!.content}`);
    const api = new PromptApi(new FakeLanguageModel({ script, contextTokens: 600, tokenMs: 1 }), { availability: 'downloadable', downloads: [0, 0.5, 1] });
    const remove = api.install();
    try {
      return await loadBuiltIn({ language: 'en', ...(onProgress === undefined ? {} : { onProgress }) });
    } finally {
      remove();
    }
  },
});

describe('loadBuiltIn', () => {
  it('asks for exactly the language of the consultation', async () => {
    const { api, model } = await open();
    const text = [{ type: 'text', languages: ['en'] }];
    expect(api.availabilityCalls).toEqual([{ expectedInputs: text, expectedOutputs: text }]);
    expect(api.creates[0]).toMatchObject({ expectedInputs: text, expectedOutputs: text });
    expect(model).toMatchObject({ id: 'built-in', runtime: 'built-in', device: 'gpu', parameters: null, languages: ['en'] });
  });

  it('HOST-08 rejects where the browser has no model, or one that is not for this language', async () => {
    expect((await failureOf(loadBuiltIn({ language: 'en' }))).code).toBe('built-in-unavailable');
    for (const availability of ['unavailable', 'no', 'of a later kind']) {
      const { api } = install({ availability });
      expect((await failureOf(loadBuiltIn({ language: 'zh' }))).code).toBe('built-in-unavailable');
      expect(api.creates).toEqual([]);
    }
  });

  it('HOST-08 takes any failure for a model that is not there', async () => {
    const failures: PromptApiOptions[] = [{ availability: new TypeError('scripted') }, { createError: new DOMException('scripted', 'NotSupportedError') }, { createError: new DOMException('scripted', 'NetworkError') }];
    for (const options of failures) {
      install(options);
      expect(await failureOf(loadBuiltIn({ language: 'en' }))).toMatchObject({ code: 'built-in-unavailable', retryable: false });
    }
    Object.assign(globalThis, { LanguageModel: () => undefined });
    expect((await failureOf(loadBuiltIn({ language: 'en' }))).code).toBe('built-in-unavailable');
  });

  it('HOST-08 says that a click may help where the browser wants one', async () => {
    install({ availability: 'downloadable', createError: new DOMException('scripted', 'NotAllowedError') });
    expect(await failureOf(loadBuiltIn({ language: 'en' }))).toMatchObject({ code: 'built-in-unavailable', retryable: true });
  });

  it('HOST-08 loads a model that is downloaded first, without bytes to tell', async () => {
    for (const availability of ['downloadable', 'downloading']) {
      install({ availability, downloads: [0, 0.4, 1] });
      const progress: ModelProgress[] = [];
      await loadBuiltIn({ language: 'en', onProgress: (one) => progress.push(one) });
      expect(progress).toEqual(Array.from({ length: 3 }, () => ({ loadedBytes: 0, totalBytes: 0 })));
    }
  });

  it('HOST-08 does not take the echo of a browser without a model for one', async () => {
    for (const language of ['en', 'zh'] as const) {
      const { api } = install({ isEcho: true });
      expect(await failureOf(loadBuiltIn({ language }))).toMatchObject({ code: 'built-in-unavailable', message: expect.stringContaining('repeats') as string });
      expect(api.openSessions).toBe(0);
    }
  });

  it('takes Chinese where the browser says so', async () => {
    install();
    expect((await loadBuiltIn({ language: 'zh' })).languages).toEqual(['zh']);
  });

  it('reads the context under either name, and takes a number where there is none or no limit', async () => {
    expect((await open({ names: 'context', contextWindow: 9_216 })).model.contextTokens).toBe(9_216);
    expect((await open({ names: 'input', contextWindow: 6_144 })).model.contextTokens).toBe(6_144);
    expect((await open({ names: 'none' })).model.contextTokens).toBe(4_096);
    expect((await open({ contextWindow: Infinity })).model.contextTokens).toBe(32_768);
  });

  it('settles an abort during the download and keeps no session', async () => {
    for (const isDeaf of [false, true]) {
      const { api } = install({ downloads: [0, 0.1, 0.2, 0.3], isDeaf });
      const stop = new AbortController();
      const loading = loadBuiltIn({ language: 'en', signal: stop.signal, onProgress: () => stop.abort() });
      await expect(within(DEADLINE_MS, 'the abort', loading)).rejects.toHaveProperty('name', 'AbortError');
      if (isDeaf) await expect.poll(() => api.creates.length).toBe(1);
      await expect.poll(() => api.openSessions).toBe(0);
    }
  });
});

describe('a chat with the browser’s model', () => {
  it('has a session of its own for each request, made of the turns before', async () => {
    const { api, model } = await open();
    const turns: ChatRequest['messages'] = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'I cough.' }, { role: 'assistant', content: 'Since when?' }];
    await readReply(model, { ...ASK, messages: [...turns, ...ASK.messages] });
    expect(api.creates.at(-1)!.initialPrompts).toEqual(turns);
    expect(api.prompts).toEqual([{ input: 'Zebra has a cough' }]);
    await readReply(model, ASK);
    expect(api.creates.at(-1)!.initialPrompts).toEqual([]);
    expect(api.openSessions).toBe(1);
    await model.dispose();
    await model.dispose();
    expect(api.openSessions).toBe(0);
  });

  it('gives the schema as the constraint', async () => {
    const schema = { type: 'object', properties: { urgent: { type: 'boolean' } }, required: ['urgent'] };
    const { api, model } = await open();
    expect((await readReply(model, { ...ASK, schema })).text).toBe('{"urgent":false}');
    expect(api.prompts[0]!.responseConstraint).toEqual(schema);
  });

  it('counts by the older names too, and estimates without any', async () => {
    const { fake, model } = await open({ names: 'input' });
    expect(await model.countTokens('a cough')).toBe(await fake.countTokens('a cough'));
    const bare = await open({ names: 'none' });
    expect(await bare.model.countTokens('头痛 and fever')).toBe(2 + 1 + 2);
    expect((await readReply(bare.model, ASK)).end.promptTokens).toBeGreaterThan(0);
  });

  it('stops the browser at maxTokens', async () => {
    const { api, fake, model } = await open({}, { script: { text: 'One. ', loop: 'More. ' } });
    expect((await readReply(model, { ...ASK, maxTokens: 6 })).end).toMatchObject({ reason: 'length' });
    await expect.poll(() => fake.abortedCount).toBe(1);
    expect(api.openSessions).toBe(1);
  });

  it('maps too long turns before the last one', async () => {
    const { model } = await open({}, { contextTokens: 64 });
    const long: ChatRequest['messages'] = [{ role: 'user', content: 'fever and cough, '.repeat(64) }, { role: 'assistant', content: 'Yes?' }];
    expect((await failureOf(readReply(model, { ...ASK, messages: [...long, ...ASK.messages] }))).code).toBe('context-overflow');
    expect((await readReply(model, ASK)).text).not.toBe('');
  });

  it('maps what fails in mid-reply, without its message', async () => {
    const { model } = await open({}, { script: ['one', { text: 'Two', fail: new DOMException('scripted', 'UnknownError') }, 'three'] });
    await readReply(model, ASK);
    expect(await failureOf(readReply(model, ASK))).toMatchObject({ code: 'generation-failed', retryable: true });
    expect((await readReply(model, ASK)).text).toBe('three');
  });

  it('settles an abort, and answers again, though the browser hears no signal', async () => {
    const { model, api } = await open({ isDeaf: true }, { script: [{ text: 'One', hang: true }, 'two'] });
    const stop = new AbortController();
    const reply = model.chat({ ...ASK, signal: stop.signal });
    await reply.next();
    stop.abort();
    await expect(within(DEADLINE_MS, 'the abort', reply.next())).rejects.toHaveProperty('name', 'AbortError');
    expect((await within(DEADLINE_MS, 'the next reply', readReply(model, ASK))).text).toBe('two');
    expect(api.openSessions).toBe(1);
  });

  it('keeps no session that came after its request was aborted', async () => {
    const { model, api } = await open({ isDeaf: true, downloads: [0, 0.5, 1] });
    const stop = new AbortController();
    const reply = readReply(model, { ...ASK, signal: stop.signal });
    await expect.poll(() => api.creates.length).toBe(2);
    stop.abort();
    await expect(within(DEADLINE_MS, 'the abort', reply)).rejects.toHaveProperty('name', 'AbortError');
    await expect.poll(() => api.sessionsMade).toBe(2);
    await expect.poll(() => api.openSessions).toBe(1);
  });
});

describe('isBuiltInHere', () => {
  it.each([
    ['available', true],
    ['downloadable', false],
    ['downloading', false],
    ['unavailable', false],
    [new Error('refused'), false],
  ] as const)('tells by %s: %s', async (availability, isHere) => {
    install({ availability });
    expect(await isBuiltInHere('en')).toBe(isHere);
  });

  it('is false where the browser has none', async () => {
    expect(await isBuiltInHere('en')).toBe(false);
  });
});
