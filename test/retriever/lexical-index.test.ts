import { describe, expect, it } from 'vitest';
import { BundleError } from '../../src/errors/bundle-error.js';
import { encodeLexical, LexicalIndex } from '../../src/retriever/lexical-index.js';

const index = new LexicalIndex(
  encodeLexical([
    { pmh: '头痛恶心', di: '偏头痛多为一侧搏动性头痛' },
    { pmh: '肚子痛拉稀', di: '胃肠炎常有腹泻，也可头痛' },
    { pmh: '小便刺痛', di: '膀胱炎有尿频尿急' },
  ]),
);

describe('LexicalIndex', () => {
  it('scores each disease by what it shares with the query', () => {
    const [migraine = 0, gastroenteritis = 0, cystitis = 0] = index.score('头痛', 'both');
    expect(migraine).toBeGreaterThan(gastroenteritis);
    expect(gastroenteritis).toBeGreaterThan(cystitis);
  });

  it('searches what patients say and the text of the tree apart', () => {
    expect(index.score('头', 'pmh')[1]).toBe(0);
    expect(index.score('头', 'di')[1]).toBeGreaterThan(0);
    expect(index.score('头', 'both')[1]).toBeGreaterThan(0);
  });

  it('takes 疼 for 痛', () => {
    expect(index.score('头疼', 'both')).toEqual(index.score('头痛', 'both'));
  });

  it('leaves out terms that only one of many diseases has', () => {
    const many = (count: number): LexicalIndex => new LexicalIndex(encodeLexical(Array.from({ length: count }, (_, disease) => ({ pmh: disease === 7 ? '头痛膀胱' : '头痛', di: '' }))));
    expect(many(20).score('膀胱', 'both')[7]).toBeGreaterThan(0);
    expect([...many(200).score('膀胱', 'both')].every((score) => score === 0)).toBe(true);
    expect(many(200).score('头痛', 'both')[199]).toBeGreaterThan(0);
  });

  it('refuses postings that do not fit their terms', () => {
    const bytes = encodeLexical([{ pmh: '头痛恶心', di: '偏头痛' }, { pmh: '肚子痛', di: '头痛' }]);
    for (const cut of [1, 4]) expect(() => new LexicalIndex(bytes.subarray(0, bytes.length - cut))).toThrow(BundleError);
  });

  it('gives 0 for words that no disease has', () => {
    expect([...index.score('hello', 'both')]).toEqual([0, 0, 0]);
  });
});
