import { readFileSync } from 'node:fs';
import { nothing } from 'lit';
import { describe, expect, it } from 'vitest';
import { DATABASE_NAME as ENGINE_DATABASE } from '../../src/consultation/storage.js';
import { ERROR_CODES } from '../../src/index.js';
import type { RedFlag, Urgency } from '../../src/index.js';
import { failureOf, failureText } from '../../widget/failure.js';
import { DATABASE_NAME } from '../../widget/keeper.js';
import { localeFor, writtenIn } from '../../widget/localize.js';
import { renderEmergency } from '../../widget/parts/emergency.js';
import { readAge } from '../../widget/parts/profile.js';
import { languageOf, numberFor, telephoneLink } from '../../widget/settings.js';
import { VERSION } from '../../widget/version.js';
import type { View } from '../../widget/view.js';

describe('constants said twice', () => {
  it('are the same in the widget and where they come from', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(VERSION).toBe(manifest.version);
    expect(DATABASE_NAME).toBe(ENGINE_DATABASE);
  });
});

describe('writtenIn', () => {
  it.each([
    ['我头疼两天了', 'zh'],
    ['体温38.5，吃了 ibuprofen 还是烧', 'zh'],
    ['头疼', 'zh'],
    ['I have a headache', 'en'],
    ['covid?', null],
    ['ct mri', null],
    ['38.5', null],
    ['my mum says 上火 again and again today', null],
    ['', null],
  ] as const)('%j is %j', (text, expected) => {
    expect(writtenIn(text)).toBe(expected);
  });
});

describe('readAge', () => {
  it.each([
    ['34', 'years', 34],
    [' ３４ ', 'years', 34],
    ['34岁', 'months', 34],
    ['6', 'months', 0.5],
    ['6 mo', 'years', 0.5],
    ['6个月', 'years', 0.5],
    ['6 weeks', 'years', 6 / (365 / 7)],
    ['21天', 'years', 21 / 365],
    ['200 weeks', 'years', 'ageMonthsRange'],
    ['1,5', 'years', 1.5],
    ['0', 'years', 0],
    ['130', 'years', 130],
    ['131', 'years', 'ageYearsRange'],
    ['150', 'years', 'ageYearsRange'],
    ['48', 'months', 'ageMonthsRange'],
    ['', 'years', 'ageMissing'],
    ['-1', 'years', 'ageNotNumber'],
    ['old', 'years', 'ageNotNumber'],
    ['NaN', 'years', 'ageNotNumber'],
  ] as const)('reads %j in %s as %j', (text, unit, expected) => {
    expect(readAge(text, unit)).toBe(expected);
  });
});

describe('languageOf', () => {
  it.each([
    ['zh-CN', 'zh'],
    ['zh-Hant-TW', 'zh'],
    ['ZH', 'zh'],
    ['en-GB', 'en'],
    ['fr', undefined],
    ['', undefined],
    [null, undefined],
  ])('takes %j as %j', (tag, expected) => {
    expect(languageOf(tag)).toBe(expected);
  });
});

describe('numbers to call', () => {
  it('are 120 and 12356 in Chinese, none in English, and what is configured in both', () => {
    expect(numberFor('emergency', '', 'zh')).toBe('120');
    expect(numberFor('crisis', '', 'zh')).toBe('12356');
    expect(numberFor('emergency', '', 'en')).toBeUndefined();
    expect(numberFor('emergency', ' 999 ', 'en')).toBe('999');
  });

  it('become links only where they can be dialled', () => {
    expect(telephoneLink('+44 (0)20 1234')).toBe('tel:+440201234');
    expect(telephoneLink('the front desk')).toBeUndefined();
    expect(telephoneLink('javascript:alert(1)')).toBe('tel:1');
  });
});

describe.each(['zh', 'en'] as const)('locale %s', (language) => {
  const t = localeFor(language);

  it('has a sentence for every error code', () => {
    expect(Object.keys(t.errors).sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });

  it('has no empty text', () => {
    const empty = (value: unknown, path: string): string[] =>
      typeof value === 'string' ? (value.trim() === '' ? [path] : []) : typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => empty(inner, `${path}.${key}`)) : [];
    expect(empty(t, language)).toEqual([]);
  });

  it('never shows the message of an error', () => {
    const failure = failureOf(Object.assign(new Error('secret: manifest.json'), { code: 'truncated' }), t);
    expect(failureText(failure, t)).toBe(t.errors.truncated);
    expect(failureText(failureOf(new Error('secret'), t), t)).toBe(t.unexpected);
    expect(failureOf({ code: 'toString' }, t).code).toBe('unexpected');
    expect(failureOf(null, t).code).toBe('unexpected');
  });

  it('uses the script of its language', () => {
    const texts = JSON.stringify(t, (_key, value: unknown) => (typeof value === 'function' ? undefined : value));
    expect(/[\u4e00-\u9fff]/.test(texts)).toBe(language === 'zh');
  });
});

describe('the card of what can wait a day', () => {
  const flag: RedFlag = { id: 'fever-check', level: 'urgent', within: 'a-day', what: 'What', action: 'See a doctor within a day.', source: '', because: [] };
  const viewOf = (level: Urgency | null): View =>
    ({ t: localeFor('en'), settings: {}, contentTag: 'en', contentLanguage: 'en', controller: { consultation: null, state: { redFlags: [flag], result: level === null ? null : { urgency: { level } } } } }) as unknown as View;

  it('is not shown above a result that is an emergency, and is above any other and before it', () => {
    expect(renderEmergency(viewOf('emergency'))).toBe(nothing);
    expect(renderEmergency(viewOf('urgent'))).not.toBe(nothing);
    expect(renderEmergency(viewOf(null))).not.toBe(nothing);
  });
});
