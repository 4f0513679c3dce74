import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STRICT_CSP } from '../../demo/server.mjs';
import { buildPage } from '../browser/build-page.js';
import { launchBrowser, type PageRecord, record, serve, type TestServer } from '../browser/launch.js';
import { parseCases } from '../../src/evaluation/cases.js';
import { runCommand } from '../cli/run-command.js';
import { buildFixtures, CASES, GOLD_MAP, KNOWLEDGE } from '../fixtures/fixture-bundles.js';
import type { EncoderPageApi } from './pages/encoder-page.js';

const directory = process.env.ANAMNESIS_ENCODER ?? '';
const isHere = existsSync(join(directory, 'files/all-MiniLM-L6-v2'));
if (!isHere) process.stdout.write('The transformer encoder is not tested: set ANAMNESIS_ENCODER to a directory with files/all-MiniLM-L6-v2 and library/node_modules.\n');

const FILES = join(directory, 'files');
const LIBRARY = join(directory, 'library');
/** WebAssembly needs leave beside the strict policy. */
const CSP = STRICT_CSP.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'").replace(/; require-trusted-types-for.*$/, '');
const WORDS = 'it burns when I pee';

declare global {
  var encoder: EncoderPageApi;
}

const dot = (a: readonly number[] = [], b: readonly number[] = []): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe.skipIf(!isHere)('a transformer encoder with real weights', () => {
  let bundles: string;
  let browser: Browser;
  let server: TestServer;
  let page: Page;
  let seen: PageRecord;
  const flags = ['--encoder', 'all-MiniLM-L6-v2', '--encoder-files', FILES, '--library', LIBRARY];

  beforeAll(async () => {
    bundles = await buildFixtures();
    const made = await runCommand(bundles, 'bundle', 'embed', 'mini-en', '--sources', KNOWLEDGE, ...flags);
    expect(made).toMatchObject({ code: 0, err: '' });
    const built = await buildPage('test/models/pages/encoder-page.ts', ['@huggingface/transformers']);
    const modules = join(LIBRARY, 'node_modules');
    [browser, server] = await Promise.all([launchBrowser(), serve({ csp: CSP, roots: [built, bundles, FILES, join(modules, '@huggingface/transformers/dist'), join(modules, 'onnxruntime-web/dist')] })]);
    page = await (await browser.newContext()).newPage();
    seen = record(page);
    await page.goto(`${server.origin}/encoder-page.html`);
    await page.waitForFunction(() => 'encoder' in globalThis);
    expect(await page.evaluate(() => globalThis.encoder.open())).toEqual({ id: 'all-MiniLM-L6-v2', dimension: 384 });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('knows in a page what words mean, not only how they are spelt', async () => {
    const [head, headache, knee] = await page.evaluate(() => globalThis.encoder.embed(['my head hurts and I feel sick', 'headache with nausea', 'swollen knee']));
    expect(Math.hypot(...(head ?? []))).toBeCloseTo(1, 4);
    expect(dot(head, headache)).toBeGreaterThan(dot(head, knee) + 0.2);
  });

  it('searches the rows that the command made', async () => {
    const found = await page.evaluate((words) => globalThis.encoder.retrieve('/mini-en/', words), WORDS);
    expect([found.ids[0], found.encoder]).toEqual(['cystitis', 'all-MiniLM-L6-v2']);
  });

  it('ranks in Node as in the page', async () => {
    const perCase = join(bundles, 'cases.jsonl');
    expect(await runCommand(bundles, 'eval', 'retrieval', '--bundle', 'mini-en', '--cases', CASES, '--gold-map', GOLD_MAP, '--per-case', perCase, '--json', ...flags)).toMatchObject({ code: 0, err: '' });
    const named = new Map(readFileSync(perCase, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { id: string; named: string[] }).map((one) => [one.id, one.named]));
    expect(named.size).toBeGreaterThan(2);
    for (const one of parseCases(readFileSync(CASES, 'utf8'))) {
      if (!named.has(one.id)) continue;
      expect((await page.evaluate((words) => globalThis.encoder.retrieve('/mini-en/', words), one.firstUtterance)).ids, one.id).toEqual(named.get(one.id));
    }
  });

  it('fails with a code where its files are missing', async () => {
    expect(await page.evaluate(() => globalThis.encoder.openMissing())).toBe('encoder-failed');
  });

  it('asks no server but the page’s own, and stores nothing', async () => {
    expect(seen.requests.filter((address) => !address.startsWith(server.origin) && !address.startsWith(`blob:${server.origin}`))).toEqual([]);
    expect(await page.evaluate(async () => [await caches.keys(), await indexedDB.databases(), localStorage.length])).toEqual([[], [], 0]);
    expect(seen.errors).toEqual([]);
  });
});
