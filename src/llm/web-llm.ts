import type { LanguageModel } from './language-model.js';
import type { WebLlmLoad } from './web-llm-load.js';
import { openWorkerModel, type WorkerModelOptions } from './worker-model.js';
import { spawnWorker } from './worker-start.js';

export interface WebLlmOptions extends WorkerModelOptions {
  /** The model's, as it is to be called. */
  readonly id: string;
  /** All files of the model, verified, by path; the library among them. */
  readonly files: ReadonlyMap<string, Blob>;
  /** Path of the library among `files`. */
  readonly library: string;
  readonly contextTokens: number;
  /** Writes a thinking block unless told not to. @default false */
  readonly thinks?: boolean;
  /** Directory of the worker scripts. @default beside this module */
  readonly workerBase?: URL;
}

/**
 * Loads a model into WebLLM, in a worker that reaches no network.
 * @throws the signal's reason; {ModelError} runtime-failed, no-adapter, feature-missing, out-of-memory, device-lost
 */
export function loadWebLlm({ id, files, library, contextTokens, thinks = false, workerBase, ...options }: WebLlmOptions): Promise<LanguageModel> {
  const load: WebLlmLoad = { modelId: id, files, library, contextTokens, thinks };
  return openWorkerModel({ ...options, runtime: 'web-llm', spawn: () => spawnWorker('web-llm-worker.js', workerBase), load });
}
