import type { Finding, Language } from '../bundle/bundle.js';
import { ByteReader, ByteWriter, readHeader, writeHeader } from '../bundle/bytes.js';
import { normalizeText } from '../text/normalize.js';
import { charactersOf, isSharedForm, toUnits, type Unit } from '../text/units.js';

/** A run of words in order; `null` is a gap. */
export type Sequence = readonly (string | null)[];

/** A synonym as units. */
export interface Pattern {
  readonly findingIndex: number;
  /** Whether the words say that the finding is there or that it is not. */
  readonly says: 'present' | 'absent';
  /** One run, or several that stand near one another in any order. */
  readonly parts: readonly Sequence[];
  /** The language of its words. */
  readonly language: Language;
  /** The words count only where the finding's parent, or what it needs, is spoken of. */
  readonly contextual: boolean;
}

/** Words of the vocabulary by the unit they begin with, in both languages at once. */
export interface Lexicon {
  /** Patterns that begin with a form; empty where none does. */
  patternsAt(form: string): readonly Pattern[];
  /** English words of the vocabulary as written, for spelling guesses. */
  readonly words: ReadonlySet<string>;
  /** Real English words near to one of those, never replaced. */
  readonly protectedWords: ReadonlySet<string>;
  readonly homophones: HomophoneTable;
}

/** A term that may be guessed by its sound. */
export interface SoundTerm {
  readonly text: string;
  readonly findingIndex: number;
}

/** Chinese terms by how they sound, for characters typed wrongly. */
export interface HomophoneTable {
  /** Terms that sound as these characters do; none where a character's sound is not known. */
  sounding(characters: readonly string[]): readonly SoundTerm[];
  /** Words of their own that merely sound like a term. */
  readonly ordinary: ReadonlySet<string>;
}

/** Finding index of words that look like a finding and are none. */
export const NOT_A_FINDING = -1;

/** Longest gap that `~` stands for, units. */
export const GAP: Readonly<Record<Language, number>> = { zh: 6, en: 4 };

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
  return parts.length === 0 ? null : { pattern: { findingIndex, says, parts, language, contextual: normalized.startsWith('@') }, units: all };
}

/** Characters of the longest and shortest term that is guessed by its sound. */
export const LONGEST_TERM = 6;
export const SHORTEST_TERM = 2;

/** Bits of a pattern's flags. */
const FLAGS = { absent: 1, contextual: 2, english: 4, guessable: 8 } as const;

/** Whether a term may be guessed by its sound: one run of 2 to 6 Chinese characters that says a finding is there. */
function isGuessable({ parts, says, contextual, language, findingIndex }: Pattern, neverGuessed: ReadonlySet<number>): boolean {
  const [run = []] = parts;
  return language === 'zh' && says === 'present' && !contextual && findingIndex >= 0 && !neverGuessed.has(findingIndex) && parts.length === 1 && run.length >= SHORTEST_TERM && run.length <= LONGEST_TERM && run.every((form) => form !== null && charactersOf(form).some((character) => /^\p{Script=Han}$/u.test(character)));
}

type Mutable = { -readonly [Key in keyof Pattern]: Pattern[Key] };

/** What the builder puts into the lexicon part. */
export interface LexiconSource {
  readonly findings: readonly Finding[];
  readonly notFindings: Readonly<Record<Language, readonly string[]>>;
  /** Synonyms to leave out, as `<language> <synonym>`. */
  readonly leftOut: ReadonlySet<string>;
  /** Misspelt words of synonyms with the right ones. */
  readonly misspellings: ReadonlyMap<string, string>;
  /** Findings that no guess by sound may give, since red flags rest on them. */
  readonly neverGuessed: ReadonlySet<number>;
  /** Sorted. */
  readonly protectedWords: readonly string[];
  /** Syllables without tone, each with the characters that sound so. */
  readonly syllables: ReadonlyMap<string, string>;
  /** Words of their own that merely sound like a term, sorted. */
  readonly ordinary: readonly string[];
}

/**
 * Writes the lexicon part: patterns grouped by the form they begin with behind an offset table, so that a turn decodes
 * only the groups that its words touch.
 */
export function encodeLexicon(source: LexiconSource): Uint8Array {
  const words = new Set<string>();
  const groups = new Map<string, Pattern[]>();
  const owners = new Map<string, { pattern: Mutable; canonical: boolean }>();
  const depths = new Map<number, number>();
  const depthOf = (findingIndex: number): number => {
    let depth = depths.get(findingIndex);
    if (depth === undefined) {
      depths.set(findingIndex, 0);
      depth = Math.max(0, ...(source.findings[findingIndex]?.parents ?? []).map((parent) => depthOf(parent) + 1));
      depths.set(findingIndex, depth);
    }
    return depth;
  };
  const corrected = (text: string): string => text.replace(/[a-z]{5,}/g, (word) => source.misspellings.get(word) ?? word);
  const add = (text: string, language: Language, findingIndex: number, says: Pattern['says'], canonical = false): void => {
    if (source.leftOut.has(`${language} ${text}`)) return;
    const made = toPattern(corrected(text), language, findingIndex, says);
    if (made === null) return;
    for (const unit of made.units) if (unit.kind === 'word') words.add(unit.word);
    // The same contextual words may describe several findings; what they describe tells which is meant. Other words
    // belong to one finding: the closest description, else the first to claim them.
    // 痒 and itch are one form, but each language's words are matched in its own text.
    const isShared = made.pattern.parts.every((part) => part.every((form) => form !== null && isSharedForm(form)));
    const key = JSON.stringify([made.pattern.parts, made.pattern.contextual ? findingIndex : -1, isShared ? language : '']);
    const other = owners.get(key);
    if (other !== undefined) {
      if (!other.canonical && findingIndex >= 0 && other.pattern.findingIndex >= 0 && depthOf(findingIndex) > depthOf(other.pattern.findingIndex)) other.pattern.findingIndex = findingIndex;
      return;
    }
    owners.set(key, { pattern: made.pattern, canonical });
    const first = made.pattern.parts[0]?.[0] ?? '';
    const group = groups.get(first);
    if (group === undefined) groups.set(first, [made.pattern]);
    else group.push(made.pattern);
  };
  for (const language of ['zh', 'en'] as const) for (const text of source.notFindings[language]) add(text, language, NOT_A_FINDING, 'present');
  for (const finding of source.findings) for (const language of ['zh', 'en'] as const) add(finding.names[language], language, finding.index, 'present', true);
  for (const finding of source.findings) {
    for (const language of ['zh', 'en'] as const) {
      for (const synonym of finding.synonyms[language]) add(synonym, language, finding.index, 'present');
      for (const opposite of finding.opposites[language]) add(opposite, language, finding.index, 'absent');
    }
  }
  const firsts = [...groups.keys()].sort();
  const forms = [...new Set([...firsts, ...[...groups.values()].flat().flatMap((pattern) => pattern.parts.flat().filter((form) => form !== null))])];
  const numbers = new Map(forms.map((form, index) => [form, index]));
  const blobs = firsts.map((first) => {
    return encodeGroup(groups.get(first) ?? [], numbers, source.neverGuessed);
  });
  const out = writeHeader('lexicon').u32(firsts.length).string(forms.join('\n'));
  let offset = 0;
  for (const blob of blobs) {
    out.u32(offset);
    offset += blob.length;
  }
  out.u32(offset);
  for (const blob of blobs) out.raw(blob);
  out.string([...words].sort().join(' ')).string(source.protectedWords.join(' '));
  out.string([...source.syllables].map(([syllable, characters]) => `${syllable} ${characters}`).join('\n')).string(source.ordinary.join(' '));
  return out.finish();
}

/**
 * Patterns that begin with one form, by finding, in columns, which compress better than rows: steps of the finding's index,
 * flags, numbers of parts and of their places, and the forms of all places but the first, which the group knows.
 */
function encodeGroup(patterns: readonly Pattern[], numbers: ReadonlyMap<string, number>, neverGuessed: ReadonlySet<number>): Uint8Array {
  const ordered = [...patterns].sort((a, b) => a.findingIndex - b.findingIndex);
  const blob = new ByteWriter().varuint(ordered.length);
  let before = NOT_A_FINDING;
  for (const { findingIndex } of ordered) {
    blob.varuint(findingIndex - before);
    before = findingIndex;
  }
  for (const pattern of ordered) blob.u8((pattern.says === 'absent' ? FLAGS.absent : 0) | (pattern.contextual ? FLAGS.contextual : 0) | (pattern.language === 'en' ? FLAGS.english : 0) | (isGuessable(pattern, neverGuessed) ? FLAGS.guessable : 0));
  for (const { parts } of ordered) blob.list(parts, (part) => blob.varuint(part.length));
  for (const { parts } of ordered) for (const form of parts.flat().slice(1)) blob.varuint(form === null ? 0 : (numbers.get(form) ?? 0) + 1);
  return blob.finish();
}

/** A group's patterns as they are read, the forms not yet looked up: 0 is a gap. */
interface RawPattern {
  readonly findingIndex: number;
  readonly flags: number;
  readonly parts: readonly (readonly number[])[];
}

function readGroup(reader: ByteReader, first: number): RawPattern[] {
  let finding = NOT_A_FINDING;
  const findings = reader.list(() => (finding += reader.varuint()));
  const flags = findings.map(() => reader.u8());
  const shapes = findings.map(() => reader.list(() => reader.varuint()));
  return findings.map((findingIndex, at) => ({
    findingIndex,
    flags: flags[at] ?? 0,
    parts: (shapes[at] ?? []).map((length, part) => {
      const places: number[] = part === 0 && length > 0 ? [first + 1] : [];
      while (places.length < length) places.push(reader.varuint());
      return places;
    }),
  }));
}

/**
 * Reads the lexicon part.
 * @throws {BundleError} malformed, truncated
 */
export function decodeLexicon(bytes: Uint8Array): Lexicon {
  const reader = readHeader(bytes, 'lexicon');
  const count = reader.u32();
  const forms = reader.string().split('\n');
  const offsets = reader.u32s(count + 1);
  const blobs = reader.raw(offsets[count] ?? 0);
  const words = new Set(reader.string().split(' '));
  const protectedWords = new Set(reader.string().split(' '));
  const tail = reader.position;
  const numbers = new Map(forms.slice(0, count).map((form, index) => [form, index]));
  const groups = new Map<number, readonly Pattern[]>();
  const none: readonly Pattern[] = [];
  let homophones: HomophoneTable | undefined;
  const rawGroup = (number: number): RawPattern[] => readGroup(new ByteReader(blobs.subarray(offsets[number], offsets[number + 1]), 'part lexicon'), number);
  return {
    words,
    protectedWords,
    patternsAt(form) {
      const number = numbers.get(form);
      if (number === undefined) return none;
      let group = groups.get(number);
      if (group === undefined) {
        group = decodeGroup(rawGroup(number), forms);
        groups.set(number, group);
      }
      return group;
    },
    get homophones() {
      homophones ??= decodeHomophones(bytes, tail, forms, rawGroup, count);
      return homophones;
    },
  };
}

/** Every way to write a run of which each place has some characters. */
function spellings(places: readonly (readonly string[])[]): string[] {
  return places.reduce<string[]>((texts, characters) => texts.flatMap((text) => characters.map((character) => text + character)), ['']);
}

function decodeGroup(patterns: readonly RawPattern[], forms: readonly string[]): readonly Pattern[] {
  return patterns.map(({ findingIndex, flags, parts }) => ({
    findingIndex,
    says: (flags & FLAGS.absent) === 0 ? 'present' : 'absent',
    contextual: (flags & FLAGS.contextual) !== 0,
    language: (flags & FLAGS.english) === 0 ? 'zh' : 'en',
    parts: parts.map((part) => part.map((form) => (form === 0 ? null : (forms[form - 1] ?? '')))),
  }));
}

/** Terms are read as windows of a text ask for them: those that begin with the sound of its first character. */
function decodeHomophones(bytes: Uint8Array, from: number, forms: readonly string[], group: (number: number) => readonly RawPattern[], groupCount: number): HomophoneTable {
  const reader = new ByteReader(bytes, 'part lexicon');
  reader.position = from;
  const syllables = new Map<string, number>();
  reader.string().split('\n').forEach((line, number) => {
    for (const character of line.slice(line.indexOf(' ') + 1)) syllables.set(character, number + 1);
  });
  const ordinary = new Set(reader.string().split(' '));
  /** By syllable: the groups of patterns that begin with a character of that sound. */
  const groups = new Map<number, number[]>();
  for (let number = 0; number < groupCount; number++) {
    for (const syllable of new Set(charactersOf(forms[number] ?? '').flatMap((character) => syllables.get(character) ?? []))) {
      const list = groups.get(syllable);
      if (list === undefined) groups.set(syllable, [number]);
      else list.push(number);
    }
  }
  const none: readonly SoundTerm[] = [];
  const tables = new Map<number, Map<number, SoundTerm[]>>();
  const tableOf = (syllable: number): Map<number, SoundTerm[]> => {
    let table = tables.get(syllable);
    if (table === undefined) {
      table = new Map();
      tables.set(syllable, table);
      for (const number of groups.get(syllable) ?? []) {
        for (const term of guessable(group(number), forms)) {
          const sound = soundOf(term.text, syllables);
          if (sound === 0) continue;
          const list = table.get(sound);
          if (list === undefined) table.set(sound, [term]);
          else list.push(term);
        }
      }
    }
    return table;
  };
  return {
    ordinary,
    sounding(characters) {
      const first = syllables.get(characters[0] ?? '');
      const sound = soundOf(characters, syllables);
      return sound === 0 || first === undefined ? none : (tableOf(first).get(sound) ?? none);
    },
  };
}

/** The terms of one group of patterns that may be guessed by their sound. */
function* guessable(patterns: readonly RawPattern[], forms: readonly string[]): Generator<SoundTerm> {
  for (const { findingIndex, flags, parts } of patterns) {
    if ((flags & FLAGS.guessable) === 0) continue;
    for (const text of spellings((parts[0] ?? []).map((form) => charactersOf(forms[form - 1] ?? '')))) yield { text, findingIndex };
  }
}

/** More than there are syllables without tone; six of them still make an exact number. */
const SYLLABLES = 440;

/** Syllables as the digits of one number, which is 0 where a character's sound is not known. */
function soundOf(characters: Iterable<string>, syllables: ReadonlyMap<string, number>): number {
  let sound = 0;
  for (const character of characters) {
    const number = syllables.get(character);
    if (number === undefined) return 0;
    sound = sound * SYLLABLES + number;
  }
  return sound;
}
