import { ModelError } from '../errors/model-error.js';
import type { ErrorCode } from '../errors/codes.js';
import type { FromModelWorker, LoadOptions, ToModelWorker, WireRequest } from './model-protocol.js';

/** The side of a worker that is needed here. */
export type ModelWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/** A request that the worker has not finished. */
interface Pending {
  /** True when the request is over. */
  readonly receive: (message: FromModelWorker) => boolean;
  readonly fail: (error: ModelError) => void;
}

/** A message that belongs to a request. */
type Addressed = Extract<FromModelWorker, { id: number }>;

export interface ChatHooks {
  readonly delta: (text: string) => void;
  /** The worker still reads the prompt. */
  readonly alive: () => void;
}

/** What a worker says of a model that it has loaded. */
export type Loaded = Pick<Extract<FromModelWorker, { type: 'loaded' }>, 'device' | 'contextTokens'>;

export type ChatEnd = Pick<Extract<FromModelWorker, { type: 'end' }>, 'reason' | 'promptTokens' | 'replyTokens'>;

/** One worker with a model in it, from its start to its end. Messages for requests that are over are dropped. */
export class WorkerLink {
  readonly #worker: ModelWorker;
  readonly #modelId: string;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #goneBy: ModelError | undefined;
  #onGone: ((error: ModelError) => void) | undefined;

  /** @param onGone called once, when the worker failed or said that its model is lost; not after `kill` */
  constructor(worker: ModelWorker, modelId: string, onGone: (error: ModelError) => void) {
    this.#worker = worker;
    this.#modelId = modelId;
    this.#onGone = onGone;
    worker.addEventListener('message', ((event: MessageEvent<FromModelWorker>) => this.#receive(event.data)) as EventListener);
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fall(this.#error('device-lost', 'The worker of the model failed.'));
    });
    worker.addEventListener('messageerror', () => this.#fall(this.#error('device-lost', 'A message of the model’s worker could not be read.')));
  }

  /** Undefined as long as it answers. */
  get goneBy(): ModelError | undefined {
    return this.#goneBy;
  }

  /** Loads the model. @param onProgress may be called until it settles */
  load(options: LoadOptions, onProgress: (loadedBytes: number, totalBytes: number) => void): Promise<Loaded> {
    return this.#ask<Loaded>((id) => ({ type: 'load', id, options }), (message, resolve) => {
      if (message.type === 'progress') onProgress(message.loadedBytes, message.totalBytes);
      if (message.type !== 'loaded') return false;
      resolve({ device: message.device, contextTokens: message.contextTokens });
      return true;
    }).answer;
  }

  /** Begins a reply. `stop` asks the worker to end it; `answer` settles when it has, by itself or not. */
  chat(request: WireRequest, hooks: ChatHooks): { readonly answer: Promise<ChatEnd>; readonly stop: () => void } {
    const { id, answer } = this.#ask<ChatEnd>((own) => ({ type: 'chat', id: own, request }), (message, resolve) => {
      if (message.type === 'delta') hooks.delta(message.text);
      if (message.type === 'alive') hooks.alive();
      if (message.type !== 'end') return false;
      resolve({ reason: message.reason, promptTokens: message.promptTokens, replyTokens: message.replyTokens });
      return true;
    });
    return { answer, stop: () => this.#post({ type: 'abort', id }) };
  }

  count(text: string): Promise<number> {
    return this.#ask<number>((id) => ({ type: 'count', id, text }), (message, resolve) => {
      if (message.type !== 'counted') return false;
      resolve(message.tokens);
      return true;
    }).answer;
  }

  /** Everything that waits rejects with the error; then the worker may free what it holds, for so long, and is ended. */
  async close(error: ModelError, patienceMs: number): Promise<void> {
    if (this.#goneBy !== undefined) return;
    this.#failAll(error);
    const { answer } = this.#ask<void>((id) => ({ type: 'dispose', id }), (message, resolve) => {
      if (message.type === 'disposed') resolve();
      return message.type === 'disposed';
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([answer.catch(() => undefined), new Promise((resolve) => (timer = setTimeout(resolve, patienceMs)))]);
    clearTimeout(timer);
    this.kill(error);
  }

  /** Ends the worker now; everything that waits rejects with the error. */
  kill(error: ModelError): void {
    if (this.#goneBy !== undefined) return;
    this.#goneBy = error;
    this.#onGone = undefined;
    this.#worker.terminate();
    this.#failAll(error);
  }

  #ask<T>(message: (id: number) => ToModelWorker, read: (message: Addressed, resolve: (value: T) => void) => boolean): { readonly id: number; readonly answer: Promise<T> } {
    const id = ++this.#lastId;
    const answer = new Promise<T>((resolve, reject) => {
      if (this.#goneBy !== undefined) {
        reject(this.#goneBy);
        return;
      }
      this.#pending.set(id, {
        fail: reject,
        receive: (received) => {
          if (received.type === 'failed') reject(this.#error(received.code, received.message));
          return received.type === 'failed' || read(received as Addressed, resolve);
        },
      });
      this.#post(message(id));
    });
    return { id, answer };
  }

  #post(message: ToModelWorker): void {
    if (this.#goneBy === undefined) this.#worker.postMessage(message);
  }

  #receive(message: FromModelWorker): void {
    if (this.#goneBy !== undefined) return;
    if (message.type === 'lost') this.#fall(this.#error(message.code, message.message));
    else if (this.#pending.get(message.id)?.receive(message) === true) this.#pending.delete(message.id);
  }

  /** The worker has fallen over by itself. */
  #fall(error: ModelError): void {
    const tell = this.#onGone;
    this.kill(error);
    tell?.(error);
  }

  #failAll(error: ModelError): void {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { fail } of waiting) fail(error);
  }

  #error(code: ErrorCode, message: string): ModelError {
    return new ModelError(code, message, { modelId: this.#modelId, retryable: code === 'device-lost' || code === 'generation-failed' });
  }
}
