import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedEdits, editDistance, Speller } from '../../src/findings/spelling.js';

describe('editDistance', () => {
  it.each([
    ['headache', 'headache', 0],
    ['headache', 'headace', 1],
    ['haedache', 'headache', 1],
    ['diarhea', 'diarrhoea', 2],
    ['', 'ab', 2],
  ])('of %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance);
  });

  it('is one more than the limit where it exceeds it', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
    expect(editDistance('a', 'abcdef', 2)).toBe(3);
  });

  it('is the same both ways, and 0 only for equals', () => {
    const word = fc.stringMatching(/^[abc]{0,7}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b, 8)).toBe(editDistance(b, a, 8));
        expect(editDistance(a, b, 8) === 0).toBe(a === b);
      }),
    );
  });
});

describe('Speller', () => {
  const speller = new Speller(new Set(['headache', 'nausea', 'cough', 'stomach', 'vomiting']), new Set(['couch']));

  it.each([
    ['headach', 'headache'],
    ['haedache', 'headache'],
    ['nasuea', 'nausea'],
    ['vomitting', 'vomiting'],
    ['stomache', 'stomach'],
  ])('guesses %s as %s', (word, meant) => {
    expect(speller.guess(word)).toBe(meant);
  });

  it.each(['headache', 'couch', 'cof', 'coug', 'xylophone'])('leaves %s alone', (word) => {
    expect(speller.guess(word)).toBeNull();
  });

  it('guesses nothing where two words are equally near', () => {
    expect(new Speller(new Set(['hearing', 'heaping']), new Set()).guess('heafing')).toBeNull();
  });

  it('allows no edit in short words and two in long ones', () => {
    expect([4, 5, 7, 8].map(allowedEdits)).toEqual([0, 1, 1, 2]);
  });
});
