import { EvaluationError } from '../errors/evaluation-error.js';
import type { EvaluationCase } from './cases.js';

/** Names a coverage list gives to diagnoses as sources word them. */
export class GoldMap {
  readonly #entries: ReadonlyMap<string, readonly string[]>;

  constructor(entries: ReadonlyMap<string, readonly string[]>) {
    this.#entries = entries;
  }

  /** Names of the list for a diagnosis; empty where the map has none. @param list `mm-zh`, `en`, `tcm-zh` */
  namesOf(list: string, gold: string): readonly string[] {
    return this.#entries.get(`${list}\t${gold}`) ?? [];
  }
}

/** The coverage list in which a case's diagnosis is looked up. */
export function listOfCase({ school, language }: Pick<EvaluationCase, 'school' | 'language'>): string {
  if (school === 'tcm') return 'tcm-zh';
  return language === 'en' ? 'en' : 'mm-zh';
}

/**
 * Reads `list<TAB>gold<TAB>entry` lines; a first line of those words is the heading. A diagnosis may stand in several.
 * @throws {EvaluationError} cases-invalid with the line
 */
export function parseGoldMap(text: string): GoldMap {
  const entries = new Map<string, string[]>();
  text
    .replace(/^\u{FEFF}/u, '')
    .split(/\r?\n/)
    .forEach((raw, index) => {
      if (raw.trim() === '') return;
      const cells = raw.split('\t').map((cell) => cell.trim());
      const [list = '', gold = '', entry = ''] = cells;
      if (index === 0 && list === 'list') return;
      if (cells.length !== 3 || list === '' || gold === '' || entry === '') {
        throw new EvaluationError('cases-invalid', `gold map, line ${String(index + 1)}: is not list, gold and entry divided by tabs.`, { line: index + 1 });
      }
      const key = `${list}\t${gold}`;
      entries.set(key, [...(entries.get(key) ?? []), entry]);
    });
  return new GoldMap(entries);
}
