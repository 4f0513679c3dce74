import type { Unit } from '../text/units.js';
import type { HomophoneTable } from './homophone-table.js';
import { LONGEST_TERM, SHORTEST_TERM } from './lexicon.js';
import type { Match } from './match.js';

/** Characters so common that they stand for themselves. */
const COMMON = new Set('后有是要和就也都又还在这那了的得地着过来去上下里外前时会能可没不很太好多少大小天年月日点分吃喝说看走人家个们');

/**
 * Guesses Chinese terms typed with wrong characters of the same sound (皮诊 for 皮疹): at most one character differs, two
 * from four characters on, none of them belongs to words that were understood, and what was typed is no word of its own
 * (使用 is no slip for 失用). Two characters are guessed only where they stand by themselves.
 */
export function findHomophones(units: readonly Unit[], claimed: ReadonlySet<number>, table: () => HomophoneTable): Match[] {
  const free = units.map((unit, index) => unit.kind === 'character' && !claimed.has(index));
  const isEdge = (index: number): boolean => free[index] !== true || COMMON.has(units[index]?.word ?? '');
  const matches: Match[] = [];
  for (let start = 0; start < units.length; start++) {
    if (!free[start] || !free[start + 1]) continue;
    for (let length = LONGEST_TERM; length >= SHORTEST_TERM; length--) {
      const window = units.slice(start, start + length);
      if (window.length < length || window.some((_, offset) => !free[start + offset])) continue;
      if (length === SHORTEST_TERM && !(isEdge(start - 1) && isEdge(start + length))) continue;
      const characters = window.map((unit) => unit.word);
      if (table().ordinary.has(characters.join(''))) continue;
      const term = table().sounding(characters).find(({ text }) => isSlip(characters, text, length >= 4 ? 2 : 1));
      if (term === undefined) continue;
      const own = window.map((_, offset) => start + offset);
      matches.push({ pattern: { findingIndex: term.findingIndex, says: 'present', parts: [characters], language: 'zh', contextual: false }, claimed: own });
      start += length - 1;
      break;
    }
  }
  return matches;
}

/** At most `most` characters differ, and none of those typed is one that stands for itself. */
function isSlip(characters: readonly string[], term: string, most: number): boolean {
  const typed = characters.filter((character, index) => [...term][index] !== character);
  return typed.length <= most && typed.every((character) => !COMMON.has(character));
}
