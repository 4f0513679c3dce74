import type { Finding, Language } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import { toUnits, type Unit } from '../text/units.js';

/** A run of words in order; `null` is a gap. */
export type Sequence = readonly (string | null)[];

/** A synonym as units. */
export interface Pattern {
  readonly findingIndex: number;
  /** Whether the words say that the finding is there or that it is not. */
  readonly says: 'present' | 'absent';
  /** One run, or several that stand near one another in any order. */
  readonly parts: readonly Sequence[];
  /** Longest gap, in units. */
  readonly gap: number;
  /** The words count only where the finding's parent, or what it needs, is spoken of. */
  readonly contextual: boolean;
}

/** Words of the vocabulary by the unit they begin with, in both languages at once. */
export interface Lexicon {
  readonly patterns: ReadonlyMap<string, readonly Pattern[]>;
  /** English words of the vocabulary as written, for spelling guesses. */
  readonly words: ReadonlySet<string>;
}

/** Longest gap that `~` stands for. */
const GAP: Readonly<Record<Language, number>> = { zh: 6, en: 4 };

/** Compiles a synonym: `~` is a gap, `&` joins runs in any order, a leading `@` needs the parent to be spoken of. */
export function toPattern(text: string, language: Language, findingIndex: number, says: Pattern['says']): { pattern: Pattern; units: Unit[] } | null {
  const all: Unit[] = [];
  const normalized = normalizeText(text).trim();
  const parts = normalized.replace(/^@/, '').split('&').map((part): Sequence => {
    const forms: (string | null)[] = [];
    for (const segment of part.split('~')) {
      const units = toUnits(segment.trim());
      if (units.length === 0) continue;
      if (forms.length > 0) forms.push(null);
      for (const unit of units) forms.push(unit.form);
      all.push(...units);
    }
    return forms;
  }).filter((part) => part.length > 0);
  return parts.length === 0 ? null : { pattern: { findingIndex, says, parts, gap: GAP[language], contextual: normalized.startsWith('@') }, units: all };
}

/** Builds the lexicon of a vocabulary. */
export function buildLexicon(findings: readonly Finding[]): Lexicon {
  const patterns = new Map<string, Pattern[]>();
  const words = new Set<string>();
  const add = (text: string, language: Language, findingIndex: number, says: Pattern['says']): void => {
    const made = toPattern(text, language, findingIndex, says);
    if (made === null) return;
    const first = made.pattern.parts[0]?.[0] ?? '';
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
