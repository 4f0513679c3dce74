import type { Language } from '../bundle/bundle.js';
import { ModelError } from '../errors/model-error.js';
import { plainText } from './chat-markers.js';
import { streamReply } from './chat-reply.js';
import type { ChatEvent, ChatRequest, LanguageModel, ModelProgress } from './language-model.js';
import type { LoadOptions, WireRequest } from './model-protocol.js';
import { SilenceWatch } from './silence-watch.js';
import { TurnQueue } from './turn-queue.js';
import { type Loaded, type ModelWorker, WorkerLink } from './worker-link.js';

/** What every model in a worker may be given, beside what its runtime needs. */
export interface WorkerModelOptions {
  /** Number of weights; null where not known. */
  readonly parameters: number | null;
  readonly languages: readonly Language[];
  /** Aborts loading; later it has no effect. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ModelProgress) => void;
  /** Called when the worker has to be started again, before it is. */
  readonly onRestart?: (reason: ModelError) => void;
  /** Silence allowed while loading, before the first token, and after it. @default 180_000, 60_000, 30_000 */
  readonly silenceMs?: { readonly load?: number; readonly firstToken?: number; readonly token?: number };
  /** How long a stopped reply may take to end before its worker is ended: once text has come, and while the prompt is still read, which no runtime can break off. @default 5_000, 20_000 */
  readonly drainMs?: { readonly reply?: number; readonly prompt?: number };
}

/** How to start one, for `openWorkerModel`. */
export interface WorkerModelStart<Load extends LoadOptions = LoadOptions> extends WorkerModelOptions {
  readonly runtime: 'web-llm' | 'wllama';
  /** A fresh worker each time, which has said hello. */
  readonly spawn: () => Promise<ModelWorker>;
  readonly load: Load;
}

const DISPOSE_MS = 1_000;
/** Fresh workers after the model was lost, in all; and after it got stuck, between two whole replies. */
const RESTARTS_AFTER_LOSS = 1;
const RESTARTS_WHEN_STUCK = 1;

/**
 * Loads a model in a worker of its own.
 * @throws the signal's reason; {ModelError} runtime-failed, out-of-memory, device-lost, and what the runtime says
 */
export async function openWorkerModel(start: WorkerModelStart): Promise<LanguageModel> {
  const model = new WorkerModel(start);
  await model.open();
  return model;
}

/** A model in a worker: one request at a time, a stop that is felt at once, and a fresh worker where one is lost or stuck. */
class WorkerModel implements LanguageModel {
  readonly id: string;
  readonly runtime: 'web-llm' | 'wllama';
  readonly parameters: number | null;
  readonly languages: readonly Language[];
  readonly lost: Promise<ModelError>;
  readonly #start: WorkerModelStart;
  readonly #queue = new TurnQueue();
  readonly #closing = new AbortController();
  #loaded: Loaded = { device: 'cpu', contextTokens: 0 };
  #link: WorkerLink | undefined;
  #isOpen = false;
  #starting: Promise<WorkerLink> | undefined;
  #disposing: Promise<void> | undefined;
  #restartsAfterLoss = RESTARTS_AFTER_LOSS;
  #restartsWhenStuck = RESTARTS_WHEN_STUCK;
  #settleLost!: (error: ModelError) => void;

  constructor(start: WorkerModelStart) {
    this.#start = start;
    this.id = start.load.modelId;
    this.runtime = start.runtime;
    this.parameters = start.parameters;
    this.languages = start.languages;
    this.lost = new Promise((resolve) => (this.#settleLost = resolve));
  }

  get device(): 'gpu' | 'cpu' {
    return this.#loaded.device;
  }

  get contextTokens(): number {
    return this.#loaded.contextTokens;
  }

  async open(): Promise<void> {
    const { signal, onProgress } = this.#start;
    signal?.throwIfAborted();
    const abort = (): void => this.#closing.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await this.#ready(onProgress);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    return streamReply(request, (push, signal) => this.#inTurn(signal, () => this.#reply(request, push, signal)));
  }

  countTokens(text: string): Promise<number> {
    return this.#inTurn(this.#closing.signal, async () => {
      const link = await this.#ready();
      return this.#watched(link, this.#silenceMs.firstToken, () => link.count(plainText(text)));
    });
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #dispose(): Promise<void> {
    const closed = new ModelError('model-closed', `The model ${this.id} was closed.`, { modelId: this.id });
    this.#closing.abort(closed);
    this.#queue.close(closed);
    await this.#link?.close(closed, DISPOSE_MS);
    await this.#starting?.catch(() => undefined);
  }

  async #inTurn<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T> {
    const release = await this.#queue.enter(signal);
    try {
      this.#closing.signal.throwIfAborted();
      return await action();
    } finally {
      release();
    }
  }

  /** The worker, started again where it is gone. One start serves all who wait for it; nobody's abort stops it. */
  async #ready(onProgress?: (progress: ModelProgress) => void): Promise<WorkerLink> {
    if (this.#link !== undefined) return this.#link;
    this.#starting ??= this.#startWorker(onProgress).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #startWorker(onProgress?: (progress: ModelProgress) => void): Promise<WorkerLink> {
    const { spawn, load } = this.#start;
    const closing = this.#closing.signal;
    const worker = await spawn();
    if (closing.aborted) {
      worker.terminate();
      throw closing.reason;
    }
    const link = new WorkerLink(worker, this.id, (reason) => this.#gone(reason));
    const abort = (): void => link.kill(closing.reason as ModelError);
    closing.addEventListener('abort', abort);
    try {
      let shownBytes = -1;
      const { load: silenceMs } = this.#silenceMs;
      this.#loaded = await this.#watched(link, silenceMs, (touch) =>
        link.load(load, (loadedBytes, totalBytes) => {
          touch();
          if (loadedBytes <= shownBytes) return;
          shownBytes = loadedBytes;
          onProgress?.({ loadedBytes, totalBytes });
        }),
      );
    } catch (error) {
      link.kill(error as ModelError);
      if (this.#isOpen && !closing.aborted) throw this.#lose(error as ModelError);
      throw error;
    } finally {
      closing.removeEventListener('abort', abort);
    }
    this.#link = link;
    this.#isOpen = true;
    return link;
  }

  async #reply(request: ChatRequest, push: (event: ChatEvent) => void, signal: AbortSignal): Promise<void> {
    const wire: WireRequest = {
      messages: request.messages.map(({ role, content }) => ({ role, content: plainText(content) })),
      maxTokens: request.maxTokens,
      temperature: request.temperature ?? 0,
      seed: request.seed ?? 0,
      ...(request.schema === undefined ? {} : { schema: request.schema }),
    };
    for (;;) {
      const link = await this.#revived(signal);
      let hasText = false;
      try {
        const end = await this.#converse(link, wire, signal, (text) => {
          hasText = true;
          push({ type: 'delta', text });
        });
        this.#restartsWhenStuck = RESTARTS_WHEN_STUCK;
        push({ type: 'end', ...end });
        return;
      } catch (error) {
        // The device may have been lost long before, and the news have come only now.
        const isFresh = !hasText && !signal.aborted && !this.#closing.signal.aborted;
        if (!(isFresh && error === link.goneBy && (error as ModelError).code === 'device-lost')) throw error;
      }
    }
  }

  /** As `#ready`, for a reader who may leave. */
  async #revived(signal: AbortSignal): Promise<WorkerLink> {
    const starting = this.#ready();
    if (this.#link !== undefined) return starting;
    starting.catch(() => undefined);
    return Promise.race([starting, aborted(signal)]);
  }

  async #converse(link: WorkerLink, wire: WireRequest, signal: AbortSignal, write: (text: string) => void): Promise<Omit<Extract<ChatEvent, { type: 'end' }>, 'type'>> {
    const { firstToken, token } = this.#silenceMs;
    const { reply: replyMs = 5_000, prompt: promptMs = 20_000 } = this.#start.drainMs ?? {};
    let hasText = false;
    return this.#watched(link, firstToken, async (touch) => {
      const { answer, stop } = link.chat(wire, {
        alive: () => touch(),
        delta: (text) => {
          hasText = true;
          touch(token);
          if (!signal.aborted) write(text);
        },
      });
      let timer: ReturnType<typeof setTimeout> | undefined;
      const abort = (): void => {
        stop();
        timer = setTimeout(() => this.#stuck(link, `The model ${this.id} did not stop its reply.`), hasText ? replyMs : promptMs);
      };
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort);
      try {
        return await answer;
      } finally {
        signal.removeEventListener('abort', abort);
        clearTimeout(timer);
      }
    });
  }

  /** Ends the worker when it stays silent for too long. */
  async #watched<T>(link: WorkerLink, limitMs: number, action: (touch: (limitMs?: number) => void) => Promise<T>): Promise<T> {
    let currentMs = limitMs;
    const watch = (): SilenceWatch => new SilenceWatch(currentMs, () => this.#stuck(link, `The model ${this.id} was silent for ${(currentMs / 1_000).toFixed(0)} s.`));
    let current = watch();
    try {
      return await action((newMs = currentMs) => {
        if (newMs === currentMs) {
          current.heard();
          return;
        }
        current.stop();
        currentMs = newMs;
        current = watch();
      });
    } finally {
      current.stop();
    }
  }

  get #silenceMs(): { readonly load: number; readonly firstToken: number; readonly token: number } {
    return { load: 180_000, firstToken: 60_000, token: 30_000, ...this.#start.silenceMs };
  }

  /** The worker does not answer any more: its request fails, the next one gets a fresh worker. */
  #stuck(link: WorkerLink, message: string): void {
    if (link.goneBy !== undefined) return;
    const isLoading = link !== this.#link;
    link.kill(new ModelError(isLoading ? 'runtime-failed' : 'generation-failed', message, { modelId: this.id, retryable: true }));
    if (!isLoading) this.#drop(link.goneBy as unknown as ModelError, this.#restartsWhenStuck--);
  }

  /** The worker failed or its device is gone. */
  #gone(reason: ModelError): void {
    if (this.#link !== undefined) this.#drop(reason, this.#restartsAfterLoss--);
  }

  /** Lets go of the worker. With no restarts left the model is lost for good. */
  #drop(reason: ModelError, restartsLeft: number): void {
    this.#link = undefined;
    if (this.#closing.signal.aborted) return;
    if (restartsLeft > 0) this.#start.onRestart?.(reason);
    else this.#lose(reason);
  }

  /** The model is gone for good. */
  #lose(reason: ModelError): ModelError {
    const lost = new ModelError(reason.code === 'out-of-memory' ? 'out-of-memory' : 'device-lost', `The model ${this.id} was lost again; it must be loaded anew. (${reason.message})`, { modelId: this.id, cause: reason });
    this.#closing.abort(lost);
    this.#queue.close(lost);
    this.#settleLost(lost);
    return lost;
  }
}

/** Rejects with the reason when the signal aborts; else never settles. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
