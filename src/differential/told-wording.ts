import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { PatientState } from '../findings/finding-state.js';
import { ToldDiseases } from '../findings/told-diseases.js';
import type { CountedFinding } from './posterior.js';

/** ln odds, beside the likeness of words, of a disease that somebody was told of: above whatever merely resembles it. */
const TOLD = 2;
/** Where more findings than this are present, they tell more than a name, which may be that of a part (subarachnoid blood of a head injury). */
const MOST_PRESENT = 6;

/** Weighs diseases by their names where somebody was told of them. */
export class ToldWording {
  readonly #diseases: ToldDiseases;

  constructor(bundle: KnowledgeBundle) {
    this.#diseases = new ToldDiseases(bundle);
  }

  /** ln odds by disease index, in place of those of the likeness of words (`CandidateDisease.wording`). */
  of(patient: PatientState, counted: readonly CountedFinding[]): ReadonlyMap<number, number> {
    if (counted.filter(({ state }) => state === 'present').length > MOST_PRESENT) return new Map();
    return new Map([...this.#diseases.of(patient)].map((diseaseIndex) => [diseaseIndex, TOLD]));
  }
}
