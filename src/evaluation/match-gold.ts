import type { KnowledgeBundle } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import type { EvaluationCase } from './cases.js';
import { type GoldMap, listOfCase } from './gold-map.js';

/** A name without what wordings differ in by habit: case, width, blanks, punctuation, and the 证 that ends a syndrome's name. */
function keyOf(name: string, isSyndrome: boolean): string {
  const key = normalizeText(name).replace(/[^\p{L}\p{N}]+/gu, '');
  return isSyndrome && key.length > 2 ? key.replace(/证$/u, '') : key;
}

/**
 * Finds the diseases of a bundle that a case's diagnosis means: by name or alias, directly or through the gold map. A
 * code or a wider category counts only where the entry itself declares it, as its code or as an alias. In bundles of
 * Chinese medicine the case's disease and its syndrome are both accepted, since an entry may be either.
 */
export class GoldMatcher {
  readonly #diseases = new Map<string, number[]>();
  readonly #isSyndrome: boolean;
  readonly #map: GoldMap | undefined;

  constructor(bundle: KnowledgeBundle, map?: GoldMap) {
    this.#isSyndrome = bundle.school === 'tcm';
    this.#map = map;
    for (const disease of bundle.diseases) {
      for (const name of [disease.name, ...disease.aliases, disease.icd10]) {
        const key = keyOf(name, this.#isSyndrome);
        if (key === '') continue;
        const known = this.#diseases.get(key) ?? [];
        if (!known.includes(disease.index)) this.#diseases.set(key, [...known, disease.index]);
      }
    }
  }

  /** Disease indices that count as right; empty where the knowledge lacks the disease or the case has no diagnosis. */
  diseasesOf(one: EvaluationCase): ReadonlySet<number> {
    if (one.gold === null) return new Set();
    const wordings = [one.gold, ...one.goldAliases];
    if (this.#isSyndrome && one.tcmSyndrome !== '') wordings.push(one.tcmSyndrome);
    const list = listOfCase(one);
    const names = wordings.flatMap((wording) => [wording, ...(this.#map?.namesOf(list, wording) ?? [])]);
    return new Set(names.flatMap((name) => this.#diseases.get(keyOf(name, this.#isSyndrome)) ?? []));
  }
}
