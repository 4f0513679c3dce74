/** Keeps verified bundle files between visits, by hash. Nothing of a patient is in it. */
export interface BundleCache {
  /** The bytes kept for a hash. */
  part(sha256: string): Promise<Uint8Array | undefined>;
  keepPart(sha256: string, bytes: Uint8Array): Promise<void>;
  /** The manifest that last loaded whole from this directory. */
  lastGood(directory: string): Promise<string | undefined>;
  /** Called once all parts are verified; drops parts that no kept manifest names. */
  keepManifest(directory: string, manifest: string): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
}

const NAME = 'anamnesis-bundles-1';
/** Keys are addresses that are never requested. */
const key = (path: string): string => `https://anamnesis.invalid/${path}`;

/**
 * The browser's Cache Storage. Where it is missing, refused or full, loading goes on from the network: every failure
 * here is swallowed on purpose, since a cache may always be empty.
 */
export class BrowserBundleCache implements BundleCache {
  async part(sha256: string): Promise<Uint8Array | undefined> {
    const response = await this.#get(`part/${sha256}`);
    return response === undefined ? undefined : new Uint8Array(await response.arrayBuffer());
  }

  async keepPart(sha256: string, bytes: Uint8Array): Promise<void> {
    await this.#put(`part/${sha256}`, bytes as Uint8Array<ArrayBuffer>);
  }

  async lastGood(directory: string): Promise<string | undefined> {
    return (await this.#get(`manifest/${encodeURIComponent(directory)}`))?.text();
  }

  async keepManifest(directory: string, manifest: string): Promise<void> {
    const previous = await this.lastGood(directory);
    await this.#put(`manifest/${encodeURIComponent(directory)}`, manifest);
    if (previous === undefined || previous === manifest) return;
    await this.#attempt(async (cache) => {
      const requests = await cache.keys();
      const named = new Set<string>();
      for (const request of requests) {
        if (!request.url.startsWith(key('manifest/'))) continue;
        for (const match of ((await (await cache.match(request))?.text()) ?? '').matchAll(/"sha256":\s*"([0-9a-f]{64})"/g)) named.add(match[1] ?? '');
      }
      for (const request of requests) {
        if (request.url.startsWith(key('part/')) && !named.has(request.url.slice(key('part/').length))) await cache.delete(request);
      }
    });
  }

  async clear(): Promise<void> {
    try {
      await globalThis.caches.delete(NAME);
    } catch {
      // No cache storage: there is nothing to forget.
    }
  }

  async #get(path: string): Promise<Response | undefined> {
    return this.#attempt((cache) => cache.match(key(path)));
  }

  async #put(path: string, body: BodyInit): Promise<void> {
    await this.#attempt((cache) => cache.put(key(path), new Response(body)));
  }

  async #attempt<T>(action: (cache: Cache) => Promise<T>): Promise<T | undefined> {
    try {
      return await action(await globalThis.caches.open(NAME));
    } catch {
      return undefined;
    }
  }
}
