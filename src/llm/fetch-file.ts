import { ModelError } from '../errors/model-error.js';
import type { ModelFile } from './catalogue.js';
import { type RunningDigest, startDigest } from './digest.js';
import type { FileStore, PartialFile } from './file-store.js';
import { LinkedAbort } from './linked-abort.js';
import { SilenceWatch } from './silence-watch.js';

/** What the fetching of every file of a model shares. */
export interface FetchContext {
  readonly modelId: string;
  readonly store: FileStore;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A server that says nothing for so long has forgotten us. */
  readonly stallMs: number;
}

/** Tries in a row that bring nothing new. */
const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const HEAD_BYTES = 64;
/** Answers after which asking again may help. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * `whole`: all bytes are there, not yet verified. `broken`: more may come of another request. `wrong`: the server's file
 * is another one.
 */
type Outcome = 'whole' | 'broken' | 'wrong';

/**
 * Fetches one file into the store, from where it broke off, and verifies it. What was fetched is kept on failure and abort,
 * unless it is wrong.
 * @param onBytes bytes of it that are there; may fall when it has to begin anew
 * @throws {ModelError} download-failed, file-replaced, integrity-mismatch
 */
export async function fetchFile(file: ModelFile, url: URL, context: FetchContext, onBytes: (bytes: number) => void): Promise<void> {
  const part = await context.store.append(file.digest);
  try {
    await new FileFetch(file, url, context, part, onBytes).run();
  } finally {
    await part.close();
    if (part.bytes === 0 && file.bytes > 0) await context.store.remove(file.digest);
  }
}

class FileFetch {
  readonly #file: ModelFile;
  readonly #url: URL;
  readonly #context: FetchContext;
  readonly #part: PartialFile;
  readonly #onBytes: (bytes: number) => void;
  #digest: RunningDigest;
  #digestedBytes = 0;
  #head = new Uint8Array();
  #furthest = 0;
  #failures = 0;
  #lastFailure: unknown;
  #isSecondTry = false;
  #etag: string | undefined;
  /** Where an answer ended that was not cut. */
  #end = -1;

  constructor(file: ModelFile, url: URL, context: FetchContext, part: PartialFile, onBytes: (bytes: number) => void) {
    this.#file = file;
    this.#url = url;
    this.#context = context;
    this.#part = part;
    this.#onBytes = onBytes;
    this.#digest = startDigest(file.digest, file.bytes);
  }

  async run(): Promise<void> {
    for (;;) {
      this.#context.signal.throwIfAborted();
      const outcome = await this.#attempt();
      if (outcome === 'broken') await this.#pause();
      else if (outcome === 'whole' && this.#digest.value() === this.#file.digest) return this.#part.finish();
      else await this.#startAnew();
    }
  }

  async #attempt(): Promise<Outcome> {
    const { fetch, signal, stallMs } = this.#context;
    const abort = new LinkedAbort(signal);
    const silence = new SilenceWatch(stallMs, () => abort.abort(new DOMException('The server went silent.', 'TimeoutError')));
    try {
      await this.#digestWhatIsThere();
      const from = this.#part.bytes;
      if (from > this.#file.bytes) return 'wrong';
      if (from === this.#file.bytes) return 'whole';
      const response = await fetch(this.#url, { credentials: 'omit', referrerPolicy: 'no-referrer', cache: this.#isSecondTry ? 'no-store' : 'default', headers: this.#rangeHeaders(from), signal: abort.signal });
      return (await this.#judge(response, from)) ?? (await this.#receive(response, silence));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      this.#lastFailure = error;
      return 'broken';
    } finally {
      silence.stop();
      // Whatever of the answer is still under way is not wanted.
      abort.abort();
      abort.release();
    }
  }

  #rangeHeaders(from: number): Record<string, string> {
    if (from === 0) return {};
    const range = { range: `bytes=${String(from)}-` };
    // Other origins would have to allow If-Range in a preflight, which storage hosts do not; the digest decides in any case.
    const { location } = globalThis as { readonly location?: Location };
    return this.#etag !== undefined && (location === undefined || location.origin === this.#url.origin) ? { ...range, 'if-range': this.#etag } : range;
  }

  /** Looks at the head of an answer; undefined: its body is to be read. */
  async #judge(response: Response, from: number): Promise<Outcome | undefined> {
    const { status, headers } = response;
    if (status === 416) {
      if (this.#end === from) return 'wrong';
      await this.#empty();
      return 'broken';
    }
    if (PASSING.has(status)) {
      this.#lastFailure = new RangeError(`The server answered ${String(status)}.`);
      return 'broken';
    }
    if (status !== 200 && status !== 206) throw this.#failure('download-failed', `the server answered ${String(status)}; check the address`, { retryable: status >= 500 });
    if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) throw this.#replaced();
    const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
    if (status === 206 && (from === 0 || (start !== undefined && Number(start) !== from))) {
      await this.#empty();
      return 'broken';
    }
    if (status === 200 && from > 0) await this.#empty();
    const etag = headers.get('etag') ?? '';
    this.#etag = etag.startsWith('"') ? etag : undefined;
    return undefined;
  }

  async #receive(response: Response, silence: SilenceWatch): Promise<Outcome> {
    const reader = response.body?.getReader();
    if (reader === undefined) return 'broken';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      silence.heard();
      this.#addToHead(chunk.value);
      if (this.#part.bytes + chunk.value.length > this.#file.bytes) return 'wrong';
      await this.#write(chunk.value);
      this.#addToDigest(chunk.value);
      this.#onBytes(this.#part.bytes);
      if (this.#part.bytes > this.#furthest) {
        this.#furthest = this.#part.bytes;
        this.#failures = 0;
      }
      this.#context.signal.throwIfAborted();
    }
    return this.#part.bytes === this.#file.bytes ? 'whole' : this.#endedEarly();
  }

  async #write(chunk: Uint8Array): Promise<void> {
    try {
      await this.#part.write(chunk);
    } catch (error) {
      throw this.#failure('download-failed', `it could not be written (${error instanceof Error ? error.message : 'unknown'})`, { cause: error, retryable: true });
    }
  }

  /** An answer ended too early, in good order. Once, that may be a mishap on the way; twice at one place, the file ends there. */
  #endedEarly(): Outcome {
    const { bytes } = this.#part;
    if (this.#end === bytes || this.#looksLikeMarkup()) return 'wrong';
    this.#end = bytes;
    this.#lastFailure = new RangeError(`The answer ended at byte ${String(bytes)}.`);
    return 'broken';
  }

  async #digestWhatIsThere(): Promise<void> {
    if (this.#digestedBytes === this.#part.bytes) return;
    this.#resetDigest();
    for await (const piece of this.#part.read()) {
      this.#addToHead(piece);
      this.#addToDigest(piece);
      this.#context.signal.throwIfAborted();
    }
  }

  #addToHead(bytes: Uint8Array): void {
    if (this.#head.length < HEAD_BYTES) this.#head = new Uint8Array([...this.#head, ...bytes.subarray(0, HEAD_BYTES - this.#head.length)]);
  }

  #addToDigest(bytes: Uint8Array): void {
    this.#digest.update(bytes);
    this.#digestedBytes += bytes.length;
  }

  #resetDigest(): void {
    this.#digest = startDigest(this.#file.digest, this.#file.bytes);
    this.#digestedBytes = 0;
    this.#head = new Uint8Array();
  }

  async #empty(): Promise<void> {
    await this.#part.empty();
    this.#resetDigest();
  }

  async #pause(): Promise<void> {
    this.#failures++;
    if (this.#failures >= MOST_FAILURES) throw this.#failure('download-failed', `the connection broke too often, last with “${this.#lastFailure instanceof Error ? this.#lastFailure.message : 'nothing'}”; what was fetched is kept`, { cause: this.#lastFailure, retryable: true });
    await this.#context.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1)), this.#context.signal);
  }

  /** Once, past every cache on the way; the second wrong file is the last. */
  async #startAnew(): Promise<void> {
    const looksReplaced = this.#looksLikeMarkup();
    await this.#empty();
    if (looksReplaced) throw this.#replaced();
    if (this.#isSecondTry) throw this.#failure('integrity-mismatch', 'what came differs from what is listed, twice; nothing of it was kept');
    this.#isSecondTry = true;
    this.#furthest = 0;
    this.#failures = 0;
    this.#end = -1;
  }

  #looksLikeMarkup(): boolean {
    return /^\s*<[!?a-z]/i.test(new TextDecoder().decode(this.#head));
  }

  #replaced(): ModelError {
    return this.#failure('file-replaced', 'a web page was answered in its place; check the network and the address', { retryable: true });
  }

  #failure(code: 'download-failed' | 'file-replaced' | 'integrity-mismatch', why: string, options: { cause?: unknown; retryable?: boolean } = {}): ModelError {
    return new ModelError(code, `${this.#file.path}: ${why}.`, { modelId: this.#context.modelId, file: this.#file.path, ...options });
  }
}
