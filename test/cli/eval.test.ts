import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/llm/language-model.js';
import { FakeLanguageModel } from '../fakes/fake-language-model.js';
import { OpenAiServer } from '../fakes/openai-server.js';
import { buildFixtures, CASES, GOLD_MAP, scratch } from '../fixtures/fixture-bundles.js';
import { objectOf, runCommand } from './run-command.js';

let cwd: string;
beforeAll(async () => {
  cwd = scratch();
  cpSync(await buildFixtures(), join(cwd, 'dist', 'bundles'), { recursive: true });
});
const given = ['--bundle', 'mini-en', '--cases', CASES, '--gold-map', GOLD_MAP];

describe('eval retrieval', () => {
  it('prints one object', async () => {
    const report = objectOf(await runCommand(cwd, 'eval', 'retrieval', ...given, '--json'));
    expect(Object.keys(report)).toEqual(['cases', 'inKnowledge', 'mrr', 'hits', 'msPerQuery']);
    expect(report).toMatchObject({ cases: 4, inKnowledge: 3, hits: { '1': 0.75 } });
  });

  it('takes an index and a directory', async () => {
    for (const index of ['pmh', 'di', 'both']) {
      const { code, out } = await runCommand(cwd, 'eval', 'retrieval', ...given.slice(2), '--bundle', 'dist/bundles/mini-en', '--index', index);
      expect(code).toBe(0);
      expect(out).toMatch(/^Hits@10 +\d+\.\d%$/m);
    }
  });

  it('writes outcomes without the cases’ words', async () => {
    await runCommand(cwd, 'eval', 'retrieval', ...given, '--per-case', 'outcomes.jsonl');
    const text = readFileSync(join(cwd, 'outcomes.jsonl'), 'utf8');
    expect(text.trim().split('\n').map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['invented-1', 'invented-2', 'invented-3', 'invented-4']);
    expect(text).not.toContain('half my head');
  });

  it('says when cases are in another language', async () => {
    const { code, err } = await runCommand(cwd, 'eval', 'retrieval', '--bundle', 'mini-zh', '--cases', CASES, '--json');
    expect(code).toBe(0);
    expect(err).toContain('5 of 5 cases are in another language');
  });

  it('names the line of a bad case and prints nothing else', async () => {
    writeFileSync(join(cwd, 'bad.jsonl'), `${readFileSync(CASES, 'utf8')}{"id":"x","lang":"en"\n`);
    expect(await runCommand(cwd, 'eval', 'retrieval', '--bundle', 'mini-en', '--cases', 'bad.jsonl', '--json')).toEqual({ code: 1, out: '', err: 'cases-invalid: line 6: is not JSON.' });
  });

  it('names the line of a bad gold map', async () => {
    writeFileSync(join(cwd, 'bad.tsv'), 'list\tgold\tentry\nen only\n');
    const { code, err } = await runCommand(cwd, 'eval', 'retrieval', '--bundle', 'mini-en', '--cases', CASES, '--gold-map', 'bad.tsv');
    expect([code, err]).toEqual([1, 'cases-invalid: gold map, line 2: is not list, gold and entry divided by tabs.']);
  });
});

describe('eval consult', () => {
  it('prints one object, the same every time', async () => {
    const first = await runCommand(cwd, 'eval', 'consult', ...given, '--strategy', 'guided', '--json');
    const report = objectOf(first);
    expect(Object.keys(report)).toEqual(['cases', 'inKnowledge', 'top1', 'top3', 'top5', 'urgency', 'meanQuestions', 'reliability', 'model']);
    expect(Object.keys(report.urgency as object)).toEqual(['accuracy', 'underTriage', 'overTriage', 'cases']);
    expect(await runCommand(cwd, 'eval', 'consult', ...given, '--json')).toEqual(first);
  });

  it('asks at most as many questions as allowed', async () => {
    expect(objectOf(await runCommand(cwd, 'eval', 'consult', ...given, '--max-questions', '0', '--json'))).toMatchObject({ meanQuestions: 0 });
  });

  it('lets the patient say the whole record', async () => {
    const { code, out } = await runCommand(cwd, 'eval', 'consult', ...given, '--whole-record');
    expect(code).toBe(0);
    expect(out).toMatch(/^urgency: right +\d+\.\d%$/m);
  });
});

describe('eval consult with a model server', () => {
  const schemaOf = (request: ChatRequest): string => JSON.stringify(request.schema ?? '');
  const script = (request: ChatRequest): string => {
    const schema = schemaOf(request);
    if (schema.includes('"retrieve"')) return '{"retrieve": true}';
    if (schema.includes('"query"')) return '{"query": "headache, nausea"}';
    if (schema.includes('"conditions"')) return '{"action": "conclude", "conditions": ["Migraine"], "reply": ""}';
    return schema.includes('"conclude"') ? '{"action": "conclude", "candidates": [1], "reply": ""}' : '{"action": "ask", "questions": [1], "candidates": [1], "reply": ""}';
  };

  it.each(['mrd-rag', 'direct', 'single-round', 'rag-pulse'])('compares %s on the same cases, several at once', async (strategy) => {
    const server = await OpenAiServer.open(new FakeLanguageModel({ script }));
    try {
      const outcome = await runCommand(cwd, 'eval', 'consult', ...given, '--strategy', strategy, '--endpoint', server.url.href, '--concurrency', '3', '--json');
      expect(outcome.code, outcome.err).toBe(0);
      const report = objectOf(outcome);
      expect(report).toMatchObject({ cases: 4, model: { fallbackShare: 0 } });
      expect(server.requests.some(({ path }) => path.endsWith('chat/completions'))).toBe(true);
      expect((report.model as { calls: number }).calls).toBeGreaterThanOrEqual(4);
    } finally {
      await server.close();
    }
  });

  it.each([
    [['--strategy', 'mrd-rag'], 'needs --endpoint'],
    [['--endpoint', 'http://127.0.0.1:1'], 'needs a --strategy'],
    [['--strategy', 'mrd-rag', '--endpoint', 'nowhere'], 'begins with http'],
    [['--strategy', 'mrd-rag', '--endpoint', 'http://127.0.0.1:1', '--top-k', '10'], 'from 1 to 9'],
  ])('refuses %j', async (flags, said) => {
    const { code, err } = await runCommand(cwd, 'eval', 'consult', ...given, ...flags);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });

  it('says that a server cannot be reached', async () => {
    const { code, err } = await runCommand(cwd, 'eval', 'consult', ...given, '--strategy', 'mrd-rag', '--endpoint', 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(err).toContain('endpoint-failed');
  });
});
