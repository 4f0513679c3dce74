import type { KnowledgeBundle } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import type { PatientState } from './finding-state.js';
import { isTold } from './told-diagnosis.js';

/** Characters of a name at least, Chinese and English: shorter ones are found in any text. */
const SHORTEST = { zh: 2, en: 4 } as const;

/** Finds the diseases that a told diagnosis names. Built once per bundle; names are read when one is first told. */
export class ToldDiseases {
  readonly #bundle: KnowledgeBundle;
  #names: readonly (readonly [name: string, diseaseIndex: number])[] | undefined;

  constructor(bundle: KnowledgeBundle) {
    this.#bundle = bundle;
  }

  /** By the longest name or alias in the visitor's words; empty where nothing was told, or nothing that the bundle knows. */
  of(patient: PatientState): ReadonlySet<number> {
    const { findings } = this.#bundle;
    const quotes = [...patient.findings.values()].flatMap(({ findingIndex, state, quote = '' }) => (state === 'present' && isTold(findings[findingIndex]?.id ?? '') ? [normalizeText(quote)] : []));
    return new Set(quotes.flatMap((quote) => {
      const found = this.#read().filter(([name]) => holds(quote, name));
      const longest = found.reduce((most, [name]) => Math.max(most, name.length), 0);
      return found.flatMap(([name, diseaseIndex]) => (name.length === longest ? [diseaseIndex] : []));
    }));
  }

  #read(): readonly (readonly [name: string, diseaseIndex: number])[] {
    const { diseases, language } = this.#bundle;
    this.#names ??= diseases.flatMap(({ index, name, aliases }) => [name, ...aliases].map(normalizeText).flatMap((one) => (one.length < SHORTEST[language] ? [] : [[one, index] as const])));
    return this.#names;
  }
}

/** English names are whole words: "mi" is no part of "family". */
function holds(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const isLetter = (character: string | undefined): boolean => character !== undefined && /[a-z]/u.test(character);
  return !(isLetter(name[0]) && isLetter(text[at - 1])) && !(isLetter(name.at(-1)) && isLetter(text[at + name.length]));
}
