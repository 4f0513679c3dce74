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
