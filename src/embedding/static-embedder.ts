import { type ByteWriter, quantisedScale, readHeader, writeHeader, writeQuantised } from '../bundle/bytes.js';
import { countTerms, termsOf } from '../text/features.js';
import { SortedTerms } from '../text/sorted-terms.js';
import type { Embedder } from './embedder.js';

/**
 * The encoder that travels in the bundle: latent semantic indexing (Deerwester et al. 1990), that is, TF-IDF of terms
 * projected on the leading singular vectors of the knowledge's own texts. Term weight: (1 + ln tf) × idf, unit length.
 */
export class StaticEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #terms: SortedTerms;
  readonly #idf: Float32Array;
  /** `[termCount, dimension]`, row-major, int8 with one scale a row. */
  readonly #projection: Int8Array;
  readonly #scales: Float32Array;

  /**
   * @param bytes the bundle's encoder part
   * @throws {BundleError} malformed, truncated
   */
  constructor(bytes: Uint8Array) {
    const reader = readHeader(bytes, 'encoder');
    this.id = reader.string();
    this.dimension = reader.u32();
    const count = reader.u32();
    this.#terms = new SortedTerms(reader.string());
    if (this.#terms.size !== count) throw reader.malformed(`${String(this.#terms.size)} terms, ${String(count)} are announced,`);
    this.#idf = reader.f32s(count);
    this.#scales = reader.f32s(count).map((scale) => scale / 127);
    const packed = reader.raw(count * this.dimension);
    this.#projection = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return Promise.resolve(texts.map((text) => this.embedNow(text)));
  }

  /** The same without waiting. */
  embedNow(text: string): Float32Array {
    const row = new Float32Array(this.dimension);
    for (const [term, count] of countTerms(termsOf(text))) {
      const index = this.#terms.indexOf(term);
      if (index === undefined) continue;
      const weight = (1 + Math.log(count)) * (this.#idf[index] ?? 0) * (this.#scales[index] ?? 0);
      const start = index * this.dimension;
      for (let column = 0; column < this.dimension; column++) row[column]! += weight * (this.#projection[start + column] ?? 0);
    }
    let norm = 0;
    for (const value of row) norm += value * value;
    if (norm > 0) {
      const factor = 1 / Math.sqrt(norm);
      for (let column = 0; column < row.length; column++) row[column]! *= factor;
    }
    return row;
  }

  close(): void {
    // Holds nothing but memory.
  }
}

/** Writes the encoder part; terms in code unit order. @param projection `[termCount, dimension]`, row-major */
export function encodeEncoder(id: string, dimension: number, terms: readonly string[], idf: ArrayLike<number>, projection: Float64Array): Uint8Array {
  const out: ByteWriter = writeHeader('encoder').string(id).u32(dimension).u32(terms.length).string(terms.join('\n'));
  for (let index = 0; index < terms.length; index++) out.f32(idf[index] ?? 0);
  const rowOf = (index: number): Float64Array => projection.subarray(index * dimension, (index + 1) * dimension);
  const most = terms.map((_, index) => rowOf(index).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0));
  for (const largest of most) out.f32(quantisedScale(largest));
  most.forEach((largest, index) => writeQuantised(out, rowOf(index), largest || 1));
  return out.finish();
}
