import type { DiLeaf, KnowledgeBundle, Language } from '../bundle/bundle.js';
import { languageFault } from '../llm/language-check.js';
import { termsOf } from '../text/features.js';
import { normalizeText } from '../text/normalize.js';
import { brokenRule, CONDITION_WORDS, NEGATION, type RefusalReason } from './reply-rules.js';
import type { ReplySentence, ReplySource } from './strategy.js';

/** Share of a sentence's terms that one leaf must hold … */
const LEAST_BY_ONE = 0.34;
/** … and that the leaf, the candidate's name and the patient's words must hold together. */
const LEAST_TOGETHER = 0.6;
const LEAST_TERMS = 2;

interface SourceLeaf {
  readonly source: ReplySource;
  readonly terms: ReadonlySet<string>;
  readonly negated: boolean;
}

/**
 * Decides sentence by sentence what of a model's reply is shown: nothing about urgency, treatment, certainty, links or
 * other conditions; no number that neither the patient nor the notes have; in the visitor's language. What is shown
 * points to the DI-Tree leaf it rests on, or is marked as the model's wording.
 */
export class ReplyChecker {
  readonly #language: Language;
  readonly #sources: readonly SourceLeaf[];
  readonly #accountTerms: ReadonlySet<string>;
  /** Notes and account, normalised: names and numbers found here may be said. */
  readonly #known: string;
  /** Normalised names and aliases that may not be said. */
  readonly #otherNames: readonly string[];

  /**
   * @param candidates disease indices that may be named
   * @param account the patient's words
   */
  constructor(bundle: KnowledgeBundle, candidates: readonly number[], account: string) {
    this.#language = bundle.language;
    const names = candidates.flatMap((index) => [bundle.diseases[index]?.name ?? '', ...(bundle.diseases[index]?.aliases ?? [])]).map(normalizeText);
    this.#sources = candidates.flatMap((diseaseIndex) => bundle.diTree(diseaseIndex).leaves.filter((leaf) => leaf.role !== 'care' && leaf.role !== 'seek-care').map((leaf) => sourceLeaf(bundle, diseaseIndex, leaf)));
    this.#accountTerms = new Set(termsOf(account));
    this.#known = normalizeText([account, ...names, ...this.#sources.map(({ source }) => source.words)].join('\n'));
    this.#otherNames = bundle.diseases
      .filter((disease) => !candidates.includes(disease.index))
      .flatMap((disease) => [disease.name, ...disease.aliases])
      .map(normalizeText)
      .filter((name) => name.length > 1 && !names.some((allowed) => allowed.includes(name)));
  }

  /** The sentence with its source, or why it is not shown. */
  check(text: string): { readonly sentence: ReplySentence } | { readonly refused: RefusalReason } {
    const normalized = normalizeText(text);
    if (languageFault(text, this.#language) !== null) return { refused: 'language' };
    const broken = brokenRule(normalized, this.#language);
    if (broken !== null) return { refused: broken };
    if (this.#hasStrangeNumber(normalized)) return { refused: 'number' };
    if (this.#namesAnother(normalized)) return { refused: 'other-condition' };
    return { sentence: { text, source: this.#sourceOf(normalized) } };
  }

  #hasStrangeNumber(normalized: string): boolean {
    const known = new Set(this.#known.match(/\d+(?:\.\d+)?/g) ?? []);
    return (normalized.match(/\d+(?:\.\d+)?/g) ?? []).some((number) => !known.has(number));
  }

  #namesAnother(normalized: string): boolean {
    if (this.#otherNames.some((name) => holdsName(normalized, name, this.#language) && !holdsName(this.#known, name, this.#language))) return true;
    return [...normalized.matchAll(CONDITION_WORDS[this.#language])].some(([found]) => !this.#isKnown(found));
  }

  /** The words, or the end of them, stand in the notes or the account: the pattern may have taken words before the name. */
  #isKnown(found: string): boolean {
    const step = this.#language === 'zh' ? '' : ' ';
    const parts = found.split(step);
    const least = this.#language === 'zh' ? 2 : 1;
    for (let from = 0; from + least <= parts.length; from++) if (this.#known.includes(parts.slice(from).join(step))) return true;
    return false;
  }

  #sourceOf(normalized: string): ReplySource | null {
    const terms = [...new Set(termsOf(normalized))].filter((term) => this.#language === 'zh' || !term.includes(' '));
    if (terms.length < LEAST_TERMS) return null;
    const negated = NEGATION[this.#language].test(normalized);
    let best: { source: ReplySource; share: number } | null = null;
    for (const leaf of this.#sources) {
      if (leaf.negated !== negated) continue;
      const own = terms.filter((term) => leaf.terms.has(term)).length;
      if (own < LEAST_TERMS) continue;
      const share = own / terms.length;
      const names = new Set(termsOf(leaf.source.diseaseName));
      const together = terms.filter((term) => leaf.terms.has(term) || names.has(term) || this.#accountTerms.has(term)).length / terms.length;
      if (share >= LEAST_BY_ONE && together >= LEAST_TOGETHER && (best === null || share > best.share)) best = { source: leaf.source, share };
    }
    return best?.source ?? null;
  }
}

function sourceLeaf(bundle: KnowledgeBundle, diseaseIndex: number, leaf: DiLeaf): SourceLeaf {
  return {
    source: { diseaseIndex, diseaseName: bundle.diseases[diseaseIndex]?.name ?? '', leafId: leaf.id, path: leaf.path, words: leaf.text },
    terms: new Set(termsOf(leaf.text)),
    negated: NEGATION[bundle.language].test(normalizeText(leaf.text)),
  };
}

/** Whole words in English; anywhere in Chinese. */
function holdsName(text: string, name: string, language: Language): boolean {
  if (language === 'zh') return text.includes(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[a-z]/.test(text.charAt(at - 1)) && !/[a-z]/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}
