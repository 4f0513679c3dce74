import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';

/** A mistake in a source, as lint reports it. */
export interface SourceIssue {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly rule: string;
  readonly message: string;
  /** `error` stops a build, `warning` does not. */
  readonly level: 'error' | 'warning';
}

/** A list item of a source with its line. */
export interface SourceLine {
  readonly text: string;
  readonly line: number;
}

/** A heading and what stands under it up to the next heading. */
export interface SourceSection {
  readonly depth: number;
  readonly title: string;
  readonly line: number;
  readonly lines: readonly SourceLine[];
}

/** Collects issues of one file. */
export class IssueLog {
  readonly issues: SourceIssue[] = [];

  error(file: string, line: number, rule: string, message: string): void {
    this.issues.push({ file, line, rule, message, level: 'error' });
  }

  warn(file: string, line: number, rule: string, message: string): void {
    this.issues.push({ file, line, rule, message, level: 'warning' });
  }
}

/** Front matter as YAML with the line of every key, and the Markdown below it in sections. */
export class SourceFile {
  readonly path: string;
  readonly sections: readonly SourceSection[];
  readonly #map: YAMLMap | null;
  readonly #lines: LineCounter;
  readonly #log: IssueLog;

  constructor(path: string, content: string, log: IssueLog) {
    this.path = path;
    this.#log = log;
    this.#lines = new LineCounter();
    const front = /^---\n([\s\S]*?\n)---\n?/.exec(content);
    const body = content.slice(front?.[0].length ?? 0);
    const bodyLine = front === null ? 1 : front[0].split('\n').length;
    let map: YAMLMap | null = null;
    if (front !== null) {
      const document = parseDocument(front[1] ?? '', { lineCounter: this.#lines });
      for (const problem of document.errors) log.error(path, (problem.linePos?.[0].line ?? 0) + 1, 'yaml', problem.message.split('\n')[0] ?? 'not YAML');
      if (isMap(document.contents)) map = document.contents;
    }
    this.#map = map;
    this.sections = cutSections(body, bodyLine);
  }

  /** One-based line of a front matter key, or of an item under it. */
  lineOf(key: string, item?: string): number {
    const pair = this.#map?.items.find((one) => isScalar(one.key) && one.key.value === key);
    let node: unknown = pair?.key;
    if (item !== undefined && pair !== undefined) {
      if (isMap(pair.value)) node = pair.value.items.find((one) => isScalar(one.key) && one.key.value === item)?.key ?? node;
      if (isSeq(pair.value)) node = pair.value.items.find((one) => isScalar(one) && one.value === item) ?? node;
    }
    const offset = isScalar(node) ? node.range?.[0] : undefined;
    return offset === undefined ? 1 : this.#lines.linePos(offset).line + 1;
  }

  /** The value of a front matter key as plain data. */
  value(key: string): unknown {
    const value: unknown = this.#map?.get(key);
    return value !== null && typeof value === 'object' && 'toJSON' in value ? (value as { toJSON(): unknown }).toJSON() : value;
  }

  /** A required string. */
  text(key: string): string {
    const value = this.value(key);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
    this.#log.error(this.path, this.lineOf(key), 'missing-part', `front matter lacks "${key}"`);
    return '';
  }

  /** Reports keys of the front matter that nothing reads: a misspelt one would be lost in silence. */
  onlyKeys(keys: readonly string[]): void {
    for (const pair of this.#map?.items ?? []) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      if (!keys.includes(key)) this.#log.error(this.path, this.lineOf(key), 'unknown-key', `front matter has "${key}", which is none of ${keys.join(', ')}`);
    }
  }

  strings(key: string): string[] {
    const value = this.value(key);
    return Array.isArray(value) ? value.map((item) => String(item).trim()).filter((item) => item !== '') : [];
  }

  entries(key: string): [string, string][] {
    const value = this.value(key);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value).map(([name, item]) => [name, String(item)]) : [];
  }
}

/** Cuts Markdown into sections; text before the first heading is dropped. */
export function cutSections(body: string, firstLine = 1): SourceSection[] {
  const sections: { depth: number; title: string; line: number; lines: SourceLine[] }[] = [];
  body.split('\n').forEach((raw, index) => {
    const heading = /^(#{1,6})\s+(.+?)\s*$/.exec(raw);
    if (heading !== null) sections.push({ depth: (heading[1] ?? '').length, title: heading[2] ?? '', line: firstLine + index, lines: [] });
    else if (raw.trim() !== '') sections.at(-1)?.lines.push({ text: raw.trim(), line: firstLine + index });
  });
  return sections;
}
