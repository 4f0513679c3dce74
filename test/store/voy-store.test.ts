import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Voy } from 'voy-search/voy_search_bg.js';
import { StoreError } from '../../src/errors/store-error.js';
import type { VectorStoreOptions } from '../../src/store/vector-store.js';
import { createVoyStore } from '../../src/store/voy-store.js';
import { testVectorStore } from '../conformance/vector-store.js';

const wasm = readFileSync(createRequire(import.meta.url).resolve('voy-search/voy_search_bg.wasm'));
const create = (options: VectorStoreOptions) => createVoyStore({ ...options, wasm });
const OPTIONS = { vectors: Float32Array.of(1, 0, 0, 1), dimension: 2 };
const QUERY = Float32Array.of(0, 1);
const HITS = [
  { row: 1, score: 1 },
  { row: 0, score: 0 },
];

testVectorStore(create, { name: 'voy', maxDimension: 768 });

describe('createVoyStore', () => {
  it('throws dimension-unsupported above 768 dimensions, before it loads anything', async () => {
    const load = vi.fn(() => Response.error());
    const made = createVoyStore({ vectors: new Float32Array(769), dimension: 769, wasm: load });
    await expect(made).rejects.toMatchObject({ name: 'StoreError', code: 'dimension-unsupported', limit: 768 });
    expect(load).not.toHaveBeenCalled();
  });

  it('takes a function that fetches the module', async () => {
    const store = await createVoyStore({ ...OPTIONS, wasm: () => Promise.resolve(new Response(wasm)) });
    expect(store.search(QUERY, 2)).toEqual(HITS);
  });

  it('throws fetch-failed when the module is answered with an error', async () => {
    const made = createVoyStore({ ...OPTIONS, wasm: () => new Response('', { status: 404 }) });
    await expect(made).rejects.toMatchObject({ code: 'fetch-failed', retryable: true });
  });

  it('lets two stores answer in turn', async () => {
    const first = await create(OPTIONS);
    const second = await create({ vectors: Float32Array.of(0, 1, 0.6, 0.8, 1, 0), dimension: 2 });
    for (let turn = 0; turn < 3; turn++) {
      expect(first.search(QUERY, 2)).toEqual(HITS);
      expect(second.search(QUERY, 3).map((hit) => hit.row)).toEqual([0, 1, 2]);
    }
    second.close();
    expect(first.search(QUERY, 2)).toEqual(HITS);
  });
});

describe('voy store after a panic', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Makes the next search of voy ask for no row, at which it panics. */
  function panicOnce(): void {
    const spy = vi.spyOn(Voy.prototype, 'search');
    spy.mockImplementationOnce(function (this: Voy, query) {
      return this.search(query, 0);
    });
  }

  it('throws store-trapped, then answers again', async () => {
    const print = vi.spyOn(console, 'error');
    const store = await create(OPTIONS);
    panicOnce();
    expect(() => store.search(QUERY, 2)).toThrow(StoreError);
    panicOnce();
    let thrown: unknown;
    try {
      store.search(QUERY, 2);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'store-trapped', retryable: true });
    expect((thrown as StoreError).cause).toBeInstanceOf(WebAssembly.RuntimeError);
    expect(store.search(QUERY, 2)).toEqual(HITS);
    expect(print).not.toHaveBeenCalled();
  });

  it('leaves other stores alone', async () => {
    const store = await create(OPTIONS);
    const other = await create(OPTIONS);
    panicOnce();
    expect(() => store.search(QUERY, 2)).toThrow(StoreError);
    expect(other.search(QUERY, 2)).toEqual(HITS);
  });

  it('can be closed', async () => {
    const store = await create(OPTIONS);
    panicOnce();
    expect(() => store.search(QUERY, 2)).toThrow(StoreError);
    store.close();
    expect(() => store.search(QUERY, 2)).toThrow(expect.objectContaining({ code: 'store-not-built' }));
  });
});
