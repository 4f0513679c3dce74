import { createConsultation } from '../src/anamnesis.js';
import type { Consultation } from '../src/consultation/consultation.js';
import type { AnswerValue } from '../src/consultation/state.js';
import { builtBundle } from './bundles.js';

interface BeginOptions {
  /** @default 30 */
  readonly ageYears?: number | null;
  /** @default 'female' */
  readonly sex?: 'female' | 'male' | null;
  /** @default 10 */
  readonly maxQuestions?: number;
}

/** A consultation without a model, its first words said. */
export async function begin(id: 'mm-zh' | 'mm-en', words: string, { ageYears = 30, sex = 'female', maxQuestions = 10 }: BeginOptions = {}): Promise<Consultation> {
  const consultation = createConsultation(builtBundle(id), { maxQuestions });
  await consultation.setProfile({ ageYears, sex });
  await say(consultation, words);
  return consultation;
}

/** Says something. */
export async function say(consultation: Consultation, words: string): Promise<void> {
  for await (const event of consultation.send({ type: 'utterance', text: words })) void event;
}

/** Answers the open question. */
export async function answer(consultation: Consultation, value: AnswerValue): Promise<void> {
  for await (const event of consultation.send({ type: 'answer', questionId: consultation.state.question?.id ?? '', value })) void event;
}

/** Answers with "don't know" until a question of that id, or whose id begins so, is open; its options, if it has any. */
export async function askedUntil(consultation: Consultation, id: string): Promise<string[]> {
  while (!consultation.state.question!.id.startsWith(id)) await answer(consultation, 'unknown');
  return consultation.state.question!.options.map((option) => option.id);
}

/** What is understood of a finding; undefined where nothing is. */
export const stateOf = (consultation: Consultation, id: string): string | undefined => consultation.state.understood.find((one) => one.id === id)?.state;
