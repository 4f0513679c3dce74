/** Names of the strategies that need a language model. */
export type ModelStrategyName = 'mrd-rag' | 'direct' | 'single-round' | 'rag-pulse';

/** How gate, retriever and analyzer combine; the doctor is in every method. */
export interface Method {
  readonly name: ModelStrategyName;
  /** Rounds in which the retriever may be asked. */
  readonly retrieves: 'never' | 'first-round' | 'each-round';
  /** The gate decides after round 1. */
  readonly gated: boolean;
  readonly query: 'utterances' | 'keywords';
  readonly analyzes: boolean;
}

/** MRD-RAG (§4.2) and the baselines that its paper compares it with (§5.1.3), on the same parts. */
export const METHODS: Readonly<Record<ModelStrategyName, Method>> = {
  'mrd-rag': { name: 'mrd-rag', retrieves: 'each-round', gated: true, query: 'utterances', analyzes: true },
  direct: { name: 'direct', retrieves: 'never', gated: false, query: 'utterances', analyzes: false },
  'single-round': { name: 'single-round', retrieves: 'first-round', gated: false, query: 'utterances', analyzes: false },
  'rag-pulse': { name: 'rag-pulse', retrieves: 'each-round', gated: false, query: 'keywords', analyzes: false },
};
