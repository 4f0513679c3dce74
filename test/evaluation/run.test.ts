import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createParts, createReasoning, createRetriever } from '../../src/anamnesis.js';
import type { KnowledgeBundle } from '../../src/bundle/bundle.js';
import { Consultation } from '../../src/consultation/consultation.js';
import { openDirectory } from '../../src/cli/open-bundle.js';
import { type EvaluationCase, parseCases } from '../../src/evaluation/cases.js';
import { parseGoldMap } from '../../src/evaluation/gold-map.js';
import { chooseAmongCandidates } from '../../src/evaluation/run-choice.js';
import { runConsult } from '../../src/evaluation/run-consult.js';
import { runRetrieval } from '../../src/evaluation/run-retrieval.js';
import { buildFixtures, CASES, GOLD_MAP } from '../fixtures/fixture-bundles.js';

let bundle: KnowledgeBundle;
let cases: EvaluationCase[];
const goldMap = parseGoldMap(readFileSync(GOLD_MAP, 'utf8'));
beforeAll(async () => {
  bundle = await openDirectory(join(await buildFixtures(), 'mini-en'));
  cases = parseCases(readFileSync(CASES, 'utf8'));
});

describe('runRetrieval', () => {
  it('counts every case with a diagnosis, one outside the knowledge as a miss', async () => {
    const { report, outcomes } = await runRetrieval({ bundle, retriever: createRetriever(bundle), cases, goldMap });
    expect(report).toMatchObject({ cases: 4, inKnowledge: 3, mrr: 0.75, hits: { '1': 0.75, '3': 0.75, '5': 0.75, '10': 0.75 } });
    expect(report.msPerQuery.p95).toBeGreaterThanOrEqual(report.msPerQuery.p50);
    expect(outcomes.map((outcome) => outcome.rank)).toEqual([1, 1, 1, null]);
  });

  it('counts fewer in the knowledge without the map', async () => {
    const { report } = await runRetrieval({ bundle, retriever: createRetriever(bundle), cases });
    expect(report.inKnowledge).toBe(2);
  });

  it('names no disease for words that point nowhere', async () => {
    const [greeting] = parseCases('{"id":"a","lang":"en","patient":"x","first_utterance":"hello there","gold":"Migraine"}');
    const { outcomes } = await runRetrieval({ bundle, retriever: createRetriever(bundle), cases: [greeting!] });
    expect(outcomes[0]).toMatchObject({ inKnowledge: true, rank: null, named: [] });
  });
});

describe('chooseAmongCandidates', () => {
  it('chooses the most probable of the candidates, never one outside the knowledge', async () => {
    const line = (candidates: readonly string[]): string => JSON.stringify({ id: 'a', lang: 'en', patient: 'Throbbing headache on one side, light hurts my eyes', gold: 'Migraine', candidates });
    const choose = async (candidates: readonly string[]): Promise<unknown> => chooseAmongCandidates({ bundle, cases: parseCases(line(candidates)), readers: createParts(bundle), reasoning: createReasoning(bundle) });
    expect(await choose(['Common cold', 'Migraine', 'Sinusitis of the moon'])).toEqual({ cases: 1, right: 1 });
    expect(await choose(['Sinusitis of the moon'])).toEqual({ cases: 1, right: 0 });
    expect(await choose([])).toBeNull();
  });
});

describe('runConsult', () => {
  const consult = (maxQuestions = 10): ReturnType<typeof runConsult> => {
    const parts = createParts(bundle);
    return runConsult({ readers: parts, cases, goldMap, open: (id) => new Consultation(parts, { id, maxQuestions }) });
  };

  it('names diseases, assesses urgency and counts questions', async () => {
    const { report, outcomes } = await consult();
    expect(report).toMatchObject({ cases: 4, inKnowledge: 3, top1: 0.75, top3: 0.75, top5: 0.75, urgency: { cases: 5, accuracy: 1, underTriage: 0, overTriage: 0 } });
    expect(outcomes[4]).toMatchObject({ id: 'invented-5', gold: null, urgency: 'emergency', redFlags: ['possible-meningitis'] });
  });

  it('gives the same result every time', async () => {
    expect(await consult()).toEqual(await consult());
  });

  it('asks no more than it may', async () => {
    const { report } = await consult(0);
    expect(report.meanQuestions).toBe(0);
    for (const { questions } of (await consult(2)).outcomes) expect(questions).toBeLessThanOrEqual(2);
  });

  it('writes none of a case’s words into its outcomes', async () => {
    expect(JSON.stringify((await consult()).outcomes)).not.toContain('half my head');
  });
});
