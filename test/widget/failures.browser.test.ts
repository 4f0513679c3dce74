import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, collectEvents, eventsOf, giveProfile, say, stateOf, visit, waitForScreen } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const html = (route: Route): Promise<void> => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>Sign in to the network</title>' });
const json = (route: Route): Promise<void> => route.fulfill({ status: 200, contentType: 'application/json', body: '{"error":"maintenance"}' });
const missing = (route: Route): Promise<void> => route.fulfill({ status: 404, body: 'not found' });
const gone = (route: Route): Promise<void> => route.abort();
const halved = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const body = await response.body();
  await route.fulfill({ status: 200, contentType: 'application/octet-stream', body: body.subarray(0, body.length / 2) });
};
const flipped = async (route: Route): Promise<void> => {
  const body = Buffer.from(await (await route.fetch()).body());
  body[100] = (body[100] ?? 0) ^ 1;
  await route.fulfill({ status: 200, contentType: 'application/octet-stream', body });
};
const newer = async (route: Route): Promise<void> => {
  const manifest = JSON.parse(await (await route.fetch()).text()) as Record<string, unknown>;
  await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ ...manifest, formatVersion: 999 }) });
};

describe('knowledge that cannot be had', () => {
  it.each([
    ['a web page in place of the manifest', '**/manifest.json', html, 'not-a-bundle', 'A network sign-in page may be in the way'],
    ['other JSON in place of the manifest', '**/manifest.json', json, 'not-a-bundle', 'Something else came in place'],
    ['a newer format', '**/manifest.json', newer, 'format-unsupported', 'newer than this page can read'],
    ['no manifest', '**/manifest.json', missing, 'fetch-failed', 'could not be fetched'],
    ['no network', '**/bundles/**', gone, 'fetch-failed', 'could not be fetched'],
    ['a web page in place of a part', '**/findings-*.bin', html, 'not-a-bundle', 'A network sign-in page may be in the way'],
    ['half a part', '**/texts-*.bin', halved, 'truncated', 'arrived incomplete'],
    ['a part with one bit changed', '**/texts-*.bin', flipped, 'integrity-mismatch', 'arrived changed'],
    ['no script of the engine', '**/chunks/**', gone, 'fetch-failed', 'could not be fetched'],
  ] as const)('shows the sentence for %s, never an empty result, and recovers', async (_what, pattern, answer, code, sentence) => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await collectEvents(chat, ['anamnesis-error', 'anamnesis-ready']);
    await page.route(pattern, answer);
    await agree(chat);
    expect((await stateOf(chat)).screen).toBe('unavailable');
    const screen = chat.locator('[part=unavailable]');
    expect(await screen.textContent()).toContain(sentence);
    expect(await screen.textContent()).toContain('In an emergency call your local emergency number');
    expect(await chat.evaluate((element) => element.shadowRoot?.textContent)).not.toMatch(/SHA-256|manifest|\.bin/);
    expect(await eventsOf(page)).toEqual([{ type: 'anamnesis-error', detail: { code }, isOurs: true }]);

    await page.unroute(pattern);
    await screen.getByRole('button', { name: 'Try again' }).click();
    expect(await waitForScreen(chat, 'profile', 'unavailable')).toBe('profile');
    await giveProfile(chat);
    await say(chat, 'I have had a cough for two weeks');
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('tells a page that refuses the request from a broken network', async () => {
    const elsewhere = await serve();
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await collectEvents(chat, ['anamnesis-error']);
    await chat.evaluate((element, base) => element.setAttribute('asset-base', base), elsewhere.origin);
    await agree(chat);
    await chat.getByText('does not yet allow').waitFor();
    expect((await eventsOf(page))[0]?.detail).toEqual({ code: 'fetch-failed', directive: 'connect-src' });
    await context.close();
    await elsewhere.close();
  });

  it('stays in the present language where the other cannot be loaded', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat);
    await say(chat, 'I have had a cough for two weeks');
    await page.route('**/mm-zh/**', gone);
    await chat.locator('[part~=language-button]').click();
    await chat.getByText('没能加载另一种语言').waitFor();
    expect((await stateOf(chat)).screen).toBe('question');
    expect(await chat.locator('h2#question').getAttribute('lang')).toBe('en');
    await context.close();
  });

  it('tells of an error of the host page’s calls without throwing', async () => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await collectEvents(chat, ['anamnesis-error']);
    await agree(chat);
    await chat.evaluate(async (element) => (element as unknown as { send(text: string): Promise<void> }).send('a cough'));
    await chat.getByText('Please give age and sex first.').waitFor();
    expect((await eventsOf(page)).map((event) => event.detail)).toEqual([{ code: 'profile-missing' }]);
    expect(seen.errors).toEqual([]);
    await context.close();
  });
});
