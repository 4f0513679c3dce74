import { BundleError } from '../errors/bundle-error.js';
import type { EncoderRows, KnowledgeBundle, Manifest, ManifestPart, PartName } from './bundle.js';
import type { BundleCache } from './cache.js';
import { decodeBundle, decodeRows, type PartBytes } from './decode.js';
import { parseManifest } from './manifest.js';
import { sha256 } from './sha256.js';

export interface LoadOptions {
  /** Keeps verified files for the next visit; none: nothing is stored. */
  readonly cache?: BundleCache;
  /** Bytes so far and in all, as the manifest states them. */
  readonly onProgress?: (progress: { readonly loadedBytes: number; readonly totalBytes: number }) => void;
  readonly signal?: AbortSignal;
  /** Ids of encoders whose rows are wanted beside the bundle's own. One that it does not list, or whose file fails, is left out. */
  readonly encoders?: readonly string[];
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** Where the bundle came from, for the widget's note. */
export interface LoadedBundle {
  readonly bundle: KnowledgeBundle;
  /** `network`: fetched now (parts may come from the cache); `last-good`: the address failed, an earlier one is used. */
  readonly origin: 'network' | 'last-good';
  /** Why the last good bundle is used. */
  readonly failure?: BundleError;
  /** Why rows of an encoder that was asked for are left out. */
  readonly encoderFailure?: BundleError;
}

/**
 * Loads a bundle from its directory (which holds `manifest.json`). Every part is verified by size and SHA-256 before it
 * is decoded or kept. Where the address fails and an earlier bundle is in the cache, that one is returned.
 * @param base directory, absolute, ending in a slash
 * @throws {BundleError} fetch-failed, not-a-bundle, format-unsupported, integrity-mismatch, truncated, malformed
 */
export async function loadBundle(base: string | URL, options: LoadOptions = {}): Promise<LoadedBundle> {
  const directory = new URL(String(base));
  try {
    const text = await fetchText(new URL('manifest.json', directory), options);
    const manifest = parseManifest(text);
    const loaded = await open(manifest, directory, options, true);
    await options.cache?.keepManifest(directory.href, text);
    return { ...loaded, origin: 'network' };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const kept = await options.cache?.lastGood(directory.href);
    if (kept === undefined) throw error;
    return { ...(await open(parseManifest(kept), directory, options, false)), origin: 'last-good', failure: error };
  }
}

async function open(manifest: Manifest, directory: URL, options: LoadOptions, mayFetch: boolean): Promise<Pick<LoadedBundle, 'bundle' | 'encoderFailure'>> {
  const parts = await loadParts(manifest, directory, options, mayFetch);
  const encoders = new Map<string, EncoderRows>();
  let encoderFailure: BundleError | undefined;
  for (const { id, dimension, ...file } of manifest.encoders?.filter((one) => options.encoders?.includes(one.id) === true) ?? []) {
    try {
      encoders.set(id, { dimension, vectors: decodeRows(await loadFile(file, directory, options, mayFetch), dimension, manifest.counts.rows) });
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      encoderFailure = error;
    }
  }
  return { bundle: decodeBundle(manifest, parts, encoders), ...(encoderFailure === undefined ? {} : { encoderFailure }) };
}

type ListedFile = Omit<ManifestPart, 'name'>;

async function loadFile(part: ListedFile, directory: URL, options: LoadOptions, mayFetch: boolean): Promise<Uint8Array> {
  return (await fromCache(part, options)) ?? fromNetwork(part, directory, options, mayFetch);
}

async function loadParts(manifest: Manifest, directory: URL, options: LoadOptions, mayFetch: boolean): Promise<PartBytes> {
  const totalBytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
  let loadedBytes = 0;
  const loaded = await Promise.all(
    manifest.parts.map(async (part) => {
      const bytes = await loadFile(part, directory, options, mayFetch);
      loadedBytes += part.bytes;
      options.onProgress?.({ loadedBytes, totalBytes });
      return [part.name, bytes] as const;
    }),
  );
  return Object.fromEntries(loaded) as Record<PartName, Uint8Array>;
}

async function fromCache(part: ListedFile, options: LoadOptions): Promise<Uint8Array | undefined> {
  const bytes = await options.cache?.part(part.sha256);
  if (bytes === undefined || bytes.length !== part.bytes || (await sha256(bytes)) !== part.sha256) return undefined;
  return bytes;
}

async function fromNetwork(part: ListedFile, directory: URL, options: LoadOptions, mayFetch: boolean): Promise<Uint8Array> {
  if (!mayFetch) throw new BundleError('fetch-failed', `${part.file} is not kept on this device; connect and try again.`, { file: part.file, retryable: true });
  const response = await request(new URL(part.file, directory), part.file, options);
  const bytes = await body(response, part.file);
  if (bytes.length !== part.bytes || (await sha256(bytes)) !== part.sha256) {
    refuseHtmlAndJson(bytes, part.file);
    const short = bytes.length < part.bytes;
    throw new BundleError(short ? 'truncated' : 'integrity-mismatch', `${part.file}: ${String(bytes.length)} bytes came, ${String(part.bytes)} with another SHA-256 are listed; publish the bundle again as a whole.`, { file: part.file, retryable: true });
  }
  await options.cache?.keepPart(part.sha256, bytes);
  return bytes;
}

/** A page or JSON answered in place of a part, as single-page servers and captive portals do. */
function refuseHtmlAndJson(bytes: Uint8Array, file: string): void {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (/^[<{[]/.test(start)) throw new BundleError('not-a-bundle', `${file}: a web page or JSON was answered in its place; check the address.`, { file });
}

async function fetchText(url: URL, options: LoadOptions): Promise<string> {
  const bytes = await body(await request(url, 'manifest.json', options), 'manifest.json');
  return new TextDecoder().decode(bytes);
}

async function request(url: URL, file: string, options: LoadOptions): Promise<Response> {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', cache: file === 'manifest.json' ? 'no-cache' : 'default', ...(options.signal === undefined ? {} : { signal: options.signal }) });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new BundleError('fetch-failed', `${file} could not be fetched; check the network and the page’s connect-src.`, { file, cause: error, retryable: true });
  }
  if (!response.ok || response.status === 204) throw new BundleError('fetch-failed', `${file}: the server answered ${String(response.status)}; check the address.`, { file, retryable: response.status >= 500 });
  return response;
}

async function body(response: Response, file: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new BundleError('fetch-failed', `${file}: the connection broke; try again.`, { file, cause: error, retryable: true });
  }
}
