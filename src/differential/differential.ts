import type { Urgency } from '../bundle/bundle.js';

/** One reason for or against a candidate, with the words of the DI-Tree leaf it rests on. */
export interface Evidence {
  readonly findingId: string;
  /** In the bundle's language. */
  readonly name: string;
  /** What the patient has: the finding present or absent. */
  readonly state: 'present' | 'absent';
  /** Text of the DI-Tree leaf tied to the finding; empty where the candidate's knowledge does not speak of it. */
  readonly words: string;
  /** Headings above that leaf. */
  readonly path: readonly string[];
  /** Natural logarithm of how much it changes the odds; positive speaks for. */
  readonly weight: number;
}

/** Word for a probability, shown beside the number. */
export type Strength = 'strong' | 'moderate' | 'weak';

/** A disease or syndrome that may explain the findings. */
export interface Candidate {
  readonly diseaseIndex: number;
  readonly id: string;
  readonly name: string;
  readonly icd10: string;
  /** Posterior over all diseases of the bundle and "something else", 0 to 1. */
  readonly probability: number;
  readonly strength: Strength;
  /** Urgency of the typical case. */
  readonly urgency: Urgency;
  /** Strongest first. */
  readonly evidenceFor: readonly Evidence[];
  readonly evidenceAgainst: readonly Evidence[];
}

/** A typed question to the patient, in the bundle's language. */
export interface Question {
  /** Unique in a consultation: a finding id, the id of an ask set, a kind of list and its findings (`found:…`), `tell:…`, or `open:` and a number (a model's own). */
  readonly id: string;
  /** `open`: answered in the patient's own words; none or unknown where there is nothing to add. */
  readonly type: 'yes-no' | 'one-of' | 'many-of' | 'number' | 'open';
  readonly text: string;
  /** Why it is asked, in one sentence. */
  readonly why: string;
  /** Of one-of and many-of; `none` is always allowed and is not listed. */
  readonly options: readonly { readonly id: string; readonly text: string }[];
  /** Of a number. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}
