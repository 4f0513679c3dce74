import { describe, expect, it } from 'vitest';
import { scratch } from '../fixtures/fixture-bundles.js';
import { runCommand } from './run-command.js';

describe('anamnesis', () => {
  const cwd = scratch();

  it.each([['--help'], ['help'], ['-h']])('lists its commands with %s', async (word) => {
    const { code, out } = await runCommand(cwd, word);
    expect(code).toBe(0);
    for (const command of ['bundle build', 'bundle lint', 'bundle inspect', 'bundle search', 'eval retrieval', 'eval consult', 'read']) expect(out).toContain(`anamnesis ${command}`);
  });

  it('prints its version', async () => {
    expect((await runCommand(cwd, '--version')).out).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each([['bundle', 'build'], ['bundle', 'lint'], ['bundle', 'inspect'], ['bundle', 'search'], ['eval', 'retrieval'], ['eval', 'consult'], ['read']])('explains %s %s with --help', async (...words) => {
    const { code, out } = await runCommand(cwd, ...words, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`anamnesis ${words.join(' ')}`);
  });

  it.each([
    ['no command', [], 'Usage'],
    ['an unknown command', ['frobnicate'], 'no command is named "frobnicate"'],
    ['half a command', ['bundle'], '"bundle" needs one of build, lint, coverage, stats, inspect, embed, search'],
    ['an unknown half', ['eval', 'everything'], '"eval" needs one of retrieval, consult'],
    ['an unknown flag', ['read', 'x', '--loud'], '--loud'],
    ['a missing flag', ['eval', 'retrieval', '--bundle', 'x'], '--cases is missing'],
    ['a missing argument', ['bundle', 'inspect'], 'ID|DIR is missing'],
    ['an argument too many', ['bundle', 'inspect', 'a', 'b'], 'unexpected argument "b"'],
    ['a word that is none', ['eval', 'retrieval', '--bundle', 'x', '--cases', 'y', '--index', 'all'], '--index is one of pmh, di, both'],
    ['an unknown strategy', ['eval', 'consult', '--bundle', 'x', '--cases', 'y', '--strategy', 'oracle'], '--strategy is one of guided'],
    ['a number out of range', ['eval', 'consult', '--bundle', 'x', '--cases', 'y', '--max-questions', '51'], '--max-questions is a whole number from 0 to 50'],
    ['a number that is none', ['read', 'x', '--age', 'old'], '--age is a number from 0 to 130'],
    ['an empty number', ['read', 'x', '--age', ''], '--age is a number from 0 to 130'],
    ['neither text nor file', ['read'], 'give either TEXT or --file'],
    ['both text and file', ['read', 'x', '--file', 'y'], 'give either TEXT or --file'],
  ])('ends with 2 and its usage on standard error for %s', async (_what, args, message) => {
    const { code, out, err } = await runCommand(cwd, ...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(err).toContain('anamnesis');
  });

  it.each([
    ['a bundle that is not there', ['bundle', 'inspect', 'no-such'], 'bundle-missing: '],
    ['a case file that is not there', ['eval', 'retrieval', '--bundle', 'no-such', '--cases', 'no-such.jsonl'], 'file-unreadable: no-such.jsonl'],
    ['sources that are not there', ['bundle', 'build', '--sources', 'no-such'], 'file-unreadable: no-such'],
  ])('ends with 1, a code and no stack for %s', async (_what, args, message) => {
    const { code, out, err } = await runCommand(cwd, ...args);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err.startsWith(message)).toBe(true);
    expect(err).not.toMatch(/\n\s+at /);
  });
});
