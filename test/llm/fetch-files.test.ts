import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelManifest } from '../../src/llm/catalogue.js';
import { fetchFiles, type FetchFilesOptions } from '../../src/llm/fetch-files.js';
import { MemoryStore } from '../../src/llm/file-store.js';
import { type HubFile, HubServer, noise, sha256Of } from '../fakes/hub-server.js';
import { FILES, manifestOf, TOTAL_BYTES } from './tiny-model.js';

let hub: HubServer;
let store: MemoryStore;
let progress: { loadedBytes: number; totalBytes: number }[];
let pauses: number[];
beforeEach(async () => {
  hub = await HubServer.start();
  hub.addMirror('tiny/q4f16', FILES);
  store = new MemoryStore();
  progress = [];
  pauses = [];
});
afterEach(async () => {
  await hub.close();
  expect(progress.every(({ loadedBytes, totalBytes }, at) => loadedBytes <= totalBytes && loadedBytes >= (progress[at - 1]?.loadedBytes ?? 0))).toBe(true);
});

const [CONFIG, A, B, C] = FILES as [HubFile, HubFile, HubFile, HubFile];
const fetchAll = (options: Partial<FetchFilesOptions> & { readonly manifest?: ModelManifest } = {}) =>
  fetchFiles({
    manifest: manifestOf(FILES),
    base: new URL('mirror/tiny/q4f16/', hub.url),
    store,
    onProgress: (one) => void progress.push(one),
    sleep: (ms, signal) => {
      pauses.push(ms);
      signal.throwIfAborted();
      return Promise.resolve();
    },
    ...options,
  });
const digestOf = (file: HubFile): string => `sha256:${sha256Of(file.bytes)}`;
/** What is wrong in the store: files that are whole and not what they should be. */
async function wrongFiles(files: ReadonlyMap<string, Blob>): Promise<string[]> {
  const wrong: string[] = [];
  for (const file of FILES) if (sha256Of(new Uint8Array((await files.get(file.path)?.arrayBuffer()) ?? new ArrayBuffer(0))) !== sha256Of(file.bytes)) wrong.push(file.path);
  return wrong;
}
/** Fetches one file alone. */
const fetchOne = (file: HubFile, options: Partial<FetchFilesOptions> = {}) => fetchAll({ manifest: manifestOf([file]), ...options });
/** Puts the beginning of a file into the store. */
async function begin(file: HubFile, bytes: Uint8Array): Promise<void> {
  const part = await store.append(digestOf(file));
  await part.write(bytes);
  await part.close();
}

describe('fetchFiles', () => {
  it('fetches every file once, whole, and tells of all bytes', async () => {
    expect(await wrongFiles(await fetchAll())).toEqual([]);
    expect(FILES.map((file) => hub.count(file.path))).toEqual(FILES.map(() => 1));
    expect(progress[0]).toEqual({ loadedBytes: 0, totalBytes: TOTAL_BYTES });
    expect(progress.at(-1)).toEqual({ loadedBytes: TOTAL_BYTES, totalBytes: TOTAL_BYTES });
  });

  it('asks for nothing that is there, and counts it', async () => {
    await fetchAll();
    hub.forget();
    progress = [];
    expect(await wrongFiles(await fetchAll())).toEqual([]);
    expect(hub.requests).toEqual([]);
    expect(progress.at(-1)).toEqual({ loadedBytes: TOTAL_BYTES, totalBytes: TOTAL_BYTES });
  });

  it('sends no cookies and no address of the page', async () => {
    const seen: RequestInit[] = [];
    await fetchOne(A, {
      fetch: (input, init) => {
        seen.push(init ?? {});
        return fetch(input, init);
      },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'default' });
  });

  it('fetches from the address of a file that has one', async () => {
    hub.addRepository('makers/tiny', [A]);
    const [file] = manifestOf([A]).files;
    await fetchAll({ manifest: { ...manifestOf([A]), files: [{ ...file!, url: new URL(`makers/tiny/resolve/main/${A.path}`, hub.url).href }] } });
    expect(hub.requests).toEqual([`GET /makers/tiny/resolve/main/${A.path}`, `GET /storage/hub%3Amakers/tiny/${A.path}`]);
  });

  it('fetches two files with the same contents once', async () => {
    const twin = { path: 'deep/twin ü.bin', bytes: A.bytes };
    const files = await fetchAll({ manifest: manifestOf([A, twin]) });
    expect(sha256Of(new Uint8Array(await files.get(twin.path)!.arrayBuffer()))).toBe(sha256Of(A.bytes));
    expect(hub.served).toHaveLength(1);
    expect(progress.at(-1)).toEqual({ loadedBytes: 2 * A.bytes.length, totalBytes: 2 * A.bytes.length });
  });

  it('needs no request for an empty file', async () => {
    const files = await fetchOne({ path: 'empty.txt', bytes: new Uint8Array() });
    expect(files.get('empty.txt')?.size).toBe(0);
    expect(hub.requests).toEqual([]);
  });

  it('NET-01: goes on inside a file whose connection was cut', async () => {
    hub.spoil(B.path, { kind: 'cut', at: 125_000 });
    expect(await wrongFiles(await fetchAll())).toEqual([]);
    expect([CONFIG, A, B].map((file) => hub.count(file.path))).toEqual([1, 1, 2]);
    const [, second] = hub.served.filter((one) => one.file === B.path);
    // A break may cost the bytes that were not read yet.
    expect(second).toMatchObject({ status: 206, range: expect.stringMatching(/^bytes=[1-9]\d*-$/) as string });
    expect(second?.ifRange).toMatch(/^"\w+"$/);
    expect(pauses).toEqual([1_000]);
  });

  it('waits longer each time nothing new comes, and gives up after five tries', async () => {
    hub.spoil(A.path, { kind: 'cut', at: 0 }, 99);
    await expect(fetchOne(A)).rejects.toMatchObject({ code: 'download-failed', file: A.path, retryable: true, modelId: 'tiny' });
    expect(hub.count(A.path)).toBe(5);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(await store.storedBytes(digestOf(A))).toBe(0);
  });

  it('begins to count tries anew when bytes come', async () => {
    let at = 0;
    const cutting: typeof fetch = (input, init) => {
      hub.spoil(A.path, { kind: 'cut', at: Math.min((at += 40_000), 290_000) });
      return fetch(input, init);
    };
    await fetchOne(A, { fetch: (input, init) => (at < 290_000 ? cutting(input, init) : fetch(input, init)) });
    expect(hub.count(A.path)).toBeGreaterThan(5);
  });

  it.each([429, 500, 503])('tries again after %i', async (status) => {
    hub.spoil(A.path, { kind: 'status', status }, 2);
    await fetchOne(A);
    expect(pauses).toEqual([1_000, 2_000]);
  });

  it.each([403, 404, 204])('does not try again after %i', async (status) => {
    hub.spoil(A.path, { kind: 'status', status }, 99);
    await expect(fetchAll()).rejects.toMatchObject({ code: 'download-failed', file: A.path, retryable: false });
    expect(pauses).toEqual([]);
  });

  it('takes up a part that is there, hashing it again', async () => {
    await begin(A, A.bytes.subarray(0, 100_000));
    await fetchOne(A);
    expect(hub.served).toEqual([{ file: A.path, range: 'bytes=100000-', ifRange: undefined, status: 206 }]);
    expect(progress[0]?.loadedBytes).toBe(100_000);
  });

  it('begins a file anew whose part is of another one', async () => {
    await begin(A, noise(100_000, 77));
    expect(await wrongFiles(new Map([...(await fetchAll())]))).toEqual([]);
    expect(hub.served.filter((one) => one.file === A.path).map((one) => one.range)).toEqual(['bytes=100000-', undefined]);
  });

  it('begins a file anew whose part is too long', async () => {
    await begin(A, noise(A.bytes.length + 5, 77));
    await fetchOne(A);
    expect(hub.served.map((one) => one.range)).toEqual([undefined]);
  });

  it('begins a file anew where the server knows no ranges', async () => {
    await begin(A, A.bytes.subarray(0, 100_000));
    hub.spoil(A.path, { kind: 'no-range' });
    expect((await fetchOne(A)).get(A.path)?.size).toBe(A.bytes.length);
    expect(hub.served.map((one) => one.status)).toEqual([200]);
  });

  it('begins a file anew where the server sends another range', async () => {
    await begin(A, A.bytes.subarray(0, 100_000));
    hub.spoil(A.path, { kind: 'other-range' });
    await fetchOne(A);
    expect(hub.served.map((one) => one.range)).toEqual(['bytes=100000-', undefined]);
  });

  it('begins a file anew where the server says that there is no such range', async () => {
    await begin(A, A.bytes.subarray(0, 100_000));
    hub.spoil(A.path, { kind: 'status', status: 416 });
    await fetchOne(A);
    expect(hub.served.map((one) => [one.range, one.status])).toEqual([['bytes=100000-', 416], [undefined, 200]]);
  });

  it('takes a file up again from a server that went silent', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 120_000 });
    await fetchOne(A, { stallMs: 1_000 });
    expect(hub.served.map((one) => one.range)).toEqual([undefined, 'bytes=120000-']);
  });

  it('NET-03: keeps nothing of a web page in place of a file, and works the next time', async () => {
    hub.spoil(B.path, { kind: 'html' });
    await expect(fetchAll()).rejects.toMatchObject({ code: 'file-replaced', file: B.path, retryable: true });
    expect(await store.storedBytes(digestOf(B))).toBe(0);
    expect(await wrongFiles(await fetchAll())).toEqual([]);
  });

  it('NET-03: knows a web page under another type', async () => {
    hub.spoil(B.path, { kind: 'html', disguised: true });
    await expect(fetchOne(B)).rejects.toMatchObject({ code: 'file-replaced' });
    expect(await store.storedBytes(digestOf(B))).toBe(0);
    const page = new TextEncoder().encode('<!doctype html>'.padEnd(500, '.'));
    hub.addMirror('tiny/q4f16', [{ path: 'long.json', bytes: page }]);
    progress = [];
    await expect(fetchOne({ path: 'long.json', bytes: new Uint8Array(20) })).rejects.toMatchObject({ code: 'file-replaced' });
  });

  it('NET-03: keeps the good beginning when a page comes in place of the rest', async () => {
    await begin(A, A.bytes.subarray(0, 100_000));
    hub.spoil(A.path, { kind: 'html' });
    await expect(fetchOne(A)).rejects.toMatchObject({ code: 'file-replaced' });
    expect(await store.storedBytes(digestOf(A))).toBe(100_000);
  });

  it('NET-06: asks once more past the caches for a file that differs, then names it', async () => {
    const caches: (string | undefined)[] = [];
    const watch: typeof fetch = (input, init) => {
      caches.push(init?.cache);
      return fetch(input, init);
    };
    hub.spoil(B.path, { kind: 'flip', at: 7 });
    await fetchOne(B, { fetch: watch });
    expect(caches).toEqual(['default', 'no-store']);
    await store.clear();
    progress = [];
    hub.spoil(B.path, { kind: 'flip', at: 200_000 }, 99);
    await expect(fetchAll()).rejects.toMatchObject({ code: 'integrity-mismatch', file: B.path });
    expect(hub.count(B.path)).toBe(4);
    expect(await store.storedBytes(digestOf(B))).toBe(0);
  });

  it.each(['short', 'long'] as const)('NET-06: refuses a file that is too %s', async (kind) => {
    hub.spoil(B.path, { kind, bytes: 1_000 }, 99);
    await expect(fetchOne(B)).rejects.toMatchObject({ code: 'integrity-mismatch', file: B.path });
    expect(await store.storedBytes(digestOf(B))).toBe(0);
  });

  it('NET-09: counts decoded bytes of a file sent with gzip', async () => {
    const text = { path: 'tokenizer.json', bytes: new TextEncoder().encode('"a": 1, '.repeat(50_000)), gzip: true };
    hub.addMirror('tiny/q4f16', [text]);
    await fetchOne(text);
    expect(progress.at(-1)).toEqual({ loadedBytes: text.bytes.length, totalBytes: text.bytes.length });
  });

  it('stops both files on an abort and keeps what came', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 150_000 });
    hub.spoil(B.path, { kind: 'stall', at: 100_000 });
    const stop = new AbortController();
    const reason = new DOMException('Paused.', 'AbortError');
    await expect(
      fetchAll({
        signal: stop.signal,
        onProgress: (one) => {
          progress.push(one);
          if (one.loadedBytes === CONFIG.bytes.length + 250_000) stop.abort(reason);
        },
      }),
    ).rejects.toBe(reason);
    expect([await store.storedBytes(digestOf(A)), await store.storedBytes(digestOf(B))]).toEqual([150_000, 100_000]);
    hub.forget();
    expect(await wrongFiles(await fetchAll())).toEqual([]);
    expect(hub.served.flatMap((one) => one.range ?? []).sort()).toEqual(['bytes=100000-', 'bytes=150000-']);
    expect(hub.count(C.path)).toBe(1);
  });

  it('does nothing when it was aborted before', async () => {
    await expect(fetchAll({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(hub.requests).toEqual([]);
  });
});
