import type { KnowledgeBundle, Language } from '../bundle/bundle.js';
import type { FindingExtractor } from '../findings/extract.js';
import { languageFault } from '../llm/language-check.js';
import { termsOf } from '../text/features.js';
import { normalizeText } from '../text/normalize.js';
import { type BundleWords, type SourceLeaf, wordsOf } from './bundle-words.js';
import { brokenRule, CONDITION_WORDS, NEGATION, type RefusalReason } from './reply-rules.js';
import type { ReplySentence, ReplySource } from './strategy.js';

/** Share of a sentence's terms, names left out, that one leaf must hold … */
const LEAST_BY_ONE = 0.34;
/** … and that the leaf and the patient's words must hold together. */
const LEAST_TOGETHER = 0.6;
const LEAST_TERMS = 2;
const NUMBER = /\d+(?:\.\d+)?/g;
/** A sentence of fewer letters says nothing. */
const LEAST_LETTERS = { zh: 2, en: 4 } as const;
/** Everyday words that are also a name of some disease. */
const ORDINARY: ReadonlySet<string> = new Set(['fits', 'cold', 'corona', 'ectopic']);

/**
 * Decides sentence by sentence what of a model's reply is shown: nothing about urgency, treatment, certainty, links or
 * other conditions; no number that neither the patient nor the notes have; in the visitor's language. What is shown
 * points to the DI-Tree leaf it rests on, or is marked as the model's wording.
 */
export class ReplyChecker {
  readonly #language: Language;
  readonly #extractor: FindingExtractor;
  readonly #words: BundleWords;
  /** Disease indices that may be named. */
  readonly #candidates: readonly number[];
  readonly #sources: readonly SourceLeaf[];
  /** Terms of the candidates' names: they say nothing of the knowledge. */
  readonly #nameTerms: ReadonlySet<string>;
  readonly #accountTerms: ReadonlySet<string>;
  /** Notes and account, normalised: words that look like a condition, found here, may be said. */
  readonly #known: string;
  /** Numbers of the same. */
  readonly #knownNumbers: ReadonlySet<string>;
  /** The account, normalised: what the patient named may be named. */
  readonly #account: string;
  /** Normalised names and aliases that may not be said. */
  readonly #otherNames: readonly string[];
  /** Abbreviations that may not be said, as they are written. */
  readonly #otherAbbreviations: RegExp;

  /**
   * @param candidates disease indices that may be named
   * @param account the patient's words
   */
  constructor(bundle: KnowledgeBundle, candidates: readonly number[], account: string, extractor: FindingExtractor) {
    const words = wordsOf(bundle);
    this.#language = bundle.language;
    this.#extractor = extractor;
    this.#words = words;
    this.#candidates = candidates;
    const names = candidates.flatMap((index) => words.names[index]?.all ?? []);
    this.#nameTerms = new Set(names.flatMap((name) => termsOf(name)));
    this.#sources = candidates.flatMap((index) => words.leaves(index));
    this.#accountTerms = new Set(termsOf(account));
    this.#account = normalizeText(account);
    // What is told apart from the candidates is no candidate itself.
    this.#known = [this.#account, ...names, ...this.#sources.filter(({ role }) => role !== 'differential').map((leaf) => leaf.words)].join('\n');
    this.#knownNumbers = new Set(this.#known.match(NUMBER) ?? []);
    const others = words.names.filter((_names, index) => !candidates.includes(index));
    this.#otherAbbreviations = new RegExp(`(?<![A-Za-z])(?:${others.flatMap((one) => one.abbreviations).join('|') || '(?!)'})(?![A-Za-z])`);
    this.#otherNames = others.flatMap((one) => one.spelled).filter((name) => name.length > 1 && !words.findingNames.has(name) && !ORDINARY.has(name) && !names.some((allowed) => allowed.includes(name)));
  }

  /** The sentence with its source, or why it is not shown. */
  check(text: string): { readonly sentence: ReplySentence } | { readonly refused: RefusalReason } {
    const normalized = normalizeText(text);
    if ((text.match(/\p{L}/gu) ?? []).length < LEAST_LETTERS[this.#language]) return { refused: 'empty' };
    if (languageFault(text, this.#language, 'Hans') !== null) return { refused: 'language' };
    const broken = brokenRule(normalized, this.#language);
    if (broken !== null) return { refused: broken };
    if (this.#hasStrangeNumber(normalized)) return { refused: 'number' };
    if (this.#namesAnother(normalized, text)) return { refused: 'other-condition' };
    return { sentence: { text, source: this.#sourceOf(normalized, text) } };
  }

  #hasStrangeNumber(normalized: string): boolean {
    return (normalized.match(NUMBER) ?? []).some((number) => !this.#knownNumbers.has(number));
  }

  #namesAnother(normalized: string, text: string): boolean {
    if (this.#otherAbbreviations.test(text)) return true;
    if (this.#otherNames.some((name) => holdsName(normalized, name, this.#language) && !holdsName(this.#account, name, this.#language))) return true;
    return [...normalized.matchAll(CONDITION_WORDS[this.#language])].some(([found]) => !this.#isKnown(found));
  }

  /** The words, or the end of them, stand in the notes, the account or the vocabulary: the pattern may have taken words before the name. */
  #isKnown(found: string): boolean {
    const step = this.#language === 'zh' ? '' : ' ';
    const parts = found.split(step);
    const least = this.#language === 'zh' ? 2 : 1;
    for (let from = 0; from + least <= parts.length; from++) {
      const end = parts.slice(from).join(step);
      if (this.#known.includes(end) || this.#words.findingNames.has(end)) return true;
    }
    return false;
  }

  /**
   * The leaf that a sentence rests on: of the candidates that it names, one that is tied to a finding it speaks of, else
   * one that holds most of its words. Sentence and leaf must both deny or both affirm.
   */
  #sourceOf(normalized: string, text: string): ReplySource | null {
    const named = this.#candidates.filter((index) => this.#words.names[index]?.all.some((name) => holdsName(normalized, name, this.#language)));
    const terms = [...new Set(termsOf(normalized))].filter((term) => (this.#language === 'zh' || !term.includes(' ')) && !this.#nameTerms.has(term));
    const spoken = new Set(this.#extractor.read(text).mentions.map((mention) => mention.findingIndex));
    const negated = NEGATION[this.#language].test(normalized);
    let best: { source: ReplySource; worth: number } | null = null;
    for (const leaf of this.#sources) {
      if (leaf.negated !== negated || (named.length > 0 && !named.includes(leaf.source.diseaseIndex))) continue;
      const tied = leaf.findings.filter((finding) => spoken.has(finding)).length;
      const own = terms.filter((term) => leaf.terms.has(term)).length;
      const share = terms.length === 0 ? 0 : own / terms.length;
      const together = terms.length === 0 ? 0 : terms.filter((term) => leaf.terms.has(term) || this.#accountTerms.has(term)).length / terms.length;
      const rests = tied > 0 || (own >= LEAST_TERMS && share >= LEAST_BY_ONE && together >= LEAST_TOGETHER);
      const worth = tied + share;
      if (rests && (best === null || worth > best.worth)) best = { source: leaf.source, worth };
    }
    return best?.source ?? null;
  }
}

/** Whole words in English; anywhere in Chinese. */
function holdsName(text: string, name: string, language: Language): boolean {
  if (language === 'zh') return text.includes(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[a-z]/.test(text.charAt(at - 1)) && !/[a-z]/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}
