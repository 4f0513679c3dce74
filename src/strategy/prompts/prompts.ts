import type { Language } from '../../bundle/bundle.js';
import { en } from './en.js';
import type { PromptTexts } from './prompt-texts.js';
import { zh } from './zh.js';

/** Prompts by language. */
export const PROMPTS: Readonly<Record<Language, PromptTexts>> = { zh, en };
