import type { EntryType, KnowledgeBundle } from './bundle.js';

/** Share of a syndrome's weight that does not come through a disease: syndromes occur in more diseases than are listed. */
const APART = 0.35;

/**
 * Chinese medicine names disease and syndrome together (TCM-DiffRAG): what points to a disease points to the syndromes
 * that occur in it. Built once a bundle; empty where no entry names related ones.
 */
export class RelatedEntries {
  /** By syndrome: diseases and how usual the syndrome is in each, 0 to 1. */
  readonly #shares: ReadonlyMap<number, ReadonlyMap<number, number>>;

  constructor(bundle: Pick<KnowledgeBundle, 'diseases'>) {
    const shares = new Map<number, Map<number, number>>();
    const add = (syndrome: number, disease: number, share: number): void => {
      const known = shares.get(syndrome) ?? new Map<number, number>();
      known.set(disease, Math.max(known.get(disease) ?? 0, share));
      shares.set(syndrome, known);
    };
    for (const entry of bundle.diseases) {
      // The most usual stands first.
      entry.related.forEach((other, at) => (entry.type === 'disease' ? add(other, entry.index, 1 / (1 + at / 3)) : add(entry.index, other, 0.7 / (1 + at / 6))));
    }
    this.#shares = shares;
  }

  /**
   * ln of how well each syndrome suits the diseases, by syndrome index.
   * @param probabilityOf of a disease, 0 to 1; over all diseases it sums to 1
   */
  weigh(probabilityOf: (diseaseIndex: number) => number): ReadonlyMap<number, number> {
    const out = new Map<number, number>();
    for (const [syndrome, diseases] of this.#shares) {
      let suits = 0;
      for (const [disease, share] of diseases) suits += probabilityOf(disease) * share;
      out.set(syndrome, Math.log(APART + suits));
    }
    return out;
  }

  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }
}

/** Probabilities from ln odds: exp over its sum, in place. What is -Infinity counts for nothing; one entry at least is finite. */
export function softmax(logs: Float64Array): Float64Array {
  let most = -Infinity;
  for (const log of logs) most = Math.max(most, log);
  let sum = 0;
  for (let index = 0; index < logs.length; index++) {
    const value = Math.exp((logs[index] ?? 0) - most);
    logs[index] = value;
    sum += value;
  }
  for (let index = 0; index < logs.length; index++) logs[index]! /= sum;
  return logs;
}

/** The type of entry that a bundle names first: syndromes where it has any, as Chinese medicine treats by the syndrome. */
export function namedType(bundle: Pick<KnowledgeBundle, 'diseases'>): EntryType {
  return bundle.diseases.some((disease) => disease.type === 'syndrome') ? 'syndrome' : 'disease';
}
