import type { Candidate, Question } from '../differential/differential.js';
import type { PatientState } from '../findings/finding-state.js';
import type { RedFlag } from '../safety/red-flags.js';

/** What a strategy is given for one turn. */
export interface TurnInput {
  readonly patient: PatientState;
  /** All the patient's own words so far, one string a round; the retriever's query (MRD-RAG: patient words only). */
  readonly utterances: readonly string[];
  /** Question ids that were asked, so that none is asked twice. */
  readonly asked: ReadonlySet<string>;
  /** Questions that may still be asked; 0: conclude. */
  readonly questionsLeft: number;
  /** Rules that fired; a strategy may word them, never lower them. */
  readonly redFlags: readonly RedFlag[];
  readonly signal: AbortSignal;
}

/** What a turn ends with, readable by a machine. */
export type Decision =
  | { readonly type: 'ask'; readonly question: Question }
  /** `enough` false: there is too little to name anything. */
  | { readonly type: 'conclude'; readonly enough: boolean; readonly reason: 'clear-leader' | 'nothing-more-helps' | 'question-limit' | 'not-enough' | 'asked-to' };

/** Parts of a turn as they come. Text deltas come from language-model strategies; `guided` sends none. */
export type TurnEvent =
  | { readonly type: 'gate-end'; readonly retrieve: boolean }
  | { readonly type: 'retrieval-start' }
  | { readonly type: 'retrieval-end'; readonly candidates: readonly { readonly diseaseIndex: number; readonly score: number }[] }
  | { readonly type: 'analysis-delta'; readonly text: string }
  | { readonly type: 'reply-start' }
  | { readonly type: 'reply-delta'; readonly text: string }
  | { readonly type: 'reply-end'; readonly text: string }
  | { readonly type: 'decision'; readonly decision: Decision; readonly differential: readonly Candidate[] };

/**
 * How gate, retriever, analyzer and doctor combine. Every turn ends with exactly one `decision` event, whatever fails.
 * Safety is not its business: rules run before it, and nothing that it yields lowers an urgency.
 */
export interface DialogueStrategy {
  /** As in `options.strategy`. */
  readonly name: string;
  /** Answers one turn. Aborting `input.signal` rejects with its reason. */
  turn(input: TurnInput): AsyncGenerator<TurnEvent, void, undefined>;
  /** Releases workers and models; may be called twice. */
  close(): void;
}
