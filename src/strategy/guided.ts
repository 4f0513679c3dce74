import type { KnowledgeBundle } from '../bundle/bundle.js';
import { Likelihood } from '../differential/likelihood.js';
import { QuestionChooser } from '../differential/next-question.js';
import { type CountedFinding, countedFindings, posterior } from '../differential/posterior.js';
import { rankCandidates } from '../differential/rank.js';
import type { Question } from '../differential/differential.js';
import type { FindingReasoner } from '../findings/finding-state.js';
import type { CandidateDisease, IndexChoice, Retriever } from '../retriever/retriever.js';
import type { Decision, DialogueStrategy, TurnEvent, TurnInput } from './strategy.js';

export interface GuidedOptions {
  /** @default 'both' */
  readonly index?: IndexChoice;
}

/** Diseases taken from the retriever into the differential. */
const RETRIEVED = 20;
/** The leader is clear at this posterior … */
const CLEAR = 0.82;
/** … once this many questions were asked … */
const LEAST_QUESTIONS = 3;
/** … and no emergency other than the leader keeps more than this. */
const DANGER_LEFT = 0.05;
/** A question expected to tell less than this (bits per cost) is not asked. */
const LEAST_VALUE = 0.02;

/**
 * The consultation without a model: retrieval and the posterior choose question and result. Deterministic; every other
 * strategy falls back to it.
 */
export class GuidedStrategy implements DialogueStrategy {
  readonly name = 'guided';
  readonly #bundle: KnowledgeBundle;
  readonly #retriever: Retriever;
  readonly #reasoner: FindingReasoner;
  readonly #likelihood: Likelihood;
  readonly #chooser: QuestionChooser;
  readonly #index: IndexChoice;
  #retrieved: { query: string; candidates: readonly CandidateDisease[] } | undefined;

  constructor(bundle: KnowledgeBundle, retriever: Retriever, reasoner: FindingReasoner, options: GuidedOptions = {}) {
    this.#bundle = bundle;
    this.#retriever = retriever;
    this.#reasoner = reasoner;
    this.#index = options.index ?? 'both';
    this.#likelihood = new Likelihood(bundle, reasoner);
    this.#chooser = new QuestionChooser(bundle, this.#likelihood);
  }

  questionById(id: string): Question | undefined {
    return this.#chooser.questionById(id);
  }

  async *turn(input: TurnInput): AsyncGenerator<TurnEvent, void, undefined> {
    yield { type: 'gate-end', retrieve: true };
    yield { type: 'retrieval-start' };
    const retrieved = await this.#retrieve(input.utterances);
    input.signal.throwIfAborted();
    yield { type: 'retrieval-end', candidates: retrieved };
    const counted = countedFindings(input.patient, this.#reasoner);
    const known = counted.some((one) => one.state === 'present' && this.#bundle.findings[one.findingIndex]?.kind !== 'risk');
    if (!known && (retrieved.length === 0 || counted.length === 0)) {
      yield { type: 'decision', decision: { type: 'conclude', enough: false, reason: 'not-enough' }, differential: [] };
      return;
    }
    yield this.#decide(input, counted, retrieved);
  }

  /** An answer adds no words, so most turns ask for what was retrieved before. */
  async #retrieve(utterances: readonly string[]): Promise<readonly CandidateDisease[]> {
    const query = utterances.join('\n');
    if (this.#retrieved?.query !== query) {
      this.#retrieved = { query, candidates: await this.#retriever.retrieve(utterances, { topK: RETRIEVED, index: this.#index }) };
    }
    return this.#retrieved.candidates;
  }

  #decide(input: TurnInput, counted: readonly CountedFinding[], retrieved: readonly CandidateDisease[]): TurnEvent {
    const scores = new Map(retrieved.map(({ diseaseIndex, score }) => [diseaseIndex, score]));
    const probabilities = posterior(this.#bundle, this.#likelihood, input.patient, counted, scores);
    const differential = rankCandidates(this.#bundle, this.#likelihood, probabilities, counted);
    const conclude = (reason: Extract<Decision, { type: 'conclude' }>['reason']): TurnEvent => ({ type: 'decision', decision: { type: 'conclude', enough: true, reason }, differential });
    if (input.questionsLeft === 0) return conclude('question-limit');
    const leader = differential[0];
    const dangerLeft = this.#bundle.diseases.reduce((sum, disease) => sum + (disease.urgency === 'emergency' && disease.index !== leader?.diseaseIndex ? (probabilities[disease.index] ?? 0) : 0), 0);
    if (leader !== undefined && leader.probability >= CLEAR && dangerLeft < DANGER_LEFT && input.asked.size >= LEAST_QUESTIONS) return conclude('clear-leader');
    const best = this.#chooser.choose(input.patient, probabilities, input.asked);
    if (best === undefined || (best.value < LEAST_VALUE && input.asked.size >= LEAST_QUESTIONS)) return conclude('nothing-more-helps');
    return { type: 'decision', decision: { type: 'ask', question: best.question }, differential };
  }

  close(): void {
    this.#retrieved = undefined;
    this.#retriever.close();
  }
}
