import { join } from 'node:path';
import { readSources, type Sources } from '../../kb-bundles/build/read-sources.js';
import { createParts, createRetriever } from '../../src/anamnesis.js';
import { packageRoot } from '../../src/cli/files.js';
import type { KnowledgeBundle } from '../../src/bundle/bundle.js';
import { loadBundle } from '../../src/bundle/load.js';
import { Consultation, type ConsultationParts } from '../../src/consultation/consultation.js';
import { percentile } from '../../src/evaluation/metrics.js';
import { countTerms, termsOf } from '../../src/text/features.js';
import { normalizeText } from '../../src/text/normalize.js';

/** Runs in Node and in a page: imports nothing of either. */

/** Answers from memory, so that reading files and the network are not timed. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

/** Times over all texts of all bundles, and by bundle. */
export interface TurnTimes {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface LoadTimes {
  readonly bundle: string;
  readonly bytes: number;
  /** Verified, decoded and ready for the first words, in a fresh process or page. */
  readonly readyMs: number;
  /** Median of later loads in the same one. */
  readonly warmMs: number;
}

const BASE = 'https://bench.invalid/';
const WARM_LOADS = 5;
/** A text longer than people type, for what a record pasted whole costs. */
const LONG_TEXT = 10_000;

const round = (ms: number): number => Number(ms.toFixed(3));
const timesOf = (ms: readonly number[]): TurnTimes => ({ p50Ms: round(percentile(ms, 0.5)), p95Ms: round(percentile(ms, 0.95)) });

export async function openFiles(files: BundleFiles): Promise<KnowledgeBundle> {
  const fetch = ((url: URL) => Promise.resolve(new Response(files.get(url.href.slice(BASE.length)) as Uint8Array<ArrayBuffer>))) as typeof globalThis.fetch;
  return (await loadBundle(BASE, { fetch })).bundle;
}

/** Call first in a fresh process or page: the first load is the one that a visitor waits for. */
export async function benchBundleLoad(files: BundleFiles): Promise<LoadTimes> {
  const elapsed: number[] = [];
  let bundle: KnowledgeBundle | undefined;
  for (let load = 0; load <= WARM_LOADS; load++) {
    const started = performance.now();
    bundle = await openFiles(files);
    createParts(bundle);
    elapsed.push(performance.now() - started);
  }
  const [first = 0, ...later] = elapsed;
  return { bundle: bundle?.id ?? '', bytes: bundle?.manifest.parts.reduce((sum, part) => sum + part.bytes, 0) ?? 0, readyMs: round(first), warmMs: round(percentile(later, 0.5)) };
}

/** Texts of a bundle that are timed at most. */
const MOST_TEXTS = 120;

let sources: Sources | undefined;

/** The pseudo histories of the bundle's sources, evenly drawn: what patients would say, in its language. */
function textsOf(bundle: KnowledgeBundle): string[] {
  const known = (sources ??= readSources(join(packageRoot(), 'kb-bundles')));
  const all = known.words.filter((words) => words.language === bundle.language && bundle.diseaseIndex(words.id) !== undefined).flatMap((words) => words.histories.map((history) => history.text));
  const step = Math.max(1, all.length / MOST_TEXTS);
  return Array.from({ length: Math.min(all.length, MOST_TEXTS) }, (_, at) => all[Math.floor(at * step)] ?? '');
}

export interface ExtractionTimes extends TurnTimes {
  readonly bundle: string;
  readonly texts: number;
  /** The same texts searched for every name and synonym with `indexOf`: no gaps, no stems, no negation, no spelling. */
  readonly scanP50Ms: number;
  /** One text of 10,000 characters. */
  readonly longTextMs: number;
}

export function benchExtraction(bundle: KnowledgeBundle, parts: ConsultationParts): { times: ExtractionTimes; samples: number[] } {
  const texts = textsOf(bundle);
  const words = bundle.findings.flatMap((finding) => [finding.names[bundle.language], ...finding.synonyms[bundle.language]]).map((word) => normalizeText(word));
  for (const text of texts.slice(0, 40)) parts.extractor.read(text);
  const samples = texts.map((text) => elapsed(() => parts.extractor.read(text)));
  const scans = texts.map((text) =>
    elapsed(() => {
      const normalized = normalizeText(text);
      return words.filter((word) => normalized.includes(word)).length;
    }),
  );
  const joined = texts.join('\n');
  const long = joined.repeat(Math.ceil(LONG_TEXT / joined.length)).slice(0, LONG_TEXT);
  const longs = [0, 1, 2].map(() => elapsed(() => parts.extractor.read(long)));
  return { times: { bundle: bundle.id, texts: texts.length, ...timesOf(samples), scanP50Ms: round(percentile(scans, 0.5)), longTextMs: round(percentile(longs, 0.5)) }, samples };
}

export interface RetrievalTimes extends TurnTimes {
  readonly bundle: string;
  readonly queries: number;
  /** BM25 alone, without postings: every document is scored in a loop. */
  readonly loopP50Ms: number;
}

export async function benchRetrieval(bundle: KnowledgeBundle): Promise<{ times: RetrievalTimes; samples: number[] }> {
  const retriever = createRetriever(bundle);
  const texts = textsOf(bundle);
  const loop = plainBm25(bundle);
  for (const text of texts.slice(0, 40)) await retriever.retrieve([text]);
  const samples: number[] = [];
  for (const text of texts) {
    const started = performance.now();
    await retriever.retrieve([text]);
    samples.push(performance.now() - started);
  }
  const loops = texts.map((text) => elapsed(() => loop(text)));
  retriever.close();
  return { times: { bundle: bundle.id, queries: texts.length, ...timesOf(samples), loopP50Ms: round(percentile(loops, 0.5)) }, samples };
}

function plainBm25(bundle: KnowledgeBundle): (query: string) => number[] {
  const documents = bundle.diseases.map((disease) => bundle.diTree(disease.index).leaves.map((leaf) => leaf.text).join('\n'));
  const counts = documents.map((text) => countTerms(termsOf(text)));
  const lengths = counts.map((terms) => [...terms.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const terms = [...countTerms(termsOf(query)).keys()];
    const idf = terms.map((term) => {
      const containing = counts.filter((document) => document.has(term)).length;
      return Math.log(1 + (counts.length - containing + 0.5) / (containing + 0.5));
    });
    const scores = counts.map((document, at) => terms.reduce((sum, term, index) => sum + ((idf[index] ?? 0) * (document.get(term) ?? 0) * 2.2) / ((document.get(term) ?? 0) + 1.2 * (0.4 + (0.6 * (lengths[at] ?? 0)) / average)), 0));
    return scores.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  };
}

export interface GuidedTurnTimes extends TurnTimes {
  readonly bundle: string;
  readonly turns: number;
  /** Turns whose input was an answer. */
  readonly answerP50Ms: number;
  readonly answerP95Ms: number;
}

/** Consultations of three questions each, opened with a pseudo history: text in, question out; answer in, question out. */
export async function benchGuidedTurn(bundle: KnowledgeBundle, parts: ConsultationParts): Promise<{ times: GuidedTurnTimes; samples: number[] }> {
  const samples: number[] = [];
  const answers: number[] = [];
  const warmUp = 5;
  for (const [at, text] of textsOf(bundle).entries()) {
    const consultation = new Consultation(parts, { id: 'bench', maxQuestions: 10 });
    await consultation.setProfile({ ageYears: 40, sex: at % 2 === 0 ? 'female' : 'male' });
    const first = await timeSend(consultation, { type: 'utterance', text });
    if (at >= warmUp) samples.push(first);
    for (let asked = 0; asked < 3; asked++) {
      const { question } = consultation.state;
      if (question === null) break;
      const value = question.type === 'yes-no' ? (asked % 2 === 0 ? 'no' : 'yes') : 'unknown';
      const answered = await timeSend(consultation, { type: 'answer', questionId: question.id, value });
      if (at >= warmUp) answers.push(answered);
    }
  }
  const answered = timesOf(answers);
  return { times: { bundle: bundle.id, turns: samples.length + answers.length, ...timesOf(samples), answerP50Ms: answered.p50Ms, answerP95Ms: answered.p95Ms }, samples };
}

async function timeSend(consultation: Consultation, input: Parameters<Consultation['send']>[0]): Promise<number> {
  const started = performance.now();
  for await (const event of consultation.send(input)) void event;
  return performance.now() - started;
}

function elapsed(action: () => unknown): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}

export const BENCHES = ['vector-search', 'bundle-load', 'extraction', 'retrieval', 'guided-turn'] as const;
export type Bench = (typeof BENCHES)[number];

/** What a run prints with `--json`; a bench that was left out is absent. */
export interface BenchReport {
  vectorSearch?: readonly unknown[];
  bundleLoad?: readonly LoadTimes[];
  extraction?: TurnTimes & { readonly bundles: readonly ExtractionTimes[] };
  retrieval?: TurnTimes & { readonly bundles: readonly RetrievalTimes[] };
  guidedTurn?: TurnTimes & { readonly bundles: readonly GuidedTurnTimes[] };
}

/** Runs the benches over bundles; `vector-search` and `bundle-load` are the caller's. */
export async function benchBundles(bundles: readonly KnowledgeBundle[], only: ReadonlySet<Bench>): Promise<BenchReport> {
  const report: BenchReport = {};
  const pooled = <T>(runs: readonly { times: T; samples: number[] }[]): TurnTimes & { bundles: T[] } => ({ ...timesOf(runs.flatMap((run) => run.samples)), bundles: runs.map((run) => run.times) });
  const each = async <T>(run: (bundle: KnowledgeBundle) => T | Promise<T>): Promise<Awaited<T>[]> => {
    const all: Awaited<T>[] = [];
    for (const bundle of bundles) all.push(await run(bundle));
    return all;
  };
  if (only.has('extraction')) report.extraction = pooled(await each((bundle) => benchExtraction(bundle, createParts(bundle))));
  if (only.has('retrieval')) report.retrieval = pooled(await each(benchRetrieval));
  if (only.has('guided-turn')) report.guidedTurn = pooled(await each((bundle) => benchGuidedTurn(bundle, createParts(bundle))));
  return report;
}
