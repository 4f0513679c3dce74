import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/errors/store-error.js';
import { createPlainStore } from '../../src/store/plain-store.js';
import type { Hit, VectorStore, VectorStoreOptions } from '../../src/store/vector-store.js';

export type StoreFactory = (options: VectorStoreOptions) => VectorStore | Promise<VectorStore>;

export interface ConformanceOptions {
  /** The `name` that the stores must have. */
  readonly name: string;
  /** Longest dimension that the adapter takes. @default 1100 */
  readonly maxDimension?: number;
  /** Runs of each property test; raise it to search longer. @default 60 */
  readonly runs?: number;
}

/** What `src/store/vector-store.ts` promises, as tests of one adapter. */
export function testVectorStore(create: StoreFactory, options: ConformanceOptions): void {
  const { name, maxDimension = 1_100, runs = 60 } = options;

  async function expectPlainHits(input: VectorStoreOptions, queries: Float32Array[], k: number): Promise<void> {
    const store = await create(input);
    const plain = createPlainStore(input);
    for (const query of queries) expect(store.search(query, k)).toEqual(plain.search(query, k));
    store.close();
  }

  describe(`vector store ${name}`, () => {
    it('tells its name, row count and dimension', async () => {
      const store = await create({ vectors: Float32Array.of(1, 0, 0, 0, 1, 0), dimension: 3 });
      expect([store.name, store.rowCount, store.dimension]).toEqual([name, 2, 3]);
    });

    it('returns rows by falling cosine', async () => {
      const store = await create({ vectors: Float32Array.of(0, 1, 1, 0, -1, 0, 0.6, 0.8), dimension: 2 });
      const hits = store.search(Float32Array.of(5, 0), 4);
      expect(hits.map((hit) => hit.row)).toEqual([1, 3, 0, 2]);
      [1, 0.6, 0, -1].forEach((score, at) => expect(hits[at]!.score).toBeCloseTo(score, 6));
    });

    it('returns all rows when k is larger than their number', async () => {
      const store = await create({ vectors: Float32Array.of(1, 0, 0, 1), dimension: 2 });
      expect(store.search(Float32Array.of(1, 1), 1_000_000)).toHaveLength(2);
    });

    it('scores all rows as a search does, where it can', async () => {
      const store = await create({ vectors: Float32Array.of(0, 1, 1, 0, -1, 0, 0.6, 0.8), dimension: 2 });
      if (store.scores === undefined) return;
      const query = Float32Array.of(5, 1);
      const found = store.search(query, 4);
      expect([...(store.scores(query) ?? [])]).toEqual([0, 1, 2, 3].map((row) => found.find((hit) => hit.row === row)?.score));
      expect(store.scores(new Float32Array(2))).toBeUndefined();
      expect(() => store.scores?.(Float32Array.of(1, Number.NaN))).toThrow(RangeError);
      expect(() => store.scores?.(Float32Array.of(1))).toThrow(StoreError);
      store.close();
      expect(() => store.scores?.(query)).toThrow(StoreError);
    });

    it('holds a single row', async () => {
      const store = await create({ vectors: Float32Array.of(0, 1), dimension: 2 });
      expect(store.search(Float32Array.of(0, 2), 1)).toEqual([{ row: 0, score: 1 }]);
    });

    it('holds no rows', async () => {
      const store = await create({ vectors: new Float32Array(0), dimension: 3 });
      expect(store.rowCount).toBe(0);
      expect(store.search(Float32Array.of(1, 2, 3), 5)).toEqual([]);
    });

    it('returns no hits for a query of zeros', async () => {
      const store = await create({ vectors: Float32Array.of(1, 0), dimension: 2 });
      expect(store.search(new Float32Array(2), 1)).toEqual([]);
    });

    it('gives rows of zeros a score of 0', async () => {
      const store = await create({ vectors: Float32Array.of(0, 0, -1, 0, 0.6, 0.8), dimension: 2 });
      const hits = store.search(Float32Array.of(1, 0), 3);
      expect(hits.map((hit) => hit.row)).toEqual([2, 0, 1]);
      expect(hits[1]!.score).toBe(0);
    });

    it('holds nothing but rows of zeros', async () => {
      const store = await create({ vectors: new Float32Array(120), dimension: 2 });
      expect(store.search(Float32Array.of(1, 0), 2)).toEqual([
        { row: 0, score: 0 },
        { row: 1, score: 0 },
      ]);
    });

    it('leaves query and rows as they are', async () => {
      const { vectors, dimension, queries } = makeClustered(200, 20, 3);
      const copies = [vectors.slice(), queries[0]!.slice()];
      (await create({ vectors, dimension })).search(queries[0]!, 5);
      expect([vectors, queries[0]]).toEqual(copies);
    });

    it('breaks ties of equal rows by smaller row', async () => {
      const { vectors, dimension, queries } = makeClustered(300, 24, 5);
      for (let row = 0; row < 300; row += 7) vectors.copyWithin(row * 24, 24, 48);
      await expectPlainHits({ vectors, dimension }, [vectors.slice(24, 48), ...queries], 12);
    });

    it('holds 40 equal rows and nothing else', async () => {
      const vectors = repeat(makeUnit(384, makeRandom(1)), 40);
      const store = await create({ vectors, dimension: 384 });
      expect(store.search(vectors.slice(0, 384), 10).map((hit) => hit.row)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(store.search(vectors.slice(0, 384), 40)).toHaveLength(40);
    });

    it('holds 1,000 equal rows on an axis', async () => {
      const vectors = repeat(Float32Array.of(1, 0, 0), 1_000);
      await expectPlainHits({ vectors, dimension: 3 }, [Float32Array.of(1, 0.1, 0)], 5);
    });

    it('holds many rows of few axes, in sorted order', async () => {
      const vectors = new Float32Array(2 * 3_000);
      for (let row = 0; row < 3_000; row++) vectors.set([Math.cos(row / 1_000), Math.sin(row / 1_000)], row * 2);
      await expectPlainHits({ vectors, dimension: 2 }, [Float32Array.of(1, 1), Float32Array.of(-1, 0)], 10);
    });

    it('keeps near ties in their order', async () => {
      const random = makeRandom(9);
      const centre = makeUnit(384, random);
      const vectors = new Float32Array(400 * 384);
      for (let row = 0; row < 400; row++) vectors.set(makeUnit(384, random, centre, 1e-5), row * 384);
      await expectPlainHits({ vectors, dimension: 384 }, [centre, makeUnit(384, random)], 10);
    });

    it('takes very large and very small queries', async () => {
      const { vectors, dimension, queries } = makeClustered(200, 16, 7);
      const scaled = [3e38, 1e-30].map((factor) => queries[0]!.map((value) => value * factor));
      await expectPlainHits({ vectors, dimension }, scaled, 4);
    });

    it(`returns the hits of the plain scan at ${Math.min(maxDimension, 768)} dimensions`, async () => {
      await expectClustered(400, Math.min(maxDimension, 768));
    });

    it('returns the hits of the plain scan for 1,500 rows of 384 dimensions', async () => {
      await expectClustered(1_500, 384);
    });

    async function expectClustered(rows: number, dimension: number): Promise<void> {
      const { vectors, queries } = makeClustered(rows, dimension, rows + dimension);
      for (const k of [1, 10]) await expectPlainHits({ vectors, dimension }, queries, k);
    }

    it('returns the hits of the plain scan for any rows', { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryStore(maxDimension), async ({ vectors, dimension, queries, k }) => {
          const store = await create({ vectors, dimension });
          const plain = createPlainStore({ vectors, dimension });
          for (const query of queries) expectSameHits(store.search(query, k), plain.search(query, k));
          store.close();
        }),
        { numRuns: runs },
      );
    });

    it.each([0, -1, 1.5, NaN, Infinity])('throws RangeError when k is %s', async (k) => {
      const store = await create({ vectors: Float32Array.of(1, 0), dimension: 2 });
      expect(() => store.search(Float32Array.of(1, 0), k)).toThrow(RangeError);
    });

    it.each([NaN, Infinity, -Infinity])('throws RangeError for a query with %s, without its values', async (value) => {
      const store = await create({ vectors: Float32Array.of(1, 0), dimension: 2 });
      expect(() => store.search(Float32Array.of(0.123, value), 1)).toThrow(RangeError);
      expect(() => store.search(Float32Array.of(0.123, value), 1)).not.toThrow(/0\.123/);
    });

    it('throws dimension-mismatch for a query of another length', async () => {
      const store = await create({ vectors: Float32Array.of(1, 0), dimension: 2 });
      expectCode(() => store.search(new Float32Array(3), 1), 'dimension-mismatch');
    });

    it('throws store-not-built when searched after close, which may be called twice', async () => {
      const store = await create({ vectors: Float32Array.of(1, 0), dimension: 2 });
      store.close();
      store.close();
      expectCode(() => store.search(Float32Array.of(1, 0), 1), 'store-not-built');
    });

    it.each([
      ['a length that is no multiple of the dimension', [1, 0, 0], 2],
      ['a dimension of 0', [], 0],
      ['a fractional dimension', [1, 0, 0], 1.5],
      ['a row that is not of unit length', [3, 4], 2],
      ['a row with NaN', [1, 0, NaN, 0], 2],
    ])('refuses %s with RangeError', async (_, values, dimension) => {
      await expect(async () => create({ vectors: Float32Array.from(values), dimension })).rejects.toThrow(RangeError);
    });
  });
}

/** Same rows with scores within 1e-5, and here even the same order: all adapters score with one function. */
function expectSameHits(actual: readonly Hit[], expected: readonly Hit[]): void {
  expect(actual.map((hit) => hit.row)).toEqual(expected.map((hit) => hit.row));
  actual.forEach((hit, at) => expect(Math.abs(hit.score - expected[at]!.score)).toBeLessThan(1e-5));
}

function expectCode(call: () => unknown, code: string): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(StoreError);
  expect((thrown as StoreError).code).toBe(code);
}

/** Rows with repeats, axes of equal values, zeros, near ties and spread rows, in any mixture. */
function arbitraryStore(maxDimension: number) {
  return fc
    .record({
      dimension: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: maxDimension })),
      rowCount: fc.integer({ min: 0, max: 260 }),
      seed: fc.integer(),
      k: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 400 })),
      distinct: fc.integer({ min: 1, max: 300 }),
      spread: fc.constantFrom(0, 1e-7, 1e-5, 1e-3, 0.1, 1, 100),
      sparse: fc.boolean(),
      zeros: fc.boolean(),
    })
    .map(({ dimension, rowCount, seed, k, distinct, spread, sparse, zeros }) => {
      const random = makeRandom(seed);
      const centre = makeUnit(dimension, random);
      const choices = Array.from({ length: distinct }, (_, at) =>
        zeros && at % 9 === 8
          ? new Float32Array(dimension)
          : sparse && at % 2 === 0
            ? makeAxis(dimension, random)
            : makeUnit(dimension, random, centre, spread),
      );
      const vectors = new Float32Array(rowCount * dimension);
      for (let row = 0; row < rowCount; row++) {
        vectors.set(choices[Math.floor(random() * distinct)]!, row * dimension);
      }
      const queries = [centre, makeUnit(dimension, random), makeAxis(dimension, random), choices[0]!];
      return { vectors, dimension, queries, k };
    });
}

function makeClustered(rows: number, dimension: number, seed: number) {
  const random = makeRandom(seed);
  const vectors = new Float32Array(rows * dimension);
  let centre = makeUnit(dimension, random);
  for (let row = 0; row < rows; row++) {
    if (row % 4 === 0) centre = makeUnit(dimension, random);
    vectors.set(makeUnit(dimension, random, centre, 1), row * dimension);
  }
  const queries = Array.from({ length: 8 }, () => {
    const row = Math.floor(random() * rows);
    return makeUnit(dimension, random, vectors.subarray(row * dimension, (row + 1) * dimension), 1);
  });
  return { vectors, dimension, queries };
}

/** A random direction, or one that is off the given one by `spread` times a random direction. */
function makeUnit(dimension: number, random: () => number, near?: Float32Array, spread = 1): Float32Array {
  const noise = normalise(Float64Array.from({ length: dimension }, () => random() + random() + random() - 1.5));
  return Float32Array.from(normalise(noise.map((value, axis) => value * spread + (near?.[axis] ?? 0))));
}

function makeAxis(dimension: number, random: () => number): Float32Array {
  const unit = new Float32Array(dimension);
  unit[Math.floor(random() * dimension)] = random() < 0.5 ? -1 : 1;
  return unit;
}

function normalise(values: Float64Array): Float64Array {
  const length = Math.hypot(...values);
  return length === 0 ? values.map((_, axis) => (axis === 0 ? 1 : 0)) : values.map((value) => value / length);
}

function repeat(row: Float32Array, count: number): Float32Array {
  const vectors = new Float32Array(row.length * count);
  for (let at = 0; at < count; at++) vectors.set(row, at * row.length);
  return vectors;
}

/** Mulberry32: the same numbers in [0, 1) for the same seed everywhere. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
