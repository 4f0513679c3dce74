import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, type PageRecord, record, serve, type TestServer } from '../browser/launch.js';
import { answerAll, stateOf, type Visit } from '../browser/visit.js';
import { HubServer } from '../fakes/hub-server.js';
import { mirrorFiles, openSite, SITE, type SiteVisit, writeWorkers } from './model-site.js';
import { HEADACHE, tell } from './model-visit.js';

/** Worker scripts by what goes wrong in them. */
export const WORKERS = {
  good: writeWorkers('good'),
  hangs: writeWorkers('hangs', { load: 'hangs' }),
  dies: writeWorkers('dies', { reply: 'dies' }),
  cpu: writeWorkers('cpu', { load: 'cpu' }),
  real: writeWorkers('real', { load: 'real' }),
  missing: writeWorkers('missing', { load: 'missing' }),
  looks: writeWorkers('looks', { probe: 'real' }),
  noAdapter: writeWorkers('no-adapter', { probe: 'real', prelude: 'GPU.prototype.requestAdapter = () => Promise.resolve(null)' }),
};

/** A site with the widget, and a server of models that can be spoilt; a fresh profile for each test. */
export class PanelSite {
  hub!: HubServer;
  context!: BrowserContext;
  seen!: PageRecord;
  /** Starts of the addresses that may be asked. */
  allowed: string[] = [];
  #browser!: Browser;
  #server!: TestServer;

  /** Registers what has to be done before and after the tests of a file. */
  constructor() {
    beforeAll(async () => {
      [this.#browser, this.#server] = await Promise.all([launchBrowser(), serve({ csp: null, roots: [SITE] })]);
    });
    afterAll(async () => {
      await this.#browser.close();
      await this.#server.close();
    });
    beforeEach(async () => {
      this.hub = await HubServer.start();
      this.hub.addMirror('site', mirrorFiles());
      this.context = await this.#browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', reducedMotion: 'reduce' });
      this.seen = record(this.context);
      this.allowed = [`${this.origin}/`, `blob:${this.origin}/`, this.hub.url.href];
    });
    afterEach(async () => {
      await this.context.close();
      await this.hub.close();
      expect(this.seen.errors).toEqual([]);
      expect(this.seen.requests.filter((address) => !this.allowed.some((start) => address.startsWith(start)))).toEqual([]);
    });
  }

  get origin(): string {
    return this.#server.origin;
  }

  /** A visit over the mirror that can be spoilt, with good workers unless told otherwise. */
  open(options: Partial<SiteVisit> = {}): Promise<Visit> {
    return openSite(this.context, this.origin, { base: new URL('mirror/site/', this.hub.url).href, workers: WORKERS.good, ...options });
  }

  /** Requests for what a model is made of. */
  weights(): string[] {
    return [...this.hub.requests, ...this.seen.requests].filter((address) => /params_shard|\.wasm|\.gguf/.test(address));
  }
}

export const panelOf = (chat: Locator): Locator => chat.locator('[part=model-panel]');

/** Opens the panel, which closes by itself once there is nothing to watch. */
export async function unfold(chat: Locator): Promise<void> {
  if (!(await panelOf(chat).evaluate((panel) => (panel as HTMLDetailsElement).open))) await panelOf(chat).locator('summary').click();
}

export const press = (chat: Locator, name: string | RegExp): Promise<void> => panelOf(chat).getByRole('button', { name }).click();

/** Waits until so much of the model is here. */
export async function untilLoaded(chat: Locator, bytes: number): Promise<void> {
  await chat.page().waitForFunction(([element, least]) => ((element as AnamnesisChat).state.model?.loadedBytes ?? 0) >= least, [await chat.elementHandle(), bytes] as const);
}

/** From now on keeps every value that the progress bar shows. */
export function watchProgress(chat: Locator): Promise<void> {
  return chat.evaluate((element) => {
    const values: number[] = [];
    Object.assign(globalThis, { values });
    new MutationObserver(() => {
      const now = element.shadowRoot?.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow');
      if (now !== null && now !== undefined) values.push(Number(now));
    }).observe(element.shadowRoot!, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-valuenow'] });
  });
}

export const progressOf = (chat: Locator): Promise<number[]> => chat.evaluate(() => (globalThis as unknown as { values: number[] }).values);

/** The symptom check goes on to a result, and no model writes in it. */
export async function finishWithoutModel(chat: Locator): Promise<void> {
  await tell(chat, HEADACHE.en);
  await answerAll(chat);
  const { consultation } = await stateOf(chat);
  expect(consultation?.result?.enough).toBe(true);
  expect(consultation?.reply).toBeNull();
}
