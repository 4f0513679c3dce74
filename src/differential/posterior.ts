import type { Disease, EntryType, Finding, KnowledgeBundle } from '../bundle/bundle.js';
import { softmax } from '../bundle/related.js';
import { isCourse } from '../findings/course.js';
import type { FindingReasoner, PatientState, Profile } from '../findings/finding-state.js';
import type { Likelihood } from './likelihood.js';

/** Findings of one illness are not independent; each counts a little less than it would alone. */
const PRESENT_TEMPER = 0.5;
const ABSENT_TEMPER = 0.4;
/** What somebody tells when asked counts this share of what they complained of by themselves. */
const LATER_SHARE = 0.7;
/** The more findings, the more they repeat one another: beyond this many they count as their root. */
const FULL_FINDINGS = 6;
/** How much of the prior counts: people who write do not come as the clinic's average does. */
export const PRIOR_SHARE = 0.5;
/** Likeness of words covers what was not extracted: ln odds of a disease that was not retrieved, and of one that the bundle does not know, beside the likest. */
const NOT_RETRIEVED = -4;
const OTHER_WORDING = -2;
/** How far ln odds are trusted as such; syndromes overlap far more than diseases. Found on the reliability tables of `eval:dev`. */
const SHARPNESS: Readonly<Record<EntryType, number>> = { disease: 1, syndrome: 0.4 };
/** Share of the prior that is kept for a disease the bundle does not know. */
const OTHER_SHARE = 0.06;

/** Share of its evidence that each of so many findings keeps. */
function temper(findings: number): number {
  return findings <= FULL_FINDINGS ? 1 : Math.sqrt(FULL_FINDINGS / findings);
}

/** A finding that counts, with its state. */
export interface CountedFinding {
  readonly findingIndex: number;
  readonly state: 'present' | 'absent';
}

/** Who only feels unwell has not said what ails them. */
const FEELING_ILL = 'malaise';

/** Whether a finding is a complaint or a sign, by which a disease can be named: neither a risk nor how long or how it goes. */
export function isComplaint(finding: Finding | undefined): boolean {
  return finding !== undefined && finding.kind !== 'risk' && finding.id !== FEELING_ILL && !isCourse(finding.id);
}

/**
 * The findings that count: known of themselves, none a diagnosis that was told, and only the closest: a present finding whose closer description is
 * present too is left out, and so is an absent one whose wider finding is absent.
 */
export function countedFindings(patient: PatientState, reasoner: FindingReasoner): CountedFinding[] {
  const direct = [...patient.findings.values()].filter((known) => known.origin !== 'implied' && known.state !== 'unknown' && reasoner.isEvidence(known.findingIndex));
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
export function logPrior(disease: Disease, { ageYears: age = null, sex = null }: Partial<Profile>): number {
  let log = Math.log(disease.prevalence);
  if (sex !== null && disease.sex !== 'any' && disease.sex !== sex) return -30;
  if (age === null) return log;
  const [from, to] = disease.age;
  const [peakFrom, peakTo] = disease.peak;
  if (age < from || age > to) log -= Math.min(7, 2.5 + Math.max(from - age, age - to) / 4);
  else if (age < peakFrom || age > peakTo) log -= 0.7;
  return log;
}

/** What else weighs, beside findings, age and sex. */
export interface PosteriorOptions {
  /** ln odds of likeness to the words, by disease index (`CandidateDisease.wording`); empty: nothing was retrieved. */
  readonly wording: ReadonlyMap<number, number>;
  /** Entries of another type get 0. */
  readonly type: EntryType;
  /** ln odds from entries of the other type (`RelatedEntries.weigh`). */
  readonly related?: ReadonlyMap<number, number>;
}

/**
 * Posterior over the entries of one type and "something else" by Bayes' rule with tempered likelihoods.
 * @returns `[diseases.length + 1]`, sums to 1; the last is "something else"
 */
export function posterior(bundle: KnowledgeBundle, likelihood: Likelihood, patient: PatientState, counted: readonly CountedFinding[], { wording, type, related }: PosteriorOptions): Float64Array {
  const { diseases } = bundle;
  const other = diseases.length;
  const logs = new Float64Array(other + 1).fill(-Infinity);
  let priorSum = 0;
  for (const disease of diseases) {
    if (disease.type !== type) continue;
    const log = PRIOR_SHARE * logPrior(disease, patient.profile ?? {});
    logs[disease.index] = log + (related?.get(disease.index) ?? 0);
    priorSum += Math.exp(log);
  }
  logs[other] = Math.log(Math.max(priorSum, 1e-9) * OTHER_SHARE);
  const spread = temper(counted.length);
  const roundOf = (findingIndex: number): number => patient.findings.get(findingIndex)?.round ?? 0;
  // What is measured has no round: it is before any complaint, and is none.
  const complaints = counted.filter(({ findingIndex, state }) => state === 'present' && roundOf(findingIndex) >= 0 && isComplaint(bundle.findings[findingIndex]));
  const complaintRound = complaints.reduce((first, { findingIndex }) => Math.min(first, roundOf(findingIndex)), Infinity);
  // Beside "something else", whose own ln odds these are 0.
  for (const { findingIndex, state } of counted) likelihood.addTo(logs, findingIndex, state, spread * (state === 'absent' ? ABSENT_TEMPER : roundOf(findingIndex) > complaintRound ? PRESENT_TEMPER * LATER_SHARE : PRESENT_TEMPER));
  return softmax(logs.map((log, index) => SHARPNESS[type] * (log + (wording.size === 0 ? 0 : (wording.get(index) ?? (index === other ? OTHER_WORDING : NOT_RETRIEVED))))));
}
