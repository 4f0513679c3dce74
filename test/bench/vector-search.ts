import { createExactStore } from '../../src/store/exact-store.js';
import { createPlainStore } from '../../src/store/plain-store.js';
import type { VectorStore } from '../../src/store/vector-store.js';
import type { VoyStoreOptions } from '../../src/store/voy-store.js';

/** Median times of one search, top 10, in one run. */
export interface VectorSearchTimes {
  readonly rows: number;
  readonly dimension: number;
  readonly oursMs: number;
  /** Null where voy takes too long to build. */
  readonly voyMs: number | null;
  /** The plain JavaScript loop. */
  readonly loopMs: number;
}

const DIMENSION = 384;
const HITS = 10;
const ROW_COUNTS = [1_000, 3_500, 10_000, 100_000];
const VOY_MAX_ROWS = 10_000;
/** Rows that share a centre, as the pseudo histories of one disease do. */
const CLUSTER_ROWS = 4;
const QUERY_COUNT = 64;
/** Each store searches at least this often and this long; the first tenth is left out as warm-up. */
const MIN_SEARCHES = 40;
const MIN_MS = 600;
/** A page's clock ticks in steps of 0.1 ms or more, so short searches are timed in batches of at least this length. */
const MIN_BATCH_MS = 4;

/**
 * Times the stores on seeded, clustered random rows. Runs in Node and in a page: it imports nothing of either.
 *
 * @param options.voyWasm As `VoyStoreOptions.wasm`; a function is called once per size.
 */
export async function benchVectorSearch(options: { voyWasm: VoyStoreOptions['wasm'] }): Promise<VectorSearchTimes[]> {
  const { createVoyStore } = await import('../../src/store/voy-store.js');
  const times: VectorSearchTimes[] = [];
  for (const rows of ROW_COUNTS) {
    const { vectors, queries } = makeVectors(rows, DIMENSION);
    const input = { vectors, dimension: DIMENSION };
    const oursMs = timeSearches(createExactStore(input), queries);
    const voyMs = rows > VOY_MAX_ROWS ? null : timeSearches(await createVoyStore({ ...input, wasm: options.voyWasm }), queries);
    const loopMs = timeSearches(createPlainStore(input), queries);
    times.push({ rows, dimension: DIMENSION, oursMs, voyMs, loopMs });
  }
  return times;
}

/** Median in milliseconds, over batches long enough for the coarse clock of a page; closes the store. */
function timeSearches(store: VectorStore, queries: readonly Float32Array[]): number {
  const started = performance.now();
  const samples: number[] = [];
  let next = 0;
  let batch = 1;
  while (samples.length < MIN_SEARCHES || performance.now() - started < MIN_MS) {
    const before = performance.now();
    for (let search = 0; search < batch; search++) store.search(queries[next++ % queries.length]!, HITS);
    const elapsedMs = performance.now() - before;
    if (elapsedMs < MIN_BATCH_MS && batch < 64) {
      batch *= 2;
      samples.length = 0;
    } else {
      samples.push(elapsedMs / batch);
    }
  }
  store.close();
  const kept = samples.slice(Math.floor(samples.length / 10)).sort((left, right) => left - right);
  return kept[Math.floor(kept.length / 2)]!;
}

/** Unit rows around random centres, and queries near some of the rows. */
function makeVectors(rows: number, dimension: number): { vectors: Float32Array; queries: Float32Array[] } {
  const random = makeRandom(rows);
  const vectors = new Float32Array(rows * dimension);
  let centre = new Float32Array(dimension);
  for (let row = 0; row < rows; row++) {
    if (row % CLUSTER_ROWS === 0) centre = makeUnit(dimension, random);
    vectors.set(makeUnit(dimension, random, centre), row * dimension);
  }
  const queries = Array.from({ length: QUERY_COUNT }, () => {
    const row = Math.floor(random() * rows);
    return makeUnit(dimension, random, vectors.subarray(row * dimension, (row + 1) * dimension));
  });
  return { vectors, queries };
}

/** A random direction, or one with a cosine of about 0.7 to the given one. */
function makeUnit(dimension: number, random: () => number, near?: Float32Array): Float32Array<ArrayBuffer> {
  const noise = Float64Array.from({ length: dimension }, () => random() + random() + random() + random() - 2);
  const noiseLength = Math.hypot(...noise);
  const sum = noise.map((value, axis) => value / noiseLength + (near?.[axis] ?? 0));
  const length = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => value / length);
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
