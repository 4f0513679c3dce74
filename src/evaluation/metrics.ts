import { type Urgency, URGENCY_LEVELS } from '../bundle/bundle.js';

/** One-based rank of the first right disease; null: not among those named. */
export type Rank = number | null;

/** Share of cases whose right disease is among the first `k`, 0 to 1. */
export function hitsAt(ranks: readonly Rank[], k: number): number {
  return share(ranks.filter((rank) => rank !== null && rank <= k).length, ranks.length);
}

/** Mean of 1/rank; a miss counts 0. */
export function meanReciprocalRank(ranks: readonly Rank[]): number {
  return share(
    ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0),
    ranks.length,
  );
}

/** The value below which a share of the values lies (nearest rank). @param values in any order */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

/** An assessed urgency beside those that the source accepts. */
export interface UrgencyPair {
  readonly assessed: Urgency;
  readonly accepted: readonly Urgency[];
}

export interface UrgencyMetrics {
  /** Share of cases assessed at an accepted level, 0 to 1. */
  readonly accuracy: number;
  /** Share assessed as less urgent than the most urgent accepted level, and not at an accepted one. */
  readonly underTriage: number;
  /** Share assessed as more urgent than every accepted level. */
  readonly overTriage: number;
  readonly cases: number;
}

/** Right, too low and too high add up to 1. Where accepted levels have a gap, what falls into it counts as too low. */
export function urgencyMetrics(pairs: readonly UrgencyPair[]): UrgencyMetrics {
  let right = 0;
  let under = 0;
  for (const { assessed, accepted } of pairs) {
    const mostUrgent = Math.min(...accepted.map((level) => URGENCY_LEVELS.indexOf(level)));
    if (accepted.includes(assessed)) right++;
    else if (URGENCY_LEVELS.indexOf(assessed) > mostUrgent) under++;
  }
  return {
    accuracy: share(right, pairs.length),
    underTriage: share(under, pairs.length),
    overTriage: share(pairs.length - right - under, pairs.length),
    cases: pairs.length,
  };
}

/** A score as shown, with whether it was right. */
export interface ShownScore {
  /** 0 to 1. */
  readonly probability: number;
  readonly right: boolean;
}

/** One line of a reliability table (DeGroot and Fienberg 1983). */
export interface ReliabilityBin {
  /** Scores from here (inclusive) to there (exclusive, but 1 belongs to the last). */
  readonly from: number;
  readonly to: number;
  readonly shown: number;
  readonly meanProbability: number;
  /** Share of them that is right, 0 to 1. */
  readonly right: number;
}

/** How often scores of each fifth are right. */
export function reliability(scores: readonly ShownScore[]): ReliabilityBin[] {
  return [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const to = Number((from + 0.2).toFixed(1));
    const own = scores.filter(({ probability }) => probability >= from && (probability < to || to === 1));
    return { from, to, shown: own.length, meanProbability: mean(own.map((one) => one.probability)), right: share(own.filter((one) => one.right).length, own.length) };
  });
}

export function mean(values: readonly number[]): number {
  return share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
}

/** To four places; 0 of none is 0. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(4));
}
