import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelManifest } from '../../src/llm/catalogue.js';
import { launchBrowser, type TestServer } from '../browser/launch.js';
import { type HubFile, HubServer, noise, sha256Of } from '../fakes/hub-server.js';
import { buildDownloadPage, DownloadPage, serveDownloadPage, spoilWorker } from './download-page.js';
import { FILES, manifestOf, TOTAL_BYTES } from './tiny-model.js';

const MANIFEST = manifestOf(FILES);
const [CONFIG, A, B, C] = FILES as [HubFile, HubFile, HubFile, HubFile];
const GOOD = { digests: Object.fromEntries(MANIFEST.files.map((file) => [file.path, file.digest])), kept: true };
const nameOf = (file: HubFile): string => `sha256-${sha256Of(file.bytes)}`;

let browser: Browser;
let site: TestServer;
let hub: HubServer;
let context: BrowserContext;
let page: DownloadPage;

beforeAll(async () => {
  await buildDownloadPage();
  site = await serveDownloadPage();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  hub = await HubServer.start();
  hub.addMirror('tiny/q4f16', FILES);
  context = await browser.newContext();
  page = await DownloadPage.open(context, site.origin);
});
afterEach(async () => {
  expect(page.seen.errors).toEqual([]);
  // Storage hosts refuse preflights.
  expect(hub.requests.filter((line) => line.startsWith('OPTIONS'))).toEqual([]);
  await context.close();
  await hub.close();
});

const how = (options: { readonly keep?: boolean; readonly stopAt?: number; readonly workerBase?: string } = {}) => ({ base: new URL('mirror/tiny/q4f16/', hub.url).href, keep: true, ...options });
const counts = (): number[] => FILES.map((file) => hub.count(file.path));
const list = (): Promise<string[]> => page.page.evaluate(() => globalThis.downloads.list());
const stored = (manifest: ModelManifest): Promise<number> => page.page.evaluate((one) => globalThis.downloads.stored(one), manifest);

const REFUSED = "navigator.storage.getDirectory = () => Promise.reject(new DOMException('Refused.', 'SecurityError'))";
const SMALL = 'navigator.storage.estimate = () => Promise.resolve({ quota: 1_000_000, usage: 10_000 })';
const NO_MEMORY = "Object.defineProperty(navigator, 'deviceMemory', { value: 0.001 })";
const BREAKS = "addEventListener('message', () => void setTimeout(() => { throw new Error('broken'); }))";

describe('downloadModel', () => {
  it('fetches, verifies and keeps a model from another origin', async () => {
    expect(await page.download(MANIFEST, how())).toEqual(GOOD);
    expect(counts()).toEqual(FILES.map(() => 1));
    expect(await page.names()).toEqual([...FILES.map(nameOf), 'tiny+q4f16.json'].sort());
    expect(await list()).toEqual(['tiny/q4f16']);
    expect(await stored(MANIFEST)).toBe(TOTAL_BYTES);
    expect(hub.lastHeaders).not.toHaveProperty('referer');
    expect(hub.lastHeaders).not.toHaveProperty('cookie');
  });

  it('NET-01: takes up a file whose connection was cut, and asks for the others once', async () => {
    hub.spoil(B.path, { kind: 'cut', at: 125_000 });
    expect(await page.download(MANIFEST, how())).toEqual(GOOD);
    expect(counts()).toEqual([1, 1, 2, 1, 1]);
    expect(hub.served.filter((one) => one.file === B.path).map((one) => one.status)).toEqual([200, 206]);
  });

  it('NET-03: keeps nothing of a web page, and works the next time', async () => {
    hub.spoil(B.path, { kind: 'html' });
    expect(await page.download(MANIFEST, how())).toMatchObject({ failed: 'file-replaced', file: B.path });
    expect((await page.names()).filter((name) => name.startsWith(nameOf(B)))).toEqual([]);
    expect(await page.download(MANIFEST, how())).toEqual(GOOD);
    expect(hub.count(CONFIG.path)).toBe(1);
  });

  it('NET-06: asks once more for a file with one byte changed, then gives up and keeps nothing of it', async () => {
    hub.spoil(B.path, { kind: 'flip', at: 99_000 }, 99);
    expect(await page.download(MANIFEST, how())).toMatchObject({ failed: 'integrity-mismatch', file: B.path });
    expect(hub.count(B.path)).toBe(2);
    expect((await page.names()).filter((name) => name.startsWith(nameOf(B)))).toEqual([]);
    expect(await page.page.evaluate((manifest) => globalThis.downloads.open(manifest), MANIFEST)).toBeNull();
    expect(await list()).toEqual([]);
  });

  it('NET-09: tells of decoded bytes, rising and never above the whole, for files sent with gzip', async () => {
    const text: HubFile = { path: 'tokenizer.json', bytes: new TextEncoder().encode('{"token": 1}\n'.repeat(80_000)), gzip: true };
    hub.addMirror('tiny/q4f16', [text]);
    const manifest = manifestOf([...FILES, text]);
    expect(await page.download(manifest, how())).toMatchObject({ kept: true });
    const progress = await page.progress();
    const total = TOTAL_BYTES + text.bytes.length;
    expect(progress.every((one, at) => one.totalBytes === total && one.loadedBytes <= total && one.loadedBytes >= (progress[at - 1]?.loadedBytes ?? 0))).toBe(true);
    expect(progress.at(-1)?.loadedBytes).toBe(total);
  });

  it('NET-12: fetches only the file that went missing', async () => {
    await page.download(MANIFEST, how());
    hub.forget();
    await page.page.evaluate((name) => globalThis.downloads.removeFile(name), nameOf(C));
    await page.page.evaluate((name) => globalThis.downloads.truncateFile(name, 17), nameOf(A));
    expect(await list()).toEqual([]);
    expect(await stored(MANIFEST)).toBe(TOTAL_BYTES - C.bytes.length - A.bytes.length + 17);
    expect(await page.download(MANIFEST, how())).toEqual(GOOD);
    expect(counts()).toEqual([0, 1, 0, 1, 0]);
  });

  it('NET-16: needs no network for a model that is here', async () => {
    await page.download(MANIFEST, how());
    await page.page.close();
    hub.forget();
    page = await DownloadPage.open(context, site.origin);
    await context.setOffline(true);
    page.seen.requests.length = 0;
    expect(await list()).toEqual(['tiny/q4f16']);
    expect(await page.page.evaluate((manifest) => globalThis.downloads.open(manifest), MANIFEST)).toEqual(GOOD);
    expect([...hub.requests, ...page.seen.requests]).toEqual([]);
  });

  it('pauses inside a file and goes on there, also after the page was closed', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    hub.spoil(B.path, { kind: 'stall', at: 100_000 });
    await page.start(MANIFEST, how({ stopAt: CONFIG.bytes.length + 300_000 }));
    expect(await page.outcome()).toMatchObject({ failed: 'AbortError' });
    hub.spoil(C.path, { kind: 'stall', at: 350_000 });
    await page.start(MANIFEST, how({ stopAt: TOTAL_BYTES - 50_000 }));
    expect(await page.outcome()).toMatchObject({ failed: 'AbortError' });
    await page.page.close();
    page = await DownloadPage.open(context, site.origin);
    expect(await page.download(MANIFEST, how())).toEqual(GOOD);
    expect((await page.progress())[0]?.loadedBytes).toBe(TOTAL_BYTES - 50_000);
    expect(hub.served.flatMap((one) => (one.range === undefined ? [] : [`${one.file} ${one.range}`])).sort()).toEqual([`${A.path} bytes=200000-`, `${B.path} bytes=100000-`, `${C.path} bytes=350000-`]);
  });

  it('goes on inside a file of a server that lets pages read no headers', async () => {
    hub.exposed = 'Link';
    hub.spoil(A.path, { kind: 'cut', at: 100_000 });
    expect(await page.download(manifestOf([A]), how())).toMatchObject({ kept: true });
    // A break may cost the bytes that were not read yet.
    expect(hub.served[1]).toMatchObject({ status: 206, range: expect.stringMatching(/^bytes=[1-9]\d*-$/) as string });
    expect(hub.served[1]?.ifRange).toBeUndefined();
  });

  it('rejects at once when it is stopped, and can be begun again at once', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(MANIFEST, how());
    await page.reached(200_000);
    await page.stop();
    const [first, second] = await Promise.all([page.outcome(), page.download(MANIFEST, how(), 'again')]);
    expect(first).toMatchObject({ failed: 'AbortError' });
    expect(second).toEqual(GOOD);
  });

  it('shares one download between two callers of a page; it stops when both have left', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(MANIFEST, how(), 'one');
    await page.start(MANIFEST, how(), 'two');
    await page.reached(200_000, 'one');
    await page.reached(200_000, 'two');
    expect(page.page.workers()).toHaveLength(1);
    await page.stop('one');
    expect(await page.outcome('one')).toMatchObject({ failed: 'AbortError' });
    hub.release();
    expect(await page.outcome('two')).toEqual(GOOD);
    expect(counts()).toEqual(FILES.map(() => 1));
    await expect.poll(() => page.page.workers().length).toBe(0);
  });

  it('waits for another tab that fetches the same model, and then finds it here', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(MANIFEST, how());
    await page.reached(200_000);
    const other = await DownloadPage.open(context, site.origin);
    await other.start(MANIFEST, how());
    await other.waits();
    hub.release();
    expect(await page.outcome()).toEqual(GOOD);
    expect(await other.outcome()).toEqual(GOOD);
    expect(counts()).toEqual(FILES.map(() => 1));
    expect(other.seen.errors).toEqual([]);
  });

  it('goes on for a tab that was closed in the middle', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(MANIFEST, how());
    await page.reached(200_000);
    const other = await DownloadPage.open(context, site.origin);
    await other.start(MANIFEST, how());
    await other.waits();
    await page.page.close();
    expect(await other.outcome()).toEqual(GOOD);
    expect(hub.served.filter((one) => one.file === A.path).map((one) => one.range)).toEqual([undefined, 'bytes=200000-']);
  });

  it('stores nothing without leave, and holds the files for this page alone', async () => {
    expect(await page.download(MANIFEST, how({ keep: false }))).toEqual({ ...GOOD, kept: false });
    expect(await page.names()).toEqual([]);
    expect(await page.page.evaluate(async () => (await indexedDB.databases()).length + (await caches.keys()).length)).toBe(0);
    hub.forget();
    expect(await page.page.evaluate((manifest) => globalThis.downloads.open(manifest), MANIFEST)).toEqual({ ...GOOD, kept: false });
    expect(await page.download(MANIFEST, how({ keep: false }))).toEqual({ ...GOOD, kept: false });
    expect(hub.requests).toEqual([]);
    await page.page.reload();
    await page.page.waitForFunction(() => 'downloads' in globalThis);
    expect(await page.page.evaluate((manifest) => globalThis.downloads.open(manifest), MANIFEST)).toBeNull();
  });

  it('goes on inside a file in memory after a pause', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(manifestOf([A]), how({ keep: false, stopAt: 200_000 }));
    expect(await page.outcome()).toMatchObject({ failed: 'AbortError' });
    expect(await page.download(manifestOf([A]), how({ keep: false }))).toMatchObject({ kept: false });
    expect(hub.served.map((one) => one.range?.startsWith('bytes=200000-'))).toEqual([undefined, true]);
  });

  it('holds the files in memory where the browser refuses storage', async () => {
    expect(await page.download(MANIFEST, how({ workerBase: spoilWorker('refused', REFUSED) }))).toEqual({ ...GOOD, kept: false });
    expect(await page.names()).toEqual([]);
  });

  it('NET-08: goes to memory where the browser says that it has too little room', async () => {
    expect(await page.download(MANIFEST, how({ workerBase: spoilWorker('small', SMALL) }))).toEqual({ ...GOOD, kept: false });
    expect(await page.names()).toEqual([]);
  });

  it('NET-08: goes to memory with what was fetched where the room is used up on the way, and leaves some to others', async () => {
    const session = await context.newCDPSession(page.page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: site.origin, quotaSize: 1_000_000 });
    expect(await page.download(MANIFEST, how())).toEqual({ ...GOOD, kept: false });
    expect(counts()).toEqual(FILES.map(() => 1));
    expect((await page.names()).filter((name) => !/^sha256-\w+$/.test(name))).toEqual([]);
    expect(await list()).toEqual([]);
    await page.page.evaluate(async () => (await caches.open('session')).put('/record', new Response('x'.repeat(10_000))));
  });

  it('NET-08: says how much room a model needs that fits nowhere', async () => {
    expect(await page.download(MANIFEST, how({ workerBase: spoilWorker('full', `${SMALL};${NO_MEMORY}`) }))).toEqual({ failed: 'quota-exceeded', file: '', requiredBytes: Math.ceil(TOTAL_BYTES * 1.05) });
    expect(hub.requests).toEqual([]);
  });

  it('RUN-01: rejects where the worker is not there', async () => {
    expect(await page.download(MANIFEST, how({ workerBase: '/nowhere/' }))).toMatchObject({ failed: 'runtime-failed' });
    expect(await page.download(MANIFEST, how({ workerBase: spoilWorker('breaks', BREAKS) }))).toMatchObject({ failed: 'runtime-failed' });
  });
});

describe('deleteModel', () => {
  const other = manifestOf([CONFIG, { path: 'more.bin', bytes: noise(1_000, 8) }], 'tiny/gguf');
  beforeEach(() => hub.addMirror('tiny/gguf', [CONFIG, { path: 'more.bin', bytes: noise(1_000, 8) }]));
  const otherHow = () => ({ base: new URL('mirror/tiny/gguf/', hub.url).href, keep: true });

  it('deletes a model and leaves what another one has too', async () => {
    await page.download(MANIFEST, how());
    await page.download(other, otherHow());
    expect(hub.count(CONFIG.path)).toBe(1);
    await page.page.evaluate((manifest) => globalThis.downloads.remove(manifest), MANIFEST);
    expect(await list()).toEqual(['tiny/gguf']);
    expect(await page.names()).toHaveLength(3);
    expect(await stored(MANIFEST)).toBe(CONFIG.bytes.length);
  });

  it('drops the files of an earlier version when a newer one is whole', async () => {
    await page.download(MANIFEST, how());
    const newer = manifestOf([CONFIG, A, { path: 'params_shard_1.bin', bytes: noise(60_000, 12) }]);
    hub.addMirror('tiny/q4f16', [{ path: 'params_shard_1.bin', bytes: noise(60_000, 12) }]);
    expect(await page.download(newer, how())).toMatchObject({ kept: true });
    expect(await page.names()).toHaveLength(4);
    expect(await list()).toEqual(['tiny/q4f16']);
  });

  it('deletes everything, partial files and folder too', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(MANIFEST, how({ stopAt: 200_000 }));
    await page.outcome();
    await page.download(other, otherHow());
    expect(await page.names()).not.toEqual([]);
    await page.page.evaluate(() => globalThis.downloads.removeAll());
    expect(await page.page.evaluate(async () => (await (await navigator.storage.getDirectory()).keys().next()).done)).toBe(true);
    expect(await stored(MANIFEST)).toBe(0);
  });

  it('stops the downloads of every tab', async () => {
    hub.spoil(A.path, { kind: 'stall', at: 200_000 });
    await page.start(MANIFEST, how());
    await page.reached(200_000);
    const second = await DownloadPage.open(context, site.origin);
    await second.page.evaluate(() => globalThis.downloads.removeAll());
    expect(await page.outcome()).toMatchObject({ failed: 'AbortError' });
    expect(await page.names()).toEqual([]);
  });
});

describe('OriginStore in a page', () => {
  it('writes without the handles that only workers have', async () => {
    expect(await page.page.evaluate((digest) => globalThis.downloads.writeInPage(digest), `sha256:${'e'.repeat(64)}`)).toEqual({ between: 3, readBack: [1, 2, 3], whole: '1,2,3,4,5' });
  });
});
