import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { objectOf, runCommand } from '../cli/run-command.js';
import { buildFixtures, CASES, GOLD_MAP, scratch } from '../fixtures/fixture-bundles.js';
import { COMMAND, DEADLINE_MS, GGUF, startServer } from './start-server.js';

/** Of the invented cases; a processor takes a minute for each. */
const CASE_COUNT = 2;
const isHere = COMMAND !== undefined && GGUF !== undefined;
if (!isHere) process.stdout.write('eval consult is not tested against a real server: set ANAMNESIS_LLAMA_SERVER and ANAMNESIS_GGUF.\n');

describe.runIf(isHere)('eval consult against a real server', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = scratch();
    cpSync(await buildFixtures(), join(cwd, 'dist', 'bundles'), { recursive: true });
    writeFileSync(join(cwd, 'cases.jsonl'), readFileSync(CASES, 'utf8').split('\n').slice(0, CASE_COUNT).join('\n'));
  });

  it.each(['mrd-rag', 'direct', 'single-round', 'rag-pulse'])('holds consultations by %s', { timeout: DEADLINE_MS * 5 }, async (strategy) => {
    const endpoint = await startServer(1, 2_048);
    const outcome = await runCommand(cwd, 'eval', 'consult', '--bundle', 'mini-en', '--cases', 'cases.jsonl', '--gold-map', GOLD_MAP, '--strategy', strategy, '--endpoint', endpoint.href, '--reply-seconds', '120', '--json');
    expect(outcome.code, outcome.err).toBe(0);
    const report = objectOf(outcome) as { cases: number; top1: number; model: { calls: number; mostPromptTokens: number } | null };
    process.stdout.write(`${strategy}: ${outcome.out}\n`);
    expect(report.cases).toBe(CASE_COUNT);
    // A model this small loops or falls silent now and then; a call that was stopped is not counted.
    expect(report.model?.mostPromptTokens ?? 0).toBeLessThanOrEqual(2_500);
    if (strategy === 'mrd-rag') expect(report.model?.calls).toBeGreaterThanOrEqual(1);
  });
});
