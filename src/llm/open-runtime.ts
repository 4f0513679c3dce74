import type { ModelManifest } from './catalogue.js';
import type { ModelChoice } from './choose.js';
import type { StoredModel } from './download.js';
import type { LanguageModel, ModelProgress } from './language-model.js';
import type { WorkerModelOptions } from './worker-model.js';

export interface OpenOptions {
  /** The device has a real GPU: a GGUF model is tried there first. */
  readonly hasGpu: boolean;
  readonly workerBase?: URL;
  readonly silenceMs?: NonNullable<WorkerModelOptions['silenceMs']> | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ModelProgress) => void;
}

/**
 * Loads a fetched and verified model into the runtime that its variant is for. Only that runtime's code is fetched.
 * @throws {ModelError} runtime-failed, out-of-memory, device-lost, feature-missing
 */
export async function openRuntime({ model, variant }: ModelChoice, manifest: ModelManifest, stored: StoredModel, { hasGpu, silenceMs, ...options }: OpenOptions): Promise<LanguageModel> {
  const common = {
    id: manifest.id,
    files: stored.files,
    contextTokens: variant.contextTokens,
    parameters: model.parameters,
    languages: model.languages,
    thinks: model.thinks,
    ...options,
    ...(silenceMs === undefined ? {} : { silenceMs }),
  };
  if (variant.runtime === 'web-llm') {
    const { loadWebLlm } = await import('./web-llm.js');
    return loadWebLlm({ ...common, library: manifest.library });
  }
  const { loadWllama } = await import('./wllama.js');
  if (variant.device === 'gpu') return loadWllama({ ...common, gpu: true });
  try {
    return await loadWllama({ ...common, gpu: hasGpu });
  } catch (error) {
    options.signal.throwIfAborted();
    if (!hasGpu) throw error;
    return loadWllama({ ...common, gpu: false });
  }
}
