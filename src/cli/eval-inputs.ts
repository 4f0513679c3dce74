import type { KnowledgeBundle } from '../bundle/bundle.js';
import { type EvaluationCase, parseCases } from '../evaluation/cases.js';
import { type GoldMap, parseGoldMap } from '../evaluation/gold-map.js';
import { readText, writeLines } from './files.js';
import { openBundle } from './open-bundle.js';
import type { Arguments, CommandIo } from './usage.js';
import { warnOfOtherLanguage } from './warn-of-cases.js';

/** What both evaluations begin with: `--bundle`, `--cases` and `--gold-map`. */
export async function openEvaluation(given: Arguments, io: CommandIo): Promise<{ bundle: KnowledgeBundle; cases: readonly EvaluationCase[]; goldMap: GoldMap | undefined }> {
  const [bundleName, file] = [given.required('bundle'), given.required('cases')];
  const mapFile = given.text('gold-map');
  const cases = parseCases(readText(file, io));
  const goldMap = mapFile === undefined ? undefined : parseGoldMap(readText(mapFile, io));
  const encoder = given.text('encoder');
  const bundle = await openBundle(bundleName, io, encoder === undefined ? [] : [encoder]);
  warnOfOtherLanguage(cases, bundle, io);
  return { bundle, cases, goldMap };
}

/** Writes `--per-case` where it is given; true where `--json` asked for the report alone, which is then printed. */
export function printedForMachines(given: Arguments, report: object, outcomes: readonly object[], io: CommandIo): boolean {
  const perCase = given.text('per-case');
  if (perCase !== undefined) writeLines(perCase, outcomes, io);
  if (!given.flag('json')) return false;
  io.out(JSON.stringify(report));
  return true;
}
