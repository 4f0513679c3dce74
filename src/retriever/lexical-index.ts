import { ByteWriter, readHeader, writeHeader } from '../bundle/bytes.js';
import { countTerms, termsOf } from '../text/features.js';
import { SortedTerms } from '../text/sorted-terms.js';

/** BM25 (Robertson and Zaragoza 2009). */
const K1 = 2;
const B = 0.75;
/** A term that a single disease has matches hardly anything but a copy: a bundle of this many diseases or more leaves it out. */
const MANY_DISEASES = 200;
/** Counts are kept up to this. */
const MOST_COUNT = 15;

/** Which of a disease's texts are searched: what patients say (pseudo histories, first sentences), DI-Tree text, or both. */
export type LexicalView = 'pmh' | 'di' | 'both';

/** One document a disease; postings name the disease and are decoded when a query asks for their term. */
export class LexicalIndex {
  readonly #terms: SortedTerms;
  /** Where each term's steps between its diseases begin in `#steps`, `[terms]`. */
  readonly #stepsAt: Uint32Array;
  readonly #steps: Uint8Array;
  /** Where each term's counts begin in `#termCounts`, `[terms + 1]`. */
  readonly #countsAt: Uint32Array;
  readonly #termCounts: Uint8Array;
  /** `[diseases]`, terms of each disease's texts. */
  readonly #lengths: Readonly<Record<LexicalView, Float64Array>>;
  readonly #averages: Readonly<Record<LexicalView, number>>;
  /** Scratch of one term, `[diseases]`. */
  readonly #having: Uint32Array;
  readonly #counts: Uint8Array;

  /**
   * @param bytes the bundle's lexical part
   * @throws {BundleError} malformed, truncated
   */
  constructor(bytes: Uint8Array) {
    const reader = readHeader(bytes, 'lexical');
    const pairs = reader.list(() => [reader.varuint(), reader.varuint()] as const);
    this.#terms = new SortedTerms(reader.string());
    const size = this.#terms.size;
    this.#countsAt = new Uint32Array(size + 1);
    for (let term = 0; term < size; term++) this.#countsAt[term + 1] = (this.#countsAt[term] ?? 0) + reader.varuint();
    this.#steps = reader.blob();
    this.#termCounts = reader.raw(this.#countsAt[size] ?? 0);
    this.#stepsAt = new Uint32Array(size);
    let at = 0;
    for (let term = 0; term < size; term++) {
      this.#stepsAt[term] = at;
      for (let left = (this.#countsAt[term + 1] ?? 0) - (this.#countsAt[term] ?? 0); left > 0; left--) while ((this.#steps[at++] ?? 0) >= 0x80);
    }
    if (at !== this.#steps.length) throw reader.malformed('postings that do not fit their terms');
    const lengths = { pmh: Float64Array.from(pairs, ([pmh]) => pmh), di: Float64Array.from(pairs, ([, di]) => di), both: Float64Array.from(pairs, ([pmh, di]) => pmh + di) };
    const average = (values: Float64Array): number => (values.length === 0 ? 1 : Math.max(1, values.reduce((sum, value) => sum + value, 0) / values.length));
    this.#lengths = lengths;
    this.#having = new Uint32Array(pairs.length);
    this.#counts = new Uint8Array(pairs.length);
    this.#averages = { pmh: average(lengths.pmh), di: average(lengths.di), both: average(lengths.both) };
  }

  /** Decodes the diseases that have a term, and its count in the view of each, into the scratch. @returns how many they are */
  #decode(term: string, view: LexicalView): number {
    const number = this.#terms.indexOf(term);
    if (number === undefined) return 0;
    const steps = this.#steps;
    const end = this.#countsAt[number + 1] ?? 0;
    let found = 0;
    let disease = -1;
    let stepAt = this.#stepsAt[number] ?? 0;
    // The inner loop of every query: varuint and u8 are read in place.
    for (let at = this.#countsAt[number] ?? 0; at < end; at++) {
      let step = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = steps[stepAt++] ?? 0;
        step |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      disease += step + 1;
      const counts = this.#termCounts[at] ?? 0;
      const count = (view === 'di' ? 0 : counts >> 4) + (view === 'pmh' ? 0 : counts & 15);
      if (count === 0) continue;
      this.#having[found] = disease;
      this.#counts[found++] = count;
    }
    return found;
  }

  /** BM25 of every disease, `[diseases]`; 0 where it shares no term with the query. */
  score(query: string, view: LexicalView): Float64Array {
    const lengths = this.#lengths[view];
    const average = this.#averages[view];
    const scores = new Float64Array(lengths.length);
    for (const [term, queryCount] of countTerms(termsOf(query))) {
      const documentCount = this.#decode(term, view);
      const idf = Math.log(1 + (lengths.length - documentCount + 0.5) / (documentCount + 0.5));
      for (let index = 0; index < documentCount; index++) {
        const disease = this.#having[index] ?? 0;
        const count = this.#counts[index] ?? 0;
        const gain = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * (lengths[disease] ?? average)) / average));
        scores[disease]! += idf * gain * Math.min(queryCount, 3);
      }
    }
    return scores;
  }
}

/** What one disease's texts say. */
export interface LexicalDocument {
  /** Pseudo histories and first sentences. */
  readonly pmh: string;
  /** DI-Tree text. */
  readonly di: string;
}

/** Writes the lexical part. @param documents one a disease, in the order of the diseases */
export function encodeLexical(documents: readonly LexicalDocument[]): Uint8Array {
  const out = writeHeader('lexical');
  const postings = new Map<string, [disease: number, counts: number][]>();
  const lengths = documents.map(({ pmh, di }, disease) => {
    const [spoken, written] = [termsOf(pmh), termsOf(di)];
    const [spokenCounts, writtenCounts] = [countTerms(spoken), countTerms(written)];
    for (const term of new Set([...spokenCounts.keys(), ...writtenCounts.keys()])) {
      const counts = (Math.min(MOST_COUNT, spokenCounts.get(term) ?? 0) << 4) | Math.min(MOST_COUNT, writtenCounts.get(term) ?? 0);
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [[disease, counts]]);
      else list.push([disease, counts]);
    }
    return [spoken.length, written.length] as const;
  });
  out.list(lengths, ([spoken, written]) => out.varuint(spoken).varuint(written));
  const terms = [...postings].filter(([, list]) => list.length > 1 || documents.length < MANY_DISEASES).map(([term]) => term).sort();
  out.string(terms.join('\n'));
  // In columns, which compress better than pairs.
  const steps = new ByteWriter();
  const columns = new ByteWriter();
  for (const term of terms) {
    const list = postings.get(term) ?? [];
    out.varuint(list.length);
    let before = -1;
    for (const [disease, counts] of list) {
      steps.varuint(disease - before - 1);
      columns.u8(counts);
      before = disease;
    }
  }
  return out.blob(steps.finish()).raw(columns.finish()).finish();
}
