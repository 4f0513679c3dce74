import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { FindingExtractor, Reading } from '../findings/extract.js';
import { EMPTY_PATIENT, type FindingReasoner, type KnownFinding, type Profile } from '../findings/finding-state.js';
import { saidProfile } from '../findings/said-profile.js';
import type { Likelihood } from './likelihood.js';
import { countedFindings, isComplaint, logPrior, PRIOR_SHARE } from './posterior.js';

/** A finding that is denied in the first words tells less than one that is complained of. */
const ABSENT_SHARE = 0.5;

/** Weighs diseases by what a query says: its findings, and age and sex where they are said. Holds nothing of a patient. */
export class FindingMatcher {
  readonly #bundle: KnowledgeBundle;
  readonly #extractor: FindingExtractor;
  readonly #reasoner: FindingReasoner;
  readonly #likelihood: Likelihood;
  /** ln odds by disease where neither age nor sex is said, `[diseases.length]`. */
  readonly #prior: Float64Array;

  constructor(bundle: KnowledgeBundle, extractor: FindingExtractor, reasoner: FindingReasoner, likelihood: Likelihood) {
    this.#bundle = bundle;
    this.#extractor = extractor;
    this.#reasoner = reasoner;
    this.#likelihood = likelihood;
    this.#prior = this.#priorOf({});
  }

  #priorOf(said: Partial<Profile>): Float64Array {
    const prior = new Float64Array(this.#bundle.diseases.length);
    for (const disease of this.#bundle.diseases) prior[disease.index] = PRIOR_SHARE * logPrior(disease, said);
    return prior;
  }

  /** @returns `understood` findings that are present, `complaints` among them, and ln odds by disease, `[diseases.length]` */
  match(query: string): { readonly understood: number; readonly complaints: number; readonly logOdds: Float64Array } {
    const { findings } = this.#bundle;
    const reading = this.#extractor.read(query);
    const patient = this.#reasoner.learn(EMPTY_PATIENT, knownOf(reading));
    const counted = countedFindings(patient, this.#reasoner);
    const said = saidProfile(query, reading, this.#bundle);
    const logOdds = (said.ageYears ?? said.sex ?? null) === null ? this.#prior.slice() : this.#priorOf(said);
    for (const { findingIndex, state } of counted) this.#likelihood.addTo(logOdds, findingIndex, state, state === 'present' ? 1 : ABSENT_SHARE);
    const present = counted.flatMap((one) => (one.state === 'present' ? (findings[one.findingIndex] ?? []) : []));
    return { understood: present.filter((finding) => finding.kind !== 'risk').length, complaints: present.filter(isComplaint).length, logOdds };
  }
}

function knownOf(reading: Reading): KnownFinding[] {
  return reading.mentions.filter((mention) => mention.aside === undefined).map(({ findingIndex, state }) => ({ findingIndex, state, origin: 'said' as const, round: 0 }));
}
