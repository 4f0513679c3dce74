import { checkSchema, extractJson } from '../llm/json-reply.js';
import type { JsonSchema } from '../llm/language-model.js';

/** What the doctor may decide in a round. */
export interface DoctorTask {
  readonly mayAsk: boolean;
  readonly mayConclude: boolean;
  /** Numbered questions shown to the model; 0: it asks in its own words. */
  readonly listedQuestions: number;
  /** Numbered notes shown to the model; 0: it names conditions in its own words. */
  readonly notes: number;
  readonly mostQuestions: number;
}

/** The doctor's decision as the model wrote it, within the task. */
export interface DoctorReply {
  readonly action: 'ask' | 'conclude';
  /** Zero-based places in the list. */
  readonly questions: readonly number[];
  /** A question in the model's own words; empty where it asks from the list. */
  readonly question: string;
  /** Zero-based places in the notes, likeliest first, without repeats. */
  readonly candidates: readonly number[];
  /** Names in the model's own words, likeliest first. */
  readonly conditions: readonly string[];
}

/** The schema that constrains the reply. `reply` comes last, so that the decision is known before its words. */
export function doctorSchema(task: DoctorTask): JsonSchema {
  const actions = [...(task.mayAsk ? ['ask'] : []), ...(task.mayConclude ? ['conclude'] : [])];
  const numbers = (most: number, maxItems: number, minItems = 0): JsonSchema => ({ type: 'array', items: { type: 'integer', enum: Array.from({ length: most }, (_, at) => at + 1) }, minItems, maxItems });
  const properties: Record<string, JsonSchema> = { action: { type: 'string', enum: actions } };
  if (task.mayAsk && task.listedQuestions > 0) properties.questions = numbers(task.listedQuestions, task.mostQuestions, task.mayConclude ? 0 : 1);
  if (task.mayAsk && task.listedQuestions === 0) properties.question = { type: 'string' };
  if (task.notes > 0) properties.candidates = numbers(task.notes, task.notes);
  else properties.conditions = { type: 'array', items: { type: 'string' }, maxItems: 5 };
  properties.reply = { type: 'string' };
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** Reads a reply, tolerantly in form and strictly in content; faults are in words fit for the model. */
export function readDoctorReply(text: string, task: DoctorTask, noJson: string): { readonly reply: DoctorReply } | { readonly faults: readonly string[] } {
  const value = extractJson(text);
  if (value === undefined) return { faults: [noJson] };
  const { required: _all, ...loose } = doctorSchema({ ...task, mayConclude: true });
  const faults = checkSchema(value, { ...loose, required: ['action'] });
  if (!task.mayConclude && faults.length === 0 && (value as { action: string }).action !== 'ask') faults.push('"action" must be "ask".');
  if (faults.length > 0) return { faults };
  const read = value as { readonly action: DoctorReply['action']; readonly questions?: readonly number[]; readonly question?: string; readonly candidates?: readonly number[]; readonly conditions?: readonly string[] };
  const places = (numbers: readonly number[] | undefined): number[] => [...new Set(numbers ?? [])].map((number) => number - 1);
  const reply: DoctorReply = { action: read.action, questions: places(read.questions), question: (read.question ?? '').trim(), candidates: places(read.candidates), conditions: read.conditions ?? [] };
  if (reply.action === 'ask' && reply.questions.length === 0 && reply.question === '') return { faults: [task.listedQuestions > 0 ? '"questions" is empty.' : '"question" is empty.'] };
  return { reply };
}
