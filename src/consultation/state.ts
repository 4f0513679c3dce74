import type { Urgency, Within } from '../bundle/bundle.js';
import type { Candidate, Question } from '../differential/differential.js';
import type { PatientFacts, Profile } from '../findings/finding-state.js';
import type { RedFlag } from '../safety/red-flags.js';
import type { ReplySentence } from '../strategy/strategy.js';

/** What the patient gives in a round. */
export type PatientInput =
  | { readonly type: 'utterance'; readonly text: string }
  | { readonly type: 'answer'; readonly questionId: string; readonly value: AnswerValue };

/**
 * yes-no: `yes`, `no`, `unknown`. one-of and many-of: option ids (one-of exactly one), an empty list for "none of
 * these", or `unknown`; what a many-of leaves out beside what it names stays unknown. number: a number in the question's
 * unit, or `unknown`.
 */
export type AnswerValue = 'yes' | 'no' | 'unknown' | readonly string[] | number;

/** A correction of what was understood: a state, or null to forget it. */
export interface Correction {
  readonly findingId: string;
  readonly state: 'present' | 'absent' | null;
}

/** One finding as shown to the visitor. */
export interface UnderstoodFinding {
  readonly id: string;
  readonly name: string;
  readonly state: 'present' | 'absent' | 'unknown';
  readonly origin: 'said' | 'answered' | 'measured' | 'implied' | 'corrected';
  /** The visitor's words; empty where there are none. */
  readonly quote: string;
  readonly round: number;
}

/** One round: what was asked, what was given. */
export interface Round {
  /** The question that was open; null for the first and for free text. */
  readonly question: Question | null;
  readonly input: PatientInput;
  /** Ids of findings that became known in this round. */
  readonly learnt: readonly string[];
}

/** How urgent it is and why. */
export interface UrgencyAssessment {
  readonly level: Urgency;
  /** The soonest that a red flag rule of this level asks for; null where none fired. */
  readonly within: Within | null;
  /** What to do, one sentence, in the bundle's language. */
  readonly advice: string;
  /** Each reason with where it comes from: a red flag rule, or a candidate and its knowledge. */
  readonly reasons: readonly { readonly text: string; readonly source: string }[];
}

/** A candidate with what the result page shows of it. */
export interface ResultCandidate extends Candidate {
  readonly aliases: readonly string[];
  readonly overview: string;
  readonly seekCare: readonly string[];
  readonly care: readonly string[];
  readonly sources: readonly string[];
  /** `none`: not clinically reviewed. */
  readonly review: string;
}

/** What a consultation ends with. */
export interface Result {
  /** False: not enough to go on; `candidates` is empty. */
  readonly enough: boolean;
  readonly reason: 'clear-leader' | 'nothing-more-helps' | 'question-limit' | 'not-enough' | 'asked-to';
  readonly urgency: UrgencyAssessment;
  readonly candidates: readonly ResultCandidate[];
  /** Chinese medicine: diseases (病) that go with the syndromes named, best first; else empty. */
  readonly alsoNamed: readonly { readonly id: string; readonly name: string; /** 0 to 1. */ readonly probability: number }[];
}

/** What a language model wrote in the last turn. Wording only: urgency, red flags and what is named are not in it. */
export interface Reply {
  /** Checked one by one; each rests on a DI-Tree leaf or is marked as the model's wording. */
  readonly sentences: readonly ReplySentence[];
  /** The analyzer's thinking, shown on request; empty where there was none. */
  readonly analysis: string;
  /** False while it is being written. */
  readonly isComplete: boolean;
}

/** A snapshot; a new object after every change, never changed in place. */
export interface ConsultationState {
  /** `ready` for the first words, `answering` a round, `asking`, `concluded`, `closed`. */
  readonly status: 'ready' | 'answering' | 'asking' | 'concluded' | 'closed';
  readonly profile: Profile | null;
  /** An age that the words give, years, where it is far from the profile's: perhaps another person is the patient. Else null. */
  readonly otherAge: number | null;
  readonly rounds: readonly Round[];
  /** The open question, while `asking`. */
  readonly question: Question | null;
  readonly questionsAsked: number;
  readonly maxQuestions: number;
  /** Direct findings first, then implied ones. */
  readonly understood: readonly UnderstoodFinding[];
  readonly facts: PatientFacts;
  readonly redFlags: readonly RedFlag[];
  /** Urgency so far; null before the first words. Never lower than what any red flag that fired allows. */
  readonly urgency: UrgencyAssessment | null;
  readonly differential: readonly Candidate[];
  readonly result: Result | null;
  /** Of the last turn; null where no model wrote. */
  readonly reply: Reply | null;
}

/** What is saved, exported and replayed: inputs only; everything else is computed from them again. */
export interface ConsultationRecord {
  readonly kind: 'anamnesis-consultation';
  readonly recordVersion: 1;
  /** Random, from `crypto.getRandomValues`. */
  readonly id: string;
  readonly bundle: { readonly id: string; readonly version: string };
  readonly strategy: string;
  readonly maxQuestions: number;
  readonly profile: Profile | null;
  readonly inputs: readonly PatientInput[];
  /** Question asked before each input, by id; null for free text. */
  readonly questions: readonly (string | null)[];
  readonly corrections: readonly Correction[];
  /** The visitor asked for the result before the strategy would have concluded. */
  readonly concluded: boolean;
}
