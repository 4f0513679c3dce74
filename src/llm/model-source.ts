import { ModelError } from '../errors/model-error.js';
import type { ModelIndex, ModelManifest } from './catalogue.js';
import type { ModelChoice } from './choose.js';
import { manifestFromHub } from './hub.js';
import { parseModelIndex, parseModelManifest } from './model-manifest.js';

export interface SourceOptions {
  readonly source: 'host' | 'hub';
  /** Directory of the host's mirror, ending in a slash. */
  readonly base: URL;
  /** In place of the public ones. */
  readonly hub?: URL;
  readonly github?: URL;
  readonly signal: AbortSignal;
}

/** What the host has mirrored; null where that cannot be told, as without a network. */
export async function readIndex({ base, signal }: SourceOptions): Promise<ModelIndex | null> {
  try {
    return parseModelIndex(await fetchText(new URL('index.json', base), signal));
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/**
 * The list of a variant's files: from the host's mirror, or asked of the hub.
 * @throws {ModelError} download-failed, catalogue-invalid, hub-unreadable
 */
export async function readManifest(choice: ModelChoice, options: SourceOptions): Promise<ModelManifest> {
  const { base, signal, hub, github } = options;
  if (options.source === 'hub') return manifestFromHub(choice.model, choice.variant, { signal, ...(hub === undefined ? {} : { hub }), ...(github === undefined ? {} : { github }) });
  return parseModelManifest(await fetchText(new URL('manifest.json', variantBase(choice, base)), signal));
}

/** Directory of a variant in the host's mirror. */
export function variantBase({ model, variant }: ModelChoice, base: URL): URL {
  return new URL(`${encodeURIComponent(model.id)}/${encodeURIComponent(variant.id)}/`, base);
}

async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-cache' });
  } catch (error) {
    signal.throwIfAborted();
    throw new ModelError('download-failed', `${url.pathname} could not be fetched; check the network and the page’s connect-src.`, { cause: error, retryable: true });
  }
  if (!response.ok) throw new ModelError('download-failed', `${url.pathname}: the server answered ${String(response.status)}; mirror the model with “anamnesis models pull”.`, { retryable: response.status >= 500 });
  return response.text();
}
