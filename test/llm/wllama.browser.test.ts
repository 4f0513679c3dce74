import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelError } from '../../src/errors/model-error.js';
import { launchBrowser, type TestServer } from '../browser/launch.js';
import { within } from '../fakes/read-reply.js';
import { buildModelPage, ggufLoad, ModelPage, serveModels } from './model-page.js';
import type { PageLoad } from './pages/model-page.js';

/** What can be said of wllama without weights; `test/models/wllama.test.ts` runs it with some. */
describe('wllama', () => {
  let browser: Browser;
  let server: TestServer;
  const directory = mkdtempSync(join(tmpdir(), 'anamnesis-gguf-'));

  beforeAll(async () => {
    writeFileSync(join(directory, 'broken.gguf'), 'GGUF and nothing that makes sense'.repeat(100));
    await buildModelPage();
    [browser, server] = await Promise.all([launchBrowser(), serveModels([directory])]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** Loads something that does not work; its code, once nothing of it is left. */
  async function failure(load: PageLoad, from = server): Promise<string> {
    const page = await ModelPage.open(browser, from.origin);
    const code = await within(40_000, 'loading', page.load(load)).then(
      () => 'loaded',
      (error: unknown) => (error as ModelError).code,
    );
    const { created, terminated } = await page.workers();
    expect(terminated).toBe(created);
    expect(page.seen.errors).toEqual([]);
    expect(page.seen.consoleLines.filter((line) => !line.includes('404') && !line.includes('Content Security Policy'))).toEqual([]);
    expect(page.seen.requests.filter((address) => !address.startsWith(from.origin) && !address.startsWith(`blob:${from.origin}`))).toEqual([]);
    await page.context.close();
    return code;
  }

  it('says that it failed where the file is no model', async () => {
    expect(await failure(ggufLoad('broken.gguf', false, 512))).toBe('runtime-failed');
  });

  it('says that it cannot use a GPU without 16-bit floats, instead of going on with the CPU (GPU-07)', async () => {
    expect(await failure(ggufLoad('broken.gguf', true, 512))).toBe('feature-missing');
  });

  it('rejects within the handshake when the worker’s script is not there (RUN-01)', async () => {
    expect(await failure({ ...ggufLoad('broken.gguf', false, 512), workerBase: '/nowhere/' })).toBe('runtime-failed');
  });

  it('says that it failed where the page’s policy allows no worker from a blob (HOST-02)', async () => {
    const strict = await serveModels([directory], { headers: { 'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'" } });
    expect(await failure(ggufLoad('broken.gguf', false, 512), strict)).toBe('runtime-failed');
    await strict.close();
  });

  it('says that it failed where its WebAssembly is not there', async () => {
    const page = await ModelPage.open(browser, server.origin);
    await page.page.route('**/wllama.wasm', (route) => route.fulfill({ status: 404, body: 'Not found' }));
    const code = await within(40_000, 'loading', page.load(ggufLoad('broken.gguf', false, 512))).then(
      () => 'loaded',
      (error: unknown) => (error as ModelError).code,
    );
    expect(code).toBe('runtime-failed');
    await page.context.close();
  });
});
