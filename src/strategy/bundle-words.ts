import type { DiLeaf, KnowledgeBundle } from '../bundle/bundle.js';
import { termsOf } from '../text/features.js';
import { normalizeText } from '../text/normalize.js';
import { NEGATION } from './reply-rules.js';
import type { ReplySource } from './strategy.js';

const ABBREVIATION = /^[A-Z][A-Z0-9]{1,4}$/;

/** A leaf that a sentence may rest on, as it is compared. */
export interface SourceLeaf {
  readonly role: DiLeaf['role'];
  readonly source: ReplySource;
  readonly findings: readonly number[];
  /** The leaf's words, normalised. */
  readonly words: string;
  readonly terms: ReadonlySet<string>;
  readonly negated: boolean;
}

export interface DiseaseNames {
  /** Name and aliases, normalised. */
  readonly all: readonly string[];
  /** Without those that are abbreviations. */
  readonly spelled: readonly string[];
  /** As they are written: `PE` is a disease, `pe` a syllable. */
  readonly abbreviations: readonly string[];
}

/** Names and leaves of a bundle as replies are compared with them. The same for every reply, so they are read once. */
export class BundleWords {
  /** Of the vocabulary, normalised: what is a symptom is no condition, whatever its words look like. Not of tests, whose findings have names of diseases. */
  readonly findingNames: ReadonlySet<string>;
  /** `[diseases.length]` */
  readonly names: readonly DiseaseNames[];
  readonly #bundle: KnowledgeBundle;
  readonly #leaves = new Map<number, readonly SourceLeaf[]>();

  constructor(bundle: KnowledgeBundle) {
    this.#bundle = bundle;
    this.findingNames = new Set(bundle.findings.filter((finding) => finding.kind !== 'test').flatMap((finding) => [finding.names[bundle.language], ...finding.synonyms[bundle.language]]).map(normalizeText));
    this.names = bundle.diseases.map((disease) => {
      const names = [disease.name, ...disease.aliases];
      return { all: names.map(normalizeText), spelled: names.filter((name) => !ABBREVIATION.test(name)).map(normalizeText), abbreviations: names.filter((name) => ABBREVIATION.test(name)) };
    });
  }

  /** Leaves of a disease that a reply may speak of: neither treatment nor when to seek care. */
  leaves(diseaseIndex: number): readonly SourceLeaf[] {
    let leaves = this.#leaves.get(diseaseIndex);
    if (leaves === undefined) {
      leaves = this.#bundle
        .diTree(diseaseIndex)
        .leaves.filter((leaf) => leaf.role !== 'care' && leaf.role !== 'seek-care')
        .map((leaf) => this.#sourceLeaf(diseaseIndex, leaf));
      this.#leaves.set(diseaseIndex, leaves);
    }
    return leaves;
  }

  #sourceLeaf(diseaseIndex: number, leaf: DiLeaf): SourceLeaf {
    const words = normalizeText(leaf.text);
    return {
      role: leaf.role,
      source: { diseaseIndex, diseaseName: this.#bundle.diseases[diseaseIndex]?.name ?? '', leafId: leaf.id, path: leaf.path, words: leaf.text },
      findings: leaf.findings,
      words,
      terms: new Set(termsOf(leaf.text)),
      negated: NEGATION[this.#bundle.language].test(words),
    };
  }
}

const known = new WeakMap<KnowledgeBundle, BundleWords>();

/** The words of a bundle, shared by all who ask. */
export function wordsOf(bundle: KnowledgeBundle): BundleWords {
  let words = known.get(bundle);
  if (words === undefined) {
    words = new BundleWords(bundle);
    known.set(bundle, words);
  }
  return words;
}
