import { pinyin } from 'pinyin-pro';
import type { Finding } from '../../src/bundle/bundle.js';

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
