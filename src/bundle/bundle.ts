/**
 * The decoded knowledge bundle: what every other room reads. Strings are in the bundle's language unless they are
 * `Localized`; the findings vocabulary carries both languages in every bundle, so that a consultation can change
 * language without losing what is known.
 */

export type Language = 'zh' | 'en';
/** `mm` modern medicine, `tcm` Chinese medicine. */
export type School = 'mm' | 'tcm';
/** How soon to seek care: now; within 24 to 48 hours; within days to weeks; at home. Highest first. */
export type Urgency = 'emergency' | 'urgent' | 'routine' | 'self-care';
/** How soon a red flag rule says to go: now; within 24 hours; within 48. */
export type Within = 'now' | 'a-day' | 'two-days';
/** Chinese medicine names both a disease (病) and a syndrome (证); modern medicine has diseases only. */
export type EntryType = 'disease' | 'syndrome';
export type Sex = 'female' | 'male';
/** `general`: a complaint without its place (疼, swelling), which holds whenever a closer one does; read, never asked. */
export type FindingKind = 'symptom' | 'sign' | 'test' | 'risk' | 'tongue' | 'pulse' | 'general';

/** All urgency levels, highest first. */
export const URGENCY_LEVELS: readonly Urgency[] = ['emergency', 'urgent', 'routine', 'self-care'];

export interface Localized {
  readonly zh: string;
  readonly en: string;
}

/** A symptom, sign, test result or risk factor of the vocabulary. Other findings are named by their index. */
export interface Finding {
  readonly index: number;
  readonly id: string;
  readonly kind: FindingKind;
  readonly names: Localized;
  /** Without the canonical name. `~` stands for a gap (6 Chinese characters or 4 English words). */
  readonly synonyms: Readonly<Record<Language, readonly string[]>>;
  /** Words that say it is absent without a negation word. */
  readonly opposites: Readonly<Record<Language, readonly string[]>>;
  /** The yes-or-no question, in the bundle’s language alone; empty where it cannot be asked of a visitor. */
  readonly ask: Localized;
  /** What an option of a list says where the name is a chart's word, in the bundle's language alone; empty: its name. */
  readonly label: Localized;
  /** Condition on age and sex for asking it, in the language of `condition.ts`; empty: anyone may be asked. */
  readonly askIf: string;
  /** Hold whenever this one holds. */
  readonly parents: readonly number[];
  /** Asked only when one of these is present; empty: always. */
  readonly needs: readonly number[];
  /** Cannot hold together with this one. */
  readonly excludes: readonly number[];
  /** How often it is present in people who ask for help with something else, 0 to 1. */
  readonly base: number;
  /** Condition on measured values that makes it present, in the language of `condition.ts`; empty: none. */
  readonly value: string;
}

/** A question that covers several findings, or asks for a number. */
export interface AskSet {
  readonly id: string;
  readonly type: 'one-of' | 'many-of' | 'number';
  readonly text: Localized;
  readonly needs: readonly number[];
  /** Finding indices; empty for a number. */
  readonly options: readonly number[];
  /** The measured variable of a number question, for example `temperature`; else empty. */
  readonly variable: string;
  readonly unit: string;
}

/** A rule that raises the urgency, run on every turn before any strategy. */
export interface RedFlagRule {
  readonly id: string;
  /** `crisis` is an emergency of self-harm: it shows the crisis card. */
  readonly level: 'emergency' | 'urgent' | 'crisis';
  /** How soon its action says to go; `now` for emergency and crisis. */
  readonly within: Within;
  /** In the language of `condition.ts`. */
  readonly when: string;
  /** What it may be. */
  readonly what: Localized;
  /** What to do now. */
  readonly action: Localized;
  readonly source: string;
}

/** A disease of modern medicine or a syndrome of Chinese medicine. */
export interface Disease {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** ICD-10; empty for syndromes. */
  readonly icd10: string;
  readonly sex: Sex | 'any';
  /** Years in which it is seen, inclusive. */
  readonly age: readonly [from: number, to: number];
  /** Years in which it is most often seen. */
  readonly peak: readonly [from: number, to: number];
  /** Relative weight among people who seek advice, greater than 0 (very common 16, common 8, uncommon 3, rare 1, very rare 0.3). */
  readonly prevalence: number;
  readonly urgency: Urgency;
  /** Finding index to how often it is present in the disease, 0 to 1. Parents are filled in. */
  readonly frequencies: ReadonlyMap<number, number>;
  /** Finding index of a risk factor to the factor by which it multiplies the odds, at least 1. */
  readonly riskFactors: ReadonlyMap<number, number>;
  /** With this disease likely, any of these findings makes it an emergency. */
  readonly redFlags: readonly number[];
  readonly sources: readonly string[];
  /** `none` until a clinician has reviewed it; then who and when. */
  readonly review: string;
  readonly type: EntryType;
  /** Systems of pattern differentiation that know the syndrome (八纲, 脏腑, …); empty in modern medicine. */
  readonly systems: readonly string[];
  /** Chinese medicine: the syndromes of a disease, the diseases a syndrome occurs in, the most usual first; indices. */
  readonly related: readonly number[];
}

/** Role of a first-level heading, the same in every language. */
export type HeadingRole =
  | 'overview'
  | 'causes'
  | 'symptoms'
  | 'tongue-pulse'
  | 'tests'
  | 'seek-care'
  | 'care'
  | 'differential';

/** A leaf of a DI-Tree (diagnosis-information tree, MRD-RAG §4.1): its text and the headings above it. */
export interface DiLeaf {
  /** Unique in the bundle: `<disease id>#<number>`. */
  readonly id: string;
  readonly role: HeadingRole;
  /** Headings from the first level down. */
  readonly path: readonly string[];
  readonly text: string;
  /** Findings whose evidence these words are. */
  readonly findings: readonly number[];
}

export interface DiTree {
  readonly diseaseIndex: number;
  readonly leaves: readonly DiLeaf[];
}

/** What a row of the vector store stands for. */
export interface IndexRow {
  readonly diseaseIndex: number;
  /** `pmh` the middle of a disease's pseudo histories and first sentences, `di` the DI-Tree's text. */
  readonly kind: 'pmh' | 'di';
}

/** The decoded bundle. Texts of trees are decoded when asked for; pseudo histories are in the index alone. */
export interface KnowledgeBundle {
  readonly manifest: Manifest;
  readonly id: string;
  readonly language: Language;
  readonly school: School;
  readonly findings: readonly Finding[];
  readonly askSets: readonly AskSet[];
  readonly redFlags: readonly RedFlagRule[];
  readonly diseases: readonly Disease[];
  /** `[rowCount]`, the order of `vectors`. */
  readonly rows: readonly IndexRow[];
  /** `[rowCount, dimension]`, row-major, unit length, not copied. */
  readonly vectors: Float32Array;
  /** Rows that other encoders made, by the encoder's id, in the order of `rows`: those that were asked for when it was loaded. */
  readonly encoders: ReadonlyMap<string, EncoderRows>;
  /** Bytes of the encoder, the lexical index and the vocabulary's words, decoded by their own rooms. */
  readonly lexiconBytes: Uint8Array;
  readonly encoderBytes: Uint8Array;
  readonly lexicalBytes: Uint8Array;
  findingIndex(id: string): number | undefined;
  diseaseIndex(id: string): number | undefined;
  /** Decodes one disease's tree; cached. */
  diTree(diseaseIndex: number): DiTree;
}

/** Rows that an encoder made. */
export interface EncoderRows {
  readonly dimension: number;
  /** `[rowCount, dimension]`, row-major, unit length. */
  readonly vectors: Float32Array;
}

export interface ManifestPart {
  readonly name: PartName;
  /** File name beside the manifest; holds the start of its hash. */
  readonly file: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export type PartName = 'findings' | 'lexicon' | 'diseases' | 'texts' | 'lexical' | 'encoder' | 'vectors';

/** Where the rows of another encoder lie. */
export interface ManifestEncoder extends Omit<ManifestPart, 'name'> {
  readonly id: string;
  readonly dimension: number;
}

/** The bundle's table of contents, `manifest.json`. */
export interface Manifest {
  readonly kind: 'anamnesis-bundle';
  readonly formatVersion: number;
  readonly id: string;
  readonly version: string;
  readonly name: Localized;
  readonly school: School;
  readonly languages: readonly Language[];
  readonly licence: string;
  readonly review: { readonly state: 'none' | 'partial' | 'reviewed'; readonly reviewed: number; readonly total: number; readonly date: string | null };
  readonly counts: { readonly diseases: number; readonly findings: number; readonly pseudoHistories: number; readonly rows: number; readonly redFlags: number };
  readonly encoder: { readonly id: string; readonly dimension: number };
  /** Rows of other encoders, in files of their own that are fetched only when asked for (`anamnesis bundle embed`). */
  readonly encoders?: readonly ManifestEncoder[];
  readonly parts: readonly ManifestPart[];
}
