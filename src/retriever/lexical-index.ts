import { type ByteReader, type ByteWriter, readHeader, writeHeader } from '../bundle/bytes.js';
import { countTerms, termsOf } from '../text/features.js';

/** BM25 (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.6;

/** Documents are rows of the bundle; postings name the row. */
export class LexicalIndex {
  readonly #postings: ReadonlyMap<string, readonly number[]>;
  readonly #lengths: ReadonlyMap<number, number>;
  readonly #averageLength: number;

  private constructor(postings: ReadonlyMap<string, readonly number[]>, lengths: ReadonlyMap<number, number>) {
    this.#postings = postings;
    this.#lengths = lengths;
    let sum = 0;
    for (const length of lengths.values()) sum += length;
    this.#averageLength = lengths.size === 0 ? 1 : sum / lengths.size;
  }

  static read(reader: ByteReader): LexicalIndex {
    const lengths = new Map(reader.list(() => [reader.varuint(), reader.varuint()] as const));
    const terms = reader.string();
    const postings = new Map<string, readonly number[]>();
    for (const term of terms === '' ? [] : terms.split('\n')) {
      const flat: number[] = [];
      let row = 0;
      const count = reader.varuint();
      for (let index = 0; index < count; index++) {
        row += reader.varuint();
        flat.push(row, reader.varuint());
      }
      postings.set(term, flat);
    }
    return new LexicalIndex(postings, lengths);
  }

  /** BM25 of every row that shares a term with the query, by row. */
  score(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const [term, queryCount] of countTerms(termsOf(query))) {
      const flat = this.#postings.get(term);
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
  return { pmh: LexicalIndex.read(reader), di: LexicalIndex.read(reader) };
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
  for (const term of terms) {
    let before = 0;
    out.list(postings.get(term) ?? [], ([row, count]) => {
      out.varuint(row - before).varuint(count);
      before = row;
    });
  }
}
