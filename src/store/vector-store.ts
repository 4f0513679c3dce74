/**
 * The port of the store room: an index over the embedding rows of a knowledge bundle that answers "which rows point the
 * same way as this query".
 *
 * | adapter | file | for |
 * |---|---|---|
 * | exact | `exact-store.ts` | the default: WebAssembly SIMD, the same hits as a plain scan |
 * | plain | `plain-store.ts` | pages that forbid WebAssembly; the oracle of the tests |
 * | voy | `voy-store.ts` | the k-d tree of voy-search, up to 768 dimensions; reached by `import()` only |
 *
 * All adapters give the same hits in the same order, because each computes its scores from the bundle's own rows with
 * the function in `cosine.ts`. `test/conformance/vector-store.ts` holds every adapter to this page.
 */
export interface VectorStore {
  /** Name of the adapter that answers, for reports and the self-test: `exact`, `plain` or `voy`. */
  readonly name: string;
  /** Number of rows, 0 or more. A row is named by its zero-based index. */
  readonly rowCount: number;
  /** Length of a row and of every query. */
  readonly dimension: number;

  /**
   * Finds the rows with the highest cosine to the query.
   *
   * @param query `[dimension]`, any length but zero (it is normalised here), neither kept nor changed. A query of zeros
   * has no direction and gives no hits.
   * @param k Most hits to return, an integer of 1 or more. More than `rowCount` gives all rows. Raising it costs little
   * up to some hundred.
   * @returns `min(k, rowCount)` hits, the highest score first; equal scores by smaller row.
   * @throws {RangeError} when `k` is not an integer of 1 or more, or when the query holds NaN or an infinity.
   * @throws {StoreError} dimension-mismatch when the query's length is not `dimension`.
   * @throws {StoreError} store-not-built when the store was closed.
   * @throws {StoreError} store-trapped (retryable) when the WebAssembly of voy failed; the same call may be repeated.
   */
  search(query: Float32Array, k: number): Hit[];

  /**
   * The scores of all rows in their order, where an adapter can give them without a search: what weighs every row needs
   * no order.
   *
   * @returns `[rowCount]`, the very scores of `search`; undefined for a query of zeros.
   * @throws as `search`
   */
  scores?(query: Float32Array): Float64Array | undefined;

  /** Lets go of the rows and of WebAssembly memory. May be called twice; a search afterwards throws store-not-built. */
  close(): void;
}

/** One row that a search found. */
export interface Hit {
  /** Zero-based row of the store. */
  readonly row: number;
  /** Cosine of row and query, in [-1, 1]; 0 for a row of zeros. */
  readonly score: number;
}

/** What every adapter is made from. */
export interface VectorStoreOptions {
  /**
   * `[rowCount, dimension]`, row-major, each row of unit length or all zeros (a text without a known word). Not copied:
   * the store reads it at each search, so it must not change until `close()`.
   *
   * Making a store throws RangeError when the length is no multiple of `dimension`, or when a row is neither zero nor
   * within 0.001 of unit length (NaN and infinities included).
   */
  readonly vectors: Float32Array;
  /** Length of a row, an integer of 1 or more; up to 768 for voy. Search time grows in proportion. */
  readonly dimension: number;
}
