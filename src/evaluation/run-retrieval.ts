import type { EntryType, KnowledgeBundle } from '../bundle/bundle.js';
import { namedType } from '../bundle/related.js';
import type { IndexChoice, Retriever } from '../retriever/retriever.js';
import type { EvaluationCase } from './cases.js';
import type { GoldMap } from './gold-map.js';
import { GoldMatcher } from './match-gold.js';
import { hitsAt, meanReciprocalRank, percentile, type Rank } from './metrics.js';

export interface RetrievalRun {
  readonly bundle: KnowledgeBundle;
  readonly retriever: Retriever;
  readonly cases: readonly EvaluationCase[];
  readonly goldMap?: GoldMap | undefined;
  /** @default 'both' */
  readonly index?: IndexChoice | undefined;
}

export interface RetrievalReport {
  /** Cases with a diagnosis; those without (gold null) are left out. */
  readonly cases: number;
  /** Of these, how many have their disease in the knowledge; the others count as misses. */
  readonly inKnowledge: number;
  /** Over the first 20 diseases. */
  readonly mrr: number;
  /** By k: share of cases with the right disease among the first k, 0 to 1. */
  readonly hits: Readonly<Record<'1' | '3' | '5' | '10', number>>;
  readonly msPerQuery: { readonly p50: number; readonly p95: number };
}

/** One case's outcome, without its words. */
export interface RetrievalOutcome {
  readonly id: string;
  readonly gold: string;
  readonly inKnowledge: boolean;
  readonly rank: Rank;
  /** Disease ids, best first. */
  readonly named: readonly string[];
}

/** Diseases asked for, as many as MRD-RAG retrieves rows (§4.3). */
const RANKED = 20;

/** A diagnosis is looked for among entries of its own type: a syndrome among syndromes, a disease among diseases. */
function typeOf(bundle: KnowledgeBundle, right: ReadonlySet<number>): EntryType {
  const types = new Set([...right].map((index) => bundle.diseases[index]?.type));
  const named = namedType(bundle);
  return types.size === 0 || types.has(named) ? named : 'disease';
}

/** Retrieves by each case's first utterance alone. */
export async function runRetrieval(run: RetrievalRun): Promise<{ report: RetrievalReport; outcomes: RetrievalOutcome[] }> {
  const { bundle, retriever } = run;
  const matcher = new GoldMatcher(bundle, run.goldMap);
  const outcomes: RetrievalOutcome[] = [];
  const elapsed: number[] = [];
  for (const one of run.cases) {
    if (one.gold === null) continue;
    const right = matcher.diseasesOf(one);
    const started = performance.now();
    const type = typeOf(bundle, right);
    const candidates = await retriever.retrieve([one.firstUtterance], { topK: RANKED, index: run.index ?? 'both', type });
    elapsed.push(performance.now() - started);
    const at = candidates.findIndex((candidate) => right.has(candidate.diseaseIndex));
    outcomes.push({
      id: one.id,
      gold: one.gold,
      inKnowledge: right.size > 0,
      rank: at < 0 ? null : at + 1,
      named: candidates.slice(0, 10).map((candidate) => bundle.diseases[candidate.diseaseIndex]?.id ?? ''),
    });
  }
  const ranks = outcomes.map((outcome) => outcome.rank);
  const ms = (part: number): number => Number(percentile(elapsed, part).toFixed(3));
  const report: RetrievalReport = {
    cases: outcomes.length,
    inKnowledge: outcomes.filter((outcome) => outcome.inKnowledge).length,
    mrr: meanReciprocalRank(ranks),
    hits: { '1': hitsAt(ranks, 1), '3': hitsAt(ranks, 3), '5': hitsAt(ranks, 5), '10': hitsAt(ranks, 10) },
    msPerQuery: { p50: ms(0.5), p95: ms(0.95) },
  };
  return { report, outcomes };
}
