import { closedError, cosine, countRows, toUnit } from './cosine.js';
import { Int8Scan } from './int8-scan.js';
import { createPlainStore, scanRows, scoreRows } from './plain-store.js';
import { TopHits } from './top-hits.js';
import type { Hit, VectorStore, VectorStoreOptions } from './vector-store.js';

/**
 * Makes the default store: an int8 scan in WebAssembly SIMD picks the rows that can be among the best, and only these
 * are scored from `vectors`. The hits are exactly those of the plain store, also for near ties, since a row is left out
 * only when the bound of its rounding error proves it worse.
 *
 * Where WebAssembly or its SIMD is missing or forbidden by the page's CSP (`script-src` without `'wasm-unsafe-eval'`),
 * or where memory for the codes is refused, a plain store comes back instead; `name` tells which it is.
 *
 * Memory: `dimension + 12` bytes per row beside `vectors`. Building reads every row once.
 *
 * @throws {RangeError} as `VectorStoreOptions` says.
 */
export function createExactStore(options: VectorStoreOptions): VectorStore {
  const rowCount = countRows(options);
  let scan: Int8Scan;
  try {
    scan = new Int8Scan(options.vectors, options.dimension);
  } catch {
    return createPlainStore(options);
  }
  return new ExactStore(options, rowCount, scan);
}

class ExactStore implements VectorStore {
  readonly name = 'exact';
  readonly rowCount: number;
  readonly dimension: number;
  #vectors: Float32Array;
  #scan: Int8Scan | undefined;

  constructor(options: VectorStoreOptions, rowCount: number, scan: Int8Scan) {
    this.rowCount = rowCount;
    this.dimension = options.dimension;
    this.#vectors = options.vectors;
    this.#scan = scan;
  }

  search(query: Float32Array, k: number): Hit[] {
    if (this.#scan === undefined) throw closedError();
    const unit = toUnit(query, k, this.dimension);
    if (unit === undefined) return [];
    if (k >= this.rowCount) return scanRows(this.#vectors, unit, k);
    return this.#rescore(this.#scan.upperBounds(unit), unit, k);
  }

  scores(query: Float32Array): Float64Array | undefined {
    if (this.#scan === undefined) throw closedError();
    const unit = toUnit(query, 1, this.dimension);
    return unit === undefined ? undefined : scoreRows(this.#vectors, unit);
  }

  close(): void {
    this.#scan = undefined;
    this.#vectors = new Float32Array(0);
  }

  /** Scores the k most promising rows first; the least of their scores then rules out nearly all others. */
  #rescore(upper: Float32Array, unit: Float64Array, k: number): Hit[] {
    const promising = new TopHits(k);
    let promise = promising.floor;
    for (let row = 0; row < upper.length; row++) {
      if (upper[row]! <= promise) continue;
      promising.offer(row, upper[row]!);
      promise = promising.floor;
    }
    const best = new TopHits(k);
    for (const { row } of promising.list()) {
      best.offer(row, cosine(this.#vectors, row, unit));
      upper[row] = -Infinity;
    }
    let floor = best.floor;
    for (let row = 0; row < upper.length; row++) {
      if (upper[row]! < floor) continue;
      best.offer(row, cosine(this.#vectors, row, unit));
      floor = best.floor;
    }
    return best.list();
  }
}
