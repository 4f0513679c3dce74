import { ModelError } from '../errors/model-error.js';
import type { ModelFile, ModelManifest } from './catalogue.js';
import { type FetchContext, fetchFile } from './fetch-file.js';
import type { FileStore } from './file-store.js';
import type { ModelProgress } from './language-model.js';
import { LinkedAbort } from './linked-abort.js';
import { distinctFiles, encodePath } from './model-manifest.js';

export interface FetchFilesOptions {
  readonly manifest: ModelManifest;
  /** The model's own directory, ending in a slash; not asked for files that have addresses of their own. */
  readonly base: URL;
  readonly store: FileStore;
  readonly onProgress?: (progress: ModelProgress) => void;
  /** Stops within a chunk; what was fetched is kept. */
  readonly signal?: AbortSignal;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** For tests. @default a timer */
  readonly sleep?: FetchContext['sleep'];
  /** For tests. @default 30,000 */
  readonly stallMs?: number;
}

const LANES = 2;
const STALL_MS = 30_000;

/**
 * Fetches what the store lacks of a model, two files at a time in the order of the manifest, and verifies it. Called again
 * after a failure or an abort it goes on where it stopped.
 * @returns every file by its path, read from the store as it is used
 * @throws {ModelError} download-failed, file-replaced, integrity-mismatch
 */
export async function fetchFiles(options: FetchFilesOptions): Promise<ReadonlyMap<string, Blob>> {
  const { manifest, store } = options;
  const distinct = distinctFiles(manifest);
  const progress = new Progress(manifest, options.onProgress);
  const missing: ModelFile[] = [];
  for (const file of distinct) {
    if ((await store.open(file.digest, file.bytes)) === undefined) missing.push(file);
    progress.there(file, Math.min(file.bytes, await store.storedBytes(file.digest)));
  }
  progress.tell();
  const abort = new LinkedAbort(options.signal);
  const context: FetchContext = {
    modelId: manifest.id.split('/')[0] ?? '',
    store,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    signal: abort.signal,
    sleep: options.sleep ?? sleep,
    stallMs: options.stallMs ?? STALL_MS,
  };
  const lane = async (): Promise<void> => {
    try {
      for (let file = missing.shift(); file !== undefined; file = missing.shift()) {
        const fetched = file;
        await fetchFile(fetched, addressOf(fetched, options.base), context, (bytes) => {
          progress.there(fetched, bytes);
          progress.tell();
        });
      }
    } catch (error) {
      abort.abort(error);
      throw error;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: LANES }, lane));
  abort.release();
  options.signal?.throwIfAborted();
  // The lane that failed first has made the other one fail with the same reason.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return openFiles(manifest, store);
}

/** Every file of a model by its path. @throws {ModelError} download-failed where one is not there */
async function openFiles(manifest: ModelManifest, store: FileStore): Promise<ReadonlyMap<string, Blob>> {
  const files = new Map<string, Blob>();
  for (const file of manifest.files) {
    const blob = await store.open(file.digest, file.bytes);
    if (blob === undefined) throw new ModelError('download-failed', `${file.path} was removed from storage as soon as it was there; try again.`, { file: file.path, retryable: true });
    files.set(file.path, blob);
  }
  return files;
}

function addressOf(file: ModelFile, base: URL): URL {
  return new URL(file.url ?? encodePath(file.path), base);
}

/** Bytes of all files; what was told is never taken back. */
class Progress {
  readonly #bytes = new Map<string, number>();
  readonly #files: readonly ModelFile[];
  readonly #totalBytes: number;
  readonly #onProgress: ((progress: ModelProgress) => void) | undefined;

  constructor(manifest: ModelManifest, onProgress: FetchFilesOptions['onProgress']) {
    this.#files = manifest.files;
    this.#totalBytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    this.#onProgress = onProgress;
  }

  there(file: ModelFile, bytes: number): void {
    this.#bytes.set(file.digest, Math.max(bytes, this.#bytes.get(file.digest) ?? 0));
  }

  tell(): void {
    const loadedBytes = this.#files.reduce((sum, file) => sum + (this.#bytes.get(file.digest) ?? 0), 0);
    this.#onProgress?.({ loadedBytes, totalBytes: this.#totalBytes });
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
