import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, answerAll, complain, giveProfile, say, stateOf, visit, waitForScreen } from '../browser/visit.js';
import { storedText } from './stored-text.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const MARKER = 'xyzzyquux4711';

describe('privacy', () => {
  it.each([
    ['en', `I have had a cough and fever for three days, ${MARKER}`],
    ['zh', `咳嗽发烧三天了，${MARKER}`],
  ])('makes no request after load, none elsewhere, and leaves the words nowhere (%s)', async (lang, words) => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element, value) => element.setAttribute('lang', value), lang);
    await agree(chat);
    await giveProfile(chat);
    const atLoad = seen.requests.length;
    await page.route('**/*', (route) => route.abort());
    await say(chat, words);
    await answerAll(chat);
    await chat.getByRole('button', { name: /Save as a file|保存为文件/ }).click();
    await chat.getByRole('button', { name: /^Print$|^打印$/ }).click();
    await page.waitForTimeout(200);

    const later = seen.requests.slice(atLoad).filter((url) => !url.startsWith('blob:'));
    expect(later).toEqual([]);
    for (const url of seen.requests) expect(url.startsWith(`${server.origin}/`) || url.startsWith('blob:')).toBe(true);
    expect(seen.requests.join('\n')).not.toContain(MARKER);
    expect(seen.consoleLines.join('\n')).not.toContain(MARKER);
    expect(seen.errors).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(storedText, 'anywhere' as const)).not.toContain(MARKER);
    await context.close();
  });

  it('works with the network gone once it has loaded', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await context.setOffline(true);
    await giveProfile(chat);
    await say(chat, 'I have had a cough and fever for three days');
    await answerAll(chat);
    expect((await stateOf(chat)).consultation?.result?.enough).toBe(true);
    await context.close();
  });

  it('asks no server and stores nothing before consent', async () => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await page.waitForTimeout(300);
    expect(seen.requests.filter((url) => url.includes('/chunks/') || url.includes('/bundles/'))).toEqual([]);
    expect(await page.evaluate(async () => [(await indexedDB.databases()).length, (await caches.keys()).length, localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, 0, 0, '']);
    await agree(chat);
    expect(seen.requests.some((url) => url.includes('/bundles/'))).toBe(true);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    await context.close();
  });

  it('keeps nothing at all with storage="none"', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element) => element.setAttribute('storage', 'none'));
    expect(await chat.locator('input[name=keep]').count()).toBe(0);
    await complain(chat, `a cough, ${MARKER}`);
    expect(await page.evaluate(async () => [(await indexedDB.databases()).length, (await caches.keys()).length])).toEqual([0, 0]);
    await context.close();
  });

  it('wipes screen and stores when nobody has used it for idle-minutes, after a warning', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await page.clock.install();
    await chat.evaluate((element) => element.setAttribute('idle-minutes', '2'));
    await complain(chat, `a cough, ${MARKER}`, { keep: true });
    await page.clock.runFor(100_000);
    await chat.getByText('will soon be cleared').waitFor();
    await chat.getByRole('button', { name: 'I am still here' }).click();
    await page.clock.runFor(60_000);
    expect((await stateOf(chat)).screen).not.toBe('consent');
    await page.clock.runFor(70_000);
    await waitForScreen(chat, 'consent');
    expect(await chat.evaluate((element) => element.shadowRoot?.textContent)).not.toContain(MARKER);
    await expect.poll(() => page.evaluate(storedText, 'anywhere' as const)).not.toContain(MARKER);
    await context.close();
  });

  it('puts no words into event details or error events', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await page.evaluate(() => {
      const kept: string[] = [];
      Object.assign(globalThis, { kept });
      const dispatch = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'dispatchEvent');
      EventTarget.prototype.dispatchEvent = function (event): boolean {
        if (event instanceof CustomEvent) kept.push(JSON.stringify(event.detail));
        return (dispatch?.value as (one: Event) => boolean).call(this, event);
      };
    });
    await complain(chat, `a cough, ${MARKER}`);
    await chat.evaluate(async (element) => (element as AnamnesisChat).answer([] as never));
    expect(await page.evaluate(() => (globalThis as unknown as { kept: string[] }).kept.join('\n'))).not.toContain(MARKER);
    await context.close();
  });
});
