import { describe, expect, it } from 'vitest';
import { createConsultation, restoreConsultation } from '../../src/anamnesis.js';
import type { Consultation } from '../../src/consultation/consultation.js';
import type { Profile } from '../../src/findings/finding-state.js';
import { builtBundle } from '../bundles.js';
import { begin } from '../consult.js';

const namedIn = (consultation: Consultation): string[] => consultation.state.differential.map((candidate) => candidate.id);

describe('a profile that nobody knows', () => {
  it('names diseases of either sex, where a known sex leaves those of the other out', async () => {
    const text = '尿频尿急，夜里起来好几次，尿线细，尿不尽';
    expect(namedIn(await begin('mm-zh', text, { ageYears: 68, sex: null }))).toContain('benign-prostatic-hyperplasia');
    expect(namedIn(await begin('mm-zh', text, { ageYears: 68 }))).not.toContain('benign-prostatic-hyperplasia');
  });

  it('lets no rule hold that compares an age, and those that do not', async () => {
    const flagsOf = async (profile: Profile, text: string): Promise<string[]> => (await begin('mm-zh', text, profile)).state.redFlags.map((flag) => flag.id);
    expect(await flagsOf({ ageYears: 0.1, sex: null }, '发烧')).toContain('fever-under-three-months');
    expect(await flagsOf({ ageYears: null, sex: null }, '发烧')).not.toContain('fever-under-three-months');
    expect(await flagsOf({ ageYears: null, sex: null }, '突然嘴歪，说话不清，半边身子没劲')).toContain('possible-stroke');
  });

  it('is taken from the words where they give age or sex outright', async () => {
    const flagsOf = async (text: string): Promise<string[]> => (await begin('mm-zh', text, { ageYears: null, sex: null })).state.redFlags.map((flag) => flag.id);
    expect(await flagsOf('宝宝20天，发烧38.5')).toContain('fever-under-three-months');
    expect(await flagsOf('孩子5岁，发烧38.5')).not.toContain('fever-under-three-months');
    const man = await begin('mm-zh', '男，68岁，尿频尿急，夜里起来好几次，尿线细，尿不尽', { ageYears: null, sex: null });
    expect(namedIn(man)).toContain('benign-prostatic-hyperplasia');
    expect(man.state.profile).toEqual({ ageYears: null, sex: null });
    const woman = await begin('mm-zh', '女，68岁，尿频尿急，夜里起来好几次，尿线细，尿不尽', { ageYears: null, sex: null });
    expect(namedIn(woman)).not.toContain('benign-prostatic-hyperplasia');
  });

  it('is kept in the record and restored', async () => {
    const before = await begin('mm-zh', '咳嗽三天，嗓子疼', { ageYears: null, sex: null });
    const after = await restoreConsultation(builtBundle('mm-zh'), before.toRecord());
    expect(after.state.profile).toEqual({ ageYears: null, sex: null });
    expect(after.state.understood).toEqual(before.state.understood);
    expect(after.state.question).toEqual(before.state.question);
  });

  it.each([
    [{}, 'nothing'],
    [{ ageYears: 40 }, 'no sex'],
    [{ ageYears: Number.NaN, sex: null }, 'an age that is no number'],
    [{ ageYears: 131, sex: null }, 'an age above 130'],
    [{ ageYears: null, sex: 'other' }, 'another sex'],
    [null, 'null'],
  ])('has to be said: %j is refused (%s)', async (profile: unknown, _what: string) => {
    const consultation = createConsultation(builtBundle('mm-zh'));
    await expect(consultation.setProfile(profile as Profile)).rejects.toMatchObject({ code: 'profile-invalid' });
  });
});

describe('an age in the words that is not the one given', () => {
  it.each([
    [32, '宝宝20天，发烧38.5', 0.055],
    [40, '我妈72岁，今天头晕得厉害', 72],
    [4, '孩子5岁，咳嗽两天', null],
    [30, '我33岁，咳嗽两天', null],
    [30, '咳嗽两天', null],
    [30, '邻居80岁，他咳嗽两天', null],
  ] as const)('profile of %s years, %s: %s', async (ageYears, text, other) => {
    const consultation = await begin('mm-zh', text, { ageYears });
    expect(consultation.state.otherAge).toBe(other);
    consultation.close();
  });

  it('hides no danger to a baby, and is gone once age is set right', async () => {
    const consultation = await begin('mm-zh', '宝宝20天，发烧38.5', { ageYears: 32 });
    expect(consultation.state.redFlags.map((flag) => flag.id)).toContain('fever-under-three-months');
    await consultation.setProfile({ ageYears: 0.055, sex: 'female' });
    expect(consultation.state.otherAge).toBeNull();
    expect(consultation.state.redFlags.map((flag) => flag.id)).toContain('fever-under-three-months');
    consultation.close();
  });
});
