import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../src/bundle/manifest.js';
import { sha256 } from '../../src/bundle/sha256.js';
import { ROOT } from '../bundles.js';

/** Brotli bytes of the script that a page loads before consent. */
const MOST_SCRIPT_BYTES = 45_000;
/** Brotli bytes of the engine that consent brings. */
const MOST_ENGINE_BYTES = 71_000;
/** What must come only when it is needed. */
const NOT_BEFORE_CONSENT = ['WebAssembly', 'indexedDB.open', 'openDB', 'createObjectStore', 'voy_bg', 'caches.open'];
/** Words of the strategies, the session and the runtimes that come only when a model does. */
const NOT_BEFORE_A_MODEL = ['huggingface', 'download-worker', 'web-llm-worker', 'requestAdapter', '"candidates" holds'];

const read = (path: string): Buffer => readFileSync(join(ROOT, path));

/** Files that a module imports statically, itself included. */
function staticGraph(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const directory = path.slice(0, path.lastIndexOf('/'));
  for (const match of read(path).toString().matchAll(/(?:^|[;}\s])import\s*(?:[\w*{}\s,$]+from\s*)?["'](\.[^"']+)["']/g)) staticGraph(join(directory, match[1] ?? ''), seen);
  return seen;
}

/** Everything that the workers' scripts load, at once or later. */
function reachedByWorkers(): Set<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const match of read(path).toString().matchAll(/(?:from|import)\s*\(?\s*["'`](\.\/[\w.-]+\.js)["'`]/g)) visit(join(path.slice(0, path.lastIndexOf('/')), match[1] ?? ''));
  };
  for (const name of readdirSync(join(ROOT, 'dist/chunks'))) if (name.endsWith('-worker.js')) visit(`dist/chunks/${name}`);
  return reached;
}

function chunk(name: RegExp): string {
  const found = readdirSync(join(ROOT, 'dist/chunks')).find((file) => name.test(file) && file.endsWith('.js'));
  if (found === undefined) throw new Error(`no chunk is named ${String(name)}`);
  return `dist/chunks/${found}`;
}

const brotliBytes = (files: readonly string[]): number => files.reduce((sum, file) => sum + brotliCompressSync(read(file)).length, 0);

describe('the script before consent', () => {
  const files = [...staticGraph('dist/anamnesis.js')];

  it(`is at most ${String(MOST_SCRIPT_BYTES)} bytes of brotli`, () => {
    const bytes = brotliBytes(files);
    console.log(`script before consent: ${String(bytes)} bytes of brotli in ${String(files.length)} file(s)`);
    expect(bytes).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
  });

  it('holds nothing heavy', () => {
    const text = files.map((file) => read(file).toString()).join('\n');
    expect(NOT_BEFORE_CONSENT.filter((word) => text.includes(word))).toEqual([]);
  });
});

describe('what consent brings', () => {
  const before = staticGraph('dist/anamnesis.js');
  const engine = [...staticGraph(chunk(/^src-/))].filter((file) => !before.has(file));

  it(`is at most ${String(MOST_ENGINE_BYTES)} bytes of brotli`, () => {
    const bytes = brotliBytes(engine);
    console.log(`engine: ${String(bytes)} bytes of brotli in ${String(engine.length)} chunk(s)`);
    expect(bytes).toBeLessThanOrEqual(MOST_ENGINE_BYTES);
  });

  it('holds nothing of the language models', () => {
    const text = engine.map((file) => read(file).toString()).join('\n');
    expect(NOT_BEFORE_A_MODEL.filter((word) => text.includes(word))).toEqual([]);
  });
});

describe('what a language model brings', () => {
  const known = new Set([...staticGraph('dist/anamnesis.js'), ...staticGraph(chunk(/^src-/))]);

  it.each([
    ['looking for one', /^model-session-/, 12_000],
    ['a strategy that asks it', /^model-strategy-/, 25_000],
  ])('%s costs at most its share of brotli', (_what, name, most) => {
    const bytes = brotliBytes([...staticGraph(chunk(name))].filter((file) => !known.has(file)));
    console.log(`${String(name)}: ${String(bytes)} bytes of brotli`);
    expect(bytes).toBeLessThanOrEqual(most);
  });

  it('has its runtimes in workers alone', () => {
    const pages = readdirSync(join(ROOT, 'dist/chunks')).filter((name) => name.endsWith('.js') && !name.endsWith('-worker.js') && !reachedByWorkers().has(`dist/chunks/${name}`));
    for (const name of pages) expect(read(`dist/chunks/${name}`).length, name).toBeLessThan(400_000);
  });
});

describe('bundles', () => {
  it.each(['mm-zh', 'mm-en', 'tcm-zh'])('%s has the bytes that its manifest states', async (id) => {
    const manifest = parseManifest(read(`dist/bundles/${id}/manifest.json`).toString());
    for (const part of manifest.parts) {
      const bytes = new Uint8Array(read(`dist/bundles/${id}/${part.file}`));
      expect(bytes.length, part.file).toBe(part.bytes);
      expect(await sha256(bytes), part.file).toBe(part.sha256);
    }
  });

  it.each(['mm-zh', 'mm-en', 'tcm-zh'])('%s is at most 3 MB over the wire', (id) => {
    const manifest = parseManifest(read(`dist/bundles/${id}/manifest.json`).toString());
    const bytes = manifest.parts.reduce((sum, part) => sum + brotliCompressSync(read(`dist/bundles/${id}/${part.file}`)).length, 0);
    console.log(`${id}: ${String(bytes)} bytes of brotli`);
    expect(bytes).toBeLessThanOrEqual(3_000_000);
  });

  it.each(['mm-zh', 'mm-en', 'tcm-zh'])('%s says that nothing in it was clinically reviewed', (id) => {
    expect(parseManifest(read(`dist/bundles/${id}/manifest.json`).toString()).review).toMatchObject({ state: 'none', reviewed: 0 });
  });
});

describe('the package', () => {
  it('has one version', () => {
    const { version } = JSON.parse(read('package.json').toString()) as { version: string };
    expect(read('widget/version.ts').toString()).toContain(`'${version}'`);
  });

  it('can be imported where there is no page', async () => {
    const entry = join(ROOT, 'dist/js/src/index.js');
    expect(Object.keys((await import(entry)) as object)).toContain('createConsultation');
  });

  it('names at run time only what it depends on', () => {
    const { dependencies } = JSON.parse(read('package.json').toString()) as { dependencies: Record<string, string> };
    expect(Object.keys(dependencies).sort()).toEqual(['@mlc-ai/web-llm', '@noble/hashes', '@wllama/wllama', 'eventsource-parser', 'idb', 'jsonrepair', 'lit', 'opencc-js', 'stemmer', 'voy-search']);
  });
});
