import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildFixtures, KNOWLEDGE, scratch } from '../fixtures/fixture-bundles.js';
import { objectOf, runCommand } from './run-command.js';

let cwd: string;
beforeAll(async () => {
  cwd = scratch();
  cpSync(await buildFixtures(), join(cwd, 'dist', 'bundles'), { recursive: true });
});

describe('bundle build', () => {
  it('builds what is asked for and prints a line each', async () => {
    const { code, out, err } = await runCommand(cwd, 'bundle', 'build', '--sources', KNOWLEDGE, '--out', 'built', '--only', 'mini-en');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^mini-en +0\.0\.1 +3 +\d+ +\d+$/m);
    expect(readdirSync(join(cwd, 'built'))).toEqual(['mini-en']);
  });

  it('prints nothing with --quiet', async () => {
    expect(await runCommand(cwd, 'bundle', 'build', '--sources', KNOWLEDGE, '--out', 'quiet', '--quiet')).toEqual({ code: 0, out: '', err: '' });
    expect(existsSync(join(cwd, 'quiet', 'mini-zh', 'manifest.json'))).toBe(true);
  });

  it('fails for a bundle that bundles.yaml does not list', async () => {
    const { code, err } = await runCommand(cwd, 'bundle', 'build', '--sources', KNOWLEDGE, '--out', 'none', '--only', 'mini-fr');
    expect(code).toBe(1);
    expect(err).toContain('bundle-unknown: bundles.yaml lists no mini-fr');
  });

  it('fails, says where, and writes nothing when a source has an error', async () => {
    const sources = join(cwd, 'broken');
    cpSync(KNOWLEDGE, sources, { recursive: true });
    writeFileSync(join(sources, 'mm', 'migraine.en.md'), '# Migraine\n');
    const { code, err } = await runCommand(cwd, 'bundle', 'build', '--sources', 'broken', '--out', 'never');
    expect(code).toBe(1);
    expect(err).toContain('broken/mm/migraine.en.md:1 missing-part');
    expect(err).toContain('source-invalid: ');
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });
});

describe('bundle lint', () => {
  it('finds nothing in good sources', async () => {
    expect(await runCommand(cwd, 'bundle', 'lint', '--sources', KNOWLEDGE)).toEqual({ code: 0, out: '0 errors, 0 warnings', err: '' });
  });

  it('prints file, line, rule and message with paths from the working directory', async () => {
    const sources = join(cwd, 'lint');
    cpSync(KNOWLEDGE, sources, { recursive: true });
    const file = join(sources, 'mm', 'cystitis.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('icd10: N30', 'icd10: 30N'));
    const { code, out } = await runCommand(cwd, 'bundle', 'lint', '--sources', 'lint');
    expect(code).toBe(1);
    expect(out).toMatch(/^lint\/mm\/cystitis\.md:3 icd10 "30N" does not have ICD-10's form$/m);
    const report = objectOf(await runCommand(cwd, 'bundle', 'lint', '--sources', 'lint', '--json'));
    expect(report).toMatchObject({ errors: 1, warnings: 0, issues: [{ file: 'lint/mm/cystitis.md', line: 3, rule: 'icd10', level: 'error' }] });
  });
});

describe('bundle inspect', () => {
  it('prints one object for an id and for a directory', async () => {
    const byId = objectOf(await runCommand(cwd, 'bundle', 'inspect', 'mini-en', '--json'));
    expect(byId).toMatchObject({ id: 'mini-en', version: '0.0.1', school: 'mm', languages: ['en'], entries: 3, findings: 16, pseudoHistories: 9, redFlags: 2, formatVersion: 6, licence: 'CC-BY-4.0', review: { state: 'none', reviewed: 0, total: 3 } });
    const parts = byId.parts as { bytes: number }[];
    expect(byId.bytes).toBe(parts.reduce((sum, part) => sum + part.bytes, 0));
    expect(objectOf(await runCommand(cwd, 'bundle', 'inspect', 'dist/bundles/mini-en', '--json'))).toEqual(byId);
  });

  it('prints a table that says nothing was reviewed', async () => {
    expect((await runCommand(cwd, 'bundle', 'inspect', 'mini-en')).out).toContain('none: not clinically reviewed');
  });

  it('finds a damaged part', async () => {
    const directory = join(cwd, 'damaged');
    cpSync(join(cwd, 'dist', 'bundles', 'mini-en'), directory, { recursive: true });
    const name = readdirSync(directory).find((one) => one.startsWith('texts-'))!;
    const bytes = readFileSync(join(directory, name));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(join(directory, name), bytes);
    const { code, out, err } = await runCommand(cwd, 'bundle', 'inspect', 'damaged', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^integrity-mismatch: texts-/);
  });
});

describe('bundle search', () => {
  it('ranks diseases', async () => {
    const { candidates } = objectOf(await runCommand(cwd, 'bundle', 'search', 'mini-zh', '小便疼，总想小便', '--json')) as { candidates: { rank: number; id: string; name: string; score: number }[] };
    expect(candidates[0]).toMatchObject({ rank: 1, id: 'cystitis', name: '膀胱炎' });
  });

  it('gives no more than asked for, in either index', async () => {
    for (const index of ['pmh', 'di', 'both']) {
      const { candidates } = objectOf(await runCommand(cwd, 'bundle', 'search', 'mini-en', 'my nose is running, i sneeze all day and my throat hurts, half my head throbs, and it burns when i pee all the time', '--top', '2', '--index', index, '--json')) as { candidates: unknown[] };
      expect(candidates).toHaveLength(2);
    }
  });

  it('says when there is not enough to go on', async () => {
    expect((await runCommand(cwd, 'bundle', 'search', 'mini-en', 'hello')).out).toBe('not enough to go on');
    expect(objectOf(await runCommand(cwd, 'bundle', 'search', 'mini-en', '', '--json'))).toEqual({ candidates: [] });
  });
});
