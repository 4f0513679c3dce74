import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Question } from '../differential/differential.js';
import { ConsultationError } from '../errors/consultation-error.js';
import { isHardlyRead, SWEEP_PREFIX, sweepId } from '../findings/danger-sweep.js';
import type { FindingExtractor } from '../findings/extract.js';
import { EMPTY_PATIENT, type FindingReasoner, type PatientState, type Profile } from '../findings/finding-state.js';
import { asEither, otherAge } from '../findings/said-profile.js';
import { byLevel, type RedFlag, type RedFlagChecker } from '../safety/red-flags.js';
import { assessUrgency } from './urgency.js';
import type { Decision, DialogueStrategy, TurnEvent } from '../strategy/strategy.js';
import { learnInput } from './learn-input.js';
import { isProfile } from './record.js';
import { buildResult, understoodFindings } from './result.js';
import type { ConsultationRecord, ConsultationState, Correction, PatientInput, Reply, Round } from './state.js';
import { replyAfter, transcriptOf } from './transcript.js';

/** What a round sends as it is answered. `red-flag` comes before anything else of the round. */
export type ConsultationEvent =
  | { readonly type: 'round-start'; readonly round: number }
  | { readonly type: 'red-flag'; readonly flags: readonly RedFlag[] }
  | TurnEvent
  | { readonly type: 'round-end'; readonly state: ConsultationState };

/** The parts that a consultation works with, for one bundle; made by `anamnesis.ts`. */
export interface ConsultationParts {
  readonly bundle: KnowledgeBundle;
  readonly extractor: FindingExtractor;
  readonly reasoner: FindingReasoner;
  readonly redFlags: RedFlagChecker;
  readonly strategy: DialogueStrategy;
  /** Builds a question of this bundle again from its id; undefined where the bundle has none. */
  questionById(id: string): Question | undefined;
}

export interface ConsultationSettings {
  readonly id: string;
  readonly maxQuestions: number;
}

/** Default limit of questions asked. */
export const DEFAULT_MAX_QUESTIONS = 10;

/**
 * One patient's dialogue. Its inputs are the only state that is kept: what is known, how urgent it is and what is asked
 * next are computed from them, so that the same inputs give the same consultation and any earlier one can be changed.
 */
export class Consultation {
  readonly id: string;
  readonly maxQuestions: number;
  #parts: ConsultationParts;
  #profile: Profile | null = null;
  #inputs: PatientInput[] = [];
  #questions: (Question | null)[] = [];
  #corrections: Correction[] = [];
  #concludeAsked = false;
  #open: Question | null = null;
  #decision: Decision | null = null;
  #reply: Reply | null = null;
  #state: ConsultationState;
  #abort: AbortController | null = null;
  #closed = false;
  #empty: PatientState = EMPTY_PATIENT;
  #read: { input: PatientInput; question: Question | null; before: PatientState; after: PatientState; parts: ConsultationParts }[] = [];
  readonly #listeners = new Set<(state: ConsultationState) => void>();

  constructor(parts: ConsultationParts, settings: ConsultationSettings) {
    this.#parts = parts;
    this.id = settings.id;
    this.maxQuestions = settings.maxQuestions;
    this.#state = this.#compute([], 'ready');
  }

  /** The latest snapshot. */
  get state(): ConsultationState {
    return this.#state;
  }

  get bundle(): KnowledgeBundle {
    return this.#parts.bundle;
  }

  /** Calls back after every change of the state; returns the way to stop. */
  subscribe(listener: (state: ConsultationState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Sets age and sex; everything is computed again.
   * @throws {ConsultationError} profile-invalid, closed
   */
  async setProfile(profile: Profile): Promise<ConsultationState> {
    this.#mustBeOpen();
    if (!isProfile(profile)) {
      throw new ConsultationError('profile-invalid', 'Age must be 0 to 130 years and sex female or male; null where nobody knows it.', { state: this.#state.status });
    }
    this.#profile = { ageYears: profile.ageYears, sex: profile.sex };
    return this.#answerAgain();
  }

  /**
   * Takes a round's input and answers it. Iterate to the end; returning early or aborting leaves the input in place and
   * the consultation usable.
   * @throws {ConsultationError} profile-missing, round-in-progress, question-unknown, answer-invalid, closed
   */
  async *send(input: PatientInput, options: { signal?: AbortSignal } = {}): AsyncGenerator<ConsultationEvent, void, undefined> {
    this.#mustBeOpen();
    if (this.#abort !== null) throw new ConsultationError('round-in-progress', 'A round is still being answered; wait for its end or abort it.', { state: this.#state.status });
    if (this.#profile === null) throw new ConsultationError('profile-missing', 'Set age and sex before the first words.', { state: this.#state.status });
    const question = input.type === 'answer' ? this.#openQuestion(input.questionId) : this.#open?.type === 'open' ? this.#open : null;
    this.#check(input, question);
    this.#inputs.push(input);
    this.#questions.push(question);
    if (input.type === 'utterance') this.#concludeAsked = false;
    yield* this.#answer(options.signal);
  }

  /**
   * Replaces the input of an earlier round; later rounds stay and everything is computed again.
   * @param round zero-based
   * @throws {RangeError} no such round
   */
  async change(round: number, input: PatientInput): Promise<ConsultationState> {
    this.#mustBeOpen();
    const question = this.#questions[round];
    if (question === undefined) throw new RangeError(`no round ${String(round)}; there are ${String(this.#inputs.length)}`);
    this.#check(input, question);
    this.#inputs[round] = input;
    return this.#answerAgain();
  }

  /** Corrects what was understood of one finding. */
  async correct(correction: Correction): Promise<ConsultationState> {
    this.#mustBeOpen();
    this.#corrections = [...this.#corrections.filter((one) => one.findingId !== correction.findingId), correction];
    return this.#answerAgain();
  }

  /** Asks for the result now. */
  async conclude(): Promise<ConsultationState> {
    this.#mustBeOpen();
    this.#concludeAsked = true;
    return this.#answerAgain();
  }

  /** Goes on asking after a result, where questions are left. */
  async resume(): Promise<ConsultationState> {
    this.#mustBeOpen();
    this.#concludeAsked = false;
    return this.#answerAgain();
  }

  /** Goes on with another bundle, for example the other language; what was said is read again. */
  async useParts(parts: ConsultationParts): Promise<ConsultationState> {
    this.#mustBeOpen();
    if (parts !== this.#parts) this.#parts.strategy.close();
    this.#parts = parts;
    this.#questions = this.#questions.map((question) => (question === null ? null : (parts.questionById(question.id) ?? question)));
    return this.#answerAgain();
  }

  /** Another strategy answers from the next turn on; the one before is closed. Nothing is computed again. */
  useStrategy(strategy: DialogueStrategy): void {
    this.#mustBeOpen();
    if (strategy === this.#parts.strategy) return;
    this.#parts.strategy.close();
    this.#parts = { ...this.#parts, strategy };
    this.#read = this.#read.map((one) => ({ ...one, parts: this.#parts }));
  }

  /** Stops waiting for a language model in the round that is being answered; it is answered without one. */
  skipModel(): void {
    this.#parts.strategy.skip?.();
  }

  /** The inputs, for saving, export and replay. */
  toRecord(): ConsultationRecord {
    const { manifest } = this.#parts.bundle;
    return {
      kind: 'anamnesis-consultation',
      recordVersion: 1,
      id: this.id,
      bundle: { id: manifest.id, version: manifest.version },
      strategy: this.#parts.strategy.name,
      maxQuestions: this.maxQuestions,
      profile: this.#profile,
      inputs: [...this.#inputs],
      questions: this.#questions.map((question) => (question === null || this.#parts.questionById(question.id) === undefined ? null : question.id)),
      corrections: [...this.#corrections],
      concluded: this.#concludeAsked,
    };
  }

  /** Replays a record into this fresh consultation. Answers whose question the bundle no longer has are dropped. */
  async replay(record: ConsultationRecord): Promise<ConsultationState> {
    this.#mustBeOpen();
    this.#profile = record.profile;
    this.#corrections = [...record.corrections];
    this.#concludeAsked = record.concluded;
    record.inputs.forEach((input, index) => {
      const id = record.questions[index] ?? null;
      const question = id === null ? null : (this.#parts.questionById(id) ?? null);
      // An answer means nothing without its question; words do.
      if (question === null && input.type === 'answer') return;
      this.#check(input, question);
      this.#inputs.push(input);
      this.#questions.push(question);
    });
    return this.#answerAgain();
  }

  /** Ends the consultation and forgets its inputs. May be called twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#abort?.abort();
    this.#parts.strategy.close();
    this.#inputs = [];
    this.#questions = [];
    this.#corrections = [];
    this.#read = [];
    this.#profile = null;
    this.#open = null;
    this.#decision = null;
    this.#reply = null;
    this.#publish(this.#compute([], 'closed'));
    this.#listeners.clear();
  }

  /** Refuses an answer that does not fit, before it is taken. Words always fit, and are read once, with their round. */
  #check(input: PatientInput, question: Question | null): void {
    if (input.type === 'answer') learnInput(input, question, 0, this.#parts);
  }

  #openQuestion(questionId: string): Question {
    if (this.#open?.id !== questionId) throw new ConsultationError('question-unknown', 'The answer names a question that is not open.', { state: this.#state.status });
    return this.#open;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new ConsultationError('closed', 'The consultation was closed; start a new one.', { state: 'closed' });
  }

  /** Answers the rounds as they now stand, silently. */
  async #answerAgain(): Promise<ConsultationState> {
    this.#abort?.abort();
    if (this.#inputs.length === 0) {
      this.#publish(this.#compute(this.#patients(), 'ready'));
      return this.#state;
    }
    for await (const event of this.#answer(undefined)) void event;
    return this.#state;
  }

  async *#answer(outer: AbortSignal | undefined): AsyncGenerator<ConsultationEvent, void, undefined> {
    const abort = new AbortController();
    const forward = (): void => abort.abort(outer?.reason);
    if (outer?.aborted === true) forward();
    outer?.addEventListener('abort', forward, { once: true });
    this.#abort = abort;
    this.#open = null;
    this.#decision = null;
    this.#reply = null;
    const before = new Set(this.#state.redFlags.map((flag) => flag.id));
    try {
      const patients = this.#patients();
      this.#publish(this.#compute(patients, 'answering'));
      yield { type: 'round-start', round: this.#inputs.length - 1 };
      const fresh = this.#state.redFlags.filter((flag) => !before.has(flag.id));
      if (fresh.length > 0) yield { type: 'red-flag', flags: fresh };
      const patient = patients.at(-1) ?? EMPTY_PATIENT;
      const asked = new Set(this.#questions.flatMap((question) => (question === null ? [] : [question.id])));
      const sweep = this.#dueSweep(patient);
      const events: AsyncIterable<TurnEvent> | Iterable<TurnEvent> =
        sweep !== undefined
          ? [{ type: 'decision', decision: { type: 'ask', question: sweep }, differential: [] }]
          : this.#parts.strategy.turn({
              patient,
              utterances: this.#inputs.flatMap((input) => (input.type === 'utterance' ? [input.text] : [])),
              transcript: transcriptOf(this.#inputs, this.#questions, this.#parts.bundle.language),
              asked,
              questionsLeft: this.#concludeAsked ? 0 : Math.max(0, this.maxQuestions - asked.size),
              redFlags: this.#state.redFlags,
              signal: abort.signal,
            });
      for await (const event of events) {
        abort.signal.throwIfAborted();
        const reply = replyAfter(this.#reply, event);
        if (reply !== this.#reply) {
          this.#reply = reply;
          this.#publish({ ...this.#state, reply });
        }
        if (event.type === 'decision') {
          this.#decision = this.#concludeAsked && event.decision.type === 'conclude' ? { ...event.decision, reason: event.decision.enough ? 'asked-to' : 'not-enough' } : event.decision;
          this.#open = this.#decision.type === 'ask' ? this.#decision.question : null;
          this.#publish({ ...this.#compute(patients, this.#decision.type === 'ask' ? 'asking' : 'concluded', event.differential, event.alsoNamed) });
        }
        yield event;
      }
      yield { type: 'round-end', state: this.#state };
    } finally {
      outer?.removeEventListener('abort', forward);
      if (this.#abort === abort) this.#abort = null;
      if (this.#state.status === 'answering' && !this.#closed) this.#publish({ ...this.#state, status: 'ready' });
    }
  }

  /** Danger signs to tick, before any strategy, where the first words that tell something, perhaps after a greeting, were hardly understood and alarmed nothing. */
  #dueSweep(patient: PatientState): Question | undefined {
    const round = this.#inputs.length - 1;
    const last = this.#inputs[round];
    const isSaidBefore = [...patient.findings.values()].some((known) => known.state === 'present' && known.round >= 0 && known.round < round);
    if (last?.type !== 'utterance' || isSaidBefore || this.#questions.some((question) => question?.id.startsWith(SWEEP_PREFIX) === true)) return undefined;
    if (this.#concludeAsked || this.#state.questionsAsked >= this.maxQuestions || this.#state.redFlags.length > 0 || !isHardlyRead(last.text, patient)) return undefined;
    const id = sweepId(this.#parts.bundle, patient);
    return id === undefined ? undefined : this.#parts.questionById(id);
  }

  /** What is known after each round. Rounds that stand as they stood are not read again. */
  #patients(): PatientState[] {
    let patient: PatientState = this.#start();
    const { reasoner } = this.#parts;
    const kept = this.#read;
    this.#read = [];
    const patients = this.#inputs.map((input, round) => {
      const question = this.#questions[round] ?? null;
      const before = patient;
      const known = kept[round];
      if (known !== undefined && known.input === input && known.question === question && known.before === before && known.parts === this.#parts) patient = known.after;
      else {
        const learnt = learnInput(input, question, round, this.#parts, before);
        patient = reasoner.learn(before, learnt.findings, learnt.facts, learnt.said);
      }
      this.#read.push({ input, question, before, after: patient, parts: this.#parts });
      return patient;
    });
    if (this.#corrections.length > 0) patients.push(this.#corrected(patient));
    return patients;
  }

  /** What is known before the first words: the profile. The same object while it is the same. */
  #start(): PatientState {
    if (this.#empty.profile !== this.#profile) this.#empty = { ...EMPTY_PATIENT, profile: this.#profile };
    return this.#empty;
  }

  /** A patient with the visitor's corrections. */
  #corrected(patient: PatientState): PatientState {
    const { reasoner, bundle } = this.#parts;
    const corrected = this.#corrections.flatMap((correction) => {
      const findingIndex = bundle.findingIndex(correction.findingId);
      return findingIndex === undefined ? [] : [{ findingIndex, state: correction.state ?? ('unknown' as const), origin: 'corrected' as const, round: this.#inputs.length - 1 }];
    });
    return corrected.length === 0 ? patient : reasoner.learn(patient, corrected);
  }

  /** The rules that fired in any round: a later answer never takes one back, a correction may. */
  #redFlags(patients: readonly PatientState[]): RedFlag[] {
    const fired = new Map<string, RedFlag>();
    for (const patient of patients.flatMap((one) => asEither(this.#corrected(one)))) for (const flag of this.#parts.redFlags.check(patient)) fired.set(flag.id, flag);
    return [...fired.values()].sort(byLevel);
  }

  #compute(patients: readonly PatientState[], status: ConsultationState['status'], differential: ConsultationState['differential'] = [], alsoNamed: ConsultationState['differential'] = []): ConsultationState {
    const { bundle } = this.#parts;
    const patient = patients.at(-1) ?? this.#start();
    const flags = this.#redFlags(patients);
    const urgency = patients.length === 0 ? null : assessUrgency(bundle, patient, flags, differential);
    const rounds = this.#inputs.map((input, round): Round => {
      const direct = [...(patients[round]?.findings.values() ?? [])].filter((known) => known.round === round && known.origin !== 'implied');
      return { question: this.#questions[round] ?? null, input, learnt: direct.map((known) => bundle.findings[known.findingIndex]?.id ?? '') };
    });
    const decision = this.#decision;
    return {
      status,
      profile: this.#profile,
      otherAge: otherAge(this.#profile, patient.said),
      rounds,
      question: status === 'asking' ? this.#open : null,
      questionsAsked: new Set(this.#questions.flatMap((question) => (question === null ? [] : [question.id]))).size,
      maxQuestions: this.maxQuestions,
      understood: understoodFindings(bundle, patient),
      facts: patient.facts,
      redFlags: flags,
      urgency,
      differential,
      result: status === 'concluded' && decision?.type === 'conclude' && urgency !== null ? buildResult(bundle, differential, alsoNamed, decision, urgency) : null,
      reply: this.#reply,
    };
  }

  #publish(state: ConsultationState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
