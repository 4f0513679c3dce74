// The types of both packages lead nowhere under NodeNext; the workers import them the same way.
import * as webLlmModule from '@mlc-ai/web-llm';
import * as wllamaModule from '@wllama/wllama/esm/index.js';
import { createParts, createStrategy } from '../../../src/anamnesis.js';
import { loadBundle } from '../../../src/bundle/load.js';
import { Consultation } from '../../../src/consultation/consultation.js';
import type { LanguageModel } from '../../../src/llm/language-model.js';
import { loadWebLlm } from '../../../src/llm/web-llm.js';
import { loadWllama } from '../../../src/llm/wllama.js';

/** One reply as it was timed. */
export interface Timing {
  readonly firstTokenMs: number;
  readonly tokensPerSecond: number;
  readonly tokens: number;
}

interface BareWllama {
  loadModel(blobs: Blob[], options: object): Promise<void>;
  createChatCompletion(options: object): Promise<AsyncIterable<{ readonly choices: readonly { readonly delta: { readonly content?: string | null } }[]; readonly usage?: { readonly completion_tokens: number } | null }>>;
  setCompat(compat: null): void;
}
interface BareWebLlm {
  reload(model: string): Promise<void>;
  resetChat(): Promise<void>;
  readonly chat: { readonly completions: { create(request: object): Promise<AsyncIterable<{ readonly choices: readonly { readonly delta: { readonly content?: string | null } }[] }>> } };
}
const { MLCEngine } = webLlmModule as unknown as { readonly MLCEngine: new (config: object) => BareWebLlm };
const { Wllama } = wllamaModule as unknown as { readonly Wllama: new (paths: object, options: object) => BareWllama };

const workerBase = new URL('/chunks/', location.href);
const context = { contextTokens: 2_048, parameters: null, languages: ['en'] as const, workerBase };
const silent = { debug: () => undefined, log: () => undefined, warn: () => undefined, error: () => undefined };
let ours: LanguageModel | undefined;
let bare: ((prompt: string, maxTokens: number) => AsyncIterable<string>) | undefined;

const blobOf = async (address: string): Promise<Blob> => (await fetch(address)).blob();

async function openWllama(address: string): Promise<void> {
  const blob = await blobOf(address);
  ours = await loadWllama({ ...context, id: 'ours', files: new Map([['model.gguf', blob]]), gpu: false, threads: 1, onProgress: () => undefined });
  const wllama = new Wllama({ default: new URL('wllama.wasm', workerBase).href }, { logger: silent, suppressNativeLog: true });
  wllama.setCompat(null);
  await wllama.loadModel([blob], { n_ctx: context.contextTokens, n_gpu_layers: 0, n_threads: 1, n_parallel: 1 });
  bare = async function* (prompt, maxTokens) {
    const stream = await wllama.createChatCompletion({ messages: [{ role: 'user', content: prompt }], max_tokens: maxTokens, temperature: 0, stream: true });
    for await (const chunk of stream) yield chunk.choices[0]?.delta.content ?? '';
  };
}

async function openWebLlm(files: Readonly<Record<string, string>>, library: string, model: string, contextTokens: number): Promise<void> {
  const loaded = new Map<string, Blob>();
  for (const [path, address] of Object.entries(files)) loaded.set(path, await blobOf(address));
  ours = await loadWebLlm({ ...context, contextTokens, id: 'ours', files: loaded, library, onProgress: () => undefined });
  const engine = new MLCEngine({ appConfig: { model_list: [{ model: `${location.origin}/${model}`, model_id: model, model_lib: `${location.origin}/${model}.wasm` }] }, logLevel: 'ERROR' });
  await engine.reload(model);
  bare = async function* (prompt, maxTokens) {
    await engine.resetChat();
    const stream = await engine.chat.completions.create({ messages: [{ role: 'user', content: prompt }], max_tokens: maxTokens, temperature: 0, stream: true });
    for await (const chunk of stream) yield chunk.choices[0]?.delta.content ?? '';
  };
}

async function time(stream: AsyncIterable<string>, count: (text: string) => Promise<number>): Promise<Timing> {
  const started = performance.now();
  let first = 0;
  let text = '';
  for await (const delta of stream) {
    if (delta === '') continue;
    first ||= performance.now();
    text += delta;
  }
  const ended = performance.now();
  const tokens = await count(text);
  return { firstTokenMs: first - started, tokensPerSecond: ((tokens - 1) * 1_000) / (ended - first), tokens };
}

async function* textOf(model: LanguageModel, prompt: string, maxTokens: number): AsyncGenerator<string> {
  for await (const event of model.chat({ messages: [{ role: 'user', content: prompt }], maxTokens })) if (event.type === 'delta') yield event.text;
}

const api = {
  openWllama,
  openWebLlm,
  /** One reply of each, in the order asked for. */
  async pair(prompt: string, maxTokens: number, oursFirst: boolean): Promise<{ ours: Timing; bare: Timing }> {
    const model = ours!;
    const count = (text: string): Promise<number> => model.countTokens(text);
    const runOurs = (): Promise<Timing> => time(textOf(model, prompt, maxTokens), count);
    const runBare = (): Promise<Timing> => time(bare!(prompt, maxTokens), count);
    if (oursFirst) return { ours: await runOurs(), bare: await runBare() };
    const second = await runBare();
    return { ours: await runOurs(), bare: second };
  },
  /** Prompt tokens of the calls of one MRD-RAG consultation, counted by the loaded model, and the longest task of the page meanwhile. */
  async consult(bundleId: string, words: string): Promise<{ promptTokens: number[]; longestTaskMs: number }> {
    const longTasks: number[] = [];
    const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration)));
    const { bundle } = await loadBundle(new URL(`/bundles/${bundleId}/`, location.href));
    // The engine reads its vocabulary with the first words of a page; that is not the model's doing.
    const warm = new Consultation(createParts(bundle), { id: 'warm', maxQuestions: 10 });
    await warm.setProfile({ ageYears: 34, sex: 'female' });
    for await (const event of warm.send({ type: 'utterance', text: words })) void event;
    warm.close();
    const strategy = await createStrategy(bundle, 'mrd-rag', { model: ours!, replySeconds: 600, leastTokensPerSecond: 0, replyTokens: 48, maxRounds: 2 });
    const consultation = new Consultation({ ...createParts(bundle), strategy }, { id: 'bench', maxQuestions: 10 });
    await consultation.setProfile({ ageYears: 34, sex: 'female' });
    observer.observe({ type: 'longtask' });
    const promptTokens: number[] = [];
    for await (const event of consultation.send({ type: 'utterance', text: words })) if (event.type === 'model-call') promptTokens.push(event.promptTokens);
    await consultation.conclude();
    observer.disconnect();
    consultation.close();
    return { promptTokens, longestTaskMs: Math.max(0, ...longTasks) };
  },
  async close(): Promise<void> {
    await ours?.dispose();
  },
};
export type BenchApi = typeof api;
Object.assign(globalThis, { bench: api });
