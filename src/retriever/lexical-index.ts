import { ByteReader, ByteWriter, readHeader, writeHeader } from '../bundle/bytes.js';
import { countTerms, termsOf } from '../text/features.js';
import { SortedTerms } from '../text/sorted-terms.js';

/** BM25 (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.6;

/** Documents are rows of the bundle; postings name the row and are decoded when a query asks for their term. */
export class LexicalIndex {
  readonly #terms: SortedTerms;
  readonly #offsets: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #lengths: ReadonlyMap<number, number>;
  readonly #averageLength: number;

  /** Reads one index; the reader stands behind it afterwards. */
  constructor(reader: ByteReader) {
    this.#lengths = new Map(reader.list(() => [reader.varuint(), reader.varuint()] as const));
    this.#terms = new SortedTerms(reader.string());
    this.#offsets = reader.u32s(this.#terms.size + 1);
    this.#bytes = reader.raw(this.#offsets[this.#terms.size] ?? 0);
    let sum = 0;
    for (const length of this.#lengths.values()) sum += length;
    this.#averageLength = this.#lengths.size === 0 ? 1 : sum / this.#lengths.size;
  }

  /** Row and count of each document that holds a term, flat. */
  #postings(term: string): readonly number[] | undefined {
    const number = this.#terms.indexOf(term);
    if (number === undefined) return undefined;
    const reader = new ByteReader(this.#bytes.subarray(this.#offsets[number], this.#offsets[number + 1]), 'part lexical');
    const flat: number[] = [];
    let row = 0;
    while (reader.remaining > 0) {
      row += reader.varuint();
      flat.push(row, reader.varuint());
    }
    return flat;
  }

  /** BM25 of every row that shares a term with the query, by row. */
  score(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const [term, queryCount] of countTerms(termsOf(query))) {
      const flat = this.#postings(term);
      if (flat === undefined) continue;
      const documentCount = flat.length / 2;
      const idf = Math.log(1 + (this.#lengths.size - documentCount + 0.5) / (documentCount + 0.5));
      for (let index = 0; index < flat.length; index += 2) {
        const row = flat[index] ?? 0;
        const count = flat[index + 1] ?? 0;
        const length = this.#lengths.get(row) ?? this.#averageLength;
        const gain = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#averageLength));
        scores.set(row, (scores.get(row) ?? 0) + idf * gain * Math.min(queryCount, 3));
      }
    }
    return scores;
  }
}

/** Both of the paper's indices: pseudo histories and DI-Tree text (MRD-RAG §4.2). */
export function decodeLexical(bytes: Uint8Array): Readonly<Record<'pmh' | 'di', LexicalIndex>> {
  const reader = readHeader(bytes, 'lexical');
  return { pmh: new LexicalIndex(reader), di: new LexicalIndex(reader) };
}

/** A document to index. */
export interface LexicalDocument {
  readonly row: number;
  readonly text: string;
}

/** Writes the lexical part. Documents must come by ascending row. */
export function encodeLexical(pmh: readonly LexicalDocument[], di: readonly LexicalDocument[]): Uint8Array {
  const out = writeHeader('lexical');
  for (const documents of [pmh, di]) writeIndex(out, documents);
  return out.finish();
}

function writeIndex(out: ByteWriter, documents: readonly LexicalDocument[]): void {
  const postings = new Map<string, [row: number, count: number][]>();
  const lengths = documents.map(({ row, text }) => {
    const terms = termsOf(text);
    for (const [term, count] of countTerms(terms)) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [[row, count]]);
      else list.push([row, count]);
    }
    return [row, terms.length] as const;
  });
  out.list(lengths, ([row, length]) => out.varuint(row).varuint(length));
  const terms = [...postings.keys()].sort();
  out.string(terms.join('\n'));
  const blob = new ByteWriter();
  for (const term of terms) {
    out.u32(blob.length);
    let before = 0;
    for (const [row, count] of postings.get(term) ?? []) {
      blob.varuint(row - before).varuint(count);
      before = row;
    }
  }
  out.u32(blob.length).raw(blob.finish());
}
