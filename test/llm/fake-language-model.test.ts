import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/errors/model-error.js';
import type { ChatEvent } from '../../src/llm/language-model.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { FakeLanguageModel } from '../fakes/fake-language-model.js';
import { readReply, within } from '../fakes/read-reply.js';

testLanguageModel({ name: 'fake', load: () => Promise.resolve(new FakeLanguageModel()), without: ['progress'], talk: 'A long story. '.repeat(40), deadlineMs: 10_000 });

describe('the fake language model', () => {
  const request = { messages: [{ role: 'user', content: 'Cough.' }], maxTokens: 20 } as const;

  it('replies by its script, whose last entry stays', async () => {
    const model = new FakeLanguageModel({ script: ['one', ({ messages }) => `two: ${messages[0]!.content}`, { deltas: ['th', 'ree'] }] });
    const texts: string[] = [];
    for (let turn = 0; turn < 4; turn++) texts.push((await readReply(model, request)).text);
    expect(texts).toEqual(['one', 'two: Cough.', 'three', 'three']);
    expect(model.requests).toHaveLength(4);
    expect(model.prompts[0]).toBe('user: Cough.');
  });

  it('loops until maxTokens', async () => {
    const { text, end } = await readReply(new FakeLanguageModel({ script: { text: 'So ', loop: 'on' } }), { ...request, maxTokens: 5 });
    expect(text).toBe('So ononon');
    expect(end.reason).toBe('length');
  });

  it('ends a cut reply with length', async () => {
    expect((await readReply(new FakeLanguageModel({ script: { text: 'Hal', cut: true } }), request)).end.reason).toBe('length');
  });

  it('fails once and answers again', async () => {
    const model = new FakeLanguageModel({ script: [{ text: 'Hm', fail: new ModelError('generation-failed', 'as told') }, 'good'] });
    await expect(readReply(model, request)).rejects.toHaveProperty('code', 'generation-failed');
    expect((await readReply(model, request)).text).toBe('good');
  });

  it('dies for good', async () => {
    const model = new FakeLanguageModel({ script: { text: 'Hm', die: new ModelError('device-lost', 'as told') } });
    await expect(readReply(model, request)).rejects.toHaveProperty('code', 'device-lost');
    await expect(readReply(model, request)).rejects.toHaveProperty('code', 'device-lost');
    expect((await model.lost).code).toBe('device-lost');
  });

  it('hangs until it is aborted', async () => {
    const model = new FakeLanguageModel({ script: { text: 'Hm', hang: true } });
    const abort = new AbortController();
    const events: ChatEvent[] = [];
    const reading = (async () => {
      for await (const event of model.chat({ ...request, signal: abort.signal })) {
        events.push(event);
        abort.abort();
      }
    })();
    await expect(within(5_000, 'the abort', reading)).rejects.toHaveProperty('name', 'AbortError');
    expect(events).toEqual([{ type: 'delta', text: 'Hm' }]);
    expect(model.abortedCount).toBe(1);
  });

  it('ignores the schema where the script does', async () => {
    expect((await readReply(new FakeLanguageModel({ script: 'no JSON' }), { ...request, schema: { type: 'object' } })).text).toBe('no JSON');
  });

  it('waits by the clock it is given', async () => {
    const waits: number[] = [];
    const sleep = (milliseconds: number): Promise<void> => Promise.resolve(void waits.push(milliseconds));
    await readReply(new FakeLanguageModel({ script: { deltas: ['a', 'b', 'c'] }, firstTokenMs: 500, tokenMs: 20, sleep }), request);
    expect(waits).toEqual([500, 20, 20]);
  });
});
