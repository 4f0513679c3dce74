import type * as EngineModule from '../src/index.js';
import type { LoadedBundle } from '../src/index.js';

/** Everything that is fetched only after consent. */
export type Engine = typeof EngineModule;

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

/** Address of the engine's script after it could not be fetched, and how often that was tried. */
let failedAddress = '';
let attempts = 0;

/** Fetches the engine's script, once; a failed fetch can be tried again. */
export function loadEngine(): Promise<Engine> {
  engine ??= importEngine().catch((error: unknown) => {
    engine = undefined;
    attempts++;
    failedAddress ||= addressIn(error);
    throw new EngineScriptError({ cause: error });
  });
  return engine;
}

/** A browser keeps a failed import of an address for the life of the page, so that a retry needs another address. */
function importEngine(): Promise<Engine> {
  return failedAddress === '' ? import('../src/index.js') : (import(/* @vite-ignore */ `${failedAddress}?attempt=${String(attempts)}`) as Promise<Engine>);
}

/** Chromium and Firefox name the address in the message; Safari fetches again by itself. */
function addressIn(error: unknown): string {
  const address = error instanceof Error ? (/https?:\/\/[^\s?]+\.js/.exec(error.message)?.[0] ?? '') : '';
  return address.startsWith(new URL(/* @vite-ignore */ './', import.meta.url).href) ? address : '';
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
 * @param encoders whose rows are wanted too
 */
export function loadKnowledge(loaded: Engine, directory: URL, keep: boolean, encoders: readonly string[], onProgress: (progress: LoadProgress) => void): Promise<LoadedBundle> {
  const name = `${keep ? 'kept' : 'unkept'} ${encoders.join()} ${directory.href}`;
  let load = loads.get(name);
  if (load === undefined) {
    const listeners = new Set<(progress: LoadProgress) => void>();
    const options = keep ? { cache: new loaded.BrowserBundleCache() } : {};
    const promise = loaded.loadBundle(directory, {
      ...options,
      encoders,
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
