import { closedError, cosine, countRows, toUnit } from './cosine.js';
import { byScore, TopHits } from './top-hits.js';
import type { Hit, VectorStore, VectorStoreOptions } from './vector-store.js';

/**
 * A store that computes the cosine of every row in plain JavaScript. It needs nothing of the page, and what it returns
 * is by definition right: the other adapters are tested against it.
 *
 * @throws {RangeError} as `VectorStoreOptions` says.
 */
export function createPlainStore(options: VectorStoreOptions): VectorStore {
  return new PlainStore(options, countRows(options));
}

/** Scores every row. `unit` is the query from `toUnit`. */
export function scanRows(vectors: Float32Array, unit: Float64Array, k: number): Hit[] {
  const rowCount = vectors.length / unit.length;
  if (k >= rowCount) return Array.from(scoreRows(vectors, unit), (score, row) => ({ row, score })).sort(byScore);
  const best = new TopHits(k);
  let floor = best.floor;
  for (let row = 0; row < rowCount; row++) {
    const score = cosine(vectors, row, unit);
    if (score < floor) continue;
    best.offer(row, score);
    floor = best.floor;
  }
  return best.list();
}

/** The cosine of every row, `[rowCount]`. `unit` is the query from `toUnit`. */
export function scoreRows(vectors: Float32Array, unit: Float64Array): Float64Array {
  const scores = new Float64Array(vectors.length / unit.length);
  for (let row = 0; row < scores.length; row++) scores[row] = cosine(vectors, row, unit);
  return scores;
}

class PlainStore implements VectorStore {
  readonly name = 'plain';
  readonly rowCount: number;
  readonly dimension: number;
  #vectors: Float32Array | undefined;

  constructor(options: VectorStoreOptions, rowCount: number) {
    this.rowCount = rowCount;
    this.dimension = options.dimension;
    this.#vectors = options.vectors;
  }

  search(query: Float32Array, k: number): Hit[] {
    if (this.#vectors === undefined) throw closedError();
    const unit = toUnit(query, k, this.dimension);
    return unit === undefined ? [] : scanRows(this.#vectors, unit, k);
  }

  scores(query: Float32Array): Float64Array | undefined {
    if (this.#vectors === undefined) throw closedError();
    const unit = toUnit(query, 1, this.dimension);
    return unit === undefined ? undefined : scoreRows(this.#vectors, unit);
  }

  close(): void {
    this.#vectors = undefined;
  }
}
