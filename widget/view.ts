import type { Language, Question } from '../src/index.js';
import type { Controller } from './controller.js';
import type { Locale } from './localize.js';
import type { ModelActions } from './model-actions.js';
import type { Settings } from './settings.js';

/** What the visitor is doing on the screen; nothing of it is kept. */
export interface ScreenState {
  /** What is typed and not sent. */
  draft: string;
  draftError: boolean;
  isForOther: boolean;
  isEditingProfile: boolean;
  /** An age in the words that the visitor says is not the patient's. */
  dismissedAge: number | null;
  ageError: 'ageMissing' | 'ageNotNumber' | 'ageYearsRange' | 'ageMonthsRange' | null;
  sexError: boolean;
  /** Round whose answer is being changed. */
  editing: number | null;
  /** Finding whose understanding is being corrected. */
  correcting: string | null;
  /** The answer form of this question lacks a valid answer. */
  answerError: string | null;
  confirming: 'erase' | 'startOver' | null;
  idleWarning: boolean;
  /** The visitor wants no other language. */
  staysInLanguage: boolean;
  /** The visitor opened or closed the model panel, or started something in it, which is watched until it is done; null: nothing of these. */
  modelPanel: 'opened' | 'closed' | 'watched' | null;
}

/** A screen on which nothing has been done. */
export function freshScreen(): ScreenState {
  return { draft: '', draftError: false, isForOther: false, isEditingProfile: false, dismissedAge: null, ageError: null, sexError: false, editing: null, correcting: null, answerError: null, confirming: null, idleWarning: false, staysInLanguage: false, modelPanel: null };
}

/** What each part is given to render from. */
export interface View {
  readonly t: Locale;
  readonly settings: Settings;
  /** `lang` of texts that come from the bundle. */
  readonly contentTag: string;
  readonly contentLanguage: Language;
  readonly controller: Controller;
  /** Null: no language model is set up. */
  readonly model: ModelActions | null;
  readonly screen: ScreenState;
  /** Renders again after a change of `screen`. */
  refresh(): void;
  /** Moves focus into the part of that name once it is rendered. */
  focusOn(name: string): void;
  print(): void;
  exportFile(): void;
  switchLanguage(language: Language): void;
}

/** The emergency number in words that fit a sentence. */
export function emergencyWords({ t, settings }: View): string {
  return settings.emergencyNumber ?? t.emergencyUnnamed;
}

/** What is typed into a field of a form. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

/** An answer as text. */
export function answerText(t: Locale, question: Question | null, value: unknown): string {
  if (value === 'yes') return t.yes;
  if (value === 'no') return t.no;
  if (value === 'unknown') return t.unknown;
  if (typeof value === 'number') return `${String(value)}${question === null || question.unit === '' ? '' : ` ${question.unit}`}`;
  if (!Array.isArray(value) || value.length === 0) return question?.type === 'open' ? t.nothingToAdd : t.none;
  return value.map((id) => question?.options.find((option) => option.id === id)?.text ?? '').join(t.listSeparator);
}
