import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { KNOWLEDGE, scratch } from '../fixtures/fixture-bundles.js';
import { runCommand } from './run-command.js';

const COVERAGE = `- list: mm-zh
  title: Modern medicine
  school: mm
  type: disease
  names: 5
  merged: { 尿路感染: 膀胱炎 }
  leftOut: { 头痛: a symptom }
`;

let sources: string;
beforeEach(() => {
  sources = scratch();
  cpSync(KNOWLEDGE, sources, { recursive: true });
  writeFileSync(join(sources, 'coverage.yaml'), COVERAGE);
});

/** A coverage list as `shared/coverage` has them. */
function listOf(...names: readonly string[]): string {
  const lists = join(sources, 'lists');
  mkdirSync(lists, { recursive: true });
  writeFileSync(join(lists, 'mm-zh.txt'), names.map((name) => `${name}\t\tX00\n`).join(''));
  return lists;
}

describe('bundle coverage', () => {
  it('tells what is merged and left out', async () => {
    const { code, out } = await runCommand(sources, 'bundle', 'coverage', '--sources', sources);
    expect(code).toBe(0);
    expect(out).toContain('| Modern medicine | 5 | 3 | 4 | 1 | 1 | 0 |');
    expect(out).toContain('| 尿路感染 | 膀胱炎 |');
    expect(out).toContain('| 头痛 | a symptom |');
  });

  it('ends with 1 where a name of the list is missing', async () => {
    const { code, out } = await runCommand(sources, 'bundle', 'coverage', '--sources', sources, '--lists', listOf('偏头痛', '头痛', '月球病'));
    expect(code).toBe(1);
    expect(out).toContain('### Missing\n\n月球病');
  });

  it('refuses a directory without lists', async () => {
    const { code, err } = await runCommand(sources, 'bundle', 'coverage', '--sources', sources, '--lists', join(sources, 'mm'));
    expect(code).toBe(2);
    expect(err).toContain('holds none of mm-zh.txt');
  });

  it('writes COVERAGE.md', async () => {
    const { code, out } = await runCommand(sources, 'bundle', 'coverage', '--sources', sources, '--lists', listOf('偏头痛', '头痛'), '--write');
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(join(sources, 'COVERAGE.md'), 'utf8')).toContain('# What the knowledge covers');
  });
});

describe('bundle stats', () => {
  it('counts entries, findings and who reviewed', async () => {
    const { out } = await runCommand(sources, 'bundle', 'stats', '--sources', sources, '--json');
    expect(JSON.parse(out)).toMatchObject({ findings: 16, schools: [{ school: 'mm', entries: 3, reviewed: { none: 3 }, inseparable: [] }, { school: 'tcm', entries: 0 }] });
  });

  it('finds entries that nothing separates, words of two findings and findings that nothing uses', async () => {
    const facts = readFileSync(join(sources, 'mm/migraine.md'), 'utf8');
    writeFileSync(join(sources, 'mm/twin.md'), facts.replace('id: migraine', 'id: twin'));
    const file = join(sources, 'findings/mini.md');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n## hiccups\n- kind: symptom\n- zh: 打嗝 | 咳嗽\n- en: hiccups\n`);
    const { out } = await runCommand(sources, 'bundle', 'stats', '--sources', sources, '--json');
    const stats = JSON.parse(out) as { unusedFindings: string[]; sharedWords: [string, string][]; schools: { inseparable: unknown[] }[] };
    expect(stats.schools[0]?.inseparable).toEqual([['migraine', 'twin', 1]]);
    expect(stats.unusedFindings).toContain('hiccups');
    expect(stats.sharedWords).toContainEqual(['咳嗽', 'cough, hiccups']);
    expect((await runCommand(sources, 'bundle', 'stats', '--sources', sources)).out).toContain('migraine and twin (1.00)');
  });
});
