import type { Language, UrgencyAssessment } from '../src/index.js';
import { en, type Locale } from './locales/en.js';
import { zh } from './locales/zh.js';

export type { Locale };

/** Language names as each language calls itself, for the switch. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { zh: '中文', en: 'English' };

/** BCP 47 tags for `lang` attributes: the script matters to fonts and speech. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { zh: 'zh-Hans', en: 'en' };

const LOCALES: Readonly<Record<Language, Locale>> = { en, zh };

/** The headline of an urgency: where a rule asks for urgent care sooner than usual, it says so. */
export function urgencyTitle(t: Locale, { level, within }: UrgencyAssessment): string {
  return level === 'urgent' && within !== null && within !== 'two-days' ? t.sooner[within] : t.urgency[level];
}

/** The language that somebody writes; null where it is too little to tell, or both. */
export function writtenIn(text: string): Language | null {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  if (characters >= 2 && characters > words) return 'zh';
  return characters === 0 && words >= 3 ? 'en' : null;
}

/** The widget's texts in a language. */
export function localeFor(language: Language): Locale {
  return LOCALES[language];
}
