import type { KnowledgeBundle } from '../bundle/bundle.js';
import { learnInput } from '../consultation/learn-input.js';
import { EMPTY_PATIENT, type PatientState } from '../findings/finding-state.js';
import type { CandidateDisease, IndexChoice } from '../retriever/retriever.js';
import { statedProfile } from './assumed-profile.js';
import type { EvaluationCase } from './cases.js';
import type { GoldMap } from './gold-map.js';
import { GoldMatcher } from './match-gold.js';
import type { PatientReaders } from './simulated-patient.js';

/** What weighs a patient: `KnowledgeReasoning`. */
export interface Weigher {
  retrieve(utterances: readonly string[], index: IndexChoice): Promise<readonly CandidateDisease[]>;
  weigh(patient: PatientState, retrieved: readonly CandidateDisease[]): { readonly probabilities: Float64Array };
}

export interface ChoiceRun {
  readonly bundle: KnowledgeBundle;
  readonly cases: readonly EvaluationCase[];
  readonly goldMap?: GoldMap | undefined;
  readonly readers: PatientReaders;
  readonly reasoning: Weigher;
}

export interface ChoiceReport {
  /** Cases with candidates; every one counts. */
  readonly cases: number;
  /** Share in which the right candidate is the most probable of the case's own, 0 to 1. One that the knowledge lacks is never chosen. */
  readonly right: number;
}

/**
 * Chooses among the candidates that a case itself gives (DxBench: three), by the whole record at once. Names of
 * candidates are looked up as diagnoses are.
 * @returns null where no case has candidates
 */
export async function chooseAmongCandidates({ bundle, cases, goldMap, readers, reasoning }: ChoiceRun): Promise<ChoiceReport | null> {
  const matcher = new GoldMatcher(bundle, goldMap);
  let count = 0;
  let right = 0;
  for (const one of cases) {
    if (one.gold === null || one.candidates.length === 0) continue;
    count++;
    const record = one.patientClean === '' ? one.patient : one.patientClean;
    const profile = statedProfile(record, readers.extractor.read(record), bundle);
    const learnt = learnInput({ type: 'utterance', text: record }, null, 0, readers);
    const patient = readers.reasoner.learn({ ...EMPTY_PATIENT, profile }, learnt.findings, learnt.facts);
    const { probabilities } = reasoning.weigh(patient, await reasoning.retrieve([record], 'both'));
    const gold = matcher.diseasesOf(one);
    const scored = one.candidates.map((candidate) => {
      const entries = [...matcher.diseasesOf({ ...one, gold: candidate, goldAliases: [], tcmSyndrome: '' })];
      return { score: Math.max(-1, ...entries.map((index) => probabilities[index] ?? 0)), isRight: candidate === one.gold || entries.some((index) => gold.has(index)) };
    });
    const best = scored.reduce((most, candidate) => (candidate.score > most.score ? candidate : most));
    if (best.score >= 0 && best.isRight) right++;
  }
  return count === 0 ? null : { cases: count, right: Number((right / count).toFixed(4)) };
}
