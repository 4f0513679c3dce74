import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { EvaluationCase } from '../evaluation/cases.js';
import type { CommandIo } from './usage.js';

/** Says on standard error when cases are in another language or of another school than the bundle; they count all the same. */
export function warnOfOtherLanguage(cases: readonly EvaluationCase[], bundle: KnowledgeBundle, io: CommandIo): void {
  const other = cases.filter((one) => one.language !== bundle.language || one.school !== bundle.school).length;
  if (other > 0) io.err(`note: ${String(other)} of ${String(cases.length)} cases are in another language or of another school than ${bundle.id}; they count all the same`);
}
