import { ModelError } from '../errors/model-error.js';
import type { ChatMessage } from './language-model.js';

/** Tokens that a chat template adds to a message, at most. */
const TEMPLATE_TOKENS = 16;
const WORD = /[\p{Script=Latin}\p{N}']+/gu;
const LETTERS_A_TOKEN = 4;

/**
 * Tokens of a text where no tokenizer can be asked: a token for every four letters of a word and for every other
 * character, blanks left out. Near the truth for English, and about half as much again as it for Chinese.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  const rest = text.replace(WORD, (word) => {
    tokens += Math.ceil(word.length / LETTERS_A_TOKEN);
    return '';
  });
  for (const character of rest) if (character.trim() !== '') tokens++;
  return tokens;
}

/**
 * Refuses a prompt that leaves no room for a reply, before a runtime that would cut it without a word gets it. Short
 * prompts, which are most, are not counted: a token stands for at least one byte.
 * @throws {ModelError} context-overflow
 */
export async function checkPromptFits(messages: readonly ChatMessage[], contextTokens: number, countTokens: (text: string) => Promise<number>): Promise<void> {
  const text = messages.map(({ content }) => content).join('\n');
  if (new TextEncoder().encode(text).length + messages.length * TEMPLATE_TOKENS < contextTokens) return;
  const promptTokens = await countTokens(text);
  if (promptTokens >= contextTokens) throw new ModelError('context-overflow', `The prompt has ${String(promptTokens)} tokens, the model takes ${String(contextTokens)}; shorten it.`);
}
