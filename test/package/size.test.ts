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
const MOST_ENGINE_BYTES = 60_000;
/** What must come only when it is needed. */
const NOT_BEFORE_CONSENT = ['WebAssembly', 'indexedDB.open', 'openDB', 'createObjectStore', 'voy_bg', 'caches.open'];

const read = (path: string): Buffer => readFileSync(join(ROOT, path));

/** Files that a module imports statically, itself included. */
function staticGraph(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const directory = path.slice(0, path.lastIndexOf('/'));
  for (const match of read(path).toString().matchAll(/(?:^|[;}\s])import\s*(?:[\w*{}\s,$]+from\s*)?["'](\.[^"']+)["']/g)) staticGraph(join(directory, match[1] ?? ''), seen);
  return seen;
}

describe('the script before consent', () => {
  const files = [...staticGraph('dist/anamnesis.js')];

  it(`is at most ${String(MOST_SCRIPT_BYTES)} bytes of brotli`, () => {
    const bytes = files.reduce((sum, file) => sum + brotliCompressSync(read(file)).length, 0);
    console.log(`script before consent: ${String(bytes)} bytes of brotli in ${String(files.length)} file(s)`);
    expect(bytes).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
  });

  it('holds nothing heavy', () => {
    const text = files.map((file) => read(file).toString()).join('\n');
    expect(NOT_BEFORE_CONSENT.filter((word) => text.includes(word))).toEqual([]);
  });
});

describe('what consent brings', () => {
  it(`is at most ${String(MOST_ENGINE_BYTES)} bytes of brotli, without voy`, () => {
    const before = staticGraph('dist/anamnesis.js');
    const chunks = readdirSync(join(ROOT, 'dist/chunks')).filter((name) => name.endsWith('.js') && !before.has(`dist/chunks/${name}`));
    const bytes = chunks.reduce((sum, name) => sum + brotliCompressSync(read(`dist/chunks/${name}`)).length, 0);
    console.log(`engine: ${String(bytes)} bytes of brotli in ${String(chunks.length)} chunk(s)`);
    expect(chunks.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MOST_ENGINE_BYTES);
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
    expect(Object.keys(dependencies).sort()).toEqual(['@noble/hashes', 'idb', 'lit', 'opencc-js', 'stemmer', 'voy-search']);
  });
});
