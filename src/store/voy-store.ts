import * as glue from 'voy-search/voy_search_bg.js';
import { StoreError } from '../errors/store-error.js';
import { closedError, cosine, countRows, squaredLength, toUnit } from './cosine.js';
import { addJitter, distanceTo } from './jitter.js';
import { TopHits } from './top-hits.js';
import type { Hit, VectorStore, VectorStoreOptions } from './vector-store.js';

export interface VoyStoreOptions extends VectorStoreOptions {
  /**
   * The file `voy_search_bg.wasm` of voy-search 0.6.3: its bytes, or a function that fetches it. A page passes
   * `() => fetch(new URL('./voy_search_bg.wasm', assetBase))`. The function is called once.
   */
  readonly wasm: BufferSource | (() => Response | Promise<Response>);
}

/** Axes of voy's k-d tree; longer rows it cuts without a word. */
const MAX_DIMENSION = 768;
/** The tree splits level after level along the next axis, so short rows get more axes, which hold jitter only. */
const MIN_AXES = 64;
/** Bounds what voy's float32 arithmetic adds to a squared distance of at most 4 over 768 axes. */
const ROUNDING = 2e-4;
/** Rows handed to voy at a time, to keep the JSON text that it takes them as small. */
const ROWS_PER_CALL = 512;

/**
 * Makes a store on the k-d tree of voy-search. It needs no SIMD, but blocks for 0.3 ms per row of 384 dimensions while
 * it builds, and is slower to search than the exact store; callers reach this file by `import()` only.
 *
 * The hits are those of the exact store. voy returns ids without scores, and in its own order where jitter or float32
 * blurs near ties; so it is asked for more than `k` rows, these are scored from `vectors`, and it is asked again for
 * more until the k-th score is out of reach of all rows that it did not return.
 *
 * @throws {StoreError} dimension-unsupported when `dimension` is above 768.
 * @throws {StoreError} fetch-failed (retryable) when `wasm` answers with an HTTP error; its own rejection passes as is.
 * @throws {StoreError} store-trapped (retryable) when voy fails while it takes the rows.
 * @throws {WebAssembly.CompileError} when the page's CSP forbids WebAssembly, or `wasm` is something else.
 * @throws {RangeError} as `VectorStoreOptions` says.
 */
export async function createVoyStore(options: VoyStoreOptions): Promise<VoyStore> {
  if (options.dimension > MAX_DIMENSION) {
    throw new StoreError('dimension-unsupported', `voy holds rows of at most ${MAX_DIMENSION} values, not ${options.dimension}; use the exact store.`, {
      limit: MAX_DIMENSION,
    });
  }
  countRows(options);
  return new VoyStore(options, await WebAssembly.compile(await loadBytes(options.wasm)));
}

/** A store on voy-search; made by `createVoyStore`. */
export class VoyStore implements VectorStore {
  readonly name = 'voy';
  readonly rowCount: number;
  readonly dimension: number;
  #vectors: Float32Array;
  #module: WebAssembly.Module | undefined;
  #tree: VoyTree | undefined;

  /** @internal */
  constructor(options: VectorStoreOptions, module: WebAssembly.Module) {
    this.rowCount = options.vectors.length / options.dimension;
    this.dimension = options.dimension;
    this.#vectors = options.vectors;
    this.#module = module;
    this.#tree = this.#guard(() => new VoyTree(module, this.#vectors, this.dimension));
  }

  search(query: Float32Array, k: number): Hit[] {
    const module = this.#module;
    if (module === undefined) throw closedError();
    const unit = toUnit(query, k, this.dimension);
    if (unit === undefined) return [];
    const tree = (this.#tree ??= this.#guard(() => new VoyTree(module, this.#vectors, this.dimension)));
    const target = Float32Array.from(unit);
    for (let asked = 2 * k + 6; ; asked *= 4) {
      const rows = this.#guard(() => tree.nearest(target, Math.min(asked, tree.rowCount)));
      const best = new TopHits(k);
      let least = Infinity;
      for (const row of rows) {
        const score = cosine(this.#vectors, row, unit);
        least = Math.min(least, score);
        best.offer(row, score);
      }
      for (const row of tree.zeroRows) best.offer(row, 0);
      if (asked >= tree.rowCount || best.floor > least + tree.blur) return best.list();
    }
  }

  close(): void {
    // Forgets the whole instance, so that nothing need be freed inside it.
    this.#tree?.retire();
    this.#tree = undefined;
    this.#module = undefined;
    this.#vectors = new Float32Array(0);
  }

  /** A panic leaves voy's module dead: its instance is dropped, and the next search makes a new one. */
  #guard<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      this.#tree?.retire();
      this.#tree = undefined;
      throw new StoreError('store-trapped', 'voy failed inside its WebAssembly and was replaced; repeat the search.', {
        cause,
        retryable: true,
      });
    }
  }
}

/** The instance that voy's glue code speaks to: it keeps it, and views of its memory, in variables of its module. */
let current: WebAssembly.Exports | undefined;

function switchTo(exports: WebAssembly.Exports | undefined): void {
  if (current === exports) return;
  // Growing by nothing detaches the glue code's views, which else it would go on using for the next instance's memory.
  (current?.['memory'] as WebAssembly.Memory | undefined)?.grow(0);
  glue.__wbg_set_wasm(exports);
  current = exports;
}

/** The rows in one WebAssembly instance of its own, so that a panic kills no other store. */
class VoyTree {
  /** Rows of zeros have no direction, and would be found at the distance of a score of 0.5; they are kept out. */
  readonly zeroRows: number[] = [];
  /** Rows inside voy. */
  readonly rowCount: number;
  /** A row that voy does not return has at most this much more score than the least that it returns. */
  readonly blur: number;
  readonly #exports: WebAssembly.Exports;
  readonly #voy: glue.Voy;

  constructor(module: WebAssembly.Module, vectors: Float32Array, dimension: number) {
    this.#exports = new WebAssembly.Instance(module, { './voy_search_bg.js': toImports(module) }).exports;
    switchTo(this.#exports);
    this.#voy = new glue.Voy();
    const rowCount = vectors.length / dimension;
    const axes = Math.max(dimension, MIN_AXES);
    let embeddings = [];
    let moved = 0;
    let offUnit = 0;
    for (let row = 0; row < rowCount; row++) {
      const squared = squaredLength(vectors, row * dimension, dimension);
      if (squared === 0) {
        this.zeroRows.push(row);
        continue;
      }
      const values = addJitter(vectors, row, dimension, axes);
      embeddings.push({ id: String(row), title: '', url: '', embeddings: values });
      if (embeddings.length === ROWS_PER_CALL) {
        this.#voy.add({ embeddings });
        embeddings = [];
      }
      moved = Math.max(moved, distanceTo(vectors, row, dimension, values));
      offUnit = Math.max(offUnit, Math.abs(squared - 1));
    }
    if (embeddings.length > 0) this.#voy.add({ embeddings });
    this.rowCount = rowCount - this.zeroRows.length;
    // With v the row and u the query, score = (1 + |v|² - distance²) / 2; the distance that voy compares differs from
    // the true one, which is at most 2.001, by the jitter.
    this.blur = offUnit + 2 * 2.001 * moved + moved ** 2 + ROUNDING;
  }

  /** The rows that voy finds nearest, in its order. */
  nearest(target: Float32Array, count: number): number[] {
    // voy panics when it is asked for no row.
    if (count === 0) return [];
    switchTo(this.#exports);
    return this.#voy.search(target, count).neighbors.map((neighbor) => Number(neighbor.id));
  }

  retire(): void {
    if (current === this.#exports) switchTo(undefined);
  }
}

/** The glue code's functions as the module asks for them, except the one that would print a panic to the console. */
function toImports(module: WebAssembly.Module): WebAssembly.ModuleImports {
  const functions = glue as unknown as WebAssembly.ModuleImports;
  const imports: WebAssembly.ModuleImports = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    imports[name] = name.startsWith('__wbg_error_') ? () => undefined : functions[name]!;
  }
  return imports;
}

async function loadBytes(wasm: VoyStoreOptions['wasm']): Promise<BufferSource> {
  if (typeof wasm !== 'function') return wasm;
  const response = await wasm();
  if (!response.ok) {
    throw new StoreError('fetch-failed', `voy_search_bg.wasm was answered with HTTP status ${response.status}.`, {
      retryable: true,
    });
  }
  return response.arrayBuffer();
}
