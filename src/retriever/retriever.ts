import type { EntryType, KnowledgeBundle } from '../bundle/bundle.js';
import { namedType, RelatedEntries, softmax } from '../bundle/related.js';
import type { Embedder } from '../embedding/embedder.js';
import type { VectorStore } from '../store/vector-store.js';
import { countTerms, termsOf } from '../text/features.js';
import { toUnits } from '../text/units.js';
import { normalizeText } from '../text/normalize.js';
import type { ConceptMatcher } from './concepts.js';
import { LexicalIndex } from './lexical-index.js';

/** An encoder with a store over the rows that it made. */
export interface DenseSearch {
  readonly embedder: Embedder;
  readonly store: VectorStore;
}

/** Which of the paper's indices is searched: pseudo histories, DI-Tree text, or both with the findings that are read. */
export type IndexChoice = 'pmh' | 'di' | 'both';

export interface RetrieveOptions {
  /** Distinct diseases returned at most, of each type. @default 5 (MRD-RAG: top 5 of 20 retrieved rows) */
  readonly topK?: number;
  /** @default 'both' */
  readonly index?: IndexChoice;
  /** Chinese medicine: syndromes, diseases, or both. @default the type that the bundle names: syndromes where it has any */
  readonly type?: EntryType | 'any';
}

/** A disease that the words point to. */
export interface CandidateDisease {
  readonly diseaseIndex: number;
  /** Odds beside the best of its type, 0 to 1. */
  readonly score: number;
  /** ln odds, beside the best, of its texts' likeness to the words, findings aside: 0 or less. */
  readonly wording: number;
}

/** Likeness of every disease's texts to some words. */
interface Wording {
  /** ln odds, `[diseases.length]`. */
  readonly logs: Float64Array;
  readonly bestCosine: number;
  readonly bestBm25: number;
}

/** What likeness, findings and prior count, in ln odds; `decisions/` says how they were found. */
const BM25 = 0.08;
const COSINE = 1;
const CONCEPTS = 0.45;
/** Share of the first complaint's own likeness beside that of all words together. */
const COMPLAINT_SHARE = 0.5;
/** The longer the query, the more its terms repeat one another: BM25 counts in full up to here, as its root beyond. */
const FULL_BM25 = 60;
/**
 * Where no finding is spoken of, the words must resemble some disease's text this much: greetings and ordinary talk share
 * terms with histories too, but few of them, so that BM25 must be so much for each distinct term, up to what is enough
 * for a text of any length.
 */
const LEAST_COSINE = 0.5;
const LEAST_BM25 = 13;
const LEAST_BM25_A_TERM = 1.4;
const ENOUGH_BM25 = 30;

/**
 * Finds the diseases whose knowledge resembles the patient's words (`retrieve_diseases` of MRD-RAG §4.3; departures:
 * lexical search is fused with dense search, both indices are searched at once by default, and the findings that are
 * read out of the words count beside the words themselves).
 */
export class Retriever {
  readonly #bundle: KnowledgeBundle;
  #dense: DenseSearch;
  #spare: (() => DenseSearch) | undefined;
  readonly #concepts: ConceptMatcher;
  readonly #lexical: LexicalIndex;
  readonly #related: RelatedEntries;
  readonly #namedType: EntryType;

  /**
   * @param dense the encoder that made the rows, and a store over them
   * @param spare takes the place of an encoder that fails
   */
  constructor(bundle: KnowledgeBundle, dense: DenseSearch, concepts: ConceptMatcher, spare?: () => DenseSearch) {
    this.#bundle = bundle;
    this.#dense = dense;
    this.#spare = spare;
    this.#concepts = concepts;
    this.#lexical = new LexicalIndex(bundle.lexicalBytes);
    this.#related = new RelatedEntries(bundle);
    this.#namedType = namedType(bundle);
  }

  /**
   * Distinct diseases, best first; empty where there is not enough to go on (greetings, noise).
   * @param utterances the patient's own words, all rounds; nothing the system said
   */
  async retrieve(utterances: readonly string[], options: RetrieveOptions = {}): Promise<CandidateDisease[]> {
    const { topK = 5, index = 'both', type = this.#namedType } = options;
    if (!Number.isInteger(topK) || topK < 1) throw new RangeError(`topK must be an integer from 1, not ${String(topK)}`);
    const query = utterances.join('\n');
    if (!hasWords(query)) return [];
    const wording = await this.#wordingOfAll(utterances, index);
    const { understood, complaints, logOdds } = this.#concepts.match(query);
    if (complaints === 0 && (wording.bestCosine < LEAST_COSINE || wording.bestBm25 < leastBm25(query))) return [];
    const { diseases } = this.#bundle;
    const totals = wording.logs.slice();
    if (index === 'both') for (let at = 0; at < totals.length; at++) totals[at]! += CONCEPTS * (logOdds[at] ?? 0);
    if (index === 'both' && !this.#related.isEmpty) {
      const share = softmax(totals.map((log, at) => (diseases[at]?.type === 'disease' ? log : -Infinity)));
      for (const [syndrome, log] of this.#related.weigh((disease) => share[disease] ?? 0)) totals[syndrome]! += log;
    }
    const types: readonly EntryType[] = type === 'any' ? ['syndrome', 'disease'] : [type];
    return types.flatMap((one) => {
      const ranked: number[] = [];
      let likest = 0;
      for (const disease of diseases) {
        const at = disease.index;
        const log = wording.logs[at] ?? 0;
        if (disease.type !== one || (log <= 0 && (index !== 'both' || understood === 0))) continue;
        likest = Math.max(likest, log);
        ranked.push(at);
      }
      ranked.sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || a - b);
      const best = totals[ranked[0] ?? 0] ?? 0;
      return ranked.slice(0, topK).map((at) => ({ diseaseIndex: at, score: Math.exp((totals[at] ?? 0) - best), wording: (wording.logs[at] ?? 0) - likest }));
    });
  }

  /**
   * Likeness of all that was said; where more was said than the first words that complain of something, these count for
   * half: what brought somebody tells more than what they add when asked.
   */
  async #wordingOfAll(utterances: readonly string[], index: IndexChoice): Promise<Wording> {
    const all = await this.#wordingOf(utterances.join('\n'), index);
    const at = utterances.length < 2 ? -1 : utterances.findIndex((words) => this.#concepts.match(words).complaints > 0);
    if (at < 0) return all;
    const complaint = await this.#wordingOf(utterances[at] ?? '', index);
    return { ...all, logs: all.logs.map((log, disease) => (1 - COMPLAINT_SHARE) * log + COMPLAINT_SHARE * (complaint.logs[disease] ?? 0)) };
  }

  /** How much each disease's texts resemble the query, in ln odds, `[diseases.length]`. */
  async #wordingOf(query: string, index: IndexChoice): Promise<Wording> {
    const cosines = await this.#cosines(query);
    const logs = this.#lexical.score(query, index);
    const bestBm25 = most(logs);
    const scale = bestBm25 <= FULL_BM25 ? BM25 : BM25 * Math.sqrt(FULL_BM25 / bestBm25);
    for (let at = 0; at < logs.length; at++) logs[at]! *= scale;
    let bestCosine = 0;
    for (const kind of index === 'both' ? (['pmh', 'di'] as const) : [index]) {
      const ofKind = cosines[kind];
      const best = most(ofKind);
      bestCosine = Math.max(bestCosine, best);
      for (let at = 0; best > 0 && at < logs.length; at++) logs[at]! += (COSINE * (ofKind[at] ?? 0)) / best;
    }
    return { logs, bestCosine, bestBm25 };
  }

  /** Cosine of each disease's rows and the query, by kind, `[diseases.length]`, 0 or more; 0 where the query holds no word that the encoder knows. */
  async #cosines(query: string): Promise<Readonly<Record<'pmh' | 'di', Float64Array>>> {
    const { diseases, rows } = this.#bundle;
    const cosines = { pmh: new Float64Array(diseases.length), di: new Float64Array(diseases.length) };
    const scores = await this.#scores(query);
    for (let row = 0; scores !== undefined && row < rows.length; row++) {
      const info = rows[row]!;
      cosines[info.kind][info.diseaseIndex] = Math.max(0, scores[row] ?? 0);
    }
    return cosines;
  }

  /** Cosine of each row and the query, `[rows]`; undefined where there are no rows or the query holds no word that the encoder knows. */
  async #scores(query: string): Promise<Float64Array | undefined> {
    const { embedder, store } = this.#dense;
    if (store.rowCount === 0) return undefined;
    try {
      const [row] = await embedder.embed([query], 'query');
      if (row === undefined) return undefined;
      if (store.scores !== undefined) return store.scores(row);
      const scores = new Float64Array(store.rowCount);
      for (const hit of store.search(row, store.rowCount)) scores[hit.row] = hit.score;
      return scores;
    } catch (error) {
      if (this.#spare === undefined) throw error;
      // An encoder that a page brings may fail at any turn; the bundle's own cannot.
      store.close();
      this.#dense = this.#spare();
      this.#spare = undefined;
      return this.#scores(query);
    }
  }

  /** Id of the encoder in use: the one given, or the bundle's own once that has failed. */
  get encoderId(): string {
    return this.#dense.embedder.id;
  }

  /** Releases the store and the bundle's own encoder; an encoder that was given stays its owner's. May be called twice. */
  close(): void {
    this.#dense.store.close();
  }
}

function hasWords(query: string): boolean {
  return toUnits(normalizeText(query)).some((unit) => unit.kind === 'character' || unit.kind === 'word');
}

/** BM25 that words without a finding must reach. */
function leastBm25(query: string): number {
  return Math.min(ENOUGH_BM25, Math.max(LEAST_BM25, LEAST_BM25_A_TERM * countTerms(termsOf(query)).size));
}

/** The largest, 0 at least. */
function most(values: Float64Array): number {
  let best = 0;
  for (const value of values) if (value > best) best = value;
  return best;
}
