export { createConsultation, createParts, createReaders, createRetriever, restoreConsultation } from './anamnesis.js';
export type { ConsultationOptions, PartsOptions } from './options.js';
export { type LoadedBundle, loadBundle, type LoadOptions } from './bundle/load.js';
export { BrowserBundleCache, type BundleCache } from './bundle/cache.js';
export type { DiLeaf, Disease, DiTree, Finding, KnowledgeBundle, Language, Localized, Manifest, School, Sex, Urgency } from './bundle/bundle.js';
export { URGENCY_LEVELS } from './bundle/bundle.js';
export { Consultation, type ConsultationEvent, type ConsultationParts, DEFAULT_MAX_QUESTIONS } from './consultation/consultation.js';
export type {
  AnswerValue,
  ConsultationRecord,
  ConsultationState,
  Correction,
  PatientInput,
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
export { StoreError } from './errors/store-error.js';
export { StrategyError } from './errors/strategy-error.js';
export { type ConsultationExport, exportConsultation } from './export/json.js';
export type { PatientFacts, Profile } from './findings/finding-state.js';
export type { CandidateDisease, IndexChoice, Retriever } from './retriever/retriever.js';
export type { RedFlag } from './safety/red-flags.js';
export type { Hit, VectorStore } from './store/vector-store.js';
export type { Decision, DialogueStrategy, TurnEvent, TurnInput } from './strategy/strategy.js';
