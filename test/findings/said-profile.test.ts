import { describe, expect, it } from 'vitest';
import { saidProfile } from '../../src/findings/said-profile.js';

const said = (text: string, quantities: { ageYears?: number; sex?: 'female' | 'male' } = {}): unknown => saidProfile(text, { mentions: [], quantities }, { findings: [] });

describe('saidProfile', () => {
  it.each([
    ['停经两个月了，有点见红', { sex: 'female' }],
    ['阴囊肿了一个月', { sex: 'male' }],
    ['宝宝吃奶就吐', { ageYears: 0.75 }],
    ['my toddler coughs', { ageYears: 2 }],
    ['i am pregnant and the baby has stopped moving', { sex: 'female' }],
    ['怀孕七个月，宝宝不动了', { sex: 'female' }],
    ['头疼', {}],
  ])('reads %j', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it('lets a number outweigh a word', () => {
    expect(said('孩子发烧', { ageYears: 9 })).toEqual({ ageYears: 9 });
  });

  it('says no sex where both are spoken of', () => {
    expect(said('我老公前列腺炎，我白带多')).toEqual({});
  });
});
