import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildPage } from '../browser/build-page.js';
import { launchBrowser, serve } from '../browser/launch.js';
import type { BenchApi, Timing } from './pages/bench-page.js';
import { prepareModels } from './prepare.mjs';

/**
 * `npm run bench:models`: tokens a second and time to the first token through our port beside the bare library, in one
 * page and one run, in turns; prompt tokens of a turn; the longest task of the page while the model runs.
 */

declare global {
  var bench: BenchApi;
}

const PAIRS = 3;
const MAX_TOKENS = 32;
const PROMPT = 'Write a short story about a lighthouse keeper who finds a letter in a bottle.';
const HEADACHE = 'I have had a throbbing headache on one side since this morning and I feel sick. Light hurts my eyes.';

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const models = prepareModels();
const page = await buildPage('test/models/pages/bench-page.ts');
const gguf = models.ANAMNESIS_GGUF;
const mlc = models.ANAMNESIS_WEBLLM_MODELS;
const server = await serve({ csp: null, roots: [page, ...(gguf === undefined ? [] : [dirname(gguf)]), ...(mlc === undefined ? [] : [mlc])] });
const browser = await launchBrowser();
const report: Record<string, unknown>[] = [];

async function measure(name: string, open: (page: Awaited<ReturnType<typeof browser.newPage>>) => Promise<void>, consults: boolean): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${server.origin}/bench-page.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  await open(page);
  const pairs: { ours: Timing; bare: Timing }[] = [];
  for (let at = 0; at <= PAIRS; at++) {
    const pair = await page.evaluate(([prompt, maxTokens, first]) => globalThis.bench.pair(prompt, maxTokens, first), [PROMPT, MAX_TOKENS, at % 2 === 0] as const);
    if (at > 0) pairs.push(pair);
  }
  const speed = { ours: median(pairs.map((pair) => pair.ours.tokensPerSecond)), bare: median(pairs.map((pair) => pair.bare.tokensPerSecond)) };
  const first = { ours: median(pairs.map((pair) => pair.ours.firstTokenMs)), bare: median(pairs.map((pair) => pair.bare.firstTokenMs)) };
  const turns = consults ? await page.evaluate(([words]) => globalThis.bench.consult('mm-en', words), [HEADACHE] as const) : null;
  report.push({ runtime: name, tokensPerSecond: speed, ratio: speed.ours / speed.bare, firstTokenMs: first, ...(turns ?? {}) });
  console.log(`${name}: ${speed.ours.toFixed(2)} tokens/s through our port, ${speed.bare.toFixed(2)} bare, ratio ${(speed.ours / speed.bare).toFixed(3)}; first token ${first.ours.toFixed(0)} ms, bare ${first.bare.toFixed(0)} ms${turns === null ? '' : `; prompt tokens of a turn ${turns.promptTokens.join(', ')}; longest task of the page ${turns.longestTaskMs.toFixed(0)} ms`}`);
  await page.evaluate(() => globalThis.bench.close());
  await page.close();
}

if (gguf === undefined && mlc === undefined) console.log('Nothing to measure: no weights could be had.');
if (gguf !== undefined) await measure('wllama on the CPU, SmolLM2-135M', (page) => page.evaluate((address) => globalThis.bench.openWllama(address), `/${basename(gguf)}`), true);
if (mlc !== undefined) {
  const files = Object.fromEntries(readdirSync(join(mlc, 'tiny/resolve/main')).map((file) => [file, `/tiny/resolve/main/${file}`]));
  await measure('WebLLM on an imitated GPU, tiny', (page) => page.evaluate((all) => globalThis.bench.openWebLlm(all, 'tiny.wasm', 'tiny', 1_024), { ...files, 'tiny.wasm': '/tiny.wasm' }), true);
}
if (process.argv.includes('--json')) console.log(JSON.stringify(report));
await browser.close();
await server.close();
