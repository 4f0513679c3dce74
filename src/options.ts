import type { Embedder } from './embedding/embedder.js';
import type { IndexChoice } from './retriever/retriever.js';
import type { VectorStore } from './store/vector-store.js';
import type { ModelStrategyOptions } from './strategy/model-options.js';
import type { DialogueStrategy } from './strategy/strategy.js';

export interface PartsOptions {
  /** How turns are answered: without a model, by a strategy of `createStrategy`, or by one of the host page's own. @default 'guided' */
  readonly strategy?: 'guided' | DialogueStrategy;
  /** Which of the paper's indices the retriever searches. @default 'both' */
  readonly index?: IndexChoice;
  /** Must have made the bundle's rows, or rows that were loaded with it; stays the caller's. @default the encoder that travels in the bundle */
  readonly embedder?: Embedder;
  /** Built over the bundle's vectors. @default our exact store */
  readonly store?: VectorStore;
}

export interface ConsultationOptions extends PartsOptions {
  /** Questions asked at most, 0 to 50; more questions find more and tire people. @default 10 */
  readonly maxQuestions?: number;
}

/** Options of a strategy that asks a language model. */
export type StrategyOptions = ModelStrategyOptions & Pick<PartsOptions, 'embedder' | 'store'>;
