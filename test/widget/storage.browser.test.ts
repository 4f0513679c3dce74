import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, answerOne, complain, giveProfile, openIn, say, stateOf, visit, waitForScreen } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const WORDS = 'I have had a cough and fever for three days';

describe('a consultation kept on the device', () => {
  it('comes back after a reload with every answer, and can go on', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, WORDS, { keep: true });
    await answerOne(chat);
    await chat.getByText('Saved on this device').waitFor();
    const before = (await stateOf(chat)).consultation;
    await page.reload();
    await waitForScreen(chat, 'question', 'result');
    const after = (await stateOf(chat)).consultation;
    expect(after?.rounds.map((round) => round.input)).toEqual(before?.rounds.map((round) => round.input));
    expect(after?.question?.id).toBe(before?.question?.id);
    await chat.getByText('This is your consultation from last time.').waitFor();
    await answerOne(chat);
    expect((await stateOf(chat)).consultation?.rounds).toHaveLength(3);
    await context.close();
  });

  it('is not kept where the box was not ticked', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, WORDS);
    await page.reload();
    await chat.locator('[part=base]').waitFor();
    expect((await stateOf(chat)).screen).toBe('consent');
    await context.close();
  });

  it('is erased wholly: screen, database and cache', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'hello', { keep: true });
    await answerOne(chat, { none: true });
    await chat.getByRole('button', { name: 'Erase everything' }).click();
    expect((await stateOf(chat)).screen).toBe('result');
    await chat.getByRole('button', { name: 'Yes, erase' }).click();
    await waitForScreen(chat, 'consent');
    await chat.getByText('Everything was erased.').waitFor();
    await expect.poll(() => page.evaluate(async () => [(await indexedDB.databases()).length, (await caches.keys()).length])).toEqual([0, 0]);
    await page.reload();
    await chat.locator('[part=base]').waitFor();
    expect((await stateOf(chat)).screen).toBe('consent');
    await context.close();
  });

  it('is forgotten when the visitor starts over', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'hello', { keep: true });
    await answerOne(chat, { none: true });
    await chat.getByRole('button', { name: 'Start over' }).click();
    await chat.getByRole('button', { name: 'Yes, start over' }).click();
    await waitForScreen(chat, 'profile');
    await page.reload();
    await chat.locator('[part=base]').waitFor();
    await expect.poll(async () => (await stateOf(chat)).screen).toBe('consent');
    await context.close();
  });

  it('is not mixed when two tabs go on with it', async () => {
    const first = await visit(browser, `${server.origin}/plain.html`);
    await complain(first.chat, WORDS, { keep: true });
    await first.chat.getByText('Saved on this device').waitFor();
    const second = await openIn(first.context, `${server.origin}/plain.html`);
    await waitForScreen(second.chat, 'question', 'result');
    await say(first.chat, 'words of the first tab');
    await say(second.chat, 'words of the second tab');
    await second.chat.getByText('Saved on this device').waitFor();
    const records = await first.page.evaluate(
      () =>
        new Promise<{ record: { inputs: { text?: string }[] } }[]>((resolve) => {
          const opening = indexedDB.open('anamnesis');
          opening.onsuccess = () => {
            const reading = opening.result.transaction('consultations').objectStore('consultations').getAll();
            reading.onsuccess = () => resolve(reading.result as never);
          };
        }),
    );
    const texts = records.map((one) => one.record.inputs.map((input) => input.text ?? '').join('|')).sort();
    expect(texts).toEqual([`${WORDS}|words of the first tab`, `${WORDS}|words of the second tab`]);
    await first.context.close();
  });

  it('goes from the screens of other tabs too when it is erased', async () => {
    const first = await visit(browser, `${server.origin}/plain.html`);
    await complain(first.chat, WORDS, { keep: true });
    await first.chat.getByText('Saved on this device').waitFor();
    const second = await openIn(first.context, `${server.origin}/plain.html`);
    await waitForScreen(second.chat, 'question', 'result');
    await second.chat.evaluate(async (element) => (element as AnamnesisChat).erase());
    await waitForScreen(first.chat, 'consent');
    await first.context.close();
  });

  it('is saved again after the browser has closed the database', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, WORDS, { keep: true });
    await chat.getByText('Saved on this device').waitFor();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes: 'indexeddb' });
    await answerOne(chat);
    await chat.getByText('Saved on this device').waitFor();
    expect((await stateOf(chat)).keeping).toBe('saved');
    await context.close();
  });

  it('is passed over where a record cannot be read', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, WORDS, { keep: true });
    await chat.getByText('Saved on this device').waitFor();
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('anamnesis');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('consultations', 'readwrite');
            writing.objectStore('consultations').put({ id: 'bad', savedAt: Date.now() + 1e9, record: { v: 1, messages: 'oops' } });
            writing.oncomplete = () => resolve();
          };
        }),
    );
    await page.reload();
    await waitForScreen(chat, 'question', 'result');
    expect((await stateOf(chat)).consultation?.rounds).toHaveLength(1);
    await context.close();
  });
});

describe('storage that is refused', () => {
  it.each([
    ['fails later', "IDBFactory.prototype.open = function () { const r = {}; setTimeout(() => r.onerror?.(), 0); const t = new EventTarget(); Object.defineProperty(t, 'error', { value: new DOMException('no', 'InvalidStateError') }); setTimeout(() => t.dispatchEvent(new Event('error')), 0); return t; };"],
    ['throws at once', "IDBFactory.prototype.open = function () { throw new DOMException('no', 'SecurityError'); };"],
    ['is missing', "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });"],
  ])('goes on in memory with a note where it %s', async (_shape, script) => {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    await context.addInitScript(script);
    const { chat, seen } = await openIn(context, `${server.origin}/plain.html`);
    await complain(chat, WORDS, { keep: true });
    await chat.getByText('does not allow storing').waitFor();
    await answerOne(chat);
    expect(await chat.getByText('Saved on this device').count()).toBe(0);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('says so when a save fails, and goes on', async () => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, WORDS, { keep: true });
    await chat.getByText('Saved on this device').waitFor();
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await answerOne(chat);
    await chat.getByText('Could not be saved on this device').waitFor();
    expect(await chat.getByText('Saved on this device', { exact: true }).count()).toBe(0);
    await answerOne(chat);
    expect(seen.errors).toEqual([]);
    await context.close();
  });
});

describe('the second visit', () => {
  it('needs no network for the knowledge', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await page.route('**/bundles/**', (route) => route.abort());
    await page.reload();
    await chat.locator('[part=base]').waitFor();
    await agree(chat);
    await chat.getByText('The version from your last visit is used').waitFor();
    await giveProfile(chat);
    await say(chat, WORDS);
    expect(['question', 'result']).toContain((await stateOf(chat)).screen);
    await context.close();
  });

  it('uses the last good knowledge where a maintenance page is answered in its place', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await page.route('**/bundles/**', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"error":"maintenance"}' }));
    await page.reload();
    await chat.locator('[part=base]').waitFor();
    await agree(chat);
    await chat.getByText('The version from your last visit is used').waitFor();
    await context.close();
  });
});
