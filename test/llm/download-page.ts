import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { ModelManifest } from '../../src/llm/catalogue.js';
import type { DownloadProgress } from '../../src/llm/download.js';
import { buildPage } from '../browser/build-page.js';
import { type PageRecord, record, serve, type TestServer } from '../browser/launch.js';
import { ROOT } from '../bundles.js';
import type { DownloadApi, PageDownload, PageOutcome } from './pages/download-page.js';

const OUTPUT = join(ROOT, 'test/output/download-page');

declare global {
  var downloads: DownloadApi;
}

/** Bundles the page's script; the worker is that of the build. */
export async function buildDownloadPage(): Promise<void> {
  await buildPage('test/llm/pages/download-page.ts');
}

/** Serves the page and the built worker; `ANAMNESIS_DIST` names another build than `dist/`. */
export function serveDownloadPage(): Promise<TestServer> {
  const built = process.env.ANAMNESIS_DIST;
  return serve({ csp: null, roots: [OUTPUT, ...(built === undefined ? [] : [built])] });
}

/**
 * A worker before whose script some words run.
 * @returns directory to give as its base
 */
export function spoilWorker(name: string, words: string): string {
  mkdirSync(join(OUTPUT, name), { recursive: true });
  writeFileSync(join(OUTPUT, name, 'download-worker.js'), `${words};\nawait import('/chunks/download-worker.js');\n`);
  return `/${name}/`;
}

/** A page that downloads; each call goes through it. */
export class DownloadPage {
  readonly page: Page;
  readonly seen: PageRecord;

  private constructor(page: Page) {
    this.page = page;
    this.seen = record(page);
  }

  static async open(context: BrowserContext, origin: string): Promise<DownloadPage> {
    const opened = new DownloadPage(await context.newPage());
    await opened.page.goto(`${origin}/download-page.html`);
    await opened.page.waitForFunction(() => 'downloads' in globalThis);
    return opened;
  }

  start(manifest: ModelManifest, options: PageDownload, name = 'main'): Promise<void> {
    return this.page.evaluate(([one, what, how]) => globalThis.downloads.start(one, what, how), [name, manifest, options] as const);
  }

  /** Waits for the end. */
  outcome(name = 'main'): Promise<PageOutcome> {
    return this.page.evaluate((one) => globalThis.downloads.outcome(one), name);
  }

  async download(manifest: ModelManifest, options: PageDownload, name = 'main'): Promise<PageOutcome> {
    await this.start(manifest, options, name);
    return this.outcome(name);
  }

  progress(name = 'main'): Promise<DownloadProgress[]> {
    return this.page.evaluate((one) => globalThis.downloads.progress(one), name);
  }

  /** Waits until a download has told of so many bytes. */
  async reached(bytes: number, name = 'main'): Promise<void> {
    await this.page.waitForFunction(([one, wanted]) => (globalThis.downloads.progress(one).at(-1)?.loadedBytes ?? 0) >= wanted, [name, bytes] as const);
  }

  /** Waits until a download has told that it waits for another tab. */
  async waits(name = 'main'): Promise<void> {
    await this.page.waitForFunction((one) => globalThis.downloads.progress(one).at(-1)?.waiting === true, name);
  }

  stop(name = 'main'): Promise<void> {
    return this.page.evaluate((one) => globalThis.downloads.stop(one), name);
  }

  names(): Promise<string[]> {
    return this.page.evaluate(() => globalThis.downloads.names());
  }
}
