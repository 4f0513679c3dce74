import type { Language, School, Urgency } from '../bundle/bundle.js';
import { EvaluationError } from '../errors/evaluation-error.js';

/** One case to measure on, as a line of a case file gives it. */
export interface EvaluationCase {
  readonly id: string;
  readonly language: Language;
  readonly school: School;
  /** The record as published. Empty where only a first utterance is given. */
  readonly patient: string;
  /** The record without diagnosis and treatment; empty where there is none. */
  readonly patientClean: string;
  /** What the patient says first; empty where only a record is given. */
  readonly firstUtterance: string;
  /** What was entered into symptom checkers; empty where unknown. */
  readonly laySymptoms: string;
  /** The diagnosis; null where the source gives only an urgency. */
  readonly gold: string | null;
  readonly goldAliases: readonly string[];
  readonly tcmSyndrome: string;
  /** Accepted levels; null where the source has none. */
  readonly urgency: readonly Urgency[] | null;
  /** Atomic statements of the record. */
  readonly facts: readonly string[];
  readonly flags: readonly string[];
  /** Names among which the diagnosis is to be chosen; empty where the source gives none. */
  readonly candidates: readonly string[];
}

const URGENCY_WORDS: Readonly<Record<string, readonly Urgency[]>> = {
  emergency: ['emergency'],
  urgent: ['urgent'],
  routine: ['routine'],
  non_emergency: ['urgent', 'routine'],
  self_care: ['self-care'],
  'self-care': ['self-care'],
};

/**
 * Reads a case file: one JSON object a line, keys as in `shared/cases/README.md`; `id`, `lang` and one of `patient` and
 * `first_utterance` are needed, `school` is `mm` where it is left out, unknown keys are passed over, empty lines too.
 * @throws {EvaluationError} cases-invalid with the line; the message never holds a case's words
 */
export function parseCases(text: string): EvaluationCase[] {
  const cases: EvaluationCase[] = [];
  const lineOf = new Map<string, number>();
  text
    .replace(/^\u{FEFF}/u, '')
    .split('\n')
    .forEach((raw, index) => {
      if (raw.trim() === '') return;
      const line = index + 1;
      const one = parseCase(raw, line);
      const before = lineOf.get(one.id);
      if (before !== undefined) throw invalid(line, `its id stands in line ${String(before)} too`);
      lineOf.set(one.id, line);
      cases.push(one);
    });
  if (cases.length === 0) throw new EvaluationError('cases-invalid', 'The case file holds no case; give one JSON object a line.');
  return cases;
}

function invalid(line: number, what: string): EvaluationError {
  return new EvaluationError('cases-invalid', `line ${String(line)}: ${what}.`, { line });
}

function parseCase(raw: string, line: number): EvaluationCase {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw invalid(line, 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(line, 'is not a JSON object');
  const record = value as Readonly<Record<string, unknown>>;
  const text = (key: string): string => {
    const item = record[key];
    if (item === undefined || item === null) return '';
    if (typeof item !== 'string') throw invalid(line, `"${key}" is not text`);
    return item.trim();
  };
  const list = (key: string): string[] => {
    const item = record[key];
    if (item === undefined || item === null) return [];
    if (!Array.isArray(item) || !item.every((one) => typeof one === 'string')) throw invalid(line, `"${key}" is not a list of texts`);
    return item;
  };
  const id = text('id');
  if (id === '') throw invalid(line, '"id" is missing');
  const language = text('lang');
  if (language !== 'zh' && language !== 'en') throw invalid(line, '"lang" is neither zh nor en');
  const school = text('school') === '' ? 'mm' : text('school');
  if (school !== 'mm' && school !== 'tcm') throw invalid(line, '"school" is neither mm nor tcm');
  const patient = text('patient');
  const firstUtterance = text('first_utterance');
  if (patient === '' && firstUtterance === '') throw invalid(line, 'has neither "patient" nor "first_utterance"');
  const gold = text('gold');
  return {
    id,
    language,
    school,
    patient,
    patientClean: text('patient_clean'),
    firstUtterance,
    laySymptoms: text('lay_symptoms'),
    gold: gold === '' ? null : gold,
    goldAliases: list('gold_aliases'),
    tcmSyndrome: text('tcm_syndrome'),
    urgency: parseUrgency(text('urgency'), line),
    facts: list('facts'),
    flags: list('flags'),
    candidates: list('candidates'),
  };
}

function parseUrgency(text: string, line: number): readonly Urgency[] | null {
  if (text === '') return null;
  const levels = text.split('|').flatMap((word) => {
    const accepted = URGENCY_WORDS[word.trim()];
    if (accepted === undefined) throw invalid(line, `"urgency" holds a word that is none of ${Object.keys(URGENCY_WORDS).join(', ')}`);
    return accepted;
  });
  return [...new Set(levels)];
}
