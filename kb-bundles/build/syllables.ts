import { pinyin } from 'pinyin-pro';
import type { Finding } from '../../src/bundle/bundle.js';
import { LONGEST_TERM, SHORTEST_TERM } from '../../src/findings/lexicon.js';
import { normalizeText } from '../../src/text/normalize.js';

/** The characters of GB 2312, which covers everyday writing. */
function everydayCharacters(): string[] {
  const decoder = new TextDecoder('gb2312');
  const characters: string[] = [];
  for (let row = 0xb0; row <= 0xf7; row++) {
    for (let cell = 0xa1; cell <= 0xfe; cell++) {
      const character = decoder.decode(Uint8Array.of(row, cell));
      if (/^\p{Script=Han}$/u.test(character)) characters.push(character);
    }
  }
  return characters;
}

/** Syllables (pinyin without tone) that occur in the vocabulary, each with the everyday characters that sound so. */
export function syllableTable(findings: readonly Finding[]): Map<string, string> {
  const sound = (character: string): string => pinyin(character, { toneType: 'none', type: 'array' })[0] ?? '';
  const used = new Set<string>();
  for (const finding of findings) for (const text of [finding.names.zh, ...finding.synonyms.zh]) for (const character of text) if (/\p{Script=Han}/u.test(character)) used.add(sound(character));
  const table = new Map<string, string>([...used].sort().map((syllable) => [syllable, '']));
  for (const character of everydayCharacters()) {
    const syllable = sound(character);
    const before = table.get(syllable);
    if (before !== undefined) table.set(syllable, before + character);
  }
  return table;
}

/** How often a run must stand in the texts to count as a word of its own and not as somebody's slip. */
const LEAST_SEEN = 2;

/** Runs of the knowledge's own texts that merely sound like a finding's words (使用 beside 失用, 食指 beside 食滞), sorted. */
export function ordinaryRuns(findings: readonly Finding[], texts: readonly string[], table: ReadonlyMap<string, string>): string[] {
  const syllableOf = new Map([...table].flatMap(([syllable, characters]) => [...characters].map((character) => [character, syllable] as const)));
  const soundsOf = (run: string): string => [...run].map((character) => syllableOf.get(character) ?? '?').join(' ');
  const terms = new Set<string>();
  const sounds = new Set<string>();
  for (const finding of findings) {
    for (const word of [finding.names.zh, ...finding.synonyms.zh].map((one) => normalizeText(one))) {
      if (word.length < SHORTEST_TERM || word.length > LONGEST_TERM || !/^\p{Script=Han}+$/u.test(word)) continue;
      terms.add(word);
      sounds.add(soundsOf(word));
    }
  }
  const seen = new Map<string, number>();
  for (const text of texts) {
    for (const [stretch] of normalizeText(text).matchAll(/\p{Script=Han}+/gu)) {
      for (let start = 0; start < stretch.length; start++) {
        for (let length = SHORTEST_TERM; length <= LONGEST_TERM && start + length <= stretch.length; length++) {
          const run = stretch.slice(start, start + length);
          if (sounds.has(soundsOf(run)) && !terms.has(run)) seen.set(run, (seen.get(run) ?? 0) + 1);
        }
      }
    }
  }
  return [...seen].filter(([, count]) => count >= LEAST_SEEN).map(([run]) => run).sort();
}
