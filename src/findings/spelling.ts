import { stem } from '../text/units.js';

/** Edit distance with transpositions (Damerau, restricted), at most `limit`; `limit + 1` where it is more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let value = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) value = Math.min(value, (before[column - 2] ?? 0) + 1);
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}

/** Shortest word that is guessed at; two edits are allowed from eight letters on. */
const SHORTEST = 5;

export function allowedEdits(length: number): number {
  return length < SHORTEST ? 0 : length < 8 ? 1 : 2;
}

/** Which letters a word has, a bit each; other characters share the last. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index) - 97;
    letters |= 1 << (code >= 0 && code < 26 ? code : 26);
  }
  return letters;
}

/** Whether so many edits can explain the letters that only one of two words has: an edit adds and removes one at most. */
function lettersFit(a: number, b: number, edits: number): boolean {
  let different = a ^ b;
  for (let left = 2 * edits; different !== 0; left--) {
    if (left === 0) return false;
    different &= different - 1;
  }
  return true;
}

/** The word with every repeated letter once. */
function single(word: string): string {
  return word.replace(/(.)\1+/g, '$1');
}

/** Guesses misspelt vocabulary words. Mentions read through a guess are marked, so that a page can show what was understood. */
export class Speller {
  readonly #byLength = new Map<number, { readonly word: string; readonly letters: number }[]>();
  readonly #cache = new Map<string, string | null>();
  readonly #words: ReadonlySet<string>;
  readonly #protectedWords: ReadonlySet<string>;

  /**
   * @param words the vocabulary's words, lower case
   * @param protectedWords real words near to a vocabulary word, never replaced
   */
  constructor(words: ReadonlySet<string>, protectedWords: ReadonlySet<string>) {
    this.#words = words;
    this.#protectedWords = protectedWords;
    for (const word of [...words].sort()) {
      if (word.length < SHORTEST - 1) continue;
      const entry = { word, letters: lettersOf(word) };
      const list = this.#byLength.get(word.length);
      if (list === undefined) this.#byLength.set(word.length, [entry]);
      else list.push(entry);
    }
  }

  /** The vocabulary word most likely meant, or null where there is none, the word is known, or two are equally near. */
  guess(word: string): string | null {
    const limit = allowedEdits(word.length);
    if (limit === 0 || this.#words.has(word) || this.#protectedWords.has(word)) return null;
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    let best: string | null = null;
    let distance = limit + 1;
    let tie = false;
    const letters = lettersOf(word);
    const plain = single(word);
    for (let length = word.length - limit; length <= word.length + limit; length++) {
      for (const { word: candidate, letters: others } of this.#byLength.get(length) ?? []) {
        if ((candidate[0] !== word[0] && limit < 2) || !lettersFit(letters, others, Math.min(limit, distance))) continue;
        // A letter written once for twice (swolen) is the likeliest slip.
        const edits = editDistance(word, candidate, limit) - (plain === single(candidate) ? 0.5 : 0);
        if (edits < distance) [best, distance, tie] = [candidate, edits, false];
        // Two candidates of one stem (itchy, itches) are no doubt.
        else if (edits === distance && edits <= limit && best !== null && stem(candidate) !== stem(best)) tie = true;
      }
    }
    const result = tie || distance > limit ? null : best;
    if (this.#cache.size > 5_000) this.#cache.clear();
    this.#cache.set(word, result);
    return result;
  }
}
