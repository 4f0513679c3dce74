import type { DiLeaf, KnowledgeBundle, Language } from '../bundle/bundle.js';
import type { FindingExtractor } from '../findings/extract.js';
import { languageFault } from '../llm/language-check.js';
import { termsOf } from '../text/features.js';
import { normalizeText } from '../text/normalize.js';
import { brokenRule, CONDITION_WORDS, NEGATION, type RefusalReason } from './reply-rules.js';
import type { ReplySentence, ReplySource } from './strategy.js';

/** Share of a sentence's terms, names left out, that one leaf must hold … */
const LEAST_BY_ONE = 0.34;
/** … and that the leaf and the patient's words must hold together. */
const LEAST_TOGETHER = 0.6;
const LEAST_TERMS = 2;
/** A sentence of fewer letters says nothing. */
const LEAST_LETTERS = { zh: 2, en: 4 } as const;
const ABBREVIATION = /^[A-Z][A-Z0-9]{1,4}$/;
/** Everyday words that are also a name of some disease. */
const ORDINARY: ReadonlySet<string> = new Set(['fits', 'cold', 'corona', 'ectopic']);

interface SourceLeaf {
  readonly role: DiLeaf['role'];
  readonly source: ReplySource;
  readonly findings: readonly number[];
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
  readonly #extractor: FindingExtractor;
  /** Of the candidates, normalised. */
  readonly #names: readonly { readonly diseaseIndex: number; readonly names: readonly string[] }[];
  /** Of the vocabulary: what is a symptom is no condition, whatever its words look like. */
  readonly #findingNames: ReadonlySet<string>;
  readonly #sources: readonly SourceLeaf[];
  readonly #accountTerms: ReadonlySet<string>;
  /** Notes and account, normalised: numbers, and words that look like a condition, found here may be said. */
  readonly #known: string;
  /** The account, normalised: what the patient named may be named. */
  readonly #account: string;
  /** Normalised names and aliases that may not be said. */
  readonly #otherNames: readonly string[];
  /** Abbreviations that may not be said, as they are written: `PE` is a disease, `pe` a syllable. */
  readonly #otherAbbreviations: readonly string[];

  /**
   * @param candidates disease indices that may be named
   * @param account the patient's words
   */
  constructor(bundle: KnowledgeBundle, candidates: readonly number[], account: string, extractor: FindingExtractor) {
    this.#language = bundle.language;
    this.#extractor = extractor;
    this.#names = candidates.map((diseaseIndex) => ({ diseaseIndex, names: [bundle.diseases[diseaseIndex]?.name ?? '', ...(bundle.diseases[diseaseIndex]?.aliases ?? [])].map(normalizeText) }));
    const names = this.#names.flatMap((one) => one.names);
    this.#sources = candidates.flatMap((diseaseIndex) => bundle.diTree(diseaseIndex).leaves.filter((leaf) => leaf.role !== 'care' && leaf.role !== 'seek-care').map((leaf) => sourceLeaf(bundle, diseaseIndex, leaf)));
    this.#accountTerms = new Set(termsOf(account));
    this.#account = normalizeText(account);
    // What is told apart from the candidates is no candidate itself.
    this.#known = [this.#account, ...names, ...this.#sources.filter(({ role }) => role !== 'differential').map(({ source }) => normalizeText(source.words))].join('\n');
    this.#findingNames = new Set(bundle.findings.flatMap((finding) => [finding.names[bundle.language], ...finding.synonyms[bundle.language]]).map(normalizeText));
    const others = bundle.diseases.filter((disease) => !candidates.includes(disease.index)).flatMap((disease) => [disease.name, ...disease.aliases]);
    this.#otherAbbreviations = others.filter((name) => ABBREVIATION.test(name));
    this.#otherNames = others
      .filter((name) => !ABBREVIATION.test(name))
      .map(normalizeText)
      .filter((name) => name.length > 1 && !this.#findingNames.has(name) && !ORDINARY.has(name) && !names.some((allowed) => allowed.includes(name)));
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
    const known = new Set(this.#known.match(/\d+(?:\.\d+)?/g) ?? []);
    return (normalized.match(/\d+(?:\.\d+)?/g) ?? []).some((number) => !known.has(number));
  }

  #namesAnother(normalized: string, text: string): boolean {
    if (this.#otherAbbreviations.some((name) => new RegExp(`(?<![A-Za-z])${name}(?![A-Za-z])`).test(text))) return true;
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
      if (this.#known.includes(end) || this.#findingNames.has(end)) return true;
    }
    return false;
  }

  /**
   * The leaf that a sentence rests on: of the candidates that it names, one that is tied to a finding it speaks of, else
   * one that holds most of its words. Sentence and leaf must both deny or both affirm.
   */
  #sourceOf(normalized: string, text: string): ReplySource | null {
    const named = this.#names.filter(({ names }) => names.some((name) => holdsName(normalized, name, this.#language))).map(({ diseaseIndex }) => diseaseIndex);
    const nameTerms = new Set(this.#names.flatMap(({ names }) => names.flatMap((name) => termsOf(name))));
    const terms = [...new Set(termsOf(normalized))].filter((term) => (this.#language === 'zh' || !term.includes(' ')) && !nameTerms.has(term));
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

function sourceLeaf(bundle: KnowledgeBundle, diseaseIndex: number, leaf: DiLeaf): SourceLeaf {
  return {
    source: { diseaseIndex, diseaseName: bundle.diseases[diseaseIndex]?.name ?? '', leafId: leaf.id, path: leaf.path, words: leaf.text },
    role: leaf.role,
    findings: leaf.findings,
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
