import type { School } from '../bundle/bundle.js';
import type { ChatMessage } from '../llm/language-model.js';
import { fill, type PromptTexts } from './prompts/prompt-texts.js';
import type { TranscriptLine } from './strategy.js';

/** A part of a prompt under its heading; empty ones are left out. */
export interface PromptPart {
  readonly heading: string;
  readonly text: string;
}

/** System and user message of one task. */
export function buildPrompt(texts: PromptTexts, school: School, parts: readonly PromptPart[], task: string): ChatMessage[] {
  const body = [...parts.filter((part) => part.text !== ''), { heading: texts.headings.task, text: task }].map((part) => `${part.heading}\n${part.text.trim()}`).join('\n\n');
  return [
    { role: 'system', content: fill(texts.system, { subject: texts.subject[school] }) },
    { role: 'user', content: body },
  ];
}

/** The dialogue as the model reads it. */
export function accountText(texts: PromptTexts, transcript: readonly TranscriptLine[]): string {
  return transcript.map((line) => `${texts.speaker[line.speaker]}: ${line.text.trim()}`).join('\n');
}

/**
 * The dialogue within a budget: the first words and the latest lines are kept, the middle goes first; one line too long is
 * cut at its end.
 */
export async function fitAccount(texts: PromptTexts, transcript: readonly TranscriptLine[], budgetTokens: number, countTokens: (text: string) => Promise<number>): Promise<string> {
  let lines = transcript;
  while (lines.length > 2 && (await countTokens(accountText(texts, lines))) > budgetTokens) lines = [...lines.slice(0, 1), ...lines.slice(2)];
  let text = accountText(texts, lines);
  for (let tokens = await countTokens(text); tokens > budgetTokens && text.length > 1; tokens = await countTokens(text)) {
    text = [...text].slice(0, Math.max(1, Math.floor(([...text].length * budgetTokens) / tokens) - 1)).join('');
  }
  return text;
}
