import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, answerAll, complain, giveProfile, openIn, say, stateOf, visit, waitForScreen } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser({ args: ['--host-resolver-rules=MAP hospital.test 127.0.0.1, MAP cdn.test 127.0.0.1'] }), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const WORDS = 'I have had a cough and fever for three days';

describe('on a hospital page', () => {
  it('runs whole under the strictest policy, without one violation', async () => {
    const context = await browser.newContext({ locale: 'zh-CN', reducedMotion: 'reduce' });
    await context.addInitScript(() => {
      const refused: string[] = [];
      Object.assign(globalThis, { refused });
      document.addEventListener('securitypolicyviolation', (event) => refused.push(`${event.effectiveDirective} ${event.blockedURI}`));
    });
    const { page, chat, seen } = await openIn(context, `${server.origin}/hospital-page.html`);
    expect((await page.request.get(`${server.origin}/hospital-page.html`)).headers()['content-security-policy']).toContain("default-src 'none'");
    await agree(chat, { keep: true });
    await giveProfile(chat);
    await say(chat, '咳嗽三天，发烧38.5度');
    await answerAll(chat);
    await chat.getByRole('button', { name: '打印' }).click();
    await chat.getByRole('button', { name: '保存为文件' }).click();
    const refused = await page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);
    // The probe for WebAssembly is refused on purpose: plain JavaScript takes its place.
    expect(refused.filter((line) => line !== 'script-src wasm-eval')).toEqual([]);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('inherits nothing of the hostile style sheet', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/hospital-page.html`, { locale: 'zh-CN', viewport: { width: 1280, height: 900 } });
    const look = (selector: string): Promise<Record<string, string>> =>
      chat.locator(selector).first().evaluate((element) => {
        const { fontSize, textTransform, letterSpacing, textAlign, wordSpacing, textIndent, cursor, fontFamily } = getComputedStyle(element);
        return { fontSize, textTransform, letterSpacing, textAlign, wordSpacing, textIndent, cursor, isSystem: String(fontFamily.includes('system-ui')) };
      });
    const clean = { fontSize: '16px', textTransform: 'none', letterSpacing: 'normal', textAlign: 'start', wordSpacing: '0px', textIndent: '0px', isSystem: 'true' };
    expect(await look('[part=base]')).toMatchObject(clean);
    expect(await look('.point')).toMatchObject(clean);
    await agree(chat);
    await giveProfile(chat);
    await say(chat, '头疼两天');
    expect(await look('.button.answer, .choice')).toMatchObject({ textTransform: 'none', letterSpacing: 'normal', cursor: 'pointer', isSystem: 'true' });
    expect(await chat.locator('.icon').first().isVisible()).toBe(true);
    await context.close();
  });

  it('shows what the page puts into the slots', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/hospital-page.html`, { locale: 'zh-CN' });
    expect(await page.getByText('本服务由我院信息科引入试用').isVisible()).toBe(true);
    await complain(chat, '胸口像压了块大石头一样痛半小时，出冷汗，喘不上气', { age: '61' });
    await chat.locator('[part=emergency]').waitFor();
    expect(await page.getByText('我院急诊：门诊楼一层东侧').isVisible()).toBe(true);
    await context.close();
  });

  it('works on a page without a secure context', async () => {
    const { page, chat, context, seen } = await visit(browser, `http://hospital.test:${String(server.port)}/plain.html`);
    expect(await page.evaluate(() => [isSecureContext, 'caches' in globalThis, crypto.subtle as unknown])).toEqual([false, false, undefined]);
    await complain(chat, WORDS, { keep: true });
    await answerAll(chat);
    expect((await stateOf(chat)).consultation?.result?.enough).toBe(true);
    expect(seen.errors).toEqual([]);
    await context.close();
  });
});

describe('the tag', () => {
  it('may stand on a page twice, in two languages, each with its own consultation', async () => {
    const { page, context, seen } = await visit(browser, `${server.origin}/two.html`);
    const one = page.locator('#one');
    const two = page.locator('#two');
    await complain(one, WORDS);
    await complain(two, '头疼两天');
    expect((await stateOf(one)).consultation?.rounds[0]?.input).toEqual({ type: 'utterance', text: WORDS });
    expect((await stateOf(two)).consultation?.rounds[0]?.input).toEqual({ type: 'utterance', text: '头疼两天' });
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('fetches each file once for two elements that load at the same time', async () => {
    const { page, context, seen } = await visit(browser, `${server.origin}/two.html`);
    await page.evaluate(async () => {
      const all = [...document.querySelectorAll('anamnesis-chat')] as AnamnesisChat[];
      for (const one of all) one.lang = 'en';
      await Promise.all(all.map(async (one) => one.start()));
    });
    const parts = seen.requests.filter((url) => url.includes('/bundles/'));
    expect(new Set(parts).size).toBe(parts.length);
    await context.close();
  });

  it('stays the first one where the script comes twice, with one warning', async () => {
    const { chat, context, seen } = await visit(browser, `${server.origin}/twice.html`);
    await complain(chat, WORDS);
    expect(seen.consoleLines.filter((line) => line.includes('is defined already'))).toHaveLength(1);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('works beside a Lit of the host page under Trusted Types', async () => {
    const open = await serve({ csp: null });
    const { chat, context, seen } = await visit(browser, `${open.origin}/host-lit.html`);
    await complain(chat, WORDS);
    expect((await stateOf(chat)).screen).toBe('question');
    expect(seen.errors).toEqual([]);
    await context.close();
    await open.close();
  });

  it('may come before the script, with properties set before the upgrade', async () => {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${server.origin}/late.html`);
    await page.evaluate(() => {
      const early = document.querySelector('anamnesis-chat') as unknown as { emergencyNumber: string };
      early.emergencyNumber = '112';
    });
    await page.addScriptTag({ url: '/anamnesis.js', type: 'module' });
    const chat = page.locator('anamnesis-chat');
    await chat.locator('[part=emergency-hint] a').waitFor();
    expect(await chat.locator('[part=emergency-hint] a').getAttribute('href')).toBe('tel:112');
    await context.close();
  });

  it('may come from another origin, which then also serves the knowledge', async () => {
    const open = await serve({ csp: null, headers: { 'access-control-allow-origin': '*' } });
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${open.origin}/late.html`);
    await page.addScriptTag({ url: `http://cdn.test:${String(open.port)}/anamnesis.js`, type: 'module' });
    const chat = page.locator('anamnesis-chat');
    await chat.locator('[part=base]').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await complain(chat, WORDS);
    expect(asked.filter((url) => url.includes('/bundles/')).every((url) => url.startsWith('http://cdn.test'))).toBe(true);
    await context.close();
    await open.close();
  });

  it('may be removed while it loads, and come back', async () => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate(async (element) => {
      const ours = element as AnamnesisChat;
      const parent = ours.parentElement;
      const started = ours.start();
      await new Promise((resolve) => setTimeout(resolve, 20));
      ours.remove();
      await new Promise((resolve) => setTimeout(resolve, 50));
      parent?.append(ours);
      await started;
    });
    await waitForScreen(chat, 'profile');
    const parts = seen.requests.filter((url) => url.includes('/bundles/'));
    expect(new Set(parts).size).toBe(parts.length);
    await page.evaluate(() => document.querySelector('anamnesis-chat')?.remove());
    await page.waitForTimeout(100);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('keeps its consultation when it is moved within the page', async () => {
    const { chat, page, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, WORDS, { keep: true });
    await page.evaluate(() => document.body.prepend(document.querySelector('anamnesis-chat') as Element));
    await chat.getByText('Saved on this device').waitFor();
    expect((await stateOf(chat)).consultation?.rounds).toHaveLength(1);
    await say(chat, 'and I am tired');
    expect((await stateOf(chat)).consultation?.rounds).toHaveLength(2);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('takes the language of the page, then of the browser', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`, { locale: 'zh-CN' });
    expect((await stateOf(chat)).language).toBe('en');
    await page.evaluate(() => {
      document.documentElement.removeAttribute('lang');
      const fresh = document.createElement('anamnesis-chat');
      document.querySelector('anamnesis-chat')?.replaceWith(fresh);
    });
    await expect.poll(async () => (await stateOf(chat)).language).toBe('zh');
    await context.close();
  });
});
