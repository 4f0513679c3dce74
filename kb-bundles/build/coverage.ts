import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { EntryType, School } from '../../src/bundle/bundle.js';
import { normalizeText } from '../../src/text/normalize.js';
import type { Sources } from './read-sources.js';

/** Lists that `shared/coverage` has for this knowledge. */
export const COVERAGE_LISTS = ['mm-zh', 'tcm-zh-syndromes', 'tcm-zh-diseases'] as const;

/** A list of names that the knowledge must cover, as `coverage.yaml` gives it. */
interface CoverageList {
  /** Coverage list's file name without its ending: `mm-zh`, `tcm-zh-syndromes`. */
  readonly list: string;
  readonly title: string;
  readonly school: School;
  readonly type: EntryType;
  /** Names on the list. */
  readonly names: number;
  /** Name of the list → name of the entry that covers it as an alias. */
  readonly merged: Readonly<Record<string, string>>;
  /** Name of the list → why it is no entry. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/** What became of a list's names. */
export interface Coverage {
  readonly list: string;
  readonly entries: number;
  readonly covered: number;
  readonly merged: readonly (readonly [name: string, entry: string])[];
  readonly leftOut: readonly (readonly [name: string, why: string])[];
  /** Names that neither an entry nor `coverage.yaml` accounts for; known only where the list itself was given. */
  readonly missing: readonly string[];
}

/** A line of a coverage list: canonical name, TAB, aliases divided by bars, TAB, a code. */
function namesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.split('\t')[0] ?? '').trim()).filter((name) => name !== '');
}

/**
 * What the sources cover of each list.
 * @param lists the lists' own texts by name; a list that is not given is told by `coverage.yaml` alone
 */
export function coverageOf(root: string, sources: Sources, lists: ReadonlyMap<string, string>): { readonly plan: CoverageList; readonly coverage: Coverage }[] {
  const plans = parse(readFileSync(join(root, 'coverage.yaml'), 'utf8')) as CoverageList[];
  return plans.map((plan) => {
    const facts = new Map(sources.facts[plan.school].filter((one) => one.type === plan.type).map((one) => [one.id, one]));
    const entryOf = new Map<string, string>();
    const names = new Set<string>();
    const entries = new Set<string>();
    for (const words of sources.words) {
      if (words.language !== 'zh' || !facts.has(words.id)) continue;
      entries.add(words.id);
      names.add(normalizeText(words.name));
      for (const alias of words.aliases) entryOf.set(normalizeText(alias), words.name);
    }
    const merged = new Map(Object.entries(plan.merged));
    const missing: string[] = [];
    for (const name of namesOf(lists.get(plan.list) ?? '')) {
      if (names.has(normalizeText(name)) || merged.has(name) || name in plan.leftOut) continue;
      const entry = entryOf.get(normalizeText(name));
      if (entry === undefined) missing.push(name);
      else merged.set(name, entry);
    }
    const leftOut = Object.entries(plan.leftOut);
    return { plan, coverage: { list: plan.list, entries: entries.size, covered: plan.names - leftOut.length - missing.length, merged: [...merged], leftOut, missing } };
  });
}

/** The page `kb-bundles/COVERAGE.md`. */
export function coveragePage(all: readonly { readonly plan: CoverageList; readonly coverage: Coverage }[]): string {
  const lines = [
    '# What the knowledge covers',
    '',
    'Made by `npx anamnesis bundle coverage --write`; do not edit. The lists of names are not part of this project; `coverage.yaml` says what became of the names that are no entries of their own.',
    '',
    '| list | names | entries | covered | merged as aliases | left out | missing |',
    '|---|---|---|---|---|---|---|',
    ...all.map(({ plan, coverage }) => `| ${plan.title} | ${String(plan.names)} | ${String(coverage.entries)} | ${String(coverage.covered)} | ${String(coverage.merged.length)} | ${String(coverage.leftOut.length)} | ${String(coverage.missing.length)} |`),
  ];
  for (const { plan, coverage } of all) {
    lines.push('', `## ${plan.title}`);
    if (coverage.merged.length > 0) lines.push('', '### Merged', '', '| name | stands as an alias of |', '|---|---|', ...coverage.merged.map(([name, entry]) => `| ${name} | ${entry} |`));
    if (coverage.leftOut.length > 0) lines.push('', '### Left out', '', '| name | why |', '|---|---|', ...coverage.leftOut.map(([name, why]) => `| ${name} | ${why} |`));
    if (coverage.missing.length > 0) lines.push('', '### Missing', '', coverage.missing.join('、'));
  }
  return `${lines.join('\n')}\n`;
}
