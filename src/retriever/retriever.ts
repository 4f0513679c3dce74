import type { EntryType, KnowledgeBundle } from '../bundle/bundle.js';
import { namedType, RelatedEntries } from '../bundle/related.js';
import type { Embedder } from '../embedding/embedder.js';
import { StoreError } from '../errors/store-error.js';
import type { VectorStore } from '../store/vector-store.js';
import { toUnits } from '../text/units.js';
import { normalizeText } from '../text/normalize.js';
import type { ConceptMatcher } from './concepts.js';
import { decodeLexical, type LexicalIndex } from './lexical-index.js';

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
  /** How much its texts resemble the words, findings aside, 0 to 1; 1 is best in every list that was searched. */
  readonly wording: number;
}

/** Rows taken from the vector store for each query; the paper takes 20, we fuse and so look deeper. */
const ROWS = 200;
/** What each list counts in the resemblance of words, and what that, findings and prior count in all; `decisions/` says how they were found. */
const WEIGHTS = { lexicalPmh: 2, lexicalDi: 3, densePmh: 0.5, denseDi: 1.5 } as const;
const WORDING = 6;
const CONCEPTS = 0.4;
/**
 * Where no finding is spoken of, the words must resemble some disease's text this much; greetings and ordinary talk share
 * terms with histories too, so that scores alone cannot tell them from complaints.
 */
const LEAST_COSINE = 0.5;
const LEAST_BM25 = 11.5;

/**
 * Finds the diseases whose knowledge resembles the patient's words (`retrieve_diseases` of MRD-RAG §4.3; departures:
 * lexical search is fused with dense search, both indices are searched at once by default, and the findings that are
 * read out of the words count beside the words themselves).
 */
export class Retriever {
  readonly #bundle: KnowledgeBundle;
  readonly #store: VectorStore;
  readonly #embedder: Embedder;
  readonly #concepts: ConceptMatcher;
  readonly #lexical: Readonly<Record<'pmh' | 'di', LexicalIndex>>;
  readonly #related: RelatedEntries;

  /** @throws {StoreError} embedder-mismatch when the encoder did not make the bundle's rows */
  constructor(bundle: KnowledgeBundle, store: VectorStore, embedder: Embedder, concepts: ConceptMatcher) {
    if (embedder.id !== bundle.manifest.encoder.id || embedder.dimension !== bundle.manifest.encoder.dimension) {
      throw new StoreError('embedder-mismatch', `The encoder ${embedder.id} did not make the rows of ${bundle.id}; use ${bundle.manifest.encoder.id}.`);
    }
    this.#bundle = bundle;
    this.#store = store;
    this.#embedder = embedder;
    this.#concepts = concepts;
    this.#lexical = decodeLexical(bundle.lexicalBytes);
    this.#related = new RelatedEntries(bundle);
  }

  /**
   * Distinct diseases, best first; empty where there is not enough to go on (greetings, noise).
   * @param utterances the patient's own words, all rounds; nothing the system said
   */
  async retrieve(utterances: readonly string[], options: RetrieveOptions = {}): Promise<CandidateDisease[]> {
    const { topK = 5, index = 'both', type = namedType(this.#bundle) } = options;
    if (!Number.isInteger(topK) || topK < 1) throw new RangeError(`topK must be an integer from 1, not ${String(topK)}`);
    const query = utterances.join('\n');
    if (!hasWords(query)) return [];
    const wording = await this.#wordingOf(query, index);
    const { understood, logOdds } = this.#concepts.match(query);
    if ((wording.bestCosine < LEAST_COSINE || wording.bestBm25 < LEAST_BM25) && understood === 0) return [];
    const { diseases } = this.#bundle;
    const totals = Float64Array.from(diseases, ({ index: at }) => WORDING * (wording.shares[at] ?? 0) + (index === 'both' ? CONCEPTS * (logOdds[at] ?? 0) : 0));
    if (index === 'both' && !this.#related.isEmpty) {
      const share = softmax(totals, (at) => diseases[at]?.type === 'disease');
      for (const [syndrome, log] of this.#related.weigh((disease) => share[disease] ?? 0)) totals[syndrome]! += log;
    }
    const types: readonly EntryType[] = type === 'any' ? ['syndrome', 'disease'] : [type];
    return types.flatMap((one) => {
      const ranked = diseases.filter((disease) => disease.type === one && ((wording.shares[disease.index] ?? 0) > 0 || (index === 'both' && understood > 0)));
      ranked.sort((a, b) => (totals[b.index] ?? 0) - (totals[a.index] ?? 0) || a.index - b.index);
      const best = totals[ranked[0]?.index ?? 0] ?? 0;
      return ranked.slice(0, topK).map(({ index: at }) => ({ diseaseIndex: at, score: Math.exp((totals[at] ?? 0) - best), wording: wording.shares[at] ?? 0 }));
    });
  }

  /** How much each disease's texts resemble the query, `[diseases.length]`, 0 to 1. */
  async #wordingOf(query: string, index: IndexChoice): Promise<{ shares: Float64Array; bestCosine: number; bestBm25: number }> {
    const kinds = index === 'both' ? (['pmh', 'di'] as const) : ([index] as const);
    const [row] = await this.#embedder.embed([query]);
    const hits = row === undefined || this.#store.rowCount === 0 ? [] : this.#store.search(row, Math.min(ROWS, this.#store.rowCount));
    const shares = new Float64Array(this.#bundle.diseases.length);
    let bestCosine = 0;
    let bestBm25 = 0;
    let weights = 0;
    for (const kind of kinds) {
      const dense = new Map<number, number>();
      for (const hit of hits) {
        const rowInfo = this.#bundle.rows[hit.row];
        if (rowInfo?.kind === kind) keepBest(dense, rowInfo.diseaseIndex, hit.score);
      }
      const lexical = this.#lexical[kind].score(query);
      bestCosine = Math.max(bestCosine, most(dense));
      bestBm25 = kind === 'di' || index === 'pmh' ? Math.max(bestBm25, most(lexical)) : bestBm25;
      weights += fuse(shares, dense, kind === 'pmh' ? WEIGHTS.densePmh : WEIGHTS.denseDi);
      weights += fuse(shares, lexical, kind === 'pmh' ? WEIGHTS.lexicalPmh : WEIGHTS.lexicalDi);
    }
    return { shares: shares.map((share) => share / weights), bestCosine, bestBm25 };
  }

  /** Releases the store and the encoder; may be called twice. */
  close(): void {
    this.#store.close();
    this.#embedder.close();
  }
}

function hasWords(query: string): boolean {
  return toUnits(normalizeText(query)).some((unit) => unit.kind === 'character' || unit.kind === 'word');
}

function keepBest(best: Map<number, number>, key: number, score: number): void {
  const before = best.get(key);
  if (before === undefined || score > before) best.set(key, score);
}

function most(scores: ReadonlyMap<number, number>): number {
  let best = 0;
  for (const score of scores.values()) if (score > best) best = score;
  return best;
}

/** Adds a list, each score as its share of the list's best; returns the list's weight. */
function fuse(totals: Float64Array, scores: ReadonlyMap<number, number>, weight: number): number {
  const best = most(scores);
  if (best <= 0) return weight;
  for (const [diseaseIndex, score] of scores) if (score > 0) totals[diseaseIndex]! += (weight * score) / best;
  return weight;
}

/** exp over its sum, over the entries that count; the others are 0. */
function softmax(logs: Float64Array, counts: (index: number) => boolean): Float64Array {
  let best = -Infinity;
  logs.forEach((log, index) => {
    if (counts(index) && log > best) best = log;
  });
  const out = logs.map((log, index) => (counts(index) ? Math.exp(log - best) : 0));
  const sum = out.reduce((total, value) => total + value, 0);
  return sum > 0 ? out.map((value) => value / sum) : out;
}
