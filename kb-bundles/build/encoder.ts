import { encodeEncoder, StaticEmbedder } from '../../src/embedding/static-embedder.js';
import { countTerms, termsOf } from '../../src/text/features.js';
import { rightSingularVectors, type SparseRow } from './lsi.js';

/** Row length of the bundle's own encoder. */
export const DIMENSION = 64;
/** A term in fewer rows than this tells rows apart but not diseases. */
const LEAST_ROWS = 2;
/** Terms kept at most, the most widespread first; bounds the encoder's size. */
const MOST_TERMS = 4_000;

/**
 * Fits the encoder on all texts and makes the rows with it, as the browser will: each the middle of its texts' embeddings,
 * unit length.
 * @param rowTexts texts of each row
 */
export function fitEncoder(rowTexts: readonly (readonly string[])[]): { bytes: Uint8Array; id: string; dimension: number; vectors: Float32Array } {
  const texts = rowTexts.flat();
  const counts = texts.map((text) => countTerms(termsOf(text)));
  const rowsWith = new Map<string, number>();
  for (const row of counts) for (const term of row.keys()) rowsWith.set(term, (rowsWith.get(term) ?? 0) + 1);
  const terms = [...rowsWith]
    .filter(([, rows]) => rows >= LEAST_ROWS && rows <= texts.length * 0.6)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_TERMS)
    .map(([term]) => term)
    .sort();
  const index = new Map(terms.map((term, at) => [term, at]));
  const idf = terms.map((term) => Math.fround(Math.log((1 + texts.length) / (1 + (rowsWith.get(term) ?? 0))) + 1));
  const rows = counts.map((row): SparseRow => {
    const sparse = new Map<number, number>();
    let norm = 0;
    for (const [term, count] of row) {
      const at = index.get(term);
      if (at === undefined) continue;
      const weight = (1 + Math.log(count)) * (idf[at] ?? 0);
      sparse.set(at, weight);
      norm += weight * weight;
    }
    for (const [at, weight] of sparse) sparse.set(at, weight / Math.sqrt(norm));
    return sparse;
  });
  const dimension = Math.min(DIMENSION, texts.length, terms.length);
  const id = `lsi-${String(dimension)}`;
  const bytes = encodeEncoder(id, dimension, terms, idf, rightSingularVectors(rows, terms.length, dimension));
  const embedder = new StaticEmbedder(bytes);
  const vectors = new Float32Array(rowTexts.length * dimension);
  rowTexts.forEach((own, at) => vectors.set(middle(own.map((text) => embedder.embedNow(text)), dimension), at * dimension));
  return { bytes, id, dimension, vectors };
}

/** Sum of rows at unit length. */
export function middle(rows: readonly Float32Array[], dimension: number): Float32Array {
  const sum = new Float32Array(dimension);
  for (const row of rows) for (let column = 0; column < dimension; column++) sum[column]! += row[column] ?? 0;
  const norm = Math.hypot(...sum);
  return norm > 0 ? sum.map((value) => value / norm) : sum;
}
