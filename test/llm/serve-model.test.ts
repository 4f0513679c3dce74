import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/errors/model-error.js';
import type { FromModelWorker, LoadOptions, ToModelWorker, WireRequest } from '../../src/llm/model-protocol.js';
import { type Runtime, serveModel } from '../../src/llm/serve-model.js';
import type { Hello } from '../../src/llm/worker-start.js';

const REQUEST: WireRequest = { messages: [{ role: 'user', content: 'SECRET' }], maxTokens: 5, temperature: 0, seed: 0 };
const END = { reason: 'stop', promptTokens: 3, replyTokens: 2 } as const;
const LOAD: LoadOptions = { modelId: 'm', files: new Map([['a', new Blob(['abc'])], ['b', new Blob(['defg'])]]), contextTokens: 10, thinks: false };

/** A runtime that does what is not said otherwise well, and the messages that come of it. */
function serve(runtime: Partial<Runtime>): { readonly said: (FromModelWorker | Hello)[]; readonly send: (message: ToModelWorker) => void; readonly until: (type: string) => Promise<FromModelWorker> } {
  const said: (FromModelWorker | Hello)[] = [];
  let listener: (event: MessageEvent) => void = () => undefined;
  serveModel(
    { load: () => Promise.resolve({ device: 'cpu', contextTokens: 10 }), chat: () => Promise.resolve(END), countTokens: (text) => text.length, dispose: () => Promise.resolve(), ...runtime },
    { postMessage: (message) => said.push(message), addEventListener: (_type, added) => (listener = added) },
  );
  return {
    said,
    send: (data) => listener({ data } as MessageEvent),
    until: async (type) => {
      for (let turn = 0; turn < 500; turn++) {
        const found = said.find((message) => message.type === type);
        if (found !== undefined) return found as FromModelWorker;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`no ${type} among ${said.map((message) => message.type).join(', ')}`);
    },
  };
}

const deltasOf = (said: readonly (FromModelWorker | Hello)[]): string[] => said.flatMap((message) => (message.type === 'delta' ? [message.text] : []));

describe('serveModel', () => {
  it('says hello first', () => {
    expect(serve({}).said).toEqual([{ type: 'hello', protocol: 1 }]);
  });

  it('loads, with progress in bytes of all files that ends at their sum', async () => {
    const { said, send, until } = serve({
      load: (_options, host) => {
        for (const bytes of [2, 1, 5, 99]) host.read(bytes);
        return Promise.resolve({ device: 'gpu', contextTokens: 10 });
      },
    });
    send({ type: 'load', id: 1, options: LOAD });
    expect(await until('loaded')).toEqual({ type: 'loaded', id: 1, device: 'gpu', contextTokens: 10 });
    expect(said.flatMap((message) => (message.type === 'progress' ? [[message.loadedBytes, message.totalBytes]] : []))).toEqual([[2, 7], [5, 7], [7, 7]]);
  });

  it('posts the first text at once and further text in few messages', async () => {
    const { said, send, until } = serve({
      chat: async (_request, { write }) => {
        for (let at = 0; at < 200; at++) {
          write('x');
          if (at % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return END;
      },
    });
    send({ type: 'chat', id: 1, request: REQUEST });
    await until('end');
    const deltas = deltasOf(said);
    expect(deltas[0]).toBe('x');
    expect(deltas.join('')).toBe('x'.repeat(200));
    expect(deltas.length).toBeLessThan(40);
  });

  it('posts text that waits without being pushed by more', async () => {
    let finish = (): void => undefined;
    const { said, send, until } = serve({
      chat: async (_request, { write }) => {
        write('a');
        write('b');
        await new Promise<void>((resolve) => (finish = resolve));
        return END;
      },
    });
    send({ type: 'chat', id: 1, request: REQUEST });
    await until('delta');
    while (deltasOf(said).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(deltasOf(said)).toEqual(['a', 'b']);
    finish();
    await until('end');
  });

  it('puts characters together that come in halves (UI-07)', async () => {
    const { said, send, until } = serve({
      chat: async (_request, { write }) => {
        for (const half of '发烧🤒!'.split('')) {
          write(half);
          await new Promise((resolve) => setTimeout(resolve, 60));
        }
        return END;
      },
    });
    send({ type: 'chat', id: 1, request: REQUEST });
    await until('end');
    expect(deltasOf(said)).toEqual(['发', '烧', '🤒', '!']);
  });

  it('runs one request at a time, in order', async () => {
    let running = 0;
    const seen: string[] = [];
    const { send, said } = serve({
      chat: async ({ messages }) => {
        running++;
        seen.push(`${messages[0]!.content} ${String(running)}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
        running--;
        return END;
      },
    });
    for (const [at, content] of ['a', 'b', 'c'].entries()) send({ type: 'chat', id: at, request: { ...REQUEST, messages: [{ role: 'user', content }] } });
    while (said.filter(({ type }) => type === 'end').length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen).toEqual(['a 1', 'b 1', 'c 1']);
  });

  it('stops the request that is to be stopped, also while it waits, and answers the next', async () => {
    const seen: string[] = [];
    const { send, until, said } = serve({
      chat: async ({ messages }, { signal, write }) => {
        seen.push(messages[0]!.content);
        if (messages[0]!.content === 'a') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        write('late');
        return END;
      },
    });
    for (const [at, content] of ['a', 'b', 'c'].entries()) send({ type: 'chat', id: at, request: { ...REQUEST, messages: [{ role: 'user', content }] } });
    send({ type: 'abort', id: 1 });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    send({ type: 'abort', id: 0 });
    await until('delta');
    expect(seen).toEqual(['a', 'c']);
    expect(deltasOf(said)).toEqual(['late']);
    expect(said.find((message) => message.type === 'failed')).toMatchObject({ id: 1 });
  });

  it('counts', async () => {
    const { send, until } = serve({});
    send({ type: 'count', id: 4, text: 'four' });
    expect(await until('counted')).toEqual({ type: 'counted', id: 4, tokens: 4 });
  });

  it.each<[string, unknown, string]>([
    ['its own errors by their code', new ModelError('context-overflow', 'too long'), 'context-overflow'],
    ['a full memory', new RangeError('Array buffer allocation failed'), 'out-of-memory'],
    ['a full GPU', Object.assign(new Error('x'), { name: 'GPUOutOfMemoryError', message: 'Out of memory' }), 'out-of-memory'],
    ['anything else', new TypeError('cannot read SECRET'), 'generation-failed'],
    ['what is no error', 'SECRET', 'generation-failed'],
  ])('tells %s, and nothing of the prompt', async (_name, error, code) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- runtimes reject with anything
    const { send, until, said } = serve({ chat: () => Promise.reject(error) });
    send({ type: 'chat', id: 1, request: REQUEST });
    expect(await until('failed')).toMatchObject({ id: 1, code });
    expect(JSON.stringify(said)).not.toContain('SECRET');
    send({ type: 'count', id: 2, text: 'x' });
    await until('counted');
  });

  it('tells that the model is lost, with code and message', async () => {
    const { send, until } = serve({
      load: (_options, host) => {
        host.lost(new ModelError('device-lost', 'gone'));
        return Promise.resolve({ device: 'gpu', contextTokens: 10 });
      },
    });
    send({ type: 'load', id: 1, options: LOAD });
    expect(await until('lost')).toEqual({ type: 'lost', code: 'device-lost', message: 'gone' });
  });

  it('frees the runtime after what runs has stopped', async () => {
    const seen: string[] = [];
    const { send, until } = serve({
      chat: async (_request, { signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        seen.push('stopped');
        return END;
      },
      dispose: () => Promise.resolve(void seen.push('disposed')),
    });
    send({ type: 'chat', id: 1, request: REQUEST });
    await new Promise((resolve) => setTimeout(resolve, 10));
    send({ type: 'dispose', id: 2 });
    await until('disposed');
    expect(seen).toEqual(['stopped', 'disposed']);
  });
});
