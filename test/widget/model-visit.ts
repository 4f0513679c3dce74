import { expect } from 'vitest';
import type { Browser, Locator } from 'playwright-core';
import { visit, type Visit } from '../browser/visit.js';
import type { AnamnesisChat } from '../../widget/element.js';
import { type FakeModel, giveModel } from './model-fake.js';

export const HEADACHE = { en: 'I have had a throbbing headache on one side since this morning and I feel sick. Light hurts my eyes.', zh: '今天早上开始一侧头痛，一跳一跳的，还恶心，怕光。' } as const;
export const CHEST = { en: 'I have crushing chest pain spreading to my left arm and I am sweating.', zh: '胸口压榨样疼痛，放射到左臂，出冷汗。' } as const;

export interface ModelVisitOptions {
  readonly lang?: 'en' | 'zh';
  readonly model: FakeModel;
  readonly strategyOptions?: Readonly<Record<string, unknown>>;
  readonly keep?: boolean;
  readonly path?: string;
}

/** A page of its own whose model is taken up; the first words are awaited. */
export async function visitWithModel(browser: Browser, origin: string, options: ModelVisitOptions): Promise<Visit> {
  const opened = await visit(browser, `${origin}/${options.path ?? 'plain.html'}`);
  await opened.chat.evaluate((element, lang) => element.setAttribute('lang', lang), options.lang ?? 'en');
  await giveModel(opened.chat, options.model, options.strategyOptions);
  await opened.chat.evaluate((element, keep) => (element as AnamnesisChat).start({ keep, profile: { ageYears: 34, sex: 'female' } }), options.keep ?? false);
  await untilPhase(opened.chat, 'ready');
  return opened;
}

/** Waits until the language model is in a phase; its state. */
export async function untilPhase(chat: Locator, ...phases: readonly string[]): Promise<NonNullable<AnamnesisChat['state']['model']>> {
  const handle = await chat.page().waitForFunction(
    ([element, wanted]) => {
      const { model } = (element as AnamnesisChat).state;
      return wanted.includes(model?.phase ?? '') ? model : false;
    },
    [await chat.elementHandle(), phases] as const,
  );
  return (await handle.jsonValue()) as NonNullable<AnamnesisChat['state']['model']>;
}

/** Sends words; resolves when the round is answered. */
export function tell(chat: Locator, words: string): Promise<void> {
  return chat.evaluate((element, text) => (element as AnamnesisChat).send(text), words);
}

/** Sends words and does not wait. */
export function begin(chat: Locator, words: string): Promise<void> {
  return chat.evaluate((element, text) => {
    void (element as AnamnesisChat).send(text);
  }, words);
}

/** What a model wrote as it is shown now; empty where there is nothing. */
export function replyText(chat: Locator): Promise<string> {
  return chat.evaluate((element) => element.shadowRoot?.querySelector('[part=reply] p')?.textContent?.replace(/\s+/g, ' ').trim() ?? '');
}

/** All text of the widget. */
export function allText(chat: Locator): Promise<string> {
  return chat.evaluate((element) => element.shadowRoot?.textContent ?? '');
}

/** Waits until the element waits for its model, and something of its reply is shown where that is asked for. */
export async function untilWaiting(chat: Locator, withReply = false): Promise<void> {
  // At every frame: a locator looks twice a second after a while.
  await chat.page().waitForFunction(([element, selector]) => (element as AnamnesisChat).shadowRoot?.querySelector(selector) !== null, [await chat.elementHandle(), withReply ? '[part=waiting] [part=reply]' : '[part=waiting]'] as const);
}

/** Waits until nothing is being answered. */
export async function untilIdle(chat: Locator, timeout = 30_000): Promise<void> {
  await chat.page().waitForFunction((element) => (element as AnamnesisChat).shadowRoot?.querySelector('[part=base]')?.getAttribute('aria-busy') === 'false', await chat.elementHandle(), { timeout });
}

/** From now on looks for a pattern in text and attributes of the shadow tree after every change; read it with `caught`. */
export async function watchFor(chat: Locator, pattern: RegExp): Promise<void> {
  await chat.evaluate((element, { source, flags }) => {
    const found: string[] = [];
    const wanted = new RegExp(source, flags);
    const root = element.shadowRoot!;
    let frames = 0;
    const look = (): void => {
      frames++;
      const hit = wanted.exec(root.textContent ?? '') ?? wanted.exec(root.innerHTML);
      if (hit !== null) found.push(hit[0]);
    };
    new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    Object.assign(globalThis, { watched: { found, frames: () => frames } });
    look();
  }, { source: pattern.source, flags: pattern.flags });
}

/** As `watchFor`, for nodes that fit a selector. */
export async function watchForNodes(chat: Locator, selector: string): Promise<void> {
  await chat.evaluate((element, wanted) => {
    const found: string[] = [];
    const root = element.shadowRoot!;
    let frames = 0;
    const look = (): void => {
      frames++;
      for (const node of root.querySelectorAll(wanted)) found.push(node.outerHTML);
    };
    new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    Object.assign(globalThis, { watched: { found, frames: () => frames } });
    look();
  }, selector);
}

/** What `watchFor` found, and how many changes it saw. */
export function caught(chat: Locator): Promise<{ readonly found: readonly string[]; readonly frames: number }> {
  return chat.evaluate(() => {
    const { watched } = globalThis as unknown as { watched: { found: string[]; frames(): number } };
    return { found: watched.found, frames: watched.frames() };
  });
}

/** From now on keeps every custom event of the page, type and detail as text; read them with `customEvents`. */
export async function keepCustomEvents(chat: Locator): Promise<void> {
  await chat.evaluate(() => {
    const dispatch = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'dispatchEvent')?.value as (this: EventTarget, event: Event) => boolean;
    const kept: string[] = [];
    EventTarget.prototype.dispatchEvent = function (event): boolean {
      if (event instanceof CustomEvent) kept.push(`${event.type} ${JSON.stringify(event.detail)}`);
      return dispatch.call(this, event);
    };
    Object.assign(globalThis, { customEvents: kept });
  });
}

export function customEvents(chat: Locator): Promise<readonly string[]> {
  return chat.evaluate(() => (globalThis as unknown as { customEvents: string[] }).customEvents);
}

/** Closes a visit; it must have thrown nothing, written nothing to the console and asked no other origin. */
export async function closeQuiet({ context, seen }: Visit, origin: string): Promise<void> {
  await context.close();
  expect(seen.errors).toEqual([]);
  expect(seen.consoleLines).toEqual([]);
  expect(seen.requests.filter((address) => !address.startsWith(origin) && !address.startsWith(`blob:${origin}`))).toEqual([]);
}
