import { squaredLength } from './cosine.js';
import { SCAN_WASM_BASE64 } from './scan/scan-wasm.js';

/** The export of `scan/scan.ts`; addresses are bytes of the shared memory. */
type ScanFunction = (
  codes: number,
  query: number,
  stride: number,
  rows: number,
  scales: number,
  errors: number,
  upper: number,
  queryScale: number,
  slack: number,
) => void;

const PAGE_BYTES = 65_536;
/** Largest magnitude of a row's code. */
const CODE_LIMIT = 127;
/** Covers the rounding of the float32 arithmetic in `scan.ts`, at most six roundings of numbers up to about 1. */
const ROUNDING = 1e-6;

/**
 * The rows as int8 codes in WebAssembly memory (`dimension` bytes a row and 12 more), with a proven bound of what the
 * rounding may hide.
 *
 * A row `v` is `scale * codes + e`, the query `u` is `queryScale * codes' + f`. So
 * `v·u = scale * queryScale * (codes·codes') + e·u + (v - e)·f`, and by Cauchy and Schwarz the last two terms are at
 * most `|e| * |u| + |v - e| * |f|`: about 0.009 at 384 dimensions.
 */
export class Int8Scan {
  readonly #scan: ScanFunction;
  readonly #stride: number;
  readonly #paddedRows: number;
  readonly #codesAt: number;
  readonly #scalesAt: number;
  readonly #errorsAt: number;
  readonly #upperAt: number;
  readonly #query: Int16Array;
  readonly #upper: Float32Array;
  /** Largest `|v - e|` of all rows. */
  readonly #reach: number;
  /** Largest magnitude of a query's code that cannot overflow an int32 sum. */
  readonly #queryLimit: number;

  /**
   * @param vectors `[rowCount, dimension]`, row-major, copied as codes.
   * @throws {WebAssembly.CompileError} when the page's CSP or the browser forbids the module.
   * @throws {RangeError} when there is not enough memory.
   */
  constructor(vectors: Float32Array, dimension: number) {
    const rowCount = vectors.length / dimension;
    this.#stride = Math.ceil(dimension / 16) * 16;
    this.#paddedRows = Math.ceil(rowCount / 4) * 4;
    this.#queryLimit = Math.min(32_767, Math.floor((2 ** 31 - 1) / (CODE_LIMIT * this.#stride)));
    this.#codesAt = this.#stride * 2;
    this.#scalesAt = this.#codesAt + this.#paddedRows * this.#stride;
    this.#errorsAt = this.#scalesAt + this.#paddedRows * 4;
    this.#upperAt = this.#errorsAt + this.#paddedRows * 4;
    const byteCount = this.#upperAt + this.#paddedRows * 4;

    // The module is small enough for every browser to compile it synchronously on the main thread.
    const module = new WebAssembly.Module(Uint8Array.from(atob(SCAN_WASM_BASE64), (char) => char.charCodeAt(0)));
    const memory = new WebAssembly.Memory({ initial: Math.ceil(byteCount / PAGE_BYTES) });
    this.#scan = new WebAssembly.Instance(module, { env: { memory } }).exports['scan'] as ScanFunction;
    this.#query = new Int16Array(memory.buffer, 0, this.#stride);
    this.#upper = new Float32Array(memory.buffer, this.#upperAt, rowCount);
    this.#reach = this.#encodeRows(memory.buffer, vectors, dimension, rowCount);
  }

  /**
   * For each row a number that its cosine with the query does not exceed, and that exceeds it little.
   *
   * @param unit `[dimension]`, the query at unit length.
   * @returns `[rowCount]`, valid until the next call; the caller may write into it.
   */
  upperBounds(unit: Float64Array): Float32Array {
    let largest = 0;
    for (let axis = 0; axis < unit.length; axis++) largest = Math.max(largest, Math.abs(unit[axis]!));
    const scale = Math.fround(largest / this.#queryLimit);
    let squaredError = 0;
    for (let axis = 0; axis < unit.length; axis++) {
      const code = toCode(unit[axis]! / scale, this.#queryLimit);
      this.#query[axis] = code;
      squaredError += (unit[axis]! - code * scale) ** 2;
    }
    const slack = this.#reach * Math.sqrt(squaredError) + ROUNDING;
    this.#scan(this.#codesAt, 0, this.#stride, this.#paddedRows, this.#scalesAt, this.#errorsAt, this.#upperAt, scale, slack);
    return this.#upper;
  }

  #encodeRows(buffer: ArrayBuffer, vectors: Float32Array, dimension: number, rowCount: number): number {
    const codes = new Int8Array(buffer, this.#codesAt, rowCount * this.#stride);
    const scales = new Float32Array(buffer, this.#scalesAt, rowCount);
    const errors = new Float32Array(buffer, this.#errorsAt, rowCount);
    let reach = 0;
    for (let row = 0; row < rowCount; row++) {
      const from = row * dimension;
      const to = row * this.#stride;
      let largest = 0;
      for (let axis = 0; axis < dimension; axis++) largest = Math.max(largest, Math.abs(vectors[from + axis]!));
      if (largest === 0) continue;
      const scale = Math.fround(largest / CODE_LIMIT);
      const codesPerUnit = 1 / scale;
      let squaredError = 0;
      for (let axis = 0; axis < dimension; axis++) {
        const value = vectors[from + axis]!;
        const code = toCode(value * codesPerUnit, CODE_LIMIT);
        codes[to + axis] = code;
        squaredError += (value - code * scale) ** 2;
      }
      const error = Math.sqrt(squaredError);
      scales[row] = scale;
      errors[row] = error;
      reach = Math.max(reach, Math.sqrt(squaredLength(vectors, from, dimension)) + error);
    }
    return reach;
  }
}

/** Nearest integer within the limit; the limit binds only where the float32 scale was rounded down. */
function toCode(value: number, limit: number): number {
  const code = Math.floor(value + 0.5);
  return code > limit ? limit : code < -limit ? -limit : code;
}
