import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/bundle/bundle.js';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { answerAll, collectEvents, complain, eventsOf, say, stateOf, visit, type Visit } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface EncoderPage {
  embedded: string[];
  isBroken: boolean;
}

/** Lists the bundle's own rows as those of another encoder too. */
const withRows = async (route: Route): Promise<void> => {
  const manifest = JSON.parse(await (await route.fetch()).text()) as Manifest;
  const { name: _name, ...rows } = manifest.parts.find((part) => part.name === 'vectors')!;
  await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ ...manifest, encoders: [{ id: 'page-encoder', dimension: manifest.encoder.dimension, ...rows }] }) });
};

/** Gives the element an encoder that keeps what it is asked and answers with one and the same row. */
function bring(chat: Visit['chat']): Promise<void> {
  return chat.evaluate((element) => {
    const page = Object.assign(globalThis as unknown as EncoderPage, { embedded: [], isBroken: false });
    (element as AnamnesisChat).embedder = {
      id: 'page-encoder',
      dimension: 64,
      embed: (texts: readonly string[]) => {
        page.embedded.push(...texts);
        return page.isBroken ? Promise.reject(new Error('gone')) : Promise.resolve(texts.map(() => new Float32Array(64).fill(0.125)));
      },
      close: () => undefined,
    };
  });
}

const embedded = (page: Page): Promise<string[]> => page.evaluate(() => (globalThis as unknown as EncoderPage).embedded);

describe('an encoder that the page brings', () => {
  it('embeds what the visitor says, in the page, with its rows from the page’s own bundle', async () => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await page.route('**/mm-en/manifest.json', withRows);
    await collectEvents(chat, ['anamnesis-error']);
    await bring(chat);
    await complain(chat, 'I have had a sore throat and a runny nose since yesterday');
    expect(await embedded(page)).toContain('I have had a sore throat and a runny nose since yesterday');
    await answerAll(chat);
    expect((await stateOf(chat)).consultation?.result?.candidates.length).toBeGreaterThan(0);
    expect(await eventsOf(page)).toEqual([]);
    expect(seen.requests.filter((address) => !address.startsWith(server.origin))).toEqual([]);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('is taken up in the middle of a consultation, and let go again', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await page.route('**/mm-en/manifest.json', withRows);
    await complain(chat, 'my knee is swollen');
    await bring(chat);
    await page.waitForFunction(() => (globalThis as unknown as EncoderPage).embedded.length > 0);
    expect((await embedded(page))[0]).toContain('my knee is swollen');
    await chat.evaluate((element) => ((element as AnamnesisChat).embedder = undefined));
    await page.waitForFunction((element) => (element as AnamnesisChat).state.screen === 'question', await chat.elementHandle());
    const before = (await embedded(page)).length;
    await answerAll(chat);
    expect(await embedded(page)).toHaveLength(before);
    await context.close();
  });

  it('is done without where the bundle has no rows of it, and the page is told', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await collectEvents(chat, ['anamnesis-error']);
    await bring(chat);
    await complain(chat, 'my knee is swollen');
    expect(await embedded(page)).toEqual([]);
    expect(await eventsOf(page)).toEqual([{ type: 'anamnesis-error', detail: { code: 'embedder-mismatch' }, isOurs: true }]);
    await answerAll(chat);
    expect((await stateOf(chat)).screen).toBe('result');
    await context.close();
  });

  it('is done without where it fails at a turn, and nothing is lost', async () => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await page.route('**/mm-en/manifest.json', withRows);
    await bring(chat);
    await page.evaluate(() => ((globalThis as unknown as EncoderPage).isBroken = true));
    await complain(chat, 'my knee is swollen');
    await say(chat, 'and it is red and hot').catch(() => undefined);
    await answerAll(chat);
    const { consultation } = await stateOf(chat);
    expect(consultation?.understood.map((one) => one.id)).toContain('joint-swelling');
    expect(consultation?.result?.candidates.length).toBeGreaterThan(0);
    expect(await embedded(page)).toHaveLength(1);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it.each([['null', null], ['an object of another shape', { id: 'x' }]])('takes %s for none', async (_what, value) => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await collectEvents(chat, ['anamnesis-error']);
    await chat.evaluate((element, given) => ((element as AnamnesisChat).embedder = given), value);
    await complain(chat, 'my knee is swollen');
    expect((await stateOf(chat)).screen).toBe('question');
    expect(await eventsOf(page)).toEqual([]);
    await context.close();
  });
});
