import { CodePoints } from './code-points.js';
import { failureOf } from './model-failure.js';
import type { Failure, FromModelWorker, LoadOptions, ToModelWorker, WireRequest } from './model-protocol.js';
import { type Hello, PROTOCOL } from './worker-start.js';

/** What a runtime tells while it works. */
export interface RuntimeHost {
  /** Bytes of the files read so far. */
  readonly read: (bytes: number) => void;
  /** The model is gone and will not come back in this worker. */
  readonly lost: (failure: Failure) => void;
}

/** What a runtime tells about one reply. */
export interface ReplyHost {
  readonly write: (text: string) => void;
  /** Something still happens, though there is no text yet. */
  readonly alive: () => void;
  readonly signal: AbortSignal;
}

/** One way to run a model inside a worker. Its calls come one at a time. */
export interface Runtime<Load extends LoadOptions = LoadOptions> {
  load(options: Load, host: RuntimeHost): Promise<{ readonly device: 'gpu' | 'cpu'; readonly contextTokens: number }>;
  /** Once the signal aborts it stops soon; what it then returns or throws does not matter, but only after everything has stopped. */
  chat(request: WireRequest, host: ReplyHost): Promise<{ readonly reason: 'stop' | 'length'; readonly promptTokens: number; readonly replyTokens: number }>;
  countTokens(text: string): Promise<number> | number;
  dispose(): Promise<void>;
}

/** The side of a worker's global scope that is needed here. */
export interface WorkerScope {
  postMessage(message: FromModelWorker | Hello): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** At most twenty posts a second: each one wakes the page. */
const POST_MS = 50;

/** Gathers text so that it is posted in few messages and never with half a character. */
class DeltaPost {
  readonly #codePoints = new CodePoints();
  readonly #post: (text: string) => void;
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #postedAt = -Infinity;

  constructor(post: (text: string) => void) {
    this.#post = post;
  }

  write(text: string): void {
    this.#text += this.#codePoints.push(text);
    const waitMs = this.#postedAt + POST_MS - performance.now();
    if (waitMs <= 0) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), waitMs);
  }

  end(): void {
    this.#text += this.#codePoints.end();
    this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text === '') return;
    this.#postedAt = performance.now();
    this.#post(this.#text);
    this.#text = '';
  }
}

/** Lets a runtime answer the page: says hello, then takes its messages, one at a time and in order. */
export function serveModel<Load extends LoadOptions>(runtime: Runtime<Load>, scope: WorkerScope = globalThis): void {
  const aborts = new Map<number, AbortController>();
  let last: Promise<void> = Promise.resolve();

  const inTurn = (id: number, during: 'load' | 'chat', action: () => Promise<FromModelWorker>): void => {
    last = last.then(async () => {
      try {
        scope.postMessage(await action());
      } catch (error) {
        scope.postMessage({ type: 'failed', id, ...failureOf(error, during) });
      } finally {
        aborts.delete(id);
      }
    });
  };

  const load = async (id: number, options: Load): Promise<FromModelWorker> => {
    const totalBytes = [...options.files.values()].reduce((sum, { size }) => sum + size, 0);
    let loadedBytes = 0;
    const tell = (bytes: number): void => {
      if (bytes <= loadedBytes) return;
      loadedBytes = Math.min(bytes, totalBytes);
      scope.postMessage({ type: 'progress', id, loadedBytes, totalBytes });
    };
    const loaded = await runtime.load(options, { read: tell, lost: ({ code, message }) => scope.postMessage({ type: 'lost', code, message }) });
    tell(totalBytes);
    return { type: 'loaded', id, ...loaded };
  };

  const chat = async (id: number, request: WireRequest, signal: AbortSignal): Promise<FromModelWorker> => {
    signal.throwIfAborted();
    const post = new DeltaPost((text) => scope.postMessage({ type: 'delta', id, text }));
    const write = (text: string): void => {
      if (!signal.aborted) post.write(text);
    };
    try {
      return { type: 'end', id, ...(await runtime.chat(request, { signal, write, alive: () => scope.postMessage({ type: 'alive', id }) })) };
    } finally {
      post.end();
    }
  };

  scope.addEventListener('message', ({ data }: MessageEvent<ToModelWorker<Load>>) => {
    const { id } = data;
    if (data.type === 'load') inTurn(id, 'load', () => load(id, data.options));
    else if (data.type === 'count') inTurn(id, 'chat', async () => ({ type: 'counted', id, tokens: await runtime.countTokens(data.text) }));
    else if (data.type === 'abort') aborts.get(id)?.abort();
    else if (data.type === 'chat') {
      const abort = new AbortController();
      aborts.set(id, abort);
      inTurn(id, 'chat', () => chat(id, data.request, abort.signal));
    } else {
      for (const abort of aborts.values()) abort.abort();
      inTurn(id, 'chat', async () => {
        await runtime.dispose();
        return { type: 'disposed', id };
      });
    }
  });
  scope.postMessage({ type: 'hello', protocol: PROTOCOL });
}

/** Runtimes write prompts to the console and leave promises unhandled; neither may reach the page. Called first in every worker of a model. */
export function hushWorker(): void {
  const quiet = (): void => undefined;
  Object.assign(globalThis.console, { debug: quiet, log: quiet, info: quiet, warn: quiet, error: quiet, trace: quiet });
  globalThis.addEventListener('unhandledrejection', (event) => event.preventDefault());
}
