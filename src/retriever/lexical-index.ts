import { ByteReader, ByteWriter, readHeader, writeHeader } from '../bundle/bytes.js';
import { countTerms, termsOf } from '../text/features.js';
import { SortedTerms } from '../text/sorted-terms.js';

/** BM25 (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.6;

/** One document a disease; postings name the disease and are decoded when a query asks for their term. */
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

  /** Disease index and count of each document that holds a term, flat. */
  #postings(term: string): readonly number[] | undefined {
    const number = this.#terms.indexOf(term);
    if (number === undefined) return undefined;
    const reader = new ByteReader(this.#bytes.subarray(this.#offsets[number], this.#offsets[number + 1]), 'part lexical');
    const flat: number[] = [];
    let disease = 0;
    while (reader.remaining > 0) {
      disease += reader.varuint();
      flat.push(disease, reader.varuint());
    }
    return flat;
  }

  /** BM25 of every disease that shares a term with the query, by disease index. */
  score(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const [term, queryCount] of countTerms(termsOf(query))) {
      const flat = this.#postings(term);
      if (flat === undefined) continue;
      const documentCount = flat.length / 2;
      const idf = Math.log(1 + (this.#lengths.size - documentCount + 0.5) / (documentCount + 0.5));
      for (let index = 0; index < flat.length; index += 2) {
        const disease = flat[index] ?? 0;
        const count = flat[index + 1] ?? 0;
        const length = this.#lengths.get(disease) ?? this.#averageLength;
        const gain = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#averageLength));
        scores.set(disease, (scores.get(disease) ?? 0) + idf * gain * Math.min(queryCount, 3));
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

/** What one disease's texts of a kind say. */
export interface LexicalDocument {
  readonly diseaseIndex: number;
  readonly text: string;
}

/** Writes the lexical part. Documents must come by ascending disease index. */
export function encodeLexical(pmh: readonly LexicalDocument[], di: readonly LexicalDocument[]): Uint8Array {
  const out = writeHeader('lexical');
  for (const documents of [pmh, di]) writeIndex(out, documents);
  return out.finish();
}

function writeIndex(out: ByteWriter, documents: readonly LexicalDocument[]): void {
  const postings = new Map<string, [disease: number, count: number][]>();
  const lengths = documents.map(({ diseaseIndex, text }) => {
    const terms = termsOf(text);
    for (const [term, count] of countTerms(terms)) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [[diseaseIndex, count]]);
      else list.push([diseaseIndex, count]);
    }
    return [diseaseIndex, terms.length] as const;
  });
  out.list(lengths, ([disease, length]) => out.varuint(disease).varuint(length));
  const terms = [...postings.keys()].sort();
  out.string(terms.join('\n'));
  const blob = new ByteWriter();
  for (const term of terms) {
    out.u32(blob.length);
    let before = 0;
    for (const [disease, count] of postings.get(term) ?? []) {
      blob.varuint(disease - before).varuint(count);
      before = disease;
    }
  }
  out.u32(blob.length).raw(blob.finish());
}
