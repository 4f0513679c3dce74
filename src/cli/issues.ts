import { relative } from 'node:path';
import type { SourceIssue } from '../../kb-bundles/build/source-file.js';
import type { CommandIo } from './usage.js';

/** Issues with paths as seen from the working directory. @param sources absolute */
export function relativeIssues(issues: readonly SourceIssue[], sources: string, io: CommandIo): SourceIssue[] {
  const shown = relative(io.cwd, sources) || '.';
  return issues.map((issue) => ({ ...issue, file: relative(io.cwd, issue.file), message: issue.message.replaceAll(sources, shown) }));
}

/** Prints `file:line rule message`, errors first; returns how many errors there are. */
export function printIssues(issues: readonly SourceIssue[], sources: string, io: CommandIo, print: (line: string) => void): number {
  const errors = issues.filter((issue) => issue.level === 'error');
  const warnings = issues.filter((issue) => issue.level === 'warning');
  for (const issue of relativeIssues([...errors, ...warnings], sources, io)) {
    print(`${issue.file}:${String(issue.line)} ${issue.rule} ${issue.level === 'warning' ? 'warning: ' : ''}${issue.message}`);
  }
  return errors.length;
}
