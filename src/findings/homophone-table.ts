import { ByteReader } from '../bundle/bytes.js';
import { charactersOf } from '../text/units.js';
import type { PatternGroup } from './lexicon.js';

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

/** Every way to write a run of which each place has some characters. */
function spellings(places: readonly (readonly string[])[]): string[] {
  return places.reduce<string[]>((texts, characters) => texts.flatMap((text) => characters.map((character) => text + character)), ['']);
}

/** The terms of one group that may be guessed, not yet spelt: their sounds with the patterns they belong to. */
interface SoundColumn {
  readonly group: PatternGroup;
  readonly sounds: Float64Array;
  readonly patterns: Int32Array;
}

/** Terms are read as windows of a text ask for them: those that begin with the sound of its first character. */
export function decodeHomophones(bytes: Uint8Array, from: number, forms: readonly string[], groupAt: (number: number) => PatternGroup, groupCount: number): HomophoneTable {
  const reader = new ByteReader(bytes, 'part lexicon');
  reader.position = from;
  const syllables = new Map<string, number>();
  reader.string().split('\n').forEach((line, number) => {
    for (const character of line.slice(line.indexOf(' ') + 1)) syllables.set(character, number + 1);
  });
  const ordinary = new Set(reader.string().split(' '));
  /** By form: the syllables of its characters. */
  const soundsOf = forms.map((form) => [...new Set(charactersOf(form).flatMap((character) => syllables.get(character) ?? []))]);
  /** By syllable: the groups of patterns that begin with a character of that sound. */
  const groups = new Map<number, number[]>();
  for (let number = 0; number < groupCount; number++) {
    for (const syllable of soundsOf[number] ?? []) {
      const list = groups.get(syllable);
      if (list === undefined) groups.set(syllable, [number]);
      else list.push(number);
    }
  }
  const columns = new Map<number, SoundColumn>();
  const columnAt = (number: number): SoundColumn => {
    let column = columns.get(number);
    if (column === undefined) {
      column = soundColumn(groupAt(number), soundsOf);
      columns.set(number, column);
    }
    return column;
  };
  return {
    ordinary,
    sounding(characters) {
      const first = syllables.get(characters[0] ?? '');
      const sound = soundOf(characters, syllables);
      const terms: SoundTerm[] = [];
      if (sound === 0 || first === undefined) return terms;
      for (const number of groups.get(first) ?? []) {
        const { group, sounds, patterns } = columnAt(number);
        for (let at = sounds.indexOf(sound); at >= 0; at = sounds.indexOf(sound, at + 1)) {
          const pattern = patterns[at] ?? 0;
          const texts = spellings(Array.from(group.placesOf(pattern), (form) => charactersOf(forms[form - 1] ?? '')));
          for (const text of texts) if (soundOf(text, syllables) === sound) terms.push({ text, findingIndex: group.findingOf(pattern) });
        }
      }
      return terms;
    },
  };
}

/** @param soundsOf by form: the syllables of its characters; a term stands under every sound that its characters may have */
function soundColumn(group: PatternGroup, soundsOf: readonly (readonly number[])[]): SoundColumn {
  const sounds: number[] = [];
  const patterns: number[] = [];
  for (let pattern = 0; pattern < group.size; pattern++) {
    if (!group.isGuessable(pattern)) continue;
    for (const sound of soundsOfTerm(group.placesOf(pattern), soundsOf)) {
      sounds.push(sound);
      patterns.push(pattern);
    }
  }
  return { group, sounds: Float64Array.from(sounds), patterns: Int32Array.from(patterns) };
}

/** Every sound that a term's characters may have: nearly always one. */
function soundsOfTerm(places: Int32Array, soundsOf: readonly (readonly number[])[]): number[] {
  let sounds = [0];
  for (const form of places) {
    const own = soundsOf[form - 1] ?? [];
    if (own.length === 1) for (let at = 0; at < sounds.length; at++) sounds[at] = (sounds[at] ?? 0) * SYLLABLES + (own[0] ?? 0);
    else sounds = sounds.flatMap((sound) => own.map((syllable) => sound * SYLLABLES + syllable));
  }
  return sounds;
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
