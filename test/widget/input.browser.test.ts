import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, complain, giveProfile, stateOf, visit, waitForScreen } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('typing', () => {
  it('does not send on the Enter that picks a candidate of an input method', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`, { locale: 'zh-CN' });
    await chat.evaluate((element) => element.setAttribute('lang', 'zh'));
    await agree(chat);
    await giveProfile(chat);
    const field = chat.locator('textarea#draft');
    await field.focus();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'tou teng', selectionStart: 8, selectionEnd: 8 });
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode: 13, key: 'Enter', code: 'Enter' });
    expect((await stateOf(chat)).screen).toBe('complaint');
    expect(await field.inputValue()).toBe('tou teng');
    await devtools.send('Input.insertText', { text: '头疼两天' });
    expect(await field.inputValue()).toBe('头疼两天');
    await field.press('Enter');
    await waitForScreen(chat, 'question', 'result');
    expect((await stateOf(chat)).consultation?.rounds.map((round) => round.input)).toEqual([{ type: 'utterance', text: '头疼两天' }]);
    await context.close();
  });

  it('does not send where only the key code tells of a composition, as in Safari', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat);
    await chat.locator('textarea#draft').fill('a cough');
    await chat.locator('textarea#draft').evaluate((field) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true, composed: true })));
    expect((await stateOf(chat)).screen).toBe('complaint');
    await context.close();
  });

  it('starts a new line with Shift and Enter', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat);
    await chat.locator('textarea#draft').focus();
    await page.keyboard.type('a cough');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and a fever');
    expect(await chat.locator('textarea#draft').inputValue()).toBe('a cough\nand a fever');
    await context.close();
  });

  it('keeps what is typed from the shortcuts of the host page', async () => {
    const { page, chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      for (const type of ['keydown', 'keypress', 'keyup'] as const) {
        document.addEventListener(type, (event) => {
          if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
          heard.push(event.key);
          if (event.key === '/' || event.key === 's') event.preventDefault();
        });
      }
    });
    await agree(chat);
    await giveProfile(chat);
    await chat.locator('textarea#draft').focus();
    await page.keyboard.type('s/s?');
    await page.keyboard.press('Escape');
    expect(await chat.locator('textarea#draft').inputValue()).toBe('s/s?');
    expect(await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual(['Escape', 'Escape']);
    await context.close();
  });

  it('suggests symptoms of the vocabulary and puts the chosen one in place of what was typed', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat);
    await chat.locator('textarea#draft').pressSequentially('Since Monday, my stom');
    const first = chat.locator('[part=suggestions] button').first();
    const name = ((await first.textContent()) ?? '').replace('+', '').trim();
    await first.click();
    expect(await chat.locator('textarea#draft').inputValue()).toMatch(new RegExp(`^Since Monday, .*${name.toLowerCase()}, $`));
    await expect.poll(() => chat.evaluate((element) => element.shadowRoot?.activeElement?.id)).toBe('draft');
    await context.close();
  });

  it('reads a very long text whole, tells its length, and cuts nothing', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat, '61');
    const long = `${'I went to the market and met a friend. '.repeat(300)}😀 Now I have crushing chest pain and I cannot breathe.`;
    await chat.locator('textarea#draft').fill(long);
    await chat.getByText(`${String(long.length)} characters`).waitFor();
    await chat.locator('textarea#draft').press('Enter');
    await chat.locator('[part=emergency]').waitFor();
    const input = (await stateOf(chat)).consultation?.rounds[0]?.input;
    expect(input?.type === 'utterance' && input.text).toBe(long);
    await context.close();
  });

  it('asks for a few words where there are none', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat);
    await chat.locator('textarea#draft').press('Enter');
    await chat.getByText('Please write a few words first.').waitFor();
    expect((await stateOf(chat)).screen).toBe('complaint');
    await context.close();
  });

  it('keeps “none of these” and “I do not know” alone among the ticked', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have a headache');
    await chat.evaluate(async (element) => {
      const ours = element as AnamnesisChat;
      for (const words of ['and chest pain', 'and stomach pain', 'and I am dizzy', 'and a fever', 'and I am short of breath']) {
        for (let turn = 0; turn < 4; turn++) {
          if (ours.state.consultation?.question?.type === 'many-of') return;
          await ours.answer('unknown');
        }
        await ours.send(words);
      }
    });
    const inputs = chat.locator('.cards input[type=checkbox]');
    const count = await inputs.count();
    expect(count).toBeGreaterThan(3);
    await inputs.nth(0).check();
    await inputs.nth(1).check();
    await inputs.nth(count - 2).check();
    expect(await inputs.evaluateAll((all) => all.filter((one) => (one as HTMLInputElement).checked).map((one) => (one as HTMLInputElement).value))).toEqual([':none']);
    await inputs.nth(0).check();
    expect(await inputs.nth(count - 2).isChecked()).toBe(false);
    await context.close();
  });
});
