import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve } from '../browser/launch.js';
import { agree, answerOne, giveProfile, stateOf, visit } from '../browser/visit.js';
import { type Mirror, mirrorGguf, mirrorMlc } from './mirror.js';

const gguf = process.env.ANAMNESIS_GGUF ?? '';
const mlc = process.env.ANAMNESIS_WEBLLM_MODELS ?? '';
const hasGguf = existsSync(gguf);
const hasMlc = existsSync(join(mlc, 'smol.wasm')) && existsSync(join(mlc, 'smol'));
if (!hasGguf) process.stdout.write('Consultations with wllama are not held: set ANAMNESIS_GGUF to a small instruct model.\n');
if (!hasMlc) process.stdout.write('The consultation with WebLLM is not held: set ANAMNESIS_WEBLLM_MODELS to a folder with smol/ and smol.wasm.\n');

const CONTEXT_TOKENS = 1_024;
const DEADLINE_MS = 900_000;
const WORDS = 'I have had a throbbing headache on one side since this morning and I feel sick. Light hurts my eyes.';

describe('a whole consultation with real weights', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  it.runIf(hasGguf)('runs with wllama on the CPU', { timeout: DEADLINE_MS }, () => consult(mirrorGguf(gguf, 'cpu', CONTEXT_TOKENS), 'cpu'));
  // llama.cpp takes no GPU without 16-bit floats, which the imitated one lacks; left to itself it would go on with the CPU and say nothing (GPU-07).
  it.runIf(hasGguf)('says that wllama cannot use an imitated GPU', { timeout: DEADLINE_MS }, () => refuse(mirrorGguf(gguf, 'gpu', CONTEXT_TOKENS)));
  it.runIf(hasMlc)('runs with WebLLM on an imitated GPU', { timeout: DEADLINE_MS }, () => consult(mirrorMlc(mlc, 'smol', CONTEXT_TOKENS), 'gpu'));

  async function refuse(mirror: Mirror): Promise<void> {
    const server = await serve({ roots: [mirror.root] });
    const { context, page, chat } = await visit(browser, `${server.origin}/index.html`);
    try {
      await chat.evaluate((element, catalogue) => Object.assign(element, { modelSource: 'host', modelBase: '/models/', modelCatalogue: catalogue, modelTesting: { allowSoftware: true } }), mirror.catalogue);
      await agree(chat);
      await page.waitForFunction((element) => (element as AnamnesisChat).state.model?.phase === 'offered', await chat.elementHandle(), { timeout: 60_000 });
      await chat.evaluate((element) => (element as AnamnesisChat).shadowRoot?.querySelector<HTMLButtonElement>('[part=model-panel] button')?.click());
      await page.waitForFunction((element) => ['ready', 'failed'].includes((element as AnamnesisChat).state.model?.phase ?? ''), await chat.elementHandle(), { timeout: 120_000 });
      expect((await stateOf(chat)).model).toMatchObject({ phase: 'failed', reason: 'feature-missing', runs: 'none' });
    } finally {
      await context.close();
      await server.close();
    }
  }

  /** From the first screen to the result, through the panel: offer, leave, fetch, load, three rounds. */
  async function consult(mirror: Mirror, runs: 'cpu' | 'gpu'): Promise<void> {
    const server = await serve({ roots: [mirror.root] });
    const { context, page, chat, seen } = await visit(browser, `${server.origin}/index.html`);
    page.setDefaultTimeout(DEADLINE_MS);
    try {
      await chat.evaluate((element, catalogue) => {
        const calls: unknown[] = [];
        Object.assign(globalThis, { modelPhases: calls });
        element.addEventListener('anamnesis-model', (event) => calls.push((event as CustomEvent<{ phase: string }>).detail.phase));
        Object.assign(element, {
          modelSource: 'host',
          modelBase: '/models/',
          modelCatalogue: catalogue,
          modelTesting: { allowSoftware: true, silenceMs: { load: 240_000, firstToken: 400_000, token: 120_000 } },
          strategyOptions: { replySeconds: 500, leastTokensPerSecond: 0, replyTokens: 90, questionsPerRound: 1, promptTokens: 600 },
        });
      }, mirror.catalogue);
      await agree(chat);
      await chat.locator('[part=model-panel]').waitFor({ timeout: 60_000 });
      await waitForPhase('offered', 60_000);
      expect((await stateOf(chat)).model?.offer).toMatchObject({ downloadBytes: mirror.bytes, storedBytes: 0, servers: [] });
      expect(seen.requests.filter((address) => /\.gguf|params_shard|\.wasm$/.test(address) && address.includes('/models/'))).toEqual([]);
      await chat.evaluate((element) => (element as AnamnesisChat).shadowRoot?.querySelector<HTMLButtonElement>('[part=model-panel] button')?.click());
      await waitForPhase('ready', 240_000);
      expect((await stateOf(chat)).model?.runs).toBe(runs);
      await giveProfile(chat, '34', 'female');
      await chat.locator('textarea#draft').fill(WORDS);
      await chat.locator('textarea#draft').press('Enter');
      await settle();
      let rounds = 0;
      while ((await stateOf(chat)).screen === 'question' && rounds++ < 12) {
        const { consultation } = await stateOf(chat);
        if (consultation?.question?.type === 'open') {
          await chat.locator('textarea#draft').fill('I do not know.');
          await chat.locator('textarea#draft').press('Enter');
        } else await answerOne(chat, { none: true });
        await settle();
      }
      const { screen, consultation, model } = await stateOf(chat);
      expect(screen).toBe('result');
      expect(consultation?.result?.candidates[0]?.id).toBe('migraine');
      expect(model?.phase).toBe('ready');
      expect(model?.tokensPerSecond).toBeGreaterThan(0);
      const phases = await page.evaluate(() => (globalThis as unknown as { modelPhases: string[] }).modelPhases);
      expect(phases).toEqual(expect.arrayContaining(['checking', 'offered', 'downloading', 'loading', 'ready']));
      expect(seen.requests.filter((address) => !address.startsWith(server.origin) && !address.startsWith(`blob:${server.origin}`))).toEqual([]);
      expect(seen.errors).toEqual([]);
      process.stdout.write(`${mirror.catalogue.models[0]?.variants[0]?.runtime ?? ''} on the ${runs}: ${String(rounds)} questions, ${model?.tokensPerSecond?.toFixed(1) ?? '?'} tokens/s, reply: ${(consultation?.reply?.sentences ?? []).map((sentence) => sentence.text).join(' ') || '(nothing passed the checks)'}\n`);
    } finally {
      await context.close();
      await server.close();
    }

    async function waitForPhase(phase: string, timeout: number): Promise<void> {
      await page.waitForFunction(([element, wanted]) => ['failed', 'none', wanted].includes((element as AnamnesisChat).state.model?.phase ?? ''), [await chat.elementHandle(), phase] as const, { timeout });
      const { model } = await stateOf(chat);
      expect(model, JSON.stringify(model)).toMatchObject({ phase });
    }

    async function settle(): Promise<void> {
      await page.waitForFunction((element) => (element as AnamnesisChat).shadowRoot?.querySelector('[part=base]')?.getAttribute('aria-busy') !== 'true', await chat.elementHandle(), { timeout: DEADLINE_MS });
    }
  }
});
