import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../src/llm/language-model.js';
import { openServerModel } from '../../src/llm/server-model.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { readReply } from '../fakes/read-reply.js';
import { COMMAND, CONTEXT_TOKENS, DEADLINE_MS, GGUF, startServer } from './start-server.js';

if (COMMAND === undefined || GGUF === undefined) {
  describe('language model on llama.cpp', () => {
    it.skip('needs ANAMNESIS_LLAMA_SERVER and ANAMNESIS_GGUF, see test/models/server-model.test.ts', () => undefined);
  });
} else {
  const load = async (slots = 1): Promise<LanguageModel> => openServerModel({ endpoint: await startServer(slots) });

  testLanguageModel({ name: 'on llama.cpp', without: ['progress', 'order'], deadlineMs: DEADLINE_MS, load: () => load() });

  describe('a model on llama.cpp', { timeout: DEADLINE_MS }, () => {
    it('is known by its file, with context and size', async () => {
      const model = await load();
      expect(model).toMatchObject({ id: (GGUF ?? '').split('/').at(-1), contextTokens: CONTEXT_TOKENS });
      expect(model.parameters).toBeGreaterThan(1_000_000);
    });

    it('shares its context among slots', async () => {
      expect((await load(2)).contextTokens).toBe(CONTEXT_TOKENS);
    });

    it('counts by the model’s own tokenizer', async () => {
      const model = await load();
      const text = 'A productive cough for three days, 38.5 °C. 咳嗽三天。';
      const spelled = await readReply(model, { messages: [{ role: 'user', content: text }], maxTokens: 1 });
      const bare = await readReply(model, { messages: [{ role: 'user', content: 'A' }], maxTokens: 1 });
      const tokens = await model.countTokens(text);
      expect(Math.abs(spelled.end.promptTokens - bare.end.promptTokens - (tokens - 1))).toBeLessThanOrEqual(1);
    });

    it('answers two at once in two slots', async () => {
      const model = await load(2);
      const ask = (content: string) => readReply(model, { messages: [{ role: 'user', content }], maxTokens: 20 });
      const replies = await Promise.all([ask('Name a colour.'), ask('Name a fruit.')]);
      expect(replies.map(({ text }) => text.length > 0)).toEqual([true, true]);
    });

    it('tells how fast it is', async () => {
      const model = await load();
      await readReply(model, { messages: [{ role: 'user', content: 'Hello.' }], maxTokens: 1 });
      const startedAt = performance.now();
      const { end } = await readReply(model, { messages: [{ role: 'user', content: 'Write about the flu.' }], maxTokens: 60 });
      const seconds = (performance.now() - startedAt) / 1_000;
      console.log(`${model.id}: ${String(end.replyTokens)} tokens in ${seconds.toFixed(1)} s, ${(end.replyTokens / seconds).toFixed(1)} a second, prompt of ${String(end.promptTokens)} included`);
      expect(end.replyTokens).toBeGreaterThan(0);
    });
  });
}
