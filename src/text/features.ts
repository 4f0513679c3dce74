import { normalizeText } from './normalize.js';
import { toUnits, type Unit } from './units.js';

/** English words that say nothing of a complaint. */
const STOP = new Set(
  'a an the and or of to in on at for with by from as is am are was were be been being it its this that these those i me my mine we our you your he him his she her they them their have has had do does did will would can could should so if then than when while which who what how also very really just like get got go about into over after before up down out some any no not'.split(
    ' ',
  ),
);

const HAN = /^\p{Script=Han}$/u;

/**
 * The terms by which texts are compared, of lexical and dense retrieval alike: Chinese by characters and pairs of
 * neighbouring characters, English by stems and pairs of neighbouring stems without stop words.
 */
export function termsOf(text: string): string[] {
  return termsOfUnits(toUnits(normalizeText(text)));
}

function termsOfUnits(units: readonly Unit[]): string[] {
  const terms: string[] = [];
  let previous: string | null = null;
  for (const unit of units) {
    if (unit.kind === 'character' && HAN.test(unit.word)) {
      const character = unit.word === '疼' ? '痛' : unit.word;
      terms.push(character);
      if (previous !== null && previous.length === 1 && HAN.test(previous)) terms.push(previous + character);
      previous = character;
    } else if (unit.kind === 'word' && unit.word.length > 1) {
      if (STOP.has(unit.word)) continue;
      terms.push(unit.form);
      if (previous !== null && !HAN.test(previous)) terms.push(`${previous} ${unit.form}`);
      previous = unit.form;
    } else previous = null;
  }
  return terms;
}

/** Counts of terms. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
