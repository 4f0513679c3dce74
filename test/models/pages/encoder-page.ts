import { createRetriever, loadBundle } from '../../../src/index.js';
import type { Embedder } from '../../../src/embedding/embedder.js';
import { createTransformersEmbedder } from '../../../src/embedding/transformers-embedder.js';

/** What the test asks of the page. */
export interface EncoderPageApi {
  open(): Promise<{ readonly id: string; readonly dimension: number }>;
  embed(texts: readonly string[]): Promise<number[][]>;
  /** Disease ids, best first, and the encoder that was used. */
  retrieve(bundle: string, words: string): Promise<{ readonly ids: string[]; readonly encoder: string }>;
  /** The code with which opening failed. */
  openMissing(): Promise<string>;
}

const options = { encoder: 'all-MiniLM-L6-v2', wasm: location.origin, library: () => import(/* @vite-ignore */ `${location.origin}/transformers.min.js`) } as const;
let embedder: Embedder;

const api: EncoderPageApi = {
  async open() {
    embedder = await createTransformersEmbedder({ ...options, files: location.origin });
    return { id: embedder.id, dimension: embedder.dimension };
  },
  async embed(texts) {
    return (await embedder.embed(texts)).map((row) => [...row]);
  },
  async retrieve(address, words) {
    const { bundle } = await loadBundle(new URL(address, location.href), { encoders: [embedder.id] });
    const retriever = createRetriever(bundle, { embedder });
    const found = await retriever.retrieve([words]);
    return { ids: found.map((one) => bundle.diseases[one.diseaseIndex]?.id ?? ''), encoder: retriever.encoderId };
  },
  openMissing: () =>
    createTransformersEmbedder({ ...options, files: `${location.origin}/nowhere/` }).then(
      () => 'opened',
      (error: unknown) => String((error as { code?: unknown }).code),
    ),
};
Object.assign(globalThis, { encoder: api });
