import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Understanding } from '../../src/cli/understand.js';
import { buildFixtures, scratch } from '../fixtures/fixture-bundles.js';
import { type Outcome, runCommand } from './run-command.js';

let cwd: string;
beforeAll(async () => {
  cwd = scratch();
  const built = await buildFixtures();
  // Read takes mm-zh and mm-en where no bundle is named.
  for (const language of ['zh', 'en']) cpSync(join(built, `mini-${language}`), join(cwd, 'dist', 'bundles', `mm-${language}`), { recursive: true });
});

const readJson = async (...args: readonly string[]): Promise<Understanding> => JSON.parse((await runCommand(cwd, 'read', ...args, '--json')).out) as Understanding;
const states = (understanding: Understanding): Record<string, string> => Object.fromEntries(understanding.findings.map((finding) => [finding.id, finding.state]));

describe('read', () => {
  it('prints findings with both languages’ names and the language’s synonyms', async () => {
    const { findings } = await readJson('我嗓子疼', '--lang', 'zh');
    expect(findings).toEqual([
      { id: 'sore-throat', names: { zh: '咽痛', en: 'sore throat' }, synonyms: { zh: ['嗓子疼', '喉咙痛'], en: [] }, kind: 'symptom', state: 'present', origin: 'said', quote: '嗓子疼', guessed: false },
    ]);
  });

  it('tells present from absent', async () => {
    expect(states(await readJson('没有咳嗽，但是发烧', '--lang', 'zh'))).toEqual({ cough: 'absent', fever: 'present' });
    expect(states(await readJson('no cough but a sore throat', '--lang', 'en'))).toEqual({ cough: 'absent', 'sore-throat': 'present' });
  });

  it('adds what follows as implied', async () => {
    const { findings } = await readJson('headache on one side', '--lang', 'en');
    expect(findings.map(({ id, origin, quote }) => [id, origin, quote])).toEqual([
      ['headache-one-sided', 'said', 'headache on one side'],
      ['headache', 'implied', ''],
    ]);
  });

  it('lists another person’s findings with their aside', async () => {
    const { findings, redFlags } = await readJson('My brother had a fever and a stiff neck last year. I have a cough.', '--lang', 'en');
    expect(findings.find((finding) => finding.id === 'fever')).toMatchObject({ state: 'unknown', aside: 'other-person' });
    expect(findings.find((finding) => finding.id === 'cough')).toMatchObject({ state: 'present' });
    expect(redFlags).toEqual([]);
  });

  it('reads facts and what follows from them', async () => {
    const understanding = await readJson('Temperature 39.5 C for 2 days', '--lang', 'en');
    expect(understanding.facts).toMatchObject({ temperatureC: 39.5, durationDays: 2 });
    expect(understanding.findings.find((finding) => finding.id === 'high-fever')).toMatchObject({ state: 'present', origin: 'measured' });
  });

  it('lets red flags raise the urgency', async () => {
    const understanding = await readJson('fever and my neck is stiff', '--lang', 'en');
    expect(understanding.redFlags).toEqual([{ id: 'possible-meningitis', level: 'emergency', because: ['fever', 'neck-stiffness'] }]);
    expect(understanding.urgency).toBe('emergency');
    expect(understanding.reasons.map(({ text, source }) => [text !== '', source !== ''])).toContainEqual([true, true]);
    expect((await readJson('我不想活了', '--lang', 'zh')).redFlags).toMatchObject([{ id: 'thoughts-of-suicide', level: 'crisis' }]);
  });

  it('takes age and sex as given, else from the text, else assumes them', async () => {
    expect((await readJson('cough', '--age', '0.5', '--sex', 'male')).profile).toEqual({ ageYears: 0.5, ageFrom: 'given', sex: 'male' });
    expect((await readJson('I am a 52 year old woman with a cough')).profile).toEqual({ ageYears: 52, ageFrom: 'text', sex: 'female' });
    expect((await readJson('cough')).profile).toEqual({ ageYears: 35, ageFrom: 'assumed', sex: null });
  });

  it('understands nothing of noise', async () => {
    for (const text of ['', '   ', 'asdf qwer', '😀😀', '你好']) expect(await readJson(text)).toMatchObject({ findings: [], redFlags: [], urgency: 'routine', reasons: [] });
  });

  it('prints a table without --json', async () => {
    const { out } = await runCommand(cwd, 'read', '发烧三天，没有咳嗽');
    expect(out).toMatch(/^cough +absent +said/m);
    expect(out).toMatch(/^durationDays +3$/m);
    expect(out).toMatch(/^urgency/m);
    expect(out).toMatch(/^because/m);
  });

  it('reads text that begins with a dash after two dashes', async () => {
    expect((await runCommand(cwd, 'read', '--json', '--', '-cough')).code).toBe(0);
  });

  describe('with --file', () => {
    const readFile = async (content: string): Promise<Outcome> => {
      writeFileSync(join(cwd, 'texts.jsonl'), content);
      return runCommand(cwd, 'read', '--file', 'texts.jsonl');
    };

    it('gives one object with the same id a line, in order', async () => {
      const { code, out } = await readFile('{"id":"b","text":"cough","lang":"en","age":3,"sex":"male"}\n\n{"id":1,"text":"发烧","lang":"zh","age":null,"sex":null}\n');
      expect(code).toBe(0);
      const objects = out.split('\n').map((line) => JSON.parse(line) as Understanding & { id: unknown });
      expect(objects.map((one) => one.id)).toEqual(['b', 1]);
      expect(objects.map(states)).toEqual([{ cough: 'present' }, { fever: 'present' }]);
      expect(objects[0]?.profile).toEqual({ ageYears: 3, ageFrom: 'given', sex: 'male' });
    });

    it('reads on after a bad line, and ends with 1', async () => {
      const { code, out, err } = await readFile('{"id":"a","text":"secret words","lang":"fr"}\nnot json\n{"id":"c"}\n{"id":"d","text":"x","age":900}\n{"id":"e","text":"cough","lang":"en"}\n');
      expect(code).toBe(1);
      const objects = out.split('\n').map((line) => JSON.parse(line) as { id: string | null; line?: number; error?: { code: string; message: string } });
      expect(objects.map((one) => [one.id, one.error?.code])).toEqual([['a', 'cases-invalid'], [null, 'cases-invalid'], ['c', 'cases-invalid'], ['d', 'cases-invalid'], ['e', undefined]]);
      expect(objects.slice(0, 4).map((one) => one.line)).toEqual([1, 2, 3, 4]);
      expect(out + err).not.toContain('secret');
      expect(err).toBe('cases-invalid: 4 of the lines could not be read.');
    });
  });
});
