import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { AnamnesisChat, AnamnesisChatState } from '../../widget/element.js';
import { type PageRecord, record } from './launch.js';

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The first `<anamnesis-chat>`. */
  readonly chat: Locator;
  readonly seen: PageRecord;
}

/** Opens a page in a fresh profile and waits until the element is upgraded. */
export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', reducedMotion: 'reduce', ...options });
  return openIn(context, address);
}

/** Opens a page in a profile that exists. */
export async function openIn(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage();
  const seen = record(page);
  await page.goto(address);
  const chat = page.locator('anamnesis-chat').first();
  await chat.locator('[part=base]').waitFor();
  return { context, page, chat, seen };
}

/** What the element says it shows. */
export function stateOf(chat: Locator): Promise<AnamnesisChatState> {
  return chat.evaluate((element) => (element as AnamnesisChat).state);
}

/** Waits until one of the screens is shown and nothing is being answered. */
export async function waitForScreen(chat: Locator, ...screens: readonly string[]): Promise<string> {
  const handle = await chat.page().waitForFunction(
    ([element, wanted]) => {
      const { screen } = (element as AnamnesisChat).state;
      const isBusy = (element as AnamnesisChat).shadowRoot?.querySelector('[part=base]')?.getAttribute('aria-busy');
      return (wanted).includes(screen) && isBusy !== 'true' ? screen : false;
    },
    [await chat.elementHandle(), screens] as const,
  );
  return String(await handle.jsonValue());
}

/** Agrees on the first screen. */
export async function agree(chat: Locator, options: { readonly keep?: boolean } = {}): Promise<void> {
  if (options.keep === true) await chat.locator('input[name=keep]').check();
  await chat.locator('form button[type=submit]').click();
  await waitForScreen(chat, 'profile', 'complaint', 'question', 'result', 'unavailable');
}

/** Gives age and sex. */
export async function giveProfile(chat: Locator, age = '46', sex: 'female' | 'male' = 'male'): Promise<void> {
  await chat.locator('input[name=age]').fill(age);
  await chat.locator(`input[name=sex][value=${sex}]`).check();
  await chat.locator('form[part=profile] button[type=submit]').click();
  await waitForScreen(chat, 'complaint', 'question', 'result');
}

/** Types words and sends them with Enter. */
export async function say(chat: Locator, words: string): Promise<void> {
  const field = chat.locator('textarea#draft');
  await field.fill(words);
  await field.press('Enter');
  await waitForScreen(chat, 'complaint', 'question', 'result');
}

/** Consent, age, sex and first words. */
export async function complain(chat: Locator, words: string, options: { readonly keep?: boolean; readonly age?: string; readonly sex?: 'female' | 'male' } = {}): Promise<void> {
  await agree(chat, options);
  await giveProfile(chat, options.age, options.sex);
  await say(chat, words);
}

/** Answers what is asked: the first option of a choice, no to a yes-or-no question, words to one that is open, unless told otherwise (`none`: nothing to add). */
export async function answerOne(chat: Locator, options: { readonly yes?: boolean; readonly none?: boolean } = {}): Promise<void> {
  const question = (await stateOf(chat)).consultation?.question;
  if (question === null || question === undefined) return;
  if (question.type === 'yes-no') await chat.locator('.yes-no button').nth(options.yes === true ? 0 : 1).click();
  else if (question.type === 'number') {
    await chat.locator('input[name=number]').fill(String(question.min + 1));
    await chat.locator('form:has(input[name=number]) button[type=submit]').click();
  } else if (question.type === 'open' && options.none === true) {
    await chat.locator('.answer').click();
  } else if (question.type === 'open') {
    await chat.locator('textarea#draft').fill('I do not know. 不知道。');
    await chat.locator('textarea#draft').press('Enter');
  } else {
    const inputs = chat.locator('.cards input');
    await inputs.nth(options.none === true ? (await inputs.count()) - 2 : 0).check();
    await chat.locator('form:has(.cards) button[type=submit]').click();
  }
  const id = question.id;
  await chat.page().waitForFunction(([element, before]) => (element as AnamnesisChat).state.consultation?.question?.id !== before, [await chat.elementHandle(), id] as const);
  await waitForScreen(chat, 'question', 'result');
}

/** Answers until there is a result; the ids of the questions that were asked. */
export async function answerAll(chat: Locator): Promise<string[]> {
  const asked: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const { screen, consultation } = await stateOf(chat);
    if (screen === 'result') return asked;
    asked.push(consultation?.question?.id ?? '');
    await answerOne(chat, { none: true });
  }
  throw new Error('the consultation does not end');
}

/** Collects the element's events from now on; read them with `eventsOf`. */
export async function collectEvents(chat: Locator, names: readonly string[]): Promise<void> {
  await chat.evaluate((element, types) => {
    const kept: unknown[] = [];
    Object.assign(globalThis, { keptEvents: kept });
    for (const type of types) document.addEventListener(type, (event) => kept.push({ type, detail: (event as CustomEvent).detail as unknown, isOurs: event.target === element }));
  }, names);
}

export function eventsOf(page: Page): Promise<{ readonly type: string; readonly detail: Record<string, unknown>; readonly isOurs: boolean }[]> {
  return page.evaluate(() => (globalThis as unknown as { keptEvents: never[] }).keptEvents);
}
