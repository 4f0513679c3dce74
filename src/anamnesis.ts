import type { KnowledgeBundle } from './bundle/bundle.js';
import { Consultation, type ConsultationParts, DEFAULT_MAX_QUESTIONS } from './consultation/consultation.js';
import { isConsultationRecord } from './consultation/record.js';
import type { ConsultationRecord } from './consultation/state.js';
import { FindingMatcher } from './differential/concept-matcher.js';
import { Likelihood } from './differential/likelihood.js';
import type { Embedder } from './embedding/embedder.js';
import { StaticEmbedder } from './embedding/static-embedder.js';
import { ConsultationError } from './errors/consultation-error.js';
import { StoreError } from './errors/store-error.js';
import { StrategyError } from './errors/strategy-error.js';
import { FindingExtractor } from './findings/extract.js';
import { FindingReasoner } from './findings/finding-state.js';
import type { LanguageModel } from './llm/language-model.js';
import type { ModelSession, ModelSessionOptions } from './llm/model-session.js';
import type { ConsultationOptions, PartsOptions, StrategyOptions } from './options.js';
import { type DenseSearch, Retriever } from './retriever/retriever.js';
import { RedFlagChecker } from './safety/red-flags.js';
import type { VectorStore } from './store/vector-store.js';
import { createExactStore } from './store/exact-store.js';
import { GuidedStrategy } from './strategy/guided.js';
import type { ModelStrategyName } from './strategy/methods.js';
import { KnowledgeReasoning } from './strategy/reasoning.js';
import type { DialogueStrategy } from './strategy/strategy.js';

/** The composition root: the only file that knows every room. */

/**
 * Opens the retriever of a bundle, with the bundle's own encoder and our exact store unless others are given. An encoder
 * that is given stays the caller's; where it fails, the bundle's own takes its place.
 * @throws {StoreError} embedder-mismatch where neither the bundle nor rows loaded with it are the encoder's
 */
export function createRetriever(bundle: KnowledgeBundle, options: { readonly embedder?: Embedder; readonly store?: VectorStore } = {}): Retriever {
  const { concepts } = createReasoningParts(bundle);
  const ownRows = { vectors: bundle.vectors, dimension: bundle.manifest.encoder.dimension };
  const own = (store?: VectorStore): DenseSearch => ({ embedder: new StaticEmbedder(bundle.encoderBytes), store: store ?? createExactStore(ownRows) });
  const { embedder, store } = options;
  if (embedder === undefined) return new Retriever(bundle, own(store), concepts);
  const rows = embedder.id === bundle.manifest.encoder.id ? ownRows : bundle.encoders.get(embedder.id);
  if (rows?.dimension !== embedder.dimension) {
    throw new StoreError('embedder-mismatch', `No rows of ${embedder.id} with ${String(embedder.dimension)} values are loaded with ${bundle.id}; make them with "anamnesis bundle embed", and name it in the encoders of loadBundle.`);
  }
  return new Retriever(bundle, { embedder, store: store ?? createExactStore(rows) }, concepts, own);
}

/** Texts that a warm-up reads, and their length in characters. */
const WARM_UP_TEXTS = 48;
const WARM_UP_LENGTH = 200;

/**
 * Reads and searches some of the bundle's own words, so that a visitor's first ones are answered as fast as later ones:
 * regular expressions are compiled and tables decoded by then. Pauses after each of some 100 steps, most of a few
 * milliseconds; may be left at any of them, and keeps nothing.
 */
export async function* warmUp(bundle: KnowledgeBundle): AsyncGenerator<void, void, undefined> {
  const { extractor } = createReaders(bundle);
  const stride = Math.max(1, Math.floor(bundle.diseases.length / WARM_UP_TEXTS));
  const texts = bundle.diseases.filter(({ index }) => index % stride === 0).map(({ index }) => bundle.diTree(index).leaves.map((leaf) => leaf.text).join('\n').slice(0, WARM_UP_LENGTH));
  for (const text of texts) {
    extractor.read(text);
    yield;
  }
  const retriever = createRetriever(bundle);
  try {
    for (const text of texts) {
      await retriever.retrieve([text]);
      yield;
    }
  } finally {
    retriever.close();
  }
}

/** They hold nothing of a patient, so all retrievers and strategies over a bundle share them. */
const reasoningPartsOf = new WeakMap<KnowledgeBundle, { likelihood: Likelihood; concepts: FindingMatcher }>();

function createReasoningParts(bundle: KnowledgeBundle): { likelihood: Likelihood; concepts: FindingMatcher } {
  let parts = reasoningPartsOf.get(bundle);
  if (parts === undefined) {
    const { extractor, reasoner } = createReaders(bundle);
    const likelihood = new Likelihood(bundle, reasoner);
    parts = { likelihood, concepts: new FindingMatcher(bundle, extractor, reasoner, likelihood) };
    reasoningPartsOf.set(bundle, parts);
  }
  return parts;
}

type Readers = Pick<ConsultationParts, 'bundle' | 'extractor' | 'reasoner' | 'redFlags'>;

/** They hold nothing of a patient, so all consultations over a bundle share them. */
const readersOf = new WeakMap<KnowledgeBundle, Readers>();

/** Opens what reads a patient's words by a bundle: the extractor, the reasoner, the red flag rules. Once a bundle. */
export function createReaders(bundle: KnowledgeBundle): Readers {
  let readers = readersOf.get(bundle);
  if (readers === undefined) {
    const redFlags = new RedFlagChecker(bundle);
    readers = { bundle, redFlags, extractor: new FindingExtractor(bundle, redFlags.crisisFindings()), reasoner: new FindingReasoner(bundle) };
    readersOf.set(bundle, readers);
  }
  return readers;
}

/**
 * Opens all parts of a consultation for one bundle. Used again when the language changes.
 * @throws {StrategyError} strategy-unknown
 */
export function createParts(bundle: KnowledgeBundle, options: PartsOptions = {}): ConsultationParts {
  const readers = createReaders(bundle);
  const guided = new GuidedStrategy(createReasoning(bundle, options), options.index === undefined ? {} : { index: options.index });
  const strategy = options.strategy ?? 'guided';
  if (strategy !== 'guided' && typeof strategy === 'string') throw new StrategyError('strategy-unknown', `No strategy is named "${String(strategy)}"; use guided, or one made by createStrategy.`);
  return { ...readers, strategy: strategy === 'guided' ? guided : strategy, questionById: (id) => guided.questionById(id) };
}

/** Opens retrieval, differential and questions over a bundle, for evaluations; a consultation opens its own. */
export function createReasoning(bundle: KnowledgeBundle, options: Pick<PartsOptions, 'embedder' | 'store'> = {}): KnowledgeReasoning {
  return new KnowledgeReasoning(bundle, createRetriever(bundle, options), createReaders(bundle).reasoner, createReasoningParts(bundle).likelihood);
}

/**
 * Makes a strategy that asks a language model, for `options.strategy` or `Consultation.useStrategy`. Its code is fetched
 * only now. The model stays the caller's: closing the strategy does not dispose of it.
 * @throws {StrategyError} strategy-unknown, model-missing
 * @throws {RangeError} an option out of its range
 */
export async function createStrategy(bundle: KnowledgeBundle, name: ModelStrategyName, options: StrategyOptions): Promise<DialogueStrategy> {
  const { METHODS } = await import('./strategy/methods.js');
  if (!Object.hasOwn(METHODS, name)) throw new StrategyError('strategy-unknown', `No strategy is named "${String(name)}"; there are ${Object.keys(METHODS).join(', ')}.`);
  if ((options as Partial<StrategyOptions>).model === undefined) throw new StrategyError('model-missing', `The strategy ${name} needs a language model; give options.model.`);
  const [{ ModelStrategy }, { withDefaults }, { PROMPTS }] = await Promise.all([import('./strategy/model-strategy.js'), import('./strategy/model-options.js'), import('./strategy/prompts/prompts.js')]);
  const method = METHODS[name];
  const reasoning = createReasoning(bundle, options);
  return new ModelStrategy({ method, settings: withDefaults(options, method.retrieves === 'never' ? 'own' : 'listed'), texts: PROMPTS[bundle.language], reasoning, guided: new GuidedStrategy(reasoning), extractor: createReaders(bundle).extractor });
}

/**
 * Opens the way to a model for a page: device, choice, offer, download, load. Its code is fetched only now.
 * @param onChange called after every change of `session.state`
 */
export async function createModelSession(options: Omit<ModelSessionOptions, 'catalogue'> & { /** @default the one that travels along */ readonly catalogue?: unknown }, onChange: () => void): Promise<ModelSession> {
  const { ModelSession: Session } = await import('./llm/model-session.js');
  const { catalogue, ...rest } = options;
  return new Session({ ...rest, catalogue: catalogue === undefined ? (await import('./llm/catalogue-data.js')).CATALOGUE : (await import('./llm/model-manifest.js')).parseCatalogue(catalogue) }, onChange);
}

/**
 * Takes a language model that the host page brings, checked and guarded.
 * @throws {ModelError} model-invalid
 */
export async function wrapHostModel(candidate: unknown): Promise<LanguageModel> {
  const { wrapHostModel: wrap } = await import('./llm/host-model.js');
  return wrap(candidate);
}

/** A random id; works on pages without a secure context too. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Starts a consultation over a loaded bundle.
 * @throws {RangeError} maxQuestions is not an integer from 0 to 50
 */
export function createConsultation(bundle: KnowledgeBundle, options: ConsultationOptions = {}): Consultation {
  const maxQuestions = options.maxQuestions ?? DEFAULT_MAX_QUESTIONS;
  if (!Number.isInteger(maxQuestions) || maxQuestions < 0 || maxQuestions > 50) throw new RangeError(`maxQuestions must be an integer from 0 to 50, not ${String(maxQuestions)}`);
  return new Consultation(createParts(bundle, options), { id: randomId(), maxQuestions });
}

/**
 * Replays a saved or exported consultation.
 * @throws {ConsultationError} saved-state-invalid where it is no record of this version
 */
export async function restoreConsultation(bundle: KnowledgeBundle, record: ConsultationRecord, options: PartsOptions = {}): Promise<Consultation> {
  if (!isConsultationRecord(record)) throw new ConsultationError('saved-state-invalid', 'The saved consultation cannot be read by this version; it was left untouched.');
  const consultation = new Consultation(createParts(bundle, options), { id: record.id, maxQuestions: record.maxQuestions });
  await consultation.replay(record);
  return consultation;
}
