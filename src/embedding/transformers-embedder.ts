import { StoreError } from '../errors/store-error.js';
import type { Embedder, EmbeddingRole } from './embedder.js';
import { type EncoderDescription, ENCODERS } from './encoders.js';

export { type EncoderDescription, ENCODERS } from './encoders.js';

/** What is used of `@huggingface/transformers` (4.x). */
export interface TransformersLibrary {
  readonly env: {
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    remoteHost: string;
    remotePathTemplate: string;
    useBrowserCache: boolean;
    useWasmCache: boolean;
    readonly backends: { readonly onnx: { readonly wasm?: { wasmPaths?: unknown; numThreads?: number } } };
  };
  readonly pipeline: (task: 'feature-extraction', model: string, options: { readonly dtype: string; readonly device: string }) => Promise<FeatureExtraction>;
}

interface FeatureExtraction {
  (texts: readonly string[], options: { readonly pooling: string; readonly normalize: boolean }): Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>;
  dispose(): Promise<unknown>;
}

export interface TransformersEmbedderOptions {
  /** An encoder by name, or one of your own. */
  readonly encoder: string | EncoderDescription;
  /**
   * Directory, absolute, that holds a directory of the encoder's id with `config.json`, `tokenizer.json`,
   * `tokenizer_config.json` and `onnx/model_quantized.onnx` of its repository. Nothing is asked of any other server.
   */
  readonly files: string | URL;
  /** Directory, absolute, with the `ort-wasm-*` files of the onnxruntime-web that the library brings. */
  readonly wasm: string | URL;
  /** Imports the library: `() => import('@huggingface/transformers')`, or `import('/lib/transformers.min.js')` without a bundler. @default the first, as this package finds it */
  readonly library?: () => Promise<unknown>;
  /** @default 'wasm' */
  readonly device?: 'wasm' | 'webgpu';
  /** Weights: `q8` reads `model_quantized.onnx`, `fp32` `model.onnx`. @default 'q8' */
  readonly weights?: 'q8' | 'fp32';
}

/**
 * An encoder by name.
 * @throws {StoreError} encoder-unknown
 */
export function encoderByName(name: string): EncoderDescription {
  const found = ENCODERS.find((one) => one.id === name);
  if (found === undefined) throw new StoreError('encoder-unknown', `No encoder is named "${name}"; there are ${ENCODERS.map((one) => one.id).join(', ')}, or describe your own.`);
  return found;
}

/**
 * Opens a transformer encoder on transformers.js, in place of the one that travels in the bundle. Rows that it made must
 * be loaded with the bundle (`loadBundle` with `encoders`). One library serves all encoders of a page.
 * @throws {StoreError} encoder-unknown
 * @throws {StoreError} encoder-failed (retryable) when the library or a file cannot be fetched, or the files are not the encoder's
 */
export async function createTransformersEmbedder(options: TransformersEmbedderOptions): Promise<Embedder> {
  const encoder = typeof options.encoder === 'string' ? encoderByName(options.encoder) : options.encoder;
  const library = options.library ?? (() => import('@huggingface/transformers'));
  const { env, pipeline } = await library().then(
    (found) => found as TransformersLibrary,
    (cause: unknown) => {
      throw new StoreError('encoder-failed', 'The library @huggingface/transformers could not be imported; install it, or give options.library.', { cause, retryable: true });
    },
  );
  try {
    // The library takes only paths for local files, not addresses; so the page's own directory is its one "remote" host.
    env.allowLocalModels = false;
    env.allowRemoteModels = true;
    env.remoteHost = directory(options.files);
    env.remotePathTemplate = '{model}/';
    // What stays on the device is the page's to ask for, and the visitor's to allow.
    env.useBrowserCache = false;
    env.useWasmCache = false;
    const { wasm } = env.backends.onnx;
    if (wasm !== undefined) {
      wasm.wasmPaths = directory(options.wasm);
      if (globalThis.crossOriginIsolated !== true) wasm.numThreads = 1;
    }
    const extract = await pipeline('feature-extraction', encoder.id, { dtype: options.weights ?? 'q8', device: options.device ?? 'wasm' });
    const embedder = new TransformersEmbedder(encoder, extract);
    await embedder.embed(['']);
    return embedder;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('encoder-failed', `The encoder ${encoder.id} could not be opened; check that its files and the library's are where the options say.`, { cause: error, retryable: true });
  }
}

const directory = (address: string | URL): string => String(address).replace(/\/*$/, '/');

/** Texts given to the model at once: more take more memory and no less time. */
const AT_ONCE = 8;

class TransformersEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #encoder: EncoderDescription;
  #extract: FeatureExtraction | undefined;

  constructor(encoder: EncoderDescription, extract: FeatureExtraction) {
    this.id = encoder.id;
    this.dimension = encoder.dimension;
    this.#encoder = encoder;
    this.#extract = extract;
  }

  async embed(texts: readonly string[], role: EmbeddingRole = 'query'): Promise<Float32Array[]> {
    const rows: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += AT_ONCE) {
      const extract = this.#extract;
      if (extract === undefined) throw new StoreError('encoder-failed', `The encoder ${this.id} was closed; open it again.`);
      const some = texts.slice(from, from + AT_ONCE).map((text) => this.#encoder.prefix[role] + text);
      let made;
      try {
        made = await extract(some, { pooling: this.#encoder.pooling, normalize: true });
      } catch (error) {
        // The library's message may quote what it was given.
        throw new StoreError('encoder-failed', `The encoder ${this.id} failed; open it again.`, { retryable: true, ...(error instanceof Error ? { cause: error.name } : {}) });
      }
      if (made.dims[0] !== some.length || made.dims[1] !== this.dimension) throw new StoreError('encoder-failed', `The files of ${this.id} give rows of ${String(made.dims[1])} values, not ${String(this.dimension)}; use the files of ${this.#encoder.repository}.`);
      for (let at = 0; at < some.length; at++) rows.push(Float32Array.from(made.data.subarray(at * this.dimension, (at + 1) * this.dimension)));
    }
    return rows;
  }

  close(): void {
    const extract = this.#extract;
    this.#extract = undefined;
    void extract?.dispose();
  }
}
