import type { LanguageModel } from './language-model.js';
import type { WllamaLoad } from './wllama-load.js';
import { openWorkerModel, type WorkerModelOptions } from './worker-model.js';
import { spawnWorker, WORKER_BASE } from './worker-start.js';

export interface WllamaOptions extends WorkerModelOptions {
  /** The model's, as it is to be called. */
  readonly id: string;
  /** The GGUF file, or its parts, by path; verified. */
  readonly files: ReadonlyMap<string, Blob>;
  readonly contextTokens: number;
  /** Writes a thinking block unless told not to. @default false */
  readonly thinks?: boolean;
  /** Compute on the GPU instead of the CPU. @default false */
  readonly gpu?: boolean;
  /** Threads on the CPU. @default 1; on a cross-origin isolated page half of the cores, four at most */
  readonly threads?: number;
  /** Directory of the worker scripts and of `wllama.wasm`. @default beside this module */
  readonly workerBase?: URL;
}

const MOST_THREADS = 4;

/**
 * Loads a model into wllama (llama.cpp), in a worker. It needs no GPU. Its own inner worker is made from a blob: a page
 * with a policy must allow `worker-src blob:`.
 * @throws the signal's reason; {ModelError} runtime-failed, no-adapter, out-of-memory, device-lost
 */
export function loadWllama({ id, files, contextTokens, thinks = false, gpu = false, threads, workerBase = WORKER_BASE, ...options }: WllamaOptions): Promise<LanguageModel> {
  const wasm = new URL('wllama.wasm', workerBase).href;
  const load: WllamaLoad = { modelId: id, files, contextTokens, thinks, gpu, threads: threads ?? defaultThreads(), wasm };
  return openWorkerModel({ ...options, runtime: 'wllama', spawn: () => spawnWorker('wllama-worker.js', workerBase), load });
}

/** Without isolation there is no memory to share between threads. */
function defaultThreads(): number {
  const { crossOriginIsolated: isIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return isIsolated === true ? Math.max(1, Math.min(MOST_THREADS, Math.floor(navigator.hardwareConcurrency / 2))) : 1;
}
