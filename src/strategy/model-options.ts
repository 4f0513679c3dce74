import type { LanguageModel } from '../llm/language-model.js';
import type { IndexChoice } from '../retriever/retriever.js';

export interface ModelStrategyOptions {
  readonly model: LanguageModel;
  /** Candidate diseases shown to the model, 1 to 9; more find more and cost context. @default 5 (MRD-RAG) */
  readonly topK?: number;
  /** Index that is searched. @default 'pmh', the paper's better one */
  readonly index?: IndexChoice;
  /** Rounds in which the model asks or concludes, 1 to 10; in the last it concludes. @default 3 (MRD-RAG) */
  readonly maxRounds?: number;
  /** Questions that one round may ask, 1 to 5. @default 3 */
  readonly questionsPerRound?: number;
  /** Who analyses: `knowledge` costs no call. @default 'model' from 2 billion weights, else 'knowledge' */
  readonly analysis?: 'model' | 'knowledge';
  /** Who asks: from the list that the knowledge gives, or in words of its own. @default 'listed'; 'own' for `direct` */
  readonly asks?: 'listed' | 'own';
  /** Who orders what is named; both name candidates only. @default 'model' from 2 billion weights, else 'knowledge' */
  readonly ranking?: 'model' | 'knowledge';
  /** Candidates by the posterior over what was retrieved; false: as retrieved, as in the paper. @default true */
  readonly rerank?: boolean;
  /** Tokens of a prompt at most, whatever the context. @default 2500 */
  readonly promptTokens?: number;
  /** Tokens of a reply at most. @default 220 */
  readonly replyTokens?: number;
  /** Seconds for each reply, prompt included; then `guided` answers the turn. @default 60 */
  readonly replySeconds?: number;
  /** Slower than this the model is given up for the turn. @default 1 */
  readonly leastTokensPerSecond?: number;
}

const LARGE = 2e9;

/** Options with every default filled in. */
export type ModelStrategySettings = Required<ModelStrategyOptions>;

/** @throws {RangeError} a number out of its range */
export function withDefaults(options: ModelStrategyOptions, asks: 'listed' | 'own'): ModelStrategySettings {
  const isLarge = (options.model.parameters ?? 0) >= LARGE;
  const settings: ModelStrategySettings = {
    model: options.model,
    topK: options.topK ?? 5,
    index: options.index ?? 'pmh',
    maxRounds: options.maxRounds ?? 3,
    questionsPerRound: options.questionsPerRound ?? 3,
    analysis: options.analysis ?? (isLarge ? 'model' : 'knowledge'),
    asks: options.asks ?? asks,
    ranking: options.ranking ?? (isLarge ? 'model' : 'knowledge'),
    rerank: options.rerank ?? true,
    promptTokens: options.promptTokens ?? 2_500,
    replyTokens: options.replyTokens ?? 220,
    replySeconds: options.replySeconds ?? 60,
    leastTokensPerSecond: options.leastTokensPerSecond ?? 1,
  };
  const whole = (name: 'topK' | 'maxRounds' | 'questionsPerRound' | 'promptTokens' | 'replyTokens', from: number, to: number): void => {
    if (!Number.isInteger(settings[name]) || settings[name] < from || settings[name] > to) throw new RangeError(`${name} must be an integer from ${String(from)} to ${String(to)}, not ${String(settings[name])}`);
  };
  whole('topK', 1, 9);
  whole('maxRounds', 1, 10);
  whole('questionsPerRound', 1, 5);
  whole('promptTokens', 200, 100_000);
  whole('replyTokens', 16, 4_000);
  return settings;
}
