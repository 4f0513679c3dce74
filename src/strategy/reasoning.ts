import type { EntryType, KnowledgeBundle } from '../bundle/bundle.js';
import { namedType, RelatedEntries } from '../bundle/related.js';
import type { Candidate, Question } from '../differential/differential.js';
import type { Likelihood } from '../differential/likelihood.js';
import { QuestionChooser, type WeighedQuestion } from '../differential/next-question.js';
import { type CountedFinding, countedFindings, isComplaint, posterior } from '../differential/posterior.js';
import { describeCandidates, rankCandidates } from '../differential/rank.js';
import { ToldWording } from '../differential/told-wording.js';
import type { FindingReasoner, PatientState } from '../findings/finding-state.js';
import type { CandidateDisease, IndexChoice, Retriever } from '../retriever/retriever.js';

/** What the knowledge makes of a patient. */
export interface Weighed {
  /** `[diseases.length + 1]`, as `posterior` gives. */
  readonly probabilities: Float64Array;
  /** Best first. */
  readonly differential: readonly Candidate[];
  readonly counted: readonly CountedFinding[];
  /** Chinese medicine: the diseases (病) that the syndromes of `differential` go with, best first; else empty. */
  readonly alsoNamed: readonly Candidate[];
}

/** Candidates that a complaint must speak for one of. */
const LIKELIEST = 5;
/** Diseases named beside syndromes at most, and the least probability of one. */
const ALSO_NAMED = 5;
const LEAST_ALSO_NAMED = 0.02;

/** Retrieval, differential and questions over one bundle: what every strategy reasons with, with or without a model. */
export class KnowledgeReasoning {
  readonly bundle: KnowledgeBundle;
  readonly likelihood: Likelihood;
  readonly #retriever: Retriever;
  readonly #reasoner: FindingReasoner;
  readonly #chooser: QuestionChooser;
  /** The type of entry that the differential names. */
  readonly namedType: EntryType;
  readonly #related: RelatedEntries;
  readonly #told: ToldWording;
  #retrieved: { query: string; index: IndexChoice; candidates: readonly CandidateDisease[] } | undefined;

  constructor(bundle: KnowledgeBundle, retriever: Retriever, reasoner: FindingReasoner, likelihood: Likelihood) {
    this.bundle = bundle;
    this.#retriever = retriever;
    this.#reasoner = reasoner;
    this.likelihood = likelihood;
    this.namedType = namedType(bundle);
    this.#related = new RelatedEntries(bundle);
    this.#told = new ToldWording(bundle);
    this.#chooser = new QuestionChooser(bundle, this.likelihood);
  }

  /** All that the words point to, best first. The same words are searched once: an answer adds none. */
  async retrieve(utterances: readonly string[], index: IndexChoice): Promise<readonly CandidateDisease[]> {
    const query = utterances.join('\n');
    const kept = this.#retrieved;
    if (kept !== undefined && kept.query === query && kept.index === index) return kept.candidates;
    const candidates = await this.#retriever.retrieve(utterances, { topK: this.bundle.diseases.length, index, type: 'any' });
    this.#retrieved = { query, index, candidates };
    return candidates;
  }

  /** Weighs what is known and what was retrieved. */
  weigh(patient: PatientState, retrieved: readonly CandidateDisease[]): Weighed {
    const counted = countedFindings(patient, this.#reasoner);
    const wording = new Map(retrieved.map((one) => [one.diseaseIndex, one.wording]));
    for (const [diseaseIndex, log] of this.#told.of(patient, counted)) wording.set(diseaseIndex, log);
    const weigh = (type: EntryType, related?: ReadonlyMap<number, number>): Float64Array => posterior(this.bundle, this.likelihood, patient, counted, { wording, type, ...(related === undefined ? {} : { related }) });
    if (this.namedType === 'disease') {
      const probabilities = weigh('disease');
      return { probabilities, counted, differential: rankCandidates(this.bundle, this.likelihood, probabilities, counted), alsoNamed: [] };
    }
    const ofDiseases = weigh('disease');
    const probabilities = weigh('syndrome', this.#related.weigh((index) => ofDiseases[index] ?? 0));
    const alsoNamed = rankCandidates(this.bundle, this.likelihood, ofDiseases, counted).filter((candidate, rank) => rank < ALSO_NAMED && candidate.probability >= LEAST_ALSO_NAMED);
    return { probabilities, counted, differential: rankCandidates(this.bundle, this.likelihood, probabilities, counted), alsoNamed };
  }

  /** Candidates for diseases of a strategy's own choice, in its order. */
  describe(diseaseIndices: readonly number[], { probabilities, counted }: Weighed): Candidate[] {
    return describeCandidates(this.bundle, this.likelihood, probabilities, counted, diseaseIndices);
  }

  /**
   * Whether there is anything to name a disease by: where a complaint was understood, one that speaks for any of the
   * likeliest, else words that resemble what is known of one. A bite that no entry knows of names no disease.
   */
  isEnough({ counted, differential, alsoNamed }: Weighed, retrieved: readonly CandidateDisease[]): boolean {
    const complaints = new Set(counted.filter((one) => one.state === 'present').map((one) => this.bundle.findings[one.findingIndex]).filter(isComplaint).map((finding) => finding?.id));
    if (complaints.size === 0) return retrieved.length > 0;
    return [...differential.slice(0, LIKELIEST), ...alsoNamed].some(({ evidenceFor }) => evidenceFor.some((one) => complaints.has(one.findingId)));
  }

  /** The questions expected to tell most, best first. */
  questions(patient: PatientState, probabilities: Float64Array, asked: ReadonlySet<string>, count: number): WeighedQuestion[] {
    return this.#chooser.choose(patient, probabilities, asked, count);
  }

  questionById(id: string): Question | undefined {
    return this.#chooser.questionById(id);
  }

  /** Releases store and encoder; may be called twice. */
  close(): void {
    this.#retrieved = undefined;
    this.#retriever.close();
  }
}
