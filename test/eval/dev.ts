import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createParts, createReasoning, createRetriever, warmUp } from '../../src/anamnesis.js';
import type { KnowledgeBundle } from '../../src/bundle/bundle.js';
import { openBundle } from '../../src/cli/open-bundle.js';
import { packageRoot } from '../../src/cli/files.js';
import { percent, table } from '../../src/cli/table.js';
import type { CommandIo } from '../../src/cli/usage.js';
import { Consultation, DEFAULT_MAX_QUESTIONS } from '../../src/consultation/consultation.js';
import { type EvaluationCase, parseCases } from '../../src/evaluation/cases.js';
import { parseGoldMap } from '../../src/evaluation/gold-map.js';
import { chooseAmongCandidates, type ChoiceReport } from '../../src/evaluation/run-choice.js';
import { runConsult, type ConsultReport } from '../../src/evaluation/run-consult.js';
import { runRetrieval } from '../../src/evaluation/run-retrieval.js';

/**
 * `npm run eval:dev`: one table over the development cases beside the project (`../shared/cases`), which are not part of
 * it. Arguments: names of case files without ending; none: all that fit the bundles.
 */
const CASES = join(packageRoot(), '..', 'shared', 'cases');
const SETS: readonly { readonly file: string; readonly bundle: string; readonly consult: boolean }[] = [
  { file: 'cmb', bundle: 'mm-zh', consult: true },
  { file: 'dxbench-zh', bundle: 'mm-zh', consult: true },
  { file: 'tcm-sd-100', bundle: 'tcm-zh', consult: true },
  { file: 'mtcmb-diagnosis', bundle: 'tcm-zh', consult: true },
  { file: 'mtcmb-chgd', bundle: 'tcm-zh', consult: true },
  { file: 'semigran-45', bundle: 'mm-en', consult: true },
  { file: 'levine-48', bundle: 'mm-en', consult: true },
];

const io: CommandIo = { cwd: packageRoot(), out: (line) => void process.stdout.write(`${line}\n`), err: (line) => void process.stderr.write(`${line}\n`) };

async function consult(bundle: KnowledgeBundle, cases: readonly EvaluationCase[], goldMap: ReturnType<typeof parseGoldMap>, wholeRecord: boolean): Promise<ConsultReport> {
  const readers = createParts(bundle);
  try {
    const open = (id: string): Consultation => new Consultation(readers, { id, maxQuestions: wholeRecord ? 0 : DEFAULT_MAX_QUESTIONS });
    return (await runConsult({ readers, cases, goldMap, wholeRecord, open })).report;
  } finally {
    readers.strategy.close();
  }
}

if (!existsSync(CASES)) {
  io.out(`eval:dev skipped: no development cases at ${CASES}`);
} else {
  const wanted = process.argv.slice(2);
  const goldMap = parseGoldMap(readFileSync(join(CASES, 'gold-to-entry.tsv'), 'utf8'));
  const rows: string[][] = [['cases', 'n', 'in knowledge', 'MRR', '@1', '@3', '@5', '@10', 'p95 ms', 'record 1/3/5', 'of three', 'consult 1/3/5', 'questions', 'urgency']];
  const reliable: string[][] = [['cases', '0–.2', '.2–.4', '.4–.6', '.6–.8', '.8–1']];
  for (const { file, bundle: id } of SETS) {
    const path = join(CASES, `${file}.jsonl`);
    if (!existsSync(path) || (wanted.length > 0 && !wanted.includes(file))) continue;
    const bundle = await openBundle(id, io);
    const cases = parseCases(readFileSync(path, 'utf8'));
    const retriever = createRetriever(bundle);
    for await (const step of warmUp(bundle)) void step;
    const { report } = await runRetrieval({ bundle, retriever, cases, goldMap });
    const record = await consult(bundle, cases, goldMap, true);
    const choice: ChoiceReport | null = await chooseAmongCandidates({ bundle, cases, goldMap, readers: createParts(bundle), reasoning: createReasoning(bundle) });
    const talk = await consult(bundle, cases, goldMap, false);
    const tops = (one: ConsultReport): string => [one.top1, one.top3, one.top5].map((share) => share.toFixed(3)).join(' / ');
    rows.push([
      file, String(report.cases), String(report.inKnowledge), report.mrr.toFixed(3), ...Object.values(report.hits).map((hit) => hit.toFixed(3)), report.msPerQuery.p95.toFixed(1),
      tops(record), choice === null ? '' : `${percent(choice.right)} of ${String(choice.cases)}`, tops(talk), talk.meanQuestions.toFixed(1), talk.urgency.cases === 0 ? '' : `${percent(talk.urgency.accuracy)}, low ${percent(talk.urgency.underTriage)}`,
    ]);
    for (const [name, one] of [[`${file}, whole record`, record], [`${file}, consultation`, talk]] as const) reliable.push([name, ...one.reliability.map((bin) => `${percent(bin.right)} of ${String(bin.shown)}`)]);
  }
  io.out(table(rows, true));
  io.out('\nHow often what is shown with a score is right:');
  io.out(table(reliable, true));
}
