import { describe, expect, it } from 'vitest';
import { forTheEye, inMegabytes, timeLeft } from '../../widget/amounts.js';
import { localeFor } from '../../widget/localize.js';

describe('inMegabytes', () => {
  it.each([
    [945_000_000, '945'],
    [945_499_999, '945'],
    [10_000_000, '10'],
    [9_960_000, '10'],
    [9_940_000, '9.9'],
    [2_150_000, '2.2'],
    [1_000_000, '1.0'],
    [40_000, '0.1'],
    [0, '0'],
    [1_403_000_000, '1,403'],
    [999_600_000, '1,000'],
  ])('writes %i bytes as %j', (bytes, expected) => {
    expect(inMegabytes(bytes)).toBe(expected);
  });
});

describe('forTheEye', () => {
  it('keeps one decimal where it matters', () => {
    expect([0.5, 3.04, 9.95, 12.4].map(forTheEye)).toEqual(['0.5', '3.0', '10', '12']);
  });
});

describe.each(['en', 'zh'] as const)('timeLeft, %s', (language) => {
  const t = localeFor(language);
  it.each([
    [0, 'less than a minute left', '还需不到 1 分钟'],
    [29, 'less than a minute left', '还需不到 1 分钟'],
    [31, 'about 1 min left', '大约还需 1 分钟'],
    [125, 'about 2 min left', '大约还需 2 分钟'],
    [5_300, 'about 88 min left', '大约还需 88 分钟'],
    [5_400, 'about 2 h left', '大约还需 2 小时'],
    [36_000, 'about 10 h left', '大约还需 10 小时'],
  ])('says %i seconds in words', (seconds, english, chinese) => {
    expect(timeLeft(t, seconds)).toBe(language === 'en' ? english : chinese);
  });
});

describe.each(['en', 'zh'] as const)('texts of the language model, %s', (language) => {
  const { model, reply, errors } = localeFor(language);

  it('say what they are given', () => {
    expect(model.fetch('945')).toContain('945 MB');
    expect(model.partlyHere('945 MB', '300')).toMatch(/945 MB.*300 MB/);
    expect(model.allHere('945 MB')).toContain('945 MB');
    expect(model.otherServers('a.example')).toContain('a.example');
    expect(model.askSize('a.example')).toContain('a.example');
    expect(model.speed('12')).toContain('12');
    expect(reply.sourceNumber(3)).toContain('3');
  });

  it('explain what a language model is, and that it decides nothing about urgency', () => {
    expect(model.what).toMatch(language === 'en' ? /program that writes sentences.*never decides how urgent/ : /会写句子的程序.*从不决定.*多紧急/);
  });

  it('name each reason for having none without blaming the medical knowledge', () => {
    for (const code of ['no-adapter', 'too-slow', 'quota-exceeded', 'safe-mode', 'file-replaced', 'integrity-mismatch'] as const) expect(errors[code]).not.toMatch(/medical knowledge|医学知识/);
  });
});
