import type { LoadedBundle } from '../src/index.js';

/** Everything that is fetched only after consent. */
export type Engine = typeof import('../src/index.js');

export interface LoadProgress {
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

interface SharedLoad {
  readonly promise: Promise<LoadedBundle>;
  readonly listeners: Set<(progress: LoadProgress) => void>;
  latest: LoadProgress | undefined;
}

let engine: Promise<Engine> | undefined;
/** Loads by address, one for all elements of the page; a failed one is forgotten, so that it can be tried again. */
const loads = new Map<string, SharedLoad>();

/** Fetches the engine's script, once. */
export function loadEngine(): Promise<Engine> {
  engine ??= import('../src/index.js').catch((error: unknown) => {
    engine = undefined;
    throw new EngineScriptError({ cause: error });
  });
  return engine;
}

/** The engine's own script could not be fetched; shown like any other failed fetch. */
class EngineScriptError extends Error {
  readonly code = 'fetch-failed';

  constructor(options: ErrorOptions) {
    super('The script of the engine could not be fetched.', options);
  }
}

/**
 * Loads a bundle, or joins a load of the same address that another element began.
 * @param keep verified parts stay in the browser's cache for the next visit
 */
export function loadKnowledge(loaded: Engine, directory: URL, keep: boolean, onProgress: (progress: LoadProgress) => void): Promise<LoadedBundle> {
  const name = `${keep ? 'kept' : 'unkept'} ${directory.href}`;
  let load = loads.get(name);
  if (load === undefined) {
    const listeners = new Set<(progress: LoadProgress) => void>();
    const options = keep ? { cache: new loaded.BrowserBundleCache() } : {};
    const promise = loaded.loadBundle(directory, {
      ...options,
      onProgress: (progress) => {
        if (load !== undefined) load.latest = progress;
        for (const listener of listeners) listener(progress);
      },
    });
    load = { promise, listeners, latest: undefined };
    loads.set(name, load);
    // An earlier copy must not stay in use once the address answers again.
    promise.then(
      ({ origin }) => origin === 'last-good' && loads.delete(name),
      () => loads.delete(name),
    );
  }
  load.listeners.add(onProgress);
  if (load.latest !== undefined) onProgress(load.latest);
  const shared = load;
  return shared.promise.finally(() => shared.listeners.delete(onProgress));
}

/** Forgets the bundles that were loaded and what the browser's cache keeps of them. */
export async function forgetKnowledge(loaded: Engine): Promise<void> {
  loads.clear();
  await new loaded.BrowserBundleCache().clear();
}
