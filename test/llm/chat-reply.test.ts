import { describe, expect, it } from 'vitest';
import { checkRequest, streamReply } from '../../src/llm/chat-reply.js';
import type { ChatEvent, ChatRequest } from '../../src/llm/language-model.js';
import { within } from '../fakes/read-reply.js';

const request: ChatRequest = { messages: [{ role: 'user', content: 'Cough.' }], maxTokens: 5 };
const end: ChatEvent = { type: 'end', reason: 'stop', promptTokens: 1, replyTokens: 1 };
const forEver = (): Promise<void> => new Promise(() => undefined);

describe('streamReply', () => {
  it('hands over what is written, also before it is read', async () => {
    const events: ChatEvent[] = [];
    for await (const event of streamReply(request, async (push) => {
      push({ type: 'delta', text: 'a' });
      push({ type: 'delta', text: 'b' });
      await Promise.resolve();
      push(end);
    })) events.push(event);
    expect(events).toEqual([{ type: 'delta', text: 'a' }, { type: 'delta', text: 'b' }, end]);
  });

  it('settles a reader at once when the signal aborts, while the writer goes on', async () => {
    const abort = new AbortController();
    let stopped: AbortSignal | undefined;
    const reply = streamReply({ ...request, signal: abort.signal }, (_push, signal) => {
      stopped = signal;
      return forEver();
    });
    const next = reply.next();
    abort.abort(new Error('enough'));
    await expect(within(2_000, 'the reader', next)).rejects.toThrow('enough');
    expect(stopped?.aborted).toBe(true);
  });

  it('tells the writer when the reader walks away', async () => {
    let stopped: AbortSignal | undefined;
    for await (const event of streamReply(request, (push, signal) => {
      stopped = signal;
      push({ type: 'delta', text: 'a' });
      return forEver();
    })) {
      expect(event.type).toBe('delta');
      break;
    }
    expect(stopped?.aborted).toBe(true);
  });

  it('rejects with the writer’s failure', async () => {
    await expect(streamReply(request, () => Promise.reject(new Error('broken'))).next()).rejects.toThrow('broken');
  });

  it('writes nothing before it is read', () => {
    let hasBegun = false;
    streamReply(request, () => {
      hasBegun = true;
      return forEver();
    });
    expect(hasBegun).toBe(false);
  });
});

describe('checkRequest', () => {
  const faulty: readonly [string, Partial<ChatRequest>][] = [
    ['no message', { messages: [] }],
    ['a last message that is not the user’s', { messages: [{ role: 'assistant', content: 'Hello' }] }],
    ['a system message in the middle', { messages: [{ role: 'user', content: 'a' }, { role: 'system', content: 'b' }, { role: 'user', content: 'c' }] }],
    ['no tokens', { maxTokens: 0 }],
    ['half a token', { maxTokens: 1.5 }],
    ['a temperature below 0', { temperature: -0.1 }],
    ['a temperature above 2', { temperature: 2.1 }],
    ['no number as temperature', { temperature: Number.NaN }],
    ['a broken seed', { seed: 0.5 }],
  ];
  it.each(faulty)('refuses %s', (_name, change) => {
    expect(() => checkRequest({ ...request, ...change })).toThrow(RangeError);
  });

  it('takes a request in order', () => {
    expect(() => checkRequest({ ...request, messages: [{ role: 'system', content: 'a' }, ...request.messages], temperature: 2, seed: -1 })).not.toThrow();
  });
});
