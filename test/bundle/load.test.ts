import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PART_NUMBERS } from '../../src/bundle/bytes.js';
import { loadBundle } from '../../src/bundle/load.js';
import type { BundleError } from '../../src/errors/bundle-error.js';
import { BASE, FakeServer, MemoryBundleCache } from '../fixtures/fake-server.js';
import { buildFixtures } from '../fixtures/fixture-bundles.js';

const PARTS = Object.keys(PART_NUMBERS);
const PAGE = '<!doctype html><title>Sign in</title>';

describe('loadBundle', () => {
  let built: string;
  let server: FakeServer;
  beforeAll(async () => {
    built = await buildFixtures();
  });
  beforeEach(() => {
    server = new FakeServer(join(built, 'mini-en'));
  });

  const load = (cache?: MemoryBundleCache): ReturnType<typeof loadBundle> => loadBundle(BASE, { fetch: server.fetch, ...(cache === undefined ? {} : { cache }) });
  const failure = async (): Promise<BundleError> => {
    const error: unknown = await load().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'BundleError' });
    return error as BundleError;
  };
  const replacePart = (part: string, change: (bytes: Uint8Array) => Uint8Array): void => {
    const name = server.fileOf(part);
    server.files.set(name, change(server.files.get(name)!.slice()));
  };

  it('loads and decodes a bundle', async () => {
    const { bundle, origin } = await load();
    expect(origin).toBe('network');
    expect(bundle.id).toBe('mini-en');
    expect(bundle.diseases.map((disease) => disease.id)).toEqual(['migraine', 'common-cold', 'cystitis']);
  });

  it('reports progress up to the total', async () => {
    const seen: { loadedBytes: number; totalBytes: number }[] = [];
    await loadBundle(BASE, { fetch: server.fetch, onProgress: (progress) => seen.push(progress) });
    expect(seen).toHaveLength(PARTS.length);
    expect(seen.at(-1)?.loadedBytes).toBe(seen.at(-1)?.totalBytes);
  });

  it('takes kept parts in place of fetching them', async () => {
    const cache = new MemoryBundleCache();
    await load(cache);
    server.requests.length = 0;
    await load(cache);
    expect(server.requests).toEqual(['manifest.json']);
  });

  it('fetches again what the cache holds damaged', async () => {
    const cache = new MemoryBundleCache();
    await load(cache);
    for (const [hash, bytes] of cache.parts) cache.parts.set(hash, bytes.slice(1));
    server.requests.length = 0;
    await load(cache);
    expect(server.requests).toHaveLength(PARTS.length + 1);
  });

  describe('refuses', () => {
    it('a newer format', async () => {
      server.changeManifest((manifest) => (manifest.formatVersion = 99));
      expect(await failure()).toMatchObject({ code: 'format-unsupported', file: 'manifest.json' });
    });

    it('a truncated part', async () => {
      replacePart('texts', (bytes) => bytes.slice(0, -10));
      expect(await failure()).toMatchObject({ code: 'truncated', file: server.fileOf('texts') });
    });

    it.each(PARTS)('a flipped bit in %s', async (part) => {
      replacePart(part, (bytes) => {
        bytes[bytes.length >> 1]! ^= 1;
        return bytes;
      });
      expect(await failure()).toMatchObject({ code: 'integrity-mismatch', file: server.fileOf(part), retryable: true });
    });

    it('a part that is too long', async () => {
      replacePart('vectors', (bytes) => new Uint8Array([...bytes, 0]));
      expect((await failure()).code).toBe('integrity-mismatch');
    });

    it('a web page in place of the manifest', async () => {
      server.answers.set('manifest.json', () => new Response(PAGE));
      expect((await failure()).code).toBe('not-a-bundle');
    });

    it.each(['{"version":3}', '[]', 'null', '"text"', ''])('%j in place of the manifest', async (text) => {
      server.answers.set('manifest.json', () => new Response(text));
      expect((await failure()).code).toBe('not-a-bundle');
    });

    it.each([PAGE, '{"error":"not found"}', '  \n<html>'])('%j in place of a part', async (text) => {
      server.answers.set(server.fileOf('findings'), () => new Response(text));
      expect(await failure()).toMatchObject({ code: 'not-a-bundle', file: server.fileOf('findings') });
    });

    it.each([404, 403, 500])('status %i for the manifest', async (status) => {
      server.answers.set('manifest.json', () => new Response('', { status }));
      expect(await failure()).toMatchObject({ code: 'fetch-failed', retryable: status >= 500 });
    });

    it('status 204 for a part', async () => {
      server.answers.set(server.fileOf('lexical'), () => new Response(null, { status: 204 }));
      expect(await failure()).toMatchObject({ code: 'fetch-failed', file: server.fileOf('lexical') });
    });

    it('a missing part', async () => {
      const name = server.fileOf('diseases');
      server.files.delete(name);
      expect(await failure()).toMatchObject({ code: 'fetch-failed', file: name });
    });

    it('a network that fails', async () => {
      server.answers.set('manifest.json', () => {
        throw new TypeError('Failed to fetch');
      });
      expect(await failure()).toMatchObject({ code: 'fetch-failed', retryable: true });
    });

    it.each([
      ['a part that is not listed', (manifest: Record<string, unknown>) => (manifest.parts as unknown[]).pop()],
      ['a file name that leads elsewhere', (manifest: Record<string, unknown>) => ((manifest.parts as { file: string }[])[0]!.file = '../x.bin')],
      ['a hash that is none', (manifest: Record<string, unknown>) => ((manifest.parts as { sha256: string }[])[0]!.sha256 = 'abc')],
      ['an unknown language', (manifest: Record<string, unknown>) => (manifest.languages = ['fr'])],
      ['counts that are missing', (manifest: Record<string, unknown>) => delete manifest.counts],
      ['other counts than the parts hold', (manifest: Record<string, unknown>) => ((manifest.counts as { diseases: number }).diseases = 4)],
      ['another row length than the parts hold', (manifest: Record<string, unknown>) => ((manifest.encoder as { dimension: number }).dimension = 5)],
    ])('a manifest with %s', async (_what, change) => {
      server.changeManifest(change);
      expect((await failure()).code).toBe('malformed');
    });
  });

  it('stays an abort when it is aborted', async () => {
    const abort = new AbortController();
    server.answers.set('manifest.json', () => {
      abort.abort();
      throw abort.signal.reason as Error;
    });
    await expect(loadBundle(BASE, { fetch: server.fetch, signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  describe('the last good bundle', () => {
    let cache: MemoryBundleCache;
    beforeEach(async () => {
      cache = new MemoryBundleCache();
      await load(cache);
    });

    it.each([
      ['the network is gone', () => server.answers.set('manifest.json', () => { throw new TypeError('offline'); }), 'fetch-failed'],
      ['a captive portal answers', () => server.answers.set('manifest.json', () => new Response(PAGE)), 'not-a-bundle'],
      ['a newer format is published', () => server.changeManifest((manifest) => (manifest.formatVersion = 99)), 'format-unsupported'],
      ['an update is published in halves', () => server.changeManifest((manifest) => ((manifest.parts as { sha256: string }[])[0]!.sha256 = 'f'.repeat(64))), 'integrity-mismatch'],
    ])('is used when %s', async (_what, spoil, code) => {
      spoil();
      const loaded = await load(cache);
      expect(loaded.origin).toBe('last-good');
      expect(loaded.failure?.code).toBe(code);
      expect(loaded.bundle.diseases).toHaveLength(3);
    });

    it('is not used from another address', async () => {
      await expect(loadBundle('https://elsewhere.test/', { fetch: () => Promise.reject(new TypeError('offline')), cache })).rejects.toMatchObject({ code: 'fetch-failed' });
    });

    it('says so when its parts are gone', async () => {
      cache.parts.clear();
      server.answers.set('manifest.json', () => new Response(PAGE));
      await expect(load(cache)).rejects.toMatchObject({ code: 'fetch-failed' });
    });
  });
});
