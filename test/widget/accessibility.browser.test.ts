import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, answerOne, complain, giveProfile, say, stateOf, visit, waitForScreen } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: unknown; readonly failureSummary: string }[] }[];
}

/** What axe finds in the widget, as readable lines. */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ url: '/axe.min.js' });
  const result = await page.evaluate(
    () => (globalThis as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<AxeResult> } }).axe.run('anamnesis-chat', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
  );
  return result.violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${JSON.stringify(node.target)} ${node.failureSummary}`));
}

const openAll = (chat: Locator): Promise<void> =>
  chat.evaluate((element) => {
    for (const details of element.shadowRoot?.querySelectorAll('details') ?? []) details.open = true;
  });

describe.each([
  ['light', 'en', 'I have had a cough and a fever of 38.5 for three days', 'crushing chest pain for 30 minutes that goes down my left arm, I am sweating and cannot breathe'],
  ['dark', 'zh', '咳嗽三天，发烧38.5度', '胸口像压了块大石头一样痛半小时，出冷汗，喘不上气，左胳膊也疼'],
  ['dark', 'en', 'I have had a cough and a fever of 38.5 for three days', 'I want to kill myself'],
] as const)('axe, %s, %s', (colorScheme, lang, words, danger) => {
  it('finds nothing on any screen', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`, { colorScheme, bypassCSP: true });
    await chat.evaluate((element, value) => element.setAttribute('lang', value), lang);
    const found: Record<string, string[]> = {};
    const look = async (name: string): Promise<void> => {
      await openAll(chat);
      const lines = await violations(page);
      if (lines.length > 0) found[name] = lines;
    };
    await look('consent');
    await agree(chat);
    await look('profile');
    await chat.locator('form[part=profile] button[type=submit]').click();
    await look('profile with errors');
    await giveProfile(chat);
    await look('complaint');
    await chat.locator('textarea#draft').pressSequentially(lang === 'zh' ? '头' : 'head');
    await chat.locator('[part=suggestions]').waitFor();
    await look('suggestions');
    await say(chat, words);
    const seenTypes = new Set<string>();
    for (let turn = 0; turn < 10 && (await stateOf(chat)).screen === 'question'; turn++) {
      const type = (await stateOf(chat)).consultation?.question?.type ?? '';
      if (!seenTypes.has(type)) await look(`question ${type}`);
      seenTypes.add(type);
      await answerOne(chat, { none: true });
    }
    await look('result');
    await chat.locator('[part=actions] button').last().click();
    await look('confirm');
    await say(chat, danger);
    await chat.locator('[part=emergency]').waitFor();
    await look('emergency');
    expect(found).toEqual({});
    await context.close();
  });
});

describe('layout', () => {
  it.each(['en', 'zh'])('never scrolls sideways at 320 px, and keeps targets large (%s)', async (lang) => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`, { viewport: { width: 320, height: 640 } });
    await chat.evaluate((element, value) => element.setAttribute('lang', value), lang);
    const look = async (): Promise<void> => {
      await openAll(chat);
      const measured = await chat.evaluate((element) => {
        const wide = [...(element.shadowRoot?.querySelectorAll('.shell *') ?? [])].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 && !one.classList.contains('unseen')).map((one) => one.outerHTML.slice(0, 80));
        const small = [...(element.shadowRoot?.querySelectorAll<HTMLElement>('button, a.button, .choice, summary') ?? [])].filter((one) => one.offsetHeight > 0 && one.offsetHeight < 44).map((one) => one.outerHTML.slice(0, 80));
        return { scrolls: document.documentElement.scrollWidth > innerWidth, wide, small };
      });
      expect(measured).toEqual({ scrolls: false, wide: [], small: [] });
    };
    await look();
    await agree(chat);
    await look();
    await giveProfile(chat);
    await look();
    await say(chat, lang === 'zh' ? '咳嗽三天，发烧38.5度' : 'I have had a cough and a fever of 38.5 for three days');
    await look();
    while ((await stateOf(chat)).screen === 'question') await answerOne(chat);
    await look();
    expect(await page.evaluate(() => document.title)).toBe('Plain host page');
    await context.close();
  });

  it('keeps fields at 16 px or more, so that phones do not zoom', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    expect(await chat.locator('input[name=age]').evaluate((field) => Number.parseFloat(getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(16);
    await giveProfile(chat);
    expect(await chat.locator('textarea#draft').evaluate((field) => Number.parseFloat(getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(16);
    await context.close();
  });

  it('writes in the direction of what the visitor types', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'عندي صداع شديد');
    await openAll(chat);
    expect(await chat.locator('.given').first().evaluate((given) => getComputedStyle(given).direction)).toBe('rtl');
    await context.close();
  });
});

describe('keyboard and screen reader', () => {
  it('goes through a consultation with the keyboard alone', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    /** Presses Tab until the focused element fits. */
    const tabTo = async (selector: string): Promise<void> => {
      for (let step = 0; step < 40; step++) {
        if (await chat.evaluate((element, wanted) => element.shadowRoot?.activeElement?.matches(wanted) ?? false, selector)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    await tabTo('form button[type=submit]');
    await page.keyboard.press('Enter');
    await waitForScreen(chat, 'profile');
    await tabTo('input[name=age]');
    await page.keyboard.type('52');
    await tabTo('input[name=sex]');
    await page.keyboard.press('Space');
    await tabTo('form[part=profile] button[type=submit]');
    await page.keyboard.press('Enter');
    await waitForScreen(chat, 'complaint');
    await tabTo('textarea#draft');
    await page.keyboard.type('I have had a cough and fever for three days');
    await page.keyboard.press('Enter');
    await waitForScreen(chat, 'question');
    for (let turn = 0; turn < 10 && (await stateOf(chat)).screen === 'question'; turn++) {
      const question = (await stateOf(chat)).consultation?.question;
      await expect.poll(() => chat.evaluate((element) => element.shadowRoot?.activeElement?.id)).toBe('question');
      if (question?.type === 'yes-no') {
        await tabTo('.yes-no button:nth-child(2)');
        await page.keyboard.press('Enter');
      } else if (question?.type === 'number') {
        await tabTo('input[name=number]');
        await page.keyboard.type(String(question.min + 1));
        await page.keyboard.press('Enter');
      } else if (question?.type === 'open') {
        await tabTo('.answer');
        await page.keyboard.press('Enter');
      } else {
        await tabTo('.cards input');
        await page.keyboard.press('Space');
        await tabTo('form button[type=submit]');
        await page.keyboard.press('Enter');
      }
      await page.waitForFunction(([element, id]) => (element as unknown as { state: { consultation: { question: { id: string } | null } } }).state.consultation.question?.id !== id, [await chat.elementHandle(), question?.id] as const);
    }
    await waitForScreen(chat, 'result');
    await expect.poll(() => chat.evaluate((element) => element.shadowRoot?.activeElement?.id)).toBe('urgency');
    await context.close();
  });

  it('announces each question once and whole, and the headline of the result', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element) => {
      const live = element.shadowRoot?.querySelector('[data-live]');
      const spoken: string[] = [];
      Object.assign(globalThis, { spoken });
      if (live !== null && live !== undefined) new MutationObserver(() => live.textContent !== '' && spoken.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
    });
    await complain(chat, 'I have had a cough and fever for three days');
    const asked: string[] = [];
    while ((await stateOf(chat)).screen === 'question') {
      asked.push((await stateOf(chat)).consultation?.question?.text ?? '');
      await answerOne(chat);
    }
    const spoken = await page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken);
    expect(spoken.slice(0, -1)).toEqual(asked);
    expect(spoken.at(-1)).toMatch(/^Your result: /);
    await context.close();
  });

  it('moves focus to the first field that is wrong, and says why', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await chat.locator('form[part=profile] button[type=submit]').click();
    await expect.poll(() => chat.evaluate((element) => element.shadowRoot?.activeElement?.id)).toBe('age');
    await chat.locator('input[name=age]').fill('150');
    await chat.locator('form[part=profile] button[type=submit]').click();
    await chat.getByText('The age can be 0 to 130 years.').waitFor();
    await chat.locator('input[name=age]').fill('６个月');
    await chat.locator('input[name=sex][value=female]').check();
    await chat.locator('form[part=profile] button[type=submit]').click();
    await waitForScreen(chat, 'complaint');
    expect((await stateOf(chat)).consultation?.profile).toEqual({ ageYears: 0.5, sex: 'female' });
    await context.close();
  });

  it('does not take focus from the host page when it resumes or is driven from outside', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate(async (element) => (element as unknown as { start(options: unknown): Promise<void> }).start({ profile: { ageYears: 30, sex: 'male' } }));
    await waitForScreen(chat, 'complaint');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await context.close();
  });
});
