import type { KnowledgeBundle, Sex } from '../bundle/bundle.js';
import type { Polarity } from '../text/polarity.js';
import type { Quantities } from '../text/quantities.js';
import { ancestorsOf } from './ancestors.js';
import { type ConditionScope, type Condition, findingsOf, holds, parseCondition, variablesOf } from './condition.js';
import { isTold } from './told-diagnosis.js';

/** Who the patient is. */
export interface Profile {
  /** Years, 0 to 130; months are fractions (6 months is 0.5). Null where nobody knows: rules that compare it do not hold then. */
  readonly ageYears: number | null;
  /** Null where nobody knows, likewise. */
  readonly sex: Sex | null;
}

/** Where a finding's state comes from: the visitor's words, an answer, a measurement, another finding, or a correction. */
export type FindingOrigin = 'said' | 'answered' | 'measured' | 'implied' | 'corrected';

/** What is known of one finding. */
export interface KnownFinding {
  readonly findingIndex: number;
  readonly state: Polarity;
  readonly origin: FindingOrigin;
  /** The visitor's own words, where there are any. */
  readonly quote?: string;
  readonly severity?: 'mild' | 'severe';
  readonly side?: 'left' | 'right' | 'both';
  /** Zero-based round in which it became known; -1 from the profile. */
  readonly round: number;
  /** Read through a spelling guess. */
  readonly guessed?: boolean;
  /** It was there and has gone: outweighs a present of the same round. */
  readonly resolved?: boolean;
}

/** What is measured or said in numbers, over all rounds; the latest value holds. */
export type PatientFacts = Omit<Quantities, 'ageYears' | 'sex' | 'unclear'>;

/** Age in years and sex as a text states them; absent where it does not. */
export type SaidProfile = Pick<Quantities, 'ageYears' | 'sex'>;

/** Everything known of the patient: findings, facts, profile. A value; never changed in place. */
export interface PatientState {
  readonly profile: Profile | null;
  /** In numbers or outright (`Quantities`); the latest holds. */
  readonly said: SaidProfile;
  readonly facts: PatientFacts;
  /** By finding index. Implied states are included. */
  readonly findings: ReadonlyMap<number, KnownFinding>;
}

export const EMPTY_PATIENT: PatientState = { profile: null, said: {}, facts: {}, findings: new Map() };

/** A person's own word outweighs what follows from other findings. */
const STRENGTH: Readonly<Record<FindingOrigin, number>> = { implied: 0, said: 1, measured: 2, answered: 2, corrected: 3 };

/** Variables of conditions, as named in sources. */
export function conditionScope(patient: PatientState, bundle: Pick<KnowledgeBundle, 'findingIndex'>): ConditionScope {
  const { facts, profile } = patient;
  // Other facts go by their own names.
  const variables: Readonly<Record<string, number | string | undefined>> = {
    temperature: facts.temperatureC,
    duration: facts.durationDays,
    age: profile?.ageYears ?? undefined,
    sex: profile?.sex ?? undefined,
  };
  return {
    isPresent(id) {
      const index = bundle.findingIndex(id);
      return index !== undefined && patient.findings.get(index)?.state === 'present';
    },
    variable: (name) => variables[name] ?? facts[name as keyof PatientFacts],
  };
}

function completed(profile: Profile | null, { ageYears, sex }: SaidProfile): Profile | null {
  if (profile === null || (ageYears === undefined && sex === undefined)) return profile;
  return { ageYears: profile.ageYears ?? ageYears ?? null, sex: profile.sex ?? sex ?? null };
}

/** Keeps what is known consistent: measured values, parents, children, exclusions. Built once per bundle. */
export class FindingReasoner {
  readonly #bundle: KnowledgeBundle;
  readonly #children: readonly number[][];
  readonly #valued: readonly { findingIndex: number; condition: Condition }[];

  constructor(bundle: KnowledgeBundle) {
    this.#bundle = bundle;
    const children: number[][] = bundle.findings.map(() => []);
    for (const finding of bundle.findings) for (const parent of finding.parents) children[parent]?.push(finding.index);
    this.#children = children;
    this.#valued = bundle.findings.filter((finding) => finding.value !== '').map((finding) => ({ findingIndex: finding.index, condition: parseCondition(finding.value) }));
  }

  /** Whether a finding speaks for or against diseases; the name of one that was told does not. */
  isEvidence(findingIndex: number): boolean {
    return !isTold(this.#bundle.findings[findingIndex]?.id ?? '');
  }

  /** Finding indices that hold when this one does, itself not included. */
  ancestors(findingIndex: number): ReadonlySet<number> {
    return ancestorsOf(findingIndex, (index) => this.#bundle.findings[index]?.parents ?? []);
  }

  /**
   * Adds what was learnt in a round and everything that follows. Later words about a finding replace earlier ones;
   * within one round a present outweighs an absent, so that a denial cannot hide a complaint. What the profile leaves
   * unknown of age and sex is taken from what is said.
   */
  learn(patient: PatientState, learnt: readonly KnownFinding[], facts: PatientFacts = {}, said: SaidProfile = {}): PatientState {
    const direct = new Map<number, KnownFinding>();
    for (const known of patient.findings.values()) if (known.origin !== 'implied') direct.set(known.findingIndex, known);
    for (const known of learnt) {
      const before = direct.get(known.findingIndex);
      const sameRound = before?.round === known.round;
      if (before !== undefined && before.origin === 'corrected' && known.origin !== 'corrected') continue;
      if (before !== undefined && sameRound && before.state === 'present' && known.state !== 'present' && known.origin !== 'corrected' && known.resolved !== true) continue;
      if (before !== undefined && known.state === 'unknown' && known.origin !== 'corrected') continue;
      direct.set(known.findingIndex, known);
    }
    const merged: PatientState = { profile: completed(patient.profile, said), said: { ...patient.said, ...said }, facts: { ...patient.facts, ...facts }, findings: direct };
    // Conditions may name findings that are only implied, so they are evaluated over the closed state.
    const measured = this.#measure({ ...merged, findings: this.#close(direct) }, direct, learnt);
    return { ...merged, findings: this.#close(measured) };
  }

  /** Findings that follow from measured values; a measurement that contradicts itself over rounds is replaced. */
  #measure(patient: PatientState, direct: ReadonlyMap<number, KnownFinding>, learnt: readonly KnownFinding[]): Map<number, KnownFinding> {
    const scope = conditionScope(patient, this.#bundle);
    const findings = new Map(direct);
    const round = learnt[0]?.round ?? -1;
    for (const { findingIndex, condition } of this.#valued) {
      const before = findings.get(findingIndex);
      if (before?.origin === 'measured') findings.delete(findingIndex);
      const state = holds(condition, scope) ? 'present' : 'absent';
      if (state === 'absent' && (findingsOf(condition).length > 0 || !variablesOf(condition).every((name) => scope.variable(name) !== undefined))) continue;
      if (state === 'absent' && before !== undefined && before.origin !== 'measured') continue;
      // Of a set of which one holds, the others follow from it.
      if (state === 'absent' && (this.#bundle.findings[findingIndex]?.excludes.length ?? 0) > 0) continue;
      if (before !== undefined && before.origin !== 'measured' && (before.origin === 'corrected' || before.state === 'present')) continue;
      findings.set(findingIndex, { findingIndex, state, origin: 'measured', round: before?.origin === 'measured' ? before.round : round });
    }
    return findings;
  }

  /** Present: parents present, exclusions absent. Absent: children absent. Direct knowledge is never overwritten. */
  #close(direct: ReadonlyMap<number, KnownFinding>): Map<number, KnownFinding> {
    const all = new Map(direct);
    const imply = (findingIndex: number, state: Polarity, round: number): void => {
      const before = all.get(findingIndex);
      if (before !== undefined && (STRENGTH[before.origin] > 0 || before.state === 'present')) {
        // A child that is present outweighs a parent that was denied in general words, or before.
        if (!(state === 'present' && before.state !== 'present' && (before.origin === 'said' || (before.origin !== 'corrected' && round > before.round)))) return;
      }
      all.set(findingIndex, { findingIndex, state, origin: 'implied', round });
    };
    for (const known of direct.values()) {
      if (known.state !== 'present') continue;
      for (const parent of this.ancestors(known.findingIndex)) imply(parent, 'present', known.round);
      for (const other of this.#bundle.findings[known.findingIndex]?.excludes ?? []) imply(other, 'absent', known.round);
    }
    const walkAbsent = (index: number, round: number): void => {
      for (const child of this.#children[index] ?? []) {
        if (all.has(child)) continue;
        all.set(child, { findingIndex: child, state: 'absent', origin: 'implied', round });
        walkAbsent(child, round);
      }
    };
    for (const known of direct.values()) if (all.get(known.findingIndex)?.state === 'absent') walkAbsent(known.findingIndex, known.round);
    return all;
  }
}
