import type { Finding, Language } from '../bundle/bundle.js';
import { ByteReader, ByteWriter, readHeader, writeHeader } from '../bundle/bytes.js';
import { normalizeText } from '../text/normalize.js';
import { charactersOf, isSharedForm, toUnits, type Unit } from '../text/units.js';
import { decodeHomophones, type HomophoneTable } from './homophone-table.js';
import { isTold } from './told-diagnosis.js';

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
  /** Patterns of which a text with these forms holds every word, by the form they begin with. */
  patternsIn(held: ReadonlySet<string>): ReadonlyMap<string, readonly Pattern[]>;
  /** English words of the vocabulary as written, for spelling guesses. */
  readonly words: ReadonlySet<string>;
  /** Real English words near to one of those, never replaced. */
  readonly protectedWords: ReadonlySet<string>;
  readonly homophones: HomophoneTable;
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
    // What is told of takes no words from others.
    const isFree = isTold(source.findings[findingIndex]?.id ?? '');
    if (!isFree && source.leftOut.has(`${language} ${text}`)) return;
    const made = toPattern(corrected(text), language, findingIndex, says);
    if (made === null) return;
    for (const unit of made.units) if (unit.kind === 'word') words.add(unit.word);
    // The same contextual words may describe several findings; what they describe tells which is meant. Other words
    // belong to one finding: the closest description, else the first to claim them.
    // 痒 and itch are one form, but each language's words are matched in its own text.
    const isShared = made.pattern.parts.every((part) => part.every((form) => form !== null && isSharedForm(form)));
    const key = JSON.stringify([made.pattern.parts, made.pattern.contextual || isFree ? findingIndex : -1, isShared ? language : '']);
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
  leaveOutNeedless(groups);
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

/** Takes off runs that must stand near one another (`A & B`) where one of them alone is a word of the finding already. */
function leaveOutNeedless(groups: Map<string, Pattern[]>): void {
  const keyOf = ({ findingIndex, says, contextual, language }: Pattern, run: Sequence): string => JSON.stringify([findingIndex, says, contextual, language, run]);
  const whole = new Set([...groups.values()].flat().flatMap((pattern) => (pattern.parts.length === 1 ? [keyOf(pattern, pattern.parts[0] ?? [])] : [])));
  for (const [first, patterns] of groups) {
    const kept = patterns.filter((pattern) => pattern.parts.length === 1 || !pattern.parts.some((part) => whole.has(keyOf(pattern, part))));
    if (kept.length > 0) groups.set(first, kept);
    else groups.delete(first);
  }
}

/**
 * Patterns that begin with one form, by finding and likeness, in columns, which compress better than rows: steps of the finding's index,
 * flags, numbers of parts and of their places, and the forms of all places but the first, which the group knows.
 */
function encodeGroup(patterns: readonly Pattern[], numbers: ReadonlyMap<string, number>, neverGuessed: ReadonlySet<number>): Uint8Array {
  const formOf = (form: string | null): number => (form === null ? 0 : (numbers.get(form) ?? 0) + 1);
  const ordered = patterns
    .map((pattern) => {
      const flags = flagsOf(pattern, neverGuessed);
      const lengths = pattern.parts.map((part) => part.length);
      const places = pattern.parts.flat().slice(1).map(formOf);
      return { findingIndex: pattern.findingIndex, flags, lengths, places, key: String.fromCharCode(flags, lengths.length, ...lengths, ...places) };
    })
    .sort((a, b) => a.findingIndex - b.findingIndex || (a.key < b.key ? -1 : 1));
  const blob = new ByteWriter().varuint(ordered.length);
  let before = NOT_A_FINDING;
  for (const { findingIndex } of ordered) {
    blob.varuint(findingIndex - before);
    before = findingIndex;
  }
  for (const { flags } of ordered) blob.u8(flags);
  for (const { lengths } of ordered) blob.list(lengths, (length) => blob.varuint(length));
  for (const { places } of ordered) for (const place of places) blob.varuint(place);
  return blob.finish();
}

function flagsOf(pattern: Pattern, neverGuessed: ReadonlySet<number>): number {
  return (pattern.says === 'absent' ? FLAGS.absent : 0) | (pattern.contextual ? FLAGS.contextual : 0) | (pattern.language === 'en' ? FLAGS.english : 0) | (isGuessable(pattern, neverGuessed) ? FLAGS.guessable : 0);
}

/** The patterns of one group in columns, as they travel; forms are numbers, 0 is a gap. */
export class PatternGroup {
  readonly #findings: Int32Array;
  readonly #flags: Uint8Array;
  /** Of each pattern: the lengths of its parts, `[#shapeAt[pattern], #shapeAt[pattern + 1])`. */
  readonly #shapes: number[] = [];
  readonly #shapeAt: Int32Array;
  /** Of each pattern: the forms of its places, `[#placeAt[pattern], #placeAt[pattern + 1])`. */
  readonly #places: Int32Array;
  readonly #placeAt: Int32Array;

  /** @param first number of the form that all begin with */
  constructor(reader: ByteReader, first: number) {
    const size = reader.varuint();
    this.#findings = new Int32Array(size);
    let finding = NOT_A_FINDING;
    for (let pattern = 0; pattern < size; pattern++) this.#findings[pattern] = finding += reader.varuint();
    this.#flags = reader.raw(size);
    this.#shapeAt = new Int32Array(size + 1);
    this.#placeAt = new Int32Array(size + 1);
    let placeCount = 0;
    for (let pattern = 0; pattern < size; pattern++) {
      for (let parts = reader.varuint(); parts > 0; parts--) {
        const length = reader.varuint();
        this.#shapes.push(length);
        placeCount += length;
      }
      this.#shapeAt[pattern + 1] = this.#shapes.length;
      this.#placeAt[pattern + 1] = placeCount;
    }
    this.#places = new Int32Array(placeCount);
    for (let pattern = 0; pattern < size; pattern++) {
      const from = this.#placeAt[pattern] ?? 0;
      const to = this.#placeAt[pattern + 1] ?? 0;
      this.#places[from] = first + 1;
      for (let place = from + 1; place < to; place++) this.#places[place] = reader.varuint();
    }
  }

  get size(): number {
    return this.#findings.length;
  }

  findingOf(pattern: number): number {
    return this.#findings[pattern] ?? NOT_A_FINDING;
  }

  isGuessable(pattern: number): boolean {
    return ((this.#flags[pattern] ?? 0) & FLAGS.guessable) !== 0;
  }

  /** Numbers of the forms, each one more than its place among the forms. */
  placesOf(pattern: number): Int32Array {
    return this.#places.subarray(this.#placeAt[pattern], this.#placeAt[pattern + 1]);
  }

  /** Patterns all of whose places are marked. @param marked by number of a form; the gap is marked too */
  within(marked: Uint8Array, forms: readonly string[]): Pattern[] {
    const found: Pattern[] = [];
    for (let pattern = 0; pattern < this.#findings.length; pattern++) {
      const to = this.#placeAt[pattern + 1] ?? 0;
      let place = (this.#placeAt[pattern] ?? 0) + 1;
      while (place < to && marked[this.#places[place] ?? 0] === 1) place++;
      if (place >= to) found.push(this.#pattern(pattern, forms));
    }
    return found;
  }

  #pattern(pattern: number, forms: readonly string[]): Pattern {
    const flags = this.#flags[pattern] ?? 0;
    const parts: (string | null)[][] = [];
    let at = this.#placeAt[pattern] ?? 0;
    for (let shape = this.#shapeAt[pattern] ?? 0; shape < (this.#shapeAt[pattern + 1] ?? 0); shape++) {
      const run: (string | null)[] = [];
      for (const end = at + (this.#shapes[shape] ?? 0); at < end; at++) {
        const form = this.#places[at] ?? 0;
        run.push(form === 0 ? null : (forms[form - 1] ?? ''));
      }
      parts.push(run);
    }
    return { findingIndex: this.findingOf(pattern), says: (flags & FLAGS.absent) === 0 ? 'present' : 'absent', contextual: (flags & FLAGS.contextual) !== 0, language: (flags & FLAGS.english) === 0 ? 'zh' : 'en', parts };
  }
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
  const numbers = new Map(forms.map((form, index) => [form, index]));
  const groups = new Map<number, PatternGroup>();
  let homophones: HomophoneTable | undefined;
  const groupAt = (number: number): PatternGroup => {
    let group = groups.get(number);
    if (group === undefined) {
      group = new PatternGroup(new ByteReader(blobs.subarray(offsets[number], offsets[number + 1]), 'part lexicon'), number);
      groups.set(number, group);
    }
    return group;
  };
  return {
    words,
    protectedWords,
    patternsIn(held) {
      const own = [...held].flatMap((form) => numbers.get(form) ?? []);
      const marked = new Uint8Array(forms.length + 1);
      marked[0] = 1;
      for (const number of own) marked[number + 1] = 1;
      const found = new Map<string, readonly Pattern[]>();
      for (const number of own) {
        const patterns = number < count ? groupAt(number).within(marked, forms) : [];
        if (patterns.length > 0) found.set(forms[number] ?? '', patterns);
      }
      return found;
    },
    get homophones() {
      homophones ??= decodeHomophones(bytes, tail, forms, groupAt, count);
      return homophones;
    },
  };
}
