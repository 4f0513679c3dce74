import { describe, expect, it } from 'vitest';
import { checkPromptFits, estimateTokens } from '../../src/llm/prompt-size.js';

describe('estimateTokens', () => {
  it('counts words by fours of letters and other characters one by one', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a headache since Monday')).toBe(1 + 2 + 2 + 2);
    expect(estimateTokens('头痛三天。')).toBe(5);
    expect(estimateTokens('🤒 38.5')).toBe(1 + 1 + 1 + 1);
  });
});

describe('checkPromptFits', () => {
  const messages = (content: string) => [{ role: 'user', content }] as const;

  it('does not count a short prompt', async () => {
    await checkPromptFits(messages('cough'), 100, () => Promise.reject(new Error('counted')));
  });

  it('lets a long prompt pass that fits', async () => {
    await checkPromptFits(messages('cough '.repeat(50)), 100, () => Promise.resolve(99));
  });

  it('refuses a prompt that leaves no room for a reply', async () => {
    await expect(checkPromptFits(messages('cough '.repeat(50)), 100, () => Promise.resolve(100))).rejects.toMatchObject({ code: 'context-overflow' });
  });
});
