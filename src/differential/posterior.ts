import type { Disease, EntryType, KnowledgeBundle, Sex } from '../bundle/bundle.js';
import { namedType } from '../bundle/related.js';
import type { FindingReasoner, PatientState } from '../findings/finding-state.js';
import type { Likelihood } from './likelihood.js';

/** Findings of one illness are not independent; each counts a little less than it would alone. */
const PRESENT_TEMPER = 0.65;
const ABSENT_TEMPER = 0.55;
/** Likeness of words covers what was not extracted; the findings in the same words count already, so it counts in part. */
const WORDING_SHARE = 0.7;
/** ln odds of a disease that was not retrieved, and of one that the bundle does not know, beside the likest. */
const NOT_RETRIEVED = -4;
const OTHER_WORDING = -2;
/** Share of the prior that is kept for a disease the bundle does not know. */
const OTHER_SHARE = 0.06;

/** A finding that counts, with its state. */
export interface CountedFinding {
  readonly findingIndex: number;
  readonly state: 'present' | 'absent';
}

/**
 * The findings that count: known of themselves, and only the closest: a present finding whose closer description is
 * present too is left out, and so is an absent one whose wider finding is absent.
 */
export function countedFindings(patient: PatientState, reasoner: FindingReasoner): CountedFinding[] {
  const direct = [...patient.findings.values()].filter((known) => known.origin !== 'implied' && known.state !== 'unknown');
  const covered = new Set<number>();
  for (const known of direct) if (known.state === 'present') for (const ancestor of reasoner.ancestors(known.findingIndex)) covered.add(ancestor);
  const counted: CountedFinding[] = [];
  for (const { findingIndex, state } of direct) {
    if (state === 'unknown') continue;
    if (state === 'present' && covered.has(findingIndex)) continue;
    if (state === 'absent' && [...reasoner.ancestors(findingIndex)].some((ancestor) => patient.findings.get(ancestor)?.state === 'absent')) continue;
    counted.push({ findingIndex, state });
  }
  return counted;
}

/** ln prior weight of a disease for this age and sex, as far as they are known. */
export function logPrior(disease: Disease, { ageYears: age, sex }: { readonly ageYears?: number; readonly sex?: Sex }): number {
  let log = Math.log(disease.prevalence);
  if (sex !== undefined && disease.sex !== 'any' && disease.sex !== sex) return -30;
  if (age === undefined) return log;
  const [from, to] = disease.age;
  const [peakFrom, peakTo] = disease.peak;
  if (age < from || age > to) log -= Math.min(7, 2.5 + Math.max(from - age, age - to) / 4);
  else if (age < peakFrom || age > peakTo) log -= 0.7;
  return log;
}

/**
 * Posterior over all diseases of the bundle and "something else" by Bayes' rule with tempered likelihoods.
 * @param wording ln odds of likeness to the words, by disease index (`CandidateDisease.wording`)
 * @param type entries of another type get 0
 * @returns `[diseases.length + 1]`, sums to 1; the last is "something else"
 */
export function posterior(bundle: KnowledgeBundle, likelihood: Likelihood, patient: PatientState, counted: readonly CountedFinding[], wording: ReadonlyMap<number, number>, type: EntryType = namedType(bundle)): Float64Array {
  const { diseases } = bundle;
  const other = diseases.length;
  const logs = new Float64Array(other + 1);
  let priorSum = 0;
  for (const disease of diseases) {
    logs[disease.index] = disease.type === type ? logPrior(disease, patient.profile ?? {}) : -Infinity;
    priorSum += Math.exp(logs[disease.index] ?? 0);
  }
  logs[other] = Math.log(Math.max(priorSum, 1e-9) * OTHER_SHARE);
  for (let index = 0; index <= other; index++) {
    for (const { findingIndex, state } of counted) {
      const present = likelihood.of(index, findingIndex);
      logs[index]! += state === 'present' ? PRESENT_TEMPER * Math.log(present) : ABSENT_TEMPER * Math.log(1 - present);
    }
    if (wording.size > 0) logs[index]! += WORDING_SHARE * (wording.get(index) ?? (index === other ? OTHER_WORDING : NOT_RETRIEVED));
  }
  let most = -Infinity;
  for (const log of logs) most = Math.max(most, log);
  let sum = 0;
  for (let index = 0; index <= other; index++) {
    const value = Math.exp((logs[index] ?? 0) - most);
    logs[index] = value;
    sum += value;
  }
  for (let index = 0; index <= other; index++) logs[index]! /= sum;
  return logs;
}
