import { StoreError } from '../errors/store-error.js';
import type { VectorStoreOptions } from './vector-store.js';

/** A row may differ from unit length by this much: far more than rounding, far less than a forgotten normalisation. */
const UNIT_TOLERANCE = 1e-3;

/**
 * The one definition of a score: every adapter calls it for the hits it returns, so that scores agree to the last bit.
 *
 * @param unit `[dimension]`, the query at unit length, from `toUnit`.
 */
export function cosine(vectors: Float32Array, row: number, unit: Float64Array): number {
  const dimension = unit.length;
  const start = row * dimension;
  const whole = dimension - (dimension % 4);
  // Four sums let the processor overlap the additions; a single one takes twice the time.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let axis = 0;
  for (; axis < whole; axis += 4) {
    a += vectors[start + axis]! * unit[axis]!;
    b += vectors[start + axis + 1]! * unit[axis + 1]!;
    c += vectors[start + axis + 2]! * unit[axis + 2]!;
    d += vectors[start + axis + 3]! * unit[axis + 3]!;
  }
  for (; axis < dimension; axis++) a += vectors[start + axis]! * unit[axis]!;
  return Math.max(-1, Math.min(1, a + b + (c + d)));
}

/**
 * Checks what a store is made from and counts its rows.
 *
 * @throws {RangeError} when `dimension` is not an integer of 1 or more, when `vectors` is no multiple of it, or when a
 * row is neither zero nor of unit length.
 */
export function countRows({ vectors, dimension }: VectorStoreOptions): number {
  if (!Number.isSafeInteger(dimension) || dimension < 1) {
    throw new RangeError(`The dimension of a vector store is an integer of 1 or more, not ${dimension}.`);
  }
  if (vectors.length % dimension !== 0) {
    throw new RangeError(`${vectors.length} values are no whole number of rows of dimension ${dimension}.`);
  }
  const rowCount = vectors.length / dimension;
  for (let row = 0; row < rowCount; row++) {
    const length = Math.sqrt(squaredLength(vectors, row * dimension, dimension));
    if (length !== 0 && !(Math.abs(length - 1) <= UNIT_TOLERANCE)) {
      throw new RangeError(`Row ${row} has length ${length}; normalise rows to unit length before making a store.`);
    }
  }
  return rowCount;
}

/**
 * Checks the arguments of a search and brings the query to unit length.
 *
 * @returns `[dimension]`, a new array, or undefined when the query is all zeros.
 * @throws what `VectorStore.search` says of `k` and `query`. The query's values are in no message: they stand for a
 * visitor's words.
 */
export function toUnit(query: Float32Array, k: number, dimension: number): Float64Array | undefined {
  if (!Number.isSafeInteger(k) || k < 1) throw new RangeError(`k is an integer of 1 or more, not ${k}.`);
  if (query.length !== dimension) {
    throw new StoreError(
      'dimension-mismatch',
      `The query has ${query.length} values, the rows of the store ${dimension}; use the encoder that the bundle names.`,
    );
  }
  const length = Math.sqrt(squaredLength(query, 0, dimension));
  if (!Number.isFinite(length)) throw new RangeError('The query holds a value that is not a finite number.');
  if (length === 0) return undefined;
  // A loop: `Float64Array.from` with a function takes as long as scanning a thousand rows.
  const unit = new Float64Array(dimension);
  for (let axis = 0; axis < dimension; axis++) unit[axis] = query[axis]! / length;
  return unit;
}

/** The error of a search after `close()`. */
export function closedError(): StoreError {
  return new StoreError('store-not-built', 'The vector store was closed; make a new one.');
}

/** In double precision, where neither the largest nor the smallest float32 leaves the range when squared. */
export function squaredLength(values: Float32Array, start: number, dimension: number): number {
  let sum = 0;
  for (let at = start; at < start + dimension; at++) sum += values[at]! * values[at]!;
  return sum;
}
