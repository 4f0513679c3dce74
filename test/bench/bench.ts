import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/cli/files.js';
import { table } from '../../src/cli/table.js';
import { inNode } from './in-node.js';
import type { VectorSearchTimes } from './vector-search.js';
import { BENCHES, type Bench, type BenchReport, type LoadTimes } from './workloads.js';

/** Where benches run. */
export interface BenchPlace {
  readonly name: string;
  /** Loads one bundle where none was loaded before. */
  bundleLoad(id: string): Promise<LoadTimes>;
  run(ids: readonly string[], only: ReadonlySet<Bench>): Promise<BenchReport>;
  close(): Promise<void>;
}

const USAGE = `npm run bench -- [--only ${BENCHES.join('|')}] [--browser] [--json]
  --only     these alone, divided by commas
  --browser  in the real Chromium in place of Node
  --json     one object in place of tables`;

/** The arguments, or undefined where they are wrong. */
function readArguments(): { only: ReadonlySet<Bench>; browser: boolean; json: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, browser: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } });
    const only = (values.only ?? BENCHES.join(',')).split(',') as Bench[];
    return only.every((bench) => BENCHES.includes(bench)) ? { only: new Set(only), browser: values.browser, json: values.json } : undefined;
  } catch {
    return undefined;
  }
}

const ms = (value: number): string => (value < 10 ? value.toFixed(3) : value.toFixed(1));
const times = (slower: number, faster: number): string => `${(slower / faster).toFixed(1)}`;

function printTables(name: string, report: BenchReport): void {
  const section = (title: string, rows: readonly (readonly string[])[]): void => console.log(`\n${title}\n${table(rows)}`);
  console.log(`${name}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${String(cpus().length)} cores`);
  if (report.vectorSearch !== undefined) {
    section('Vector search, first 10, median', [
      ['rows', 'dimension', 'ours ms', 'voy ms', 'loop ms', 'voy/ours', 'loop/ours'],
      ...(report.vectorSearch as VectorSearchTimes[]).map((one) => [String(one.rows), String(one.dimension), ms(one.oursMs), one.voyMs === null ? '' : ms(one.voyMs), ms(one.loopMs), one.voyMs === null ? '' : times(one.voyMs, one.oursMs), times(one.loopMs, one.oursMs)]),
    ]);
  }
  if (report.bundleLoad !== undefined) section('Bundle verified, decoded and ready', [['bundle', 'bytes', 'first ms', 'later ms'], ...report.bundleLoad.map((one) => [one.bundle, String(one.bytes), ms(one.readyMs), ms(one.warmMs)])]);
  if (report.extraction !== undefined) {
    section('Findings read from a pseudo history', [
      ['bundle', 'texts', 'p50 ms', 'p95 ms', 'indexOf p50 ms', 'indexOf/ours', '10,000 characters ms'],
      ...report.extraction.bundles.map((one) => [one.bundle, String(one.texts), ms(one.p50Ms), ms(one.p95Ms), ms(one.scanP50Ms), times(one.scanP50Ms, one.p50Ms), ms(one.longTextMs)]),
    ]);
  }
  if (report.retrieval !== undefined) {
    section('Retrieval by a pseudo history', [
      ['bundle', 'queries', 'p50 ms', 'p95 ms', 'BM25 loop p50 ms', 'loop/ours'],
      ...report.retrieval.bundles.map((one) => [one.bundle, String(one.queries), ms(one.p50Ms), ms(one.p95Ms), ms(one.loopP50Ms), times(one.loopP50Ms, one.p50Ms)]),
    ]);
  }
  if (report.guidedTurn !== undefined) {
    section(`Guided turn: text in, question out (all bundles p50 ${ms(report.guidedTurn.p50Ms)}, p95 ${ms(report.guidedTurn.p95Ms)} ms)`, [
      ['bundle', 'turns', 'p50 ms', 'p95 ms', 'answer p50 ms', 'answer p95 ms'],
      ...report.guidedTurn.bundles.map((one) => [one.bundle, String(one.turns), ms(one.p50Ms), ms(one.p95Ms), ms(one.answerP50Ms), ms(one.answerP95Ms)]),
    ]);
  }
}

async function main(): Promise<number> {
  const given = readArguments();
  if (given === undefined) {
    console.error(USAGE);
    return 2;
  }
  const root = packageRoot();
  const bundles = join(root, 'dist', 'bundles');
  const ids = existsSync(bundles) ? readdirSync(bundles).filter((id) => existsSync(join(bundles, id, 'manifest.json'))) : [];
  if (ids.length === 0) {
    console.error('bundle-missing: no bundle in dist/bundles; run "npm run build".');
    return 1;
  }
  const place = given.browser ? await (await import('./in-browser.js')).inBrowser(root) : inNode(root);
  try {
    const bundleLoad: LoadTimes[] = [];
    if (given.only.has('bundle-load')) for (const id of ids) bundleLoad.push(await place.bundleLoad(id));
    const report: BenchReport = { ...(bundleLoad.length > 0 ? { bundleLoad } : {}), ...(await place.run(ids, given.only)) };
    if (given.json) console.log(JSON.stringify({ runtime: place.name, ...report }));
    else printTables(place.name, report);
  } finally {
    await place.close();
  }
  return 0;
}

process.exitCode = await main();
