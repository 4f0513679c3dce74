import type { Profile } from '../findings/finding-state.js';
import type { ConsultationRecord, PatientInput } from './state.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function isInput(value: unknown): value is PatientInput {
  if (!isObject(value)) return false;
  if (value.type === 'utterance') return typeof value.text === 'string';
  if (value.type !== 'answer' || typeof value.questionId !== 'string') return false;
  const answer = value.value;
  return typeof answer === 'string' || typeof answer === 'number' || (Array.isArray(answer) && answer.every((item) => typeof item === 'string'));
}

/** Whether age and sex are what a consultation takes. */
export function isProfile(value: unknown): value is Profile {
  if (!isObject(value)) return false;
  const { ageYears, sex } = value;
  return (ageYears === null || (typeof ageYears === 'number' && ageYears >= 0 && ageYears <= 130)) && (sex === null || sex === 'female' || sex === 'male');
}

/** Checks what comes back from storage or a file before anything reads it. */
export function isConsultationRecord(value: unknown): value is ConsultationRecord {
  if (!isObject(value) || value.kind !== 'anamnesis-consultation' || value.recordVersion !== 1) return false;
  const { profile, inputs, questions, corrections, bundle } = value;
  return (
    typeof value.id === 'string' &&
    isObject(bundle) &&
    typeof bundle.id === 'string' &&
    (profile === null || isProfile(profile)) &&
    Number.isInteger(value.maxQuestions) && Number(value.maxQuestions) >= 0 && Number(value.maxQuestions) <= 50 &&
    Array.isArray(inputs) &&
    inputs.every(isInput) &&
    Array.isArray(questions) &&
    questions.length === inputs.length &&
    questions.every((id) => id === null || typeof id === 'string') &&
    Array.isArray(corrections) &&
    corrections.every((one) => isObject(one) && typeof one.findingId === 'string' && (one.state === null || one.state === 'present' || one.state === 'absent'))
  );
}
