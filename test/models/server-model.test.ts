import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../src/llm/language-model.js';
import { openServerModel } from '../../src/llm/server-model.js';
import { testLanguageModel } from '../conformance/language-model.js';
import { readReply } from '../fakes/read-reply.js';

/**
 * Against a real llama.cpp. `ANAMNESIS_LLAMA_SERVER`: path of `llama-server`, or a command that takes its flags, parted by
 * blanks (`llama-server.py` beside this file is one); `ANAMNESIS_GGUF`: path of a small chat model.
 */
const { ANAMNESIS_LLAMA_SERVER: COMMAND, ANAMNESIS_GGUF: GGUF } = process.env;
const CONTEXT_TOKENS = 1_024;
const DEADLINE_MS = 120_000;

const started = new Map<string, { readonly child: ChildProcess; readonly endpoint: URL }>();
afterAll(() => started.forEach(({ child }) => child.kill()));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server once for each number of slots, and waits until it has loaded. */
async function startServer(slots: number): Promise<URL> {
  const known = started.get(String(slots));
  if (known !== undefined) return known.endpoint;
  const [program, ...first] = COMMAND!.split(/\s+/);
  const port = await freePort();
  const flags = ['-m', GGUF!, '--host', '127.0.0.1', '--port', String(port), '-c', String(CONTEXT_TOKENS * slots), '-t', '1', '-np', String(slots)];
  const child = spawn(program!, [...first, ...flags], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2_000)));
  const endpoint = new URL(`http://127.0.0.1:${String(port)}`);
  started.set(String(slots), { child, endpoint });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code) => resolve(`exit ${String(code)}: ${said}`));
  });
  for (const until = Date.now() + DEADLINE_MS; Date.now() < until; ) {
    const answer = await fetch(new URL('health', endpoint)).catch(() => undefined);
    if (answer?.ok === true) return endpoint;
    const over = await Promise.race([ended, new Promise<undefined>((resolve) => setTimeout(resolve, 200, undefined))]);
    if (over !== undefined) throw new Error(`The model server did not start: ${over}`);
  }
  throw new Error('The model server did not load its model in time.');
}

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
      expect(model).toMatchObject({ id: GGUF.split('/').at(-1), contextTokens: CONTEXT_TOKENS });
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
