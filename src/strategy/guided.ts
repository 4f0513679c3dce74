import type { Question } from '../differential/differential.js';
import { TELL_MORE } from '../differential/question-words.js';
import type { CandidateDisease, IndexChoice } from '../retriever/retriever.js';
import type { KnowledgeReasoning, Weighed } from './reasoning.js';
import type { Decision, DialogueStrategy, TurnEvent, TurnInput } from './strategy.js';

export interface GuidedOptions {
  /** @default 'both' */
  readonly index?: IndexChoice;
}

/** Candidates of the retriever that an event shows. */
export const RETRIEVED = 20;
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
  readonly #reasoning: KnowledgeReasoning;
  readonly #index: IndexChoice;

  constructor(reasoning: KnowledgeReasoning, options: GuidedOptions = {}) {
    this.#reasoning = reasoning;
    this.#index = options.index ?? 'both';
  }

  questionById(id: string): Question | undefined {
    return this.#reasoning.questionById(id);
  }

  async *turn(input: TurnInput): AsyncGenerator<TurnEvent, void, undefined> {
    yield { type: 'gate-end', retrieve: true };
    yield { type: 'retrieval-start' };
    const retrieved = await this.#reasoning.retrieve(input.utterances, this.#index);
    input.signal.throwIfAborted();
    yield { type: 'retrieval-end', candidates: retrieved.slice(0, RETRIEVED) };
    yield this.decide(input, retrieved);
  }

  /** The decision over what was retrieved already, and weighed, where that was done. */
  decide(input: TurnInput, retrieved: readonly CandidateDisease[], weighed = this.#reasoning.weigh(input.patient, retrieved)): Extract<TurnEvent, { type: 'decision' }> {
    if (!this.#reasoning.isEnough(weighed, retrieved)) return { type: 'decision', decision: this.#notEnough(input), differential: [] };
    return { type: 'decision', decision: this.#decision(input, weighed), differential: weighed.differential, alsoNamed: weighed.alsoNamed };
  }

  /** Asks for more once, unless a red flag says what to do. */
  #notEnough({ asked, questionsLeft, redFlags }: TurnInput): Decision {
    const more = questionsLeft === 0 || redFlags.length > 0 || asked.has(TELL_MORE) ? undefined : this.#reasoning.questionById(TELL_MORE);
    return more === undefined ? { type: 'conclude', enough: false, reason: 'not-enough' } : { type: 'ask', question: more };
  }

  #decision(input: TurnInput, { probabilities, differential }: Weighed): Decision {
    const conclude = (reason: Extract<Decision, { type: 'conclude' }>['reason']): Decision => ({ type: 'conclude', enough: true, reason });
    if (input.questionsLeft === 0) return conclude('question-limit');
    const leader = differential[0];
    const dangerLeft = this.#reasoning.bundle.diseases.reduce((sum, disease) => sum + (disease.urgency === 'emergency' && disease.index !== leader?.diseaseIndex ? (probabilities[disease.index] ?? 0) : 0), 0);
    if (leader !== undefined && leader.probability >= CLEAR && dangerLeft < DANGER_LEFT && input.asked.size >= LEAST_QUESTIONS) return conclude('clear-leader');
    const best = this.#reasoning.questions(input.patient, probabilities, input.asked, 1)[0];
    if (best === undefined || (best.value < LEAST_VALUE && input.asked.size >= LEAST_QUESTIONS)) return conclude('nothing-more-helps');
    return { type: 'ask', question: best.question };
  }

  close(): void {
    this.#reasoning.close();
  }
}
