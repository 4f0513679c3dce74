import type { Finding, Language } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import { toUnits, type Unit } from '../text/units.js';

/** A synonym as units; `null` is a gap. */
export interface Pattern {
  readonly findingIndex: number;
  /** Whether the words say that the finding is there or that it is not. */
  readonly says: 'present' | 'absent';
  readonly forms: readonly (string | null)[];
  /** Longest gap, in units. */
  readonly gap: number;
}

/** Words of the vocabulary by the unit they begin with, in both languages at once. */
export interface Lexicon {
  readonly patterns: ReadonlyMap<string, readonly Pattern[]>;
  /** English words of the vocabulary as written, for spelling guesses. */
  readonly words: ReadonlySet<string>;
}

/** Longest gap that `~` stands for. */
const GAP: Readonly<Record<Language, number>> = { zh: 6, en: 4 };

export function toPattern(text: string, language: Language, findingIndex: number, says: Pattern['says']): { pattern: Pattern; units: Unit[] } | null {
  const forms: (string | null)[] = [];
  const all: Unit[] = [];
  for (const segment of normalizeText(text).split('~')) {
    const units = toUnits(segment.trim());
    if (units.length === 0) continue;
    if (forms.length > 0) forms.push(null);
    for (const unit of units) forms.push(unit.form);
    all.push(...units);
  }
  return forms.length === 0 ? null : { pattern: { findingIndex, says, forms, gap: GAP[language] }, units: all };
}

/** Builds the lexicon of a vocabulary. */
export function buildLexicon(findings: readonly Finding[]): Lexicon {
  const patterns = new Map<string, Pattern[]>();
  const words = new Set<string>();
  const add = (text: string, language: Language, findingIndex: number, says: Pattern['says']): void => {
    const made = toPattern(text, language, findingIndex, says);
    if (made === null) return;
    const first = made.pattern.forms[0] ?? '';
    const list = patterns.get(first);
    if (list === undefined) patterns.set(first, [made.pattern]);
    else list.push(made.pattern);
    for (const unit of made.units) if (unit.kind === 'word') words.add(unit.word);
  };
  for (const finding of findings) {
    for (const language of ['zh', 'en'] as const) {
      add(finding.names[language], language, finding.index, 'present');
      for (const synonym of finding.synonyms[language]) add(synonym, language, finding.index, 'present');
      for (const opposite of finding.opposites[language]) add(opposite, language, finding.index, 'absent');
    }
  }
  return { patterns, words };
}
