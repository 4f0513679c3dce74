import type { Candidate, Question } from '../differential/differential.js';
import type { ErrorCode } from '../errors/codes.js';
import type { PatientState } from '../findings/finding-state.js';
import type { RedFlag } from '../safety/red-flags.js';

/** What a strategy is given for one turn. */
export interface TurnInput {
  readonly patient: PatientState;
  /** All the patient's own words so far, one string a round; the retriever's query (MRD-RAG: patient words only). */
  readonly utterances: readonly string[];
  /** The dialogue as words, oldest first: what was asked and what was given. The last is the patient's. */
  readonly transcript: readonly TranscriptLine[];
  /** Question ids that were asked, so that none is asked twice. */
  readonly asked: ReadonlySet<string>;
  /** Questions that may still be asked; 0: conclude. */
  readonly questionsLeft: number;
  /** Rules that fired; a strategy may word them, never lower them. */
  readonly redFlags: readonly RedFlag[];
  readonly signal: AbortSignal;
}

/** One side's words in a dialogue. */
export interface TranscriptLine {
  readonly speaker: 'patient' | 'doctor';
  readonly text: string;
}

/** One sentence of a doctor's reply that passed the checks. */
export interface ReplySentence {
  readonly text: string;
  /** The DI-Tree leaf it rests on; null: the model's own wording. */
  readonly source: ReplySource | null;
}

export interface ReplySource {
  readonly diseaseIndex: number;
  readonly diseaseName: string;
  /** Of the DI-Tree's leaf. */
  readonly leafId: string;
  /** Headings above the leaf. */
  readonly path: readonly string[];
  /** The leaf's text. */
  readonly words: string;
}

/** What a turn ends with, readable by a machine. */
export type Decision =
  | { readonly type: 'ask'; readonly question: Question }
  /** `enough` false: there is too little to name anything. */
  | {
      readonly type: 'conclude';
      readonly enough: boolean;
      readonly reason: 'clear-leader' | 'nothing-more-helps' | 'question-limit' | 'not-enough' | 'asked-to';
      /** So many of the differential's first are named however improbable: a strategy chose them. @default 1 */
      readonly named?: number;
    };

/** What a language model is asked for within a turn. */
export type ModelTask = 'gate' | 'keywords' | 'analyze' | 'doctor';

/** Parts of a turn as they come. Text deltas come from language-model strategies; `guided` sends none. */
export type TurnEvent =
  | { readonly type: 'gate-end'; readonly retrieve: boolean }
  | { readonly type: 'retrieval-start' }
  | { readonly type: 'retrieval-end'; readonly candidates: readonly { readonly diseaseIndex: number; readonly score: number }[] }
  | { readonly type: 'analysis-delta'; readonly text: string }
  | { readonly type: 'reply-start' }
  /** Comes sentence by sentence: none is shown before it was checked. */
  | { readonly type: 'reply-delta'; readonly sentence: ReplySentence }
  | { readonly type: 'reply-end' }
  /** A call of the language model ended. `tokensPerSecond` of its reply; null where it was too short to tell. */
  | { readonly type: 'model-call'; readonly task: ModelTask; readonly promptTokens: number; readonly replyTokens: number; readonly tokensPerSecond: number | null }
  /** The model gave nothing usable, for this reason; what was shown of its reply is void, and `guided` answers the turn. */
  | { readonly type: 'fallback'; readonly code: ErrorCode }
  | { readonly type: 'decision'; readonly decision: Decision; readonly differential: readonly Candidate[]; /** Chinese medicine: diseases (病) beside the syndromes that the differential names. */ readonly alsoNamed?: readonly Candidate[] };

/**
 * How gate, retriever, analyzer and doctor combine. Every turn ends with exactly one `decision` event, whatever fails.
 * Safety is not its business: rules run before it, and nothing that it yields lowers an urgency.
 */
export interface DialogueStrategy {
  /** As in `options.strategy`. */
  readonly name: string;
  /** Answers one turn. Aborting `input.signal` rejects with its reason. */
  turn(input: TurnInput): AsyncGenerator<TurnEvent, void, undefined>;
  /** Stops waiting for a model in the turn that runs: it is answered without. */
  skip?(): void;
  /** Releases what it holds; a language model stays its owner's. May be called twice. */
  close(): void;
}
