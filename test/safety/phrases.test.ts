import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtBundle, ROOT } from '../bundles.js';
import { missOf, readSafetyPhrases, redFlagChecker } from './safety-table.js';

describe.each([
  ['mm-zh', 'phrases.zh.tsv'],
  ['mm-en', 'phrases.en.tsv'],
] as const)('red flags of first utterances, %s', (id, file) => {
  const phrases = readSafetyPhrases(join(ROOT, 'test/safety', file));
  const kinds = [...new Set(phrases.map((phrase) => `${phrase.fires ? 'fires' : 'silent'}: ${phrase.kind}`))];

  it('has phrases that must fire and phrases that must not', () => {
    expect(phrases.filter((phrase) => phrase.fires).length).toBeGreaterThan(100);
    expect(phrases.filter((phrase) => !phrase.fires).length).toBeGreaterThan(100);
  });

  it.each(kinds)('%s', (kind) => {
    const check = redFlagChecker(builtBundle(id));
    const misses = phrases
      .filter((phrase) => `${phrase.fires ? 'fires' : 'silent'}: ${phrase.kind}` === kind)
      .flatMap((phrase) => {
        const miss = missOf(phrase, check(phrase));
        return miss === undefined ? [] : [`${file}:${String(phrase.line)} ${phrase.text} (${miss})`];
      });
    expect(misses).toEqual([]);
  });
});
