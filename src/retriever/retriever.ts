import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Embedder } from '../embedding/embedder.js';
import { StoreError } from '../errors/store-error.js';
import type { VectorStore } from '../store/vector-store.js';
import { toUnits } from '../text/units.js';
import { normalizeText } from '../text/normalize.js';
import { decodeLexical, type LexicalIndex } from './lexical-index.js';

/** Which of the paper's indices is searched: pseudo histories, DI-Tree text, or both. */
export type IndexChoice = 'pmh' | 'di' | 'both';

export interface RetrieveOptions {
  /** Distinct diseases returned at most. @default 5 (MRD-RAG: top 5 of 20 retrieved rows) */
  readonly topK?: number;
  /** @default 'both' */
  readonly index?: IndexChoice;
}

/** A disease that the words point to. */
export interface CandidateDisease {
  readonly diseaseIndex: number;
  /** Fused score, 0 to 1; 1 is best in every list that was searched. */
  readonly score: number;
}

/** Rows taken from the vector store for each query; the paper takes 20, we fuse and so look deeper. */
const ROWS = 120;
/** What each list counts in the fusion; found on the development cases, see `decisions/`. */
const WEIGHTS = { lexicalPmh: 0.5, lexicalDi: 1, densePmh: 0.5, denseDi: 1.5 } as const;
/**
 * Where no finding is spoken of, the words must resemble some disease's text this much; greetings and ordinary talk share
 * terms with histories too, so that scores alone cannot tell them from complaints.
 */
const LEAST_COSINE = 0.5;
const LEAST_BM25 = 11.5;

/** Whether a query speaks of any finding (the retrieval gate, without a model). */
export type RetrievalGate = (query: string) => boolean;

/**
 * Finds the diseases whose knowledge resembles the patient's words (`retrieve_diseases` of MRD-RAG §4.3; departures:
 * lexical search is fused with dense search, and both indices are searched at once by default).
 */
export class Retriever {
  readonly #bundle: KnowledgeBundle;
  readonly #store: VectorStore;
  readonly #embedder: Embedder;
  readonly #gate: RetrievalGate;
  readonly #lexical: Readonly<Record<'pmh' | 'di', LexicalIndex>>;

  /**
   * @param gate lets a query pass whatever it resembles
   * @throws {StoreError} embedder-mismatch when the encoder did not make the bundle's rows
   */
  constructor(bundle: KnowledgeBundle, store: VectorStore, embedder: Embedder, gate: RetrievalGate) {
    this.#gate = gate;
    if (embedder.id !== bundle.manifest.encoder.id || embedder.dimension !== bundle.manifest.encoder.dimension) {
      throw new StoreError('embedder-mismatch', `The encoder ${embedder.id} did not make the rows of ${bundle.id}; use ${bundle.manifest.encoder.id}.`);
    }
    this.#bundle = bundle;
    this.#store = store;
    this.#embedder = embedder;
    this.#lexical = decodeLexical(bundle.lexicalBytes);
  }

  /**
   * Distinct diseases, best first; empty where there is not enough to go on (greetings, noise).
   * @param utterances the patient's own words, all rounds; nothing the system said
   */
  async retrieve(utterances: readonly string[], options: RetrieveOptions = {}): Promise<CandidateDisease[]> {
    const { topK = 5, index = 'both' } = options;
    if (!Number.isInteger(topK) || topK < 1) throw new RangeError(`topK must be an integer from 1, not ${String(topK)}`);
    const query = utterances.join('\n');
    if (!hasWords(query)) return [];
    const kinds = index === 'both' ? (['pmh', 'di'] as const) : ([index] as const);
    const [row] = await this.#embedder.embed([query]);
    const hits = row === undefined || this.#store.rowCount === 0 ? [] : this.#store.search(row, Math.min(ROWS, this.#store.rowCount));
    const totals = new Map<number, number>();
    let bestCosine = 0;
    let bestBm25 = 0;
    let weights = 0;
    for (const kind of kinds) {
      const dense = new Map<number, number>();
      for (const hit of hits) {
        const rowInfo = this.#bundle.rows[hit.row];
        if (rowInfo?.kind === kind) keepBest(dense, rowInfo.diseaseIndex, hit.score);
      }
      const lexical = new Map<number, number>();
      for (const [rowIndex, score] of this.#lexical[kind].score(query)) keepBest(lexical, this.#bundle.rows[rowIndex]?.diseaseIndex ?? -1, score);
      bestCosine = Math.max(bestCosine, ...dense.values());
      bestBm25 = kind === 'di' || index === 'pmh' ? Math.max(bestBm25, ...lexical.values()) : bestBm25;
      weights += fuse(totals, dense, kind === 'pmh' ? WEIGHTS.densePmh : WEIGHTS.denseDi);
      weights += fuse(totals, lexical, kind === 'pmh' ? WEIGHTS.lexicalPmh : WEIGHTS.lexicalDi);
    }
    if ((bestCosine < LEAST_COSINE || bestBm25 < LEAST_BM25) && !this.#gate(query)) return [];
    return [...totals]
      .map(([diseaseIndex, total]) => ({ diseaseIndex, score: total / weights }))
      .sort((a, b) => b.score - a.score || a.diseaseIndex - b.diseaseIndex)
      .slice(0, topK);
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

/** Adds a list, each score as its share of the list's best; returns the list's weight. */
function fuse(totals: Map<number, number>, scores: ReadonlyMap<number, number>, weight: number): number {
  let most = 0;
  for (const score of scores.values()) most = Math.max(most, score);
  if (most <= 0) return weight;
  for (const [diseaseIndex, score] of scores) if (score > 0) totals.set(diseaseIndex, (totals.get(diseaseIndex) ?? 0) + (weight * score) / most);
  return weight;
}
