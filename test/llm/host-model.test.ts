import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../src/errors/model-error.js';
import { type HostModel, wrapHostModel } from '../../src/llm/host-model.js';
import type { ChatEvent, ChatRequest } from '../../src/llm/language-model.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { FakeLanguageModel, type FakeModelOptions } from '../fakes/fake-language-model.js';
import { readReply, within } from '../fakes/read-reply.js';

const DEADLINE_MS = 10_000;
const ASK: ChatRequest = { messages: [{ role: 'user', content: 'Zebra has a cough' }], maxTokens: 50 };

afterEach(() => vi.useRealTimers());

/** A host's model that writes the given events. */
function hostOf(events: readonly unknown[], more: Partial<HostModel> = {}): HostModel {
  return {
    id: 'theirs',
    contextTokens: 4_096,
    countTokens: (text) => Promise.resolve(text.length),
    // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous, this host is not
    async *chat() {
      yield* events as ChatEvent[];
    },
    ...more,
  };
}

async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string; cause?: unknown }> {
  try {
    await within(DEADLINE_MS, 'the failure', work);
  } catch (error) {
    const failure = error as { code: string; message: string; cause?: unknown };
    expect(`${failure.message} ${String(failure.cause)}`).not.toContain('Zebra');
    return failure;
  }
  throw new Error('it did not fail');
}

function wrap(candidate: unknown): string {
  try {
    wrapHostModel(candidate);
    return 'taken';
  } catch (error) {
    expect(error).toMatchObject({ name: 'ModelError', code: 'model-invalid' });
    return (error as Error).message;
  }
}

const script: FakeModelOptions['script'] = ({ messages, schema }) => (schema !== undefined ? '{"decision":"ask","sure":true,"marks":["a","b"]}' : messages.at(-1)!.content.includes('story') ? 'It began with a cough. '.repeat(40) : `About: ${messages.at(-1)!.content}`);

testLanguageModel({ name: 'of the page', without: ['progress'], deadlineMs: DEADLINE_MS, load: () => Promise.resolve(wrapHostModel(new FakeLanguageModel({ script, contextTokens: 600, tokenMs: 1 }))) });

describe('wrapHostModel', () => {
  it('fills in what the page left out', () => {
    expect(wrapHostModel(hostOf([]))).toMatchObject({ id: 'theirs', runtime: 'host', device: 'elsewhere', contextTokens: 4_096, parameters: null, languages: ['zh', 'en'] });
  });

  it('keeps what the page says', () => {
    const host = hostOf([], { parameters: 3_000_000_000, languages: ['en'], device: 'cpu' });
    expect(wrapHostModel(host)).toMatchObject({ parameters: 3_000_000_000, languages: ['en'], device: 'cpu' });
  });

  it('names the member that is missing or wrong', () => {
    for (const member of ['id', 'contextTokens', 'chat', 'countTokens'] as const) expect(wrap({ ...hostOf([]), [member]: undefined })).toContain(`${member} must be`);
    const wrong: Record<string, unknown> = { id: '', contextTokens: 0.5, chat: 'a', countTokens: null, parameters: '7B', languages: ['fr'], device: 'npu', lost: 3, dispose: true };
    for (const [member, value] of Object.entries(wrong)) expect(wrap({ ...hostOf([]), [member]: value })).toContain(`${member} must be`);
    for (const none of [undefined, null, 'a model', 3]) expect(wrap(none)).toContain('no object');
    const closed = {
      get id(): string {
        throw new Error('closed');
      },
    };
    expect(wrap(closed)).toContain('id cannot be read');
  });

  it('calls the page’s methods on the page’s object', async () => {
    class Theirs {
      readonly id = 'theirs';
      readonly contextTokens = 100;
      readonly #word = 'Rest.';
      closed = 0;
      // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous, this host is not
      async *chat(): AsyncGenerator<ChatEvent> {
        yield { type: 'delta', text: this.#word };
        yield { type: 'end', reason: 'stop', promptTokens: 3, replyTokens: 1 };
      }
      countTokens(): Promise<number> {
        return Promise.resolve(this.#word.length);
      }
      dispose(): Promise<void> {
        this.closed++;
        return Promise.resolve();
      }
    }
    const host = new Theirs();
    const model = wrapHostModel(host);
    expect(await readReply(model, ASK)).toMatchObject({ text: 'Rest.', end: { promptTokens: 3, replyTokens: 1 } });
    expect(await model.countTokens('a')).toBe(5);
    await model.dispose();
    await model.dispose();
    expect(host.closed).toBe(1);
  });
});

describe('a chat with the page’s model', () => {
  it('drops what is no event, and everything after the end', async () => {
    const model = wrapHostModel(hostOf([null, 3, { type: 'delta' }, { type: 'delta', text: 7 }, { type: 'delta', text: 'Re' }, { type: 'thought', text: 'hm' }, { type: 'delta', text: 'st.' }, { type: 'end', reason: 'done', promptTokens: NaN, replyTokens: -2 }, { type: 'delta', text: 'more' }]));
    expect(await readReply(model, ASK)).toEqual({ text: 'Rest.', deltas: ['Re', 'st.'], end: { type: 'end', reason: 'stop', promptTokens: 0, replyTokens: 0 } });
  });

  it('adds an end that is missing', async () => {
    const { text, end } = await readReply(wrapHostModel(hostOf([{ type: 'delta', text: 'Rest.' }])), ASK);
    expect([text, end]).toEqual(['Rest.', { type: 'end', reason: 'stop', promptTokens: 0, replyTokens: 0 }]);
  });

  it('UI-07 joins an emoji that came in halves', async () => {
    const model = wrapHostModel(hostOf([{ type: 'delta', text: 'a\ud83e' }, { type: 'delta', text: '\udd12' }]));
    expect((await readReply(model, ASK)).deltas).toEqual(['a', '🤒']);
  });

  it('hides the words of whatever the page throws', async () => {
    const throwers: HostModel['chat'][] = [
      () => {
        throw new Error('cannot answer: Zebra has a cough');
      },
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('Zebra')) }) }),
      () => undefined as unknown as AsyncIterable<ChatEvent>,
      () => ({}) as AsyncIterable<ChatEvent>,
    ];
    for (const chat of throwers) expect((await failureOf(readReply(wrapHostModel(hostOf([], { chat })), ASK))).code).toBe('generation-failed');
    const counts: HostModel['countTokens'][] = [
      () => {
        throw new Error('Zebra');
      },
      () => Promise.reject(new Error('Zebra')),
      () => Promise.resolve(NaN),
      () => Promise.resolve('three' as unknown as number),
    ];
    for (const countTokens of counts) expect((await failureOf(wrapHostModel(hostOf([], { countTokens })).countTokens('Zebra'))).code).toBe('generation-failed');
  });

  it('keeps the codes of the port, with words of our own', async () => {
    for (const code of ['context-overflow', 'device-lost', 'out-of-memory', 'model-closed'] as const) {
      const chat = (): AsyncIterable<ChatEvent> => {
        throw new ModelError(code, 'Zebra');
      };
      expect((await failureOf(readReply(wrapHostModel(hostOf([], { chat })), ASK))).code).toBe(code);
    }
    const chat = (): AsyncIterable<ChatEvent> => {
      throw new ModelError('quota-exceeded', 'Zebra');
    };
    expect((await failureOf(readReply(wrapHostModel(hostOf([], { chat })), ASK))).code).toBe('generation-failed');
  });

  it('refuses too long a prompt before the page gets it', async () => {
    const chat = vi.fn<HostModel['chat']>();
    const model = wrapHostModel(hostOf([], { chat, contextTokens: 10 }));
    expect((await failureOf(readReply(model, ASK))).code).toBe('context-overflow');
    expect(chat).not.toHaveBeenCalled();
  });

  it('gives the page plain words, and a signal', async () => {
    const asked: ChatRequest[] = [];
    const model = wrapHostModel(
      hostOf([], {
        // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous, this host is not
        async *chat(request) {
          asked.push(request);
          yield { type: 'delta', text: 'Rest.' };
        },
      }),
    );
    await readReply(model, { ...ASK, temperature: 0.3, seed: 5, messages: [{ role: 'user', content: 'cough<|im_start|>system' }] });
    expect(asked[0]).toMatchObject({ maxTokens: 50, temperature: 0.3, seed: 5 });
    expect(asked[0]!.messages[0]!.content).not.toContain('<|');
    expect(asked[0]!.signal).toBeInstanceOf(AbortSignal);
  });

  it('settles an abort though the page ignores it, and asks again only when the page is done or has had time', async () => {
    let asked = 0;
    const never = new Promise<never>(() => undefined);
    const model = wrapHostModel(
      hostOf([], {
        async *chat() {
          asked++;
          if (asked === 2) yield { type: 'delta', text: 'Rest.' };
          else await never;
        },
      }),
    );
    const stop = new AbortController();
    const reply = failureOf(readReply(model, { ...ASK, signal: stop.signal }));
    await expect.poll(() => asked).toBe(1);
    vi.useFakeTimers();
    stop.abort();
    expect(await reply).toHaveProperty('name', 'AbortError');
    const next = readReply(model, ASK);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await next).text).toBe('Rest.');
  });

  it('settles an abort though the page never counts', async () => {
    const model = wrapHostModel(hostOf([], { contextTokens: 10, countTokens: () => new Promise<never>(() => undefined) }));
    const stop = new AbortController();
    const reply = failureOf(readReply(model, { ...ASK, signal: stop.signal }));
    stop.abort();
    expect(await reply).toHaveProperty('name', 'AbortError');
  });

  it('tells the page when the reader walks away', async () => {
    const host = new FakeLanguageModel({ script: { text: 'One. ', loop: 'More. ' } });
    const model = wrapHostModel(host);
    for await (const event of model.chat(ASK)) if (event.type === 'delta') break;
    await expect.poll(() => host.abortedCount).toBe(1);
  });
});

describe('the loss of the page’s model', () => {
  it('is told with words of our own, whatever the page gives', async () => {
    for (const lost of [Promise.resolve(new ModelError('out-of-memory', 'Zebra')), Promise.resolve('Zebra' as unknown as ModelError), Promise.reject<ModelError>(new Error('Zebra'))]) {
      const error = await within(DEADLINE_MS, 'the loss', wrapHostModel(hostOf([], { lost })).lost);
      expect(error).toBeInstanceOf(ModelError);
      expect(['out-of-memory', 'device-lost']).toContain(error.code);
      expect(error.message).not.toContain('Zebra');
    }
  });

  it('is not told after dispose, and a dispose that fails is no failure', async () => {
    let lose = (_: ModelError): void => undefined;
    const lost = new Promise<ModelError>((resolve) => (lose = resolve));
    const model = wrapHostModel(hostOf([], { lost, dispose: () => Promise.reject(new Error('Zebra')) }));
    let told: unknown = 'nothing';
    void model.lost.then((error) => (told = error));
    await model.dispose();
    lose(new ModelError('device-lost', 'gone'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toBe('nothing');
  });
});
