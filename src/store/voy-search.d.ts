/** The parts in use of voy-search's glue code, which comes without types of its own (its types are of another entry). */
declare module 'voy-search/voy_search_bg.js' {
  /** One row as voy takes it; missing axes up to 768 are filled with zeros. */
  interface EmbeddedResource {
    id: string;
    title: string;
    url: string;
    embeddings: number[];
  }

  export class Voy {
    constructor();
    add(resource: { embeddings: EmbeddedResource[] }): void;
    search(query: Float32Array, k: number): { neighbors: { id: string }[] };
    free(): void;
  }

  /** Makes every class and function of the glue code speak to this instance from now on. */
  export function __wbg_set_wasm(exports: WebAssembly.Exports | undefined): void;
}
