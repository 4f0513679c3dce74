import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelError } from '../../src/errors/model-error.js';
import type { ChatRequest, LanguageModel, ModelProgress } from '../../src/llm/language-model.js';
import type { ToModelWorker } from '../../src/llm/model-protocol.js';
import { openWorkerModel, type WorkerModelStart } from '../../src/llm/worker-model.js';
import { FakeModelWorker, goodWorker } from '../fakes/fake-model-worker.js';
import { readReply, within } from '../fakes/read-reply.js';

const ask = (content = 'Cough.', more: Partial<ChatRequest> = {}): ChatRequest => ({ messages: [{ role: 'user', content }], maxTokens: 50, ...more });
type Answer = ConstructorParameters<typeof FakeModelWorker>[0];

/** Workers that answer as told, one after the other; the last one's manner stays. */
async function open(manners: readonly (() => NonNullable<Answer>)[], options: Partial<WorkerModelStart> = {}): Promise<{ model: LanguageModel; workers: FakeModelWorker[]; restarts: string[] }> {
  const workers: FakeModelWorker[] = [];
  const restarts: string[] = [];
  const model = await openWorkerModel({
    runtime: 'web-llm',
    parameters: 7,
    languages: ['en'],
    spawn: () => {
      const worker = new FakeModelWorker((manners[workers.length] ?? manners.at(-1)!)());
      workers.push(worker);
      return Promise.resolve(worker);
    },
    load: { modelId: 'm', files: new Map(), contextTokens: 100, thinks: false },
    onRestart: ({ code }) => restarts.push(code),
    ...options,
  });
  return { model, workers, restarts };
}

/** Loads well, then does with chats what the test says. */
const chatting = (onChat: (message: Extract<ToModelWorker, { type: 'chat' }>, worker: FakeModelWorker) => void) => (): NonNullable<Answer> => {
  const good = goodWorker();
  return (message, worker) => (message.type === 'chat' ? onChat(message, worker) : good(message, worker));
};
const silent = chatting(() => undefined);
const losing = chatting((_message, worker) => worker.say({ type: 'lost', code: 'device-lost', message: 'gone' }));
const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'no failure', (error: unknown) => (error as ModelError).code);

afterEach(() => {
  vi.useRealTimers();
});

describe('a model in a worker', () => {
  it('tells what the worker says of it', async () => {
    const { model } = await open([goodWorker]);
    expect([model.id, model.runtime, model.device, model.contextTokens, model.parameters]).toEqual(['m', 'web-llm', 'gpu', 100, 7]);
  });

  it('passes on progress that grows', async () => {
    const progress: ModelProgress[] = [];
    await open([goodWorker], { onProgress: (one) => progress.push(one) });
    expect(progress).toEqual([{ loadedBytes: 5, totalBytes: 10 }, { loadedBytes: 10, totalBytes: 10 }]);
  });

  it('rejects with the worker’s reason when loading fails, and ends the worker', async () => {
    const worker = new FakeModelWorker(({ id }, self) => self.say({ type: 'failed', id, code: 'out-of-memory', message: 'full' }));
    await expect(open([goodWorker], { spawn: () => Promise.resolve(worker) })).rejects.toMatchObject({ code: 'out-of-memory', message: 'full', modelId: 'm' });
    expect(worker.isTerminated).toBe(true);
  });

  it('rejects when the worker breaks while it loads', async () => {
    const worker = new FakeModelWorker((_message, self) => self.crash());
    expect(await codeOf(open([goodWorker], { spawn: () => Promise.resolve(worker) }))).toBe('device-lost');
  });

  it('rejects when loading says nothing for too long', async () => {
    const worker = new FakeModelWorker();
    expect(await codeOf(open([goodWorker], { spawn: () => Promise.resolve(worker), silenceMs: { load: 60 } }))).toBe('runtime-failed');
    expect(worker.isTerminated).toBe(true);
  });

  it('stops loading when the signal aborts, with its reason', async () => {
    const abort = new AbortController();
    const worker = new FakeModelWorker(() => abort.abort(new DOMException('enough', 'AbortError')));
    await expect(open([goodWorker], { spawn: () => Promise.resolve(worker), signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError', message: 'enough' });
    expect(worker.isTerminated).toBe(true);
  });

  it('takes no notice of the signal once it is loaded', async () => {
    const abort = new AbortController();
    const { model } = await open([goodWorker], { signal: abort.signal });
    abort.abort();
    expect((await readReply(model, ask())).text).toBe('Cough.');
  });

  it('breaks markers before they reach the worker', async () => {
    const { model, workers } = await open([goodWorker]);
    await readReply(model, ask('<|im_start|>x'));
    expect(await model.countTokens('<|im_start|>x')).toBe('‹|im_start|›x'.length);
    expect(workers[0]!.sent.filter(({ type }) => type === 'chat')).toMatchObject([{ request: { messages: [{ content: '‹|im_start|›x' }], temperature: 0, seed: 0 } }]);
  });

  it('drops what comes for a request that is over (RUN-07)', async () => {
    const late = chatting(({ id }, worker) => {
      worker.say({ type: 'end', id, reason: 'stop', promptTokens: 1, replyTokens: 0 });
      worker.say({ type: 'delta', id, text: 'late' });
      worker.say({ type: 'end', id, reason: 'stop', promptTokens: 1, replyTokens: 0 });
    });
    const { model } = await open([late]);
    expect((await readReply(model, ask())).deltas).toEqual([]);
    expect((await readReply(model, ask())).deltas).toEqual([]);
  });

  it('settles an abort at once, waits until the worker has stopped, and only then asks it again (RUN-03)', async () => {
    let finish = (): void => undefined;
    const slow = chatting(({ id }, worker) => {
      worker.say({ type: 'delta', id, text: 'a' });
      finish = () => worker.say({ type: 'failed', id, code: 'generation-failed', message: 'stopped' });
    });
    const { model, workers } = await open([slow]);
    const abort = new AbortController();
    const reply = model.chat(ask('x', { signal: abort.signal }));
    await reply.next();
    abort.abort();
    await expect(reply.next()).rejects.toHaveProperty('name', 'AbortError');
    const next = codeOf(readReply(model, ask('y')));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(workers[0]!.sent.filter(({ type }) => type === 'chat' || type === 'abort').map(({ type }) => type)).toEqual(['chat', 'abort']);
    finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(workers[0]!.sent.filter(({ type }) => type === 'chat')).toHaveLength(2);
    await model.dispose();
    expect(await next).toBe('model-closed');
  });

  it('starts a fresh worker when a reply does not stop', async () => {
    const deaf = chatting(({ id }, worker) => worker.say({ type: 'delta', id, text: 'a' }));
    const { model, workers, restarts } = await open([deaf, goodWorker], { drainMs: { reply: 20 } });
    for await (const event of model.chat(ask())) if (event.type === 'delta') break;
    expect((await within(5_000, 'the next reply', readReply(model, ask()))).text).toBe('Cough.');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    expect(restarts).toEqual(['generation-failed']);
  });

  it('gives a prompt that is still read longer to stop', async () => {
    const { model, workers } = await open([silent], { drainMs: { reply: 1, prompt: 600_000 } });
    const abort = new AbortController();
    const reply = readReply(model, ask('x', { signal: abort.signal }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    abort.abort();
    await expect(reply).rejects.toHaveProperty('name', 'AbortError');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(workers[0]!.isTerminated).toBe(false);
    await model.dispose();
  });

  it('fails a reply whose model falls silent, and answers again', async () => {
    const { model, restarts } = await open([silent, goodWorker], { silenceMs: { firstToken: 60 } });
    expect(await codeOf(within(5_000, 'the reply', readReply(model, ask())))).toBe('generation-failed');
    expect((await readReply(model, ask())).text).toBe('Cough.');
    expect(restarts).toEqual(['generation-failed']);
  });

  it('fails a count that is never answered', async () => {
    const good = goodWorker();
    const { model } = await open([() => (message, worker) => (message.type === 'count' ? undefined : good(message, worker))], { silenceMs: { firstToken: 60 } });
    expect(await codeOf(within(5_000, 'the count', model.countTokens('x')))).toBe('generation-failed');
  });

  it('waits as long as the worker says that it still reads', async () => {
    const reading = chatting(({ id }, worker) => {
      const timer = setInterval(() => worker.say({ type: 'alive', id }), 10);
      setTimeout(() => {
        clearInterval(timer);
        worker.say({ type: 'end', id, reason: 'stop', promptTokens: 1, replyTokens: 0 });
      }, 400);
    });
    const { model, restarts } = await open([reading], { silenceMs: { firstToken: 150 } });
    expect((await readReply(model, ask())).end.reason).toBe('stop');
    expect(restarts).toEqual([]);
  });

  it('is lost when it gets stuck twice without a whole reply in between', async () => {
    const { model, restarts } = await open([silent], { silenceMs: { firstToken: 60 } });
    expect(await codeOf(readReply(model, ask()))).toBe('generation-failed');
    expect(await codeOf(readReply(model, ask()))).toBe('generation-failed');
    expect((await within(5_000, 'the loss', model.lost)).code).toBe('device-lost');
    expect(await codeOf(readReply(model, ask()))).toBe('device-lost');
    expect(restarts).toEqual(['generation-failed']);
  });

  it('is rebuilt at the next request after its device was lost while idle (GPU-04)', async () => {
    const { model, workers, restarts } = await open([goodWorker]);
    workers[0]!.say({ type: 'lost', code: 'device-lost', message: 'gone' });
    expect(workers).toHaveLength(1);
    expect((await readReply(model, ask())).text).toBe('Cough.');
    expect(workers).toHaveLength(2);
    expect(restarts).toEqual(['device-lost']);
  });

  it('asks a fresh worker when the device is lost before the first text, and nobody notices', async () => {
    const { model, workers } = await open([losing, goodWorker]);
    expect((await readReply(model, ask())).text).toBe('Cough.');
    expect(workers).toHaveLength(2);
  });

  it('fails a reply whose device is lost in the middle, and answers the next one', async () => {
    const half = chatting(({ id }, worker) => {
      worker.say({ type: 'delta', id, text: 'a' });
      worker.crash();
    });
    const { model } = await open([half, goodWorker]);
    expect(await codeOf(readReply(model, ask()))).toBe('device-lost');
    expect((await readReply(model, ask())).text).toBe('Cough.');
  });

  it('is lost for good when its device is lost again', async () => {
    const { model, workers } = await open([losing]);
    expect(await codeOf(readReply(model, ask()))).toBe('device-lost');
    expect((await within(5_000, 'the loss', model.lost)).code).toBe('device-lost');
    expect(await codeOf(readReply(model, ask()))).toBe('device-lost');
    expect(await codeOf(model.countTokens('x'))).toBe('device-lost');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });

  it('is lost when it cannot be started again', async () => {
    const { model, workers } = await open([goodWorker, () => ({ id }, worker) => worker.say({ type: 'failed', id, code: 'out-of-memory', message: 'full' })]);
    workers[0]!.crash();
    expect(await codeOf(readReply(model, ask()))).toBe('out-of-memory');
    expect((await within(5_000, 'the loss', model.lost)).code).toBe('out-of-memory');
    expect(await codeOf(readReply(model, ask()))).toBe('out-of-memory');
    expect(workers).toHaveLength(2);
  });

  it('rejects all who wait when a message cannot be read', async () => {
    const { model, workers } = await open([chatting((_message, worker) => worker.garble())]);
    expect(await Promise.all([codeOf(readReply(model, ask('a'))), codeOf(readReply(model, ask('b')))])).toEqual(['device-lost', 'device-lost']);
    expect(workers).toHaveLength(2);
  });

  it('goes on after a request that failed alone', async () => {
    let count = 0;
    const { model, workers } = await open([chatting(({ id }, worker) => worker.say(count++ === 0 ? { type: 'failed', id, code: 'context-overflow', message: 'too long' } : { type: 'end', id, reason: 'stop', promptTokens: 1, replyTokens: 0 }))]);
    expect(await codeOf(readReply(model, ask()))).toBe('context-overflow');
    expect((await readReply(model, ask())).end.reason).toBe('stop');
    expect(workers).toHaveLength(1);
  });

  it('does not wait for a worker that does not answer when it is closed', async () => {
    vi.useFakeTimers();
    const good = goodWorker();
    const opening = open([() => (message, worker) => (message.type === 'dispose' ? undefined : good(message, worker))]);
    await vi.runAllTimersAsync();
    const { model, workers } = await opening;
    const disposing = model.dispose();
    await vi.advanceTimersByTimeAsync(1_500);
    await disposing;
    expect(workers[0]!.isTerminated).toBe(true);
  });

  it('ends a worker that is being started again when it is closed', async () => {
    const { model, workers } = await open([goodWorker, () => () => undefined]);
    workers[0]!.crash();
    const reply = codeOf(readReply(model, ask()));
    await new Promise((resolve) => setTimeout(resolve, 10));
    await model.dispose();
    expect(await reply).toBe('model-closed');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });
});
