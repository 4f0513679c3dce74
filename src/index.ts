export { createConsultation, createModelSession, createParts, createReaders, createRetriever, createStrategy, restoreConsultation, warmUp, wrapHostModel } from './anamnesis.js';
export type { ConsultationOptions, PartsOptions, StrategyOptions } from './options.js';
export { type LoadedBundle, loadBundle, type LoadOptions } from './bundle/load.js';
export { BrowserBundleCache, type BundleCache } from './bundle/cache.js';
export type { DiLeaf, Disease, DiTree, Finding, KnowledgeBundle, Language, Localized, Manifest, School, Sex, Urgency, Within } from './bundle/bundle.js';
export { URGENCY_LEVELS } from './bundle/bundle.js';
export { Consultation, type ConsultationEvent, type ConsultationParts, DEFAULT_MAX_QUESTIONS } from './consultation/consultation.js';
export type {
  AnswerValue,
  ConsultationRecord,
  ConsultationState,
  Correction,
  PatientInput,
  Reply,
  Result,
  ResultCandidate,
  Round,
  UnderstoodFinding,
  UrgencyAssessment,
} from './consultation/state.js';
export { type ConsultationStore, MemoryConsultationStore, openConsultationStore } from './consultation/storage.js';
export type { Candidate, Evidence, Question, Strength } from './differential/differential.js';
export type { Embedder } from './embedding/embedder.js';
export { AnamnesisError, isAnamnesisError } from './errors/anamnesis-error.js';
export { BundleError } from './errors/bundle-error.js';
export { type ErrorCode, ERROR_CODES } from './errors/codes.js';
export { ConsultationError } from './errors/consultation-error.js';
export { EvaluationError } from './errors/evaluation-error.js';
export { ModelError } from './errors/model-error.js';
export { StoreError } from './errors/store-error.js';
export { StrategyError } from './errors/strategy-error.js';
export { type ConsultationExport, exportConsultation } from './export/json.js';
export type { PatientFacts, Profile } from './findings/finding-state.js';
export type { CandidateDisease, IndexChoice, Retriever } from './retriever/retriever.js';
export type { RedFlag } from './safety/red-flags.js';
export type { Hit, VectorStore } from './store/vector-store.js';
export type { ChatEvent, ChatMessage, ChatRequest, JsonSchema, LanguageModel, ModelProgress, RuntimeName } from './llm/language-model.js';
export type { Catalogue, CatalogueModel, ModelFile, ModelIndex, ModelManifest, ModelVariant } from './llm/catalogue.js';
export type { ModelSession, ModelSessionOptions } from './llm/model-session.js';
export { type ModelOffer, type ModelPhase, type ModelState, NO_MODEL } from './llm/model-state.js';
export type { Method, ModelStrategyName } from './strategy/methods.js';
export type { ModelStrategyOptions } from './strategy/model-options.js';
export type { Decision, DialogueStrategy, ModelTask, ReplySentence, ReplySource, TranscriptLine, TurnEvent, TurnInput } from './strategy/strategy.js';
