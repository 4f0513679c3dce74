import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnamnesisChat } from '../../widget/element.js';
import { launchBrowser, serve, type TestServer } from '../browser/launch.js';
import { agree, answerAll, answerOne, collectEvents, complain, eventsOf, giveProfile, say, stateOf, visit, waitForScreen } from '../browser/visit.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const EVENTS = ['anamnesis-ready', 'anamnesis-progress', 'anamnesis-consent', 'anamnesis-round-start', 'anamnesis-round-end', 'anamnesis-red-flag', 'anamnesis-result', 'anamnesis-error', 'anamnesis-erase'];

describe('a whole consultation', () => {
  it.each([
    ['en', 'en-GB', 'I have had a cough and a fever of 38.5 for three days', 'Who is this for?'],
    ['zh', 'zh-CN', '咳嗽三天，发烧38.5度，嗓子疼', '为谁查询？'],
  ])('goes from consent to a result with sources in %s', async (lang, locale, words, profileTitle) => {
    const { page, chat, context, seen } = await visit(browser, `${server.origin}/plain.html`, { locale });
    await chat.evaluate((element, value) => element.setAttribute('lang', value), lang);
    await collectEvents(chat, EVENTS);
    await agree(chat);
    expect(await chat.locator('h2').textContent()).toBe(profileTitle);
    await giveProfile(chat, '34', 'female');
    await say(chat, words);
    const asked = await answerAll(chat);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(10);
    expect(new Set(asked).size).toBe(asked.length);

    const { consultation } = await stateOf(chat);
    expect(consultation?.result?.enough).toBe(true);
    await expect.poll(() => chat.locator('[part=candidate]').count()).toBe(consultation?.result?.candidates.length);
    const first = chat.locator('[part=candidate]').first();
    expect(await first.locator('h4').textContent()).toBe(consultation?.result?.candidates[0]?.name);
    expect(await first.locator('blockquote').count()).toBeGreaterThan(0);
    expect(await first.locator('.sources li').count()).toBeGreaterThan(0);
    expect(await first.locator('.mark').textContent()).toMatch(/Not clinically reviewed|未经临床审核/);
    expect(await chat.locator('[part=urgency]').isVisible()).toBe(true);

    const events = await eventsOf(page);
    const types = events.map((event) => event.type);
    for (const type of ['anamnesis-consent', 'anamnesis-progress', 'anamnesis-ready', 'anamnesis-round-start', 'anamnesis-round-end', 'anamnesis-result']) expect(types).toContain(type);
    expect(events.every((event) => event.isOurs)).toBe(true);
    expect(types.filter((type) => type === 'anamnesis-result')).toHaveLength(1);
    expect(types).not.toContain('anamnesis-error');
    expect(JSON.stringify(events)).not.toContain(words);
    expect(seen.errors).toEqual([]);
    await context.close();
  });

  it('asks whose age it is when the words speak of a baby and the age given is an adult’s', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await agree(chat);
    await giveProfile(chat, '32', 'female');
    await say(chat, 'My baby is 20 days old and has a fever of 38.6');
    const note = chat.locator('[part=note]', { hasText: 'aged 20 days; the age given is 32 years' });
    await note.waitFor();
    await note.getByRole('button', { name: /^Change/ }).click();
    await chat.locator('select[name=unit], input[name=unit][value=months]').first().waitFor({ state: 'attached' });
    await giveProfile(chat, '0.66 months', 'female');
    expect(await note.count()).toBe(0);
    expect((await stateOf(chat)).consultation?.redFlags.map((flag) => flag.id)).toContain('fever-under-three-months');
    expect(await chat.locator('[part=emergency]').isVisible()).toBe(true);
    await context.close();
  });

  it('raises the card for a diagnosis that was told, in the visitor’s own words, and takes it away by correcting', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'they said it is a pulmonary embolism and I went home');
    const card = chat.locator('[part=emergency]');
    expect(await card.textContent()).toMatch(/diagnosis or result you mention can be an emergency.*Because you mentioned: pulmonary embolism/s);
    await chat.evaluate(async (element) => (element as AnamnesisChat).conclude());
    await chat.getByRole('button', { name: 'Correct: a diagnosis that is an emergency', exact: true }).click();
    await chat.locator('.segmented button', { hasText: 'Not present' }).click();
    await expect.poll(() => card.count()).toBe(0);
    await context.close();
  });

  it('says that there is not enough to go on, and goes on from there', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'hello');
    expect((await stateOf(chat)).consultation?.question?.type).toBe('open');
    await answerOne(chat, { none: true });
    expect(await chat.locator('[part=not-enough] h3').textContent()).toBe('There is not enough to go on yet');
    expect(await chat.locator('[part=candidate]').count()).toBe(0);
    await say(chat, 'I have had a bad headache since yesterday and light hurts my eyes');
    expect((await stateOf(chat)).screen).toBe('question');
    await context.close();
  });

  it('shows the result when asked to, and asks on when asked to', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have had a cough for two weeks');
    await chat.getByRole('button', { name: 'Show the result now' }).click();
    await waitForScreen(chat, 'result');
    await chat.getByRole('button', { name: 'Ask me more' }).click();
    expect(await waitForScreen(chat, 'question')).toBe('question');
    await context.close();
  });

  it('asks no more than max-questions', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element) => element.setAttribute('max-questions', '2'));
    await complain(chat, 'I have had a cough for two weeks');
    expect((await answerAll(chat)).length).toBeLessThanOrEqual(2);
    await context.close();
  });

  it('runs the syndromes of Chinese medicine, and says in English that they are in Chinese', async () => {
    const { chat, context, seen } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element) => element.setAttribute('knowledge', 'tcm'));
    await chat.getByText('available in Chinese only').waitFor();
    await complain(chat, '咳嗽，痰黄稠，口干，怕风发热');
    const { consultation } = await stateOf(chat);
    expect(consultation?.question?.text ?? consultation?.result?.candidates[0]?.name).toMatch(/[\u4e00-\u9fff]/);
    expect(seen.requests.filter((url) => url.includes('/bundles/')).every((url) => url.includes('/tcm-zh/'))).toBe(true);
    // Chinese medicine names the disease (病) beside the syndromes (证).
    await answerAll(chat);
    const result = (await stateOf(chat)).consultation?.result;
    expect(result?.candidates.every((candidate) => candidate.name.endsWith('证'))).toBe(true);
    expect(result?.alsoNamed.length).toBeGreaterThan(0);
    expect(await chat.locator('.also-named').textContent()).toContain(result?.alsoNamed[0]?.name);
    expect((await pressPrint(chat)).text).toContain(result?.alsoNamed[0]?.name);
    await context.close();
  });
});

describe('safety', () => {
  it('shows the emergency card above everything, with a link that dials the configured number', async () => {
    const { chat, context, page } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element) => element.setAttribute('emergency-number', '112'));
    await collectEvents(chat, EVENTS);
    await complain(chat, 'crushing chest pain for 30 minutes that goes down my left arm, I am sweating and cannot breathe', { age: '61' });
    const card = chat.locator('[part=emergency]');
    await card.waitFor();
    expect(await card.getAttribute('role')).toBe('alert');
    expect(await card.locator('a').getAttribute('href')).toBe('tel:112');
    expect((await eventsOf(page)).some((event) => event.type === 'anamnesis-red-flag' && event.detail.level === 'emergency')).toBe(true);
    await answerOne(chat, { none: true });
    await answerOne(chat, { none: true });
    expect(await card.isVisible()).toBe(true);
    await context.close();
  });

  it.each([
    ['Crushing chest pain for an hour, sweating', '60'],
    ['I want to kill myself', '30'],
    ['My baby is 3 weeks old and has not been feeding well since yesterday', '34'],
  ])('brings the card into view on a small phone: %s', async (words, age) => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`, { viewport: { width: 360, height: 640 } });
    await complain(chat, words, { age });
    const card = chat.locator('[part=emergency]');
    await card.waitFor();
    await expect.poll(() => card.evaluate((element) => { const { top } = element.getBoundingClientRect(); return top >= 0 && top < 200; })).toBe(true);
    await context.close();
  });

  it('takes the card away only by correcting what was understood', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'crushing chest pain for 30 minutes that goes down my left arm, I am sweating and cannot breathe', { age: '61' });
    await chat.locator('[part=emergency]').waitFor();
    await chat.evaluate(async (element) => (element as AnamnesisChat).conclude());
    for (let pass = 0; pass < 12; pass++) {
      const { consultation } = await stateOf(chat);
      if (consultation?.redFlags.length === 0) break;
      const finding = consultation?.understood.find((one) => one.state === 'present' && one.origin !== 'implied' && one.origin !== 'measured');
      await chat.getByRole('button', { name: `Correct: ${finding?.name ?? ''}`, exact: true }).click();
      await chat.locator('.segmented button', { hasText: 'Not present' }).click();
      await waitForScreen(chat, 'result', 'question');
    }
    expect(await chat.locator('[part=emergency]').count()).toBe(0);
    await context.close();
  });

  it('answers words of despair with the crisis card and its line', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`, { locale: 'zh-CN' });
    await chat.evaluate((element) => element.setAttribute('lang', 'zh'));
    await complain(chat, '我不想活了，想自杀');
    const card = chat.locator('[part=emergency].crisis');
    await card.waitFor();
    expect(await card.locator('a').first().getAttribute('href')).toBe('tel:12356');
    expect(await card.locator('h2').textContent()).toContain('您不必独自承受');
    await context.close();
  });

  it('says beside the crisis card what was taken wants now', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`, { locale: 'en-GB' });
    await complain(chat, 'I want to die, I took all my pills');
    const card = chat.locator('[part=emergency].crisis');
    await card.waitFor();
    expect(await card.locator('.flag').innerText()).toMatch(/emergency number/);
    await chat.getByRole('button', { name: 'Show the result now' }).click();
    await waitForScreen(chat, 'result');
    expect(await chat.locator('[data-live]').textContent()).toBe('Please talk to someone now');
    await context.close();
  });

  it('says when to get help where nothing can be named', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`, { locale: 'en-GB' });
    await complain(chat, 'I just feel weird');
    await answerOne(chat, { none: true });
    await chat.locator('[part=not-enough]').getByText('If it gets worse').waitFor();
    await context.close();
  });

  it('asks for danger signs where most of the words were not understood, and acts on a tick', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'the grease thing at work went right through my glove, tiny little hole, plaster do?');
    expect(await chat.locator('h2').last().textContent()).toContain('have any of these now');
    expect(await chat.getByLabel('heavy vaginal bleeding').count()).toBe(0);
    await chat.getByLabel('cannot be woken').check();
    await chat.locator('form:has(.cards) button[type=submit]').click();
    await chat.locator('[part=emergency]').waitFor();
    expect((await stateOf(chat)).consultation?.urgency?.level).toBe('emergency');
    await context.close();
  });

  it('names no number in English unless one is configured', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    expect(await chat.locator('[part=emergency-hint]').textContent()).toContain('your local emergency number');
    expect(await chat.locator('a[href^=tel]').count()).toBe(0);
    await context.close();
  });
});

describe('changing what was said', () => {
  it('changes an earlier answer and computes everything again', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have had a cough for two weeks');
    await chat.locator('[part=transcript] summary').click();
    await chat.locator('[part=transcript]').getByRole('button', { name: 'Change: You wrote' }).click();
    const words = chat.locator('textarea#words');
    expect(await words.inputValue()).toBe('I have had a cough for two weeks');
    await words.fill('My knee hurts when I walk');
    await words.press('Enter');
    await waitForScreen(chat, 'question', 'result');
    const { consultation } = await stateOf(chat);
    expect(consultation?.understood.some((one) => one.id === 'cough')).toBe(false);
    expect(consultation?.rounds).toHaveLength(1);
    await context.close();
  });

  it('takes up the other language in place: words, answers and draft stay', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have had a cough and fever for three days');
    await answerOne(chat);
    await chat.locator('textarea#draft').fill('a draft not sent');
    const before = (await stateOf(chat)).consultation;
    await chat.locator('[part~=language-button]').click();
    await expect.poll(async () => (await stateOf(chat)).consultation?.question?.text ?? '').toMatch(/[\u4e00-\u9fff]/);
    const after = (await stateOf(chat)).consultation;
    expect(after?.rounds.map((round) => round.input)).toEqual(before?.rounds.map((round) => round.input));
    expect(await chat.locator('textarea#draft').inputValue()).toBe('a draft not sent');
    expect(await chat.locator('[part=base]').getAttribute('lang')).toBe('zh-Hans');
    expect(await chat.getAttribute('lang')).toBe('zh');
    await context.close();
  });

  it('offers the language that is written, in that language, once', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`, { locale: 'en-GB' });
    const hint = chat.locator('[part~=language-hint]');
    await complain(chat, '咳嗽三天，发烧38.5度');
    expect(await hint.locator('p').getAttribute('lang')).toBe('zh-Hans');
    await hint.getByRole('button', { name: '中文' }).click();
    await expect.poll(async () => (await stateOf(chat)).consultation?.question?.text ?? '').toMatch(/[\u4e00-\u9fff]/);
    expect((await stateOf(chat)).consultation?.rounds[0]?.input).toEqual({ type: 'utterance', text: '咳嗽三天，发烧38.5度' });
    expect(await hint.count()).toBe(0);
    await say(chat, 'and now my throat hurts too');
    await hint.getByText('You seem to be writing in English').waitFor();
    await hint.getByRole('button', { name: '关闭提示' }).click();
    await say(chat, 'and my nose is running');
    expect(await hint.count()).toBe(0);
    await context.close();
  });

  it('drops the second tap of a double tap', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have had a cough for two weeks');
    const answered = await chat.evaluate(async (element) => {
      const ours = element as AnamnesisChat;
      while (ours.state.consultation?.question?.type !== 'yes-no') await ours.answer('unknown');
      const before = ours.state.consultation.rounds.length;
      await Promise.all([ours.answer('no'), ours.answer('no'), ours.answer('no')]);
      return ours.state.consultation.rounds.length - before;
    });
    expect(answered).toBe(1);
    await context.close();
  });

  it('answers five messages sent at once in their order', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have had a cough for two weeks');
    const texts = await chat.evaluate(async (element) => {
      const ours = element as AnamnesisChat;
      await Promise.all(['a sore throat too', 'no fever', 'I am tired', 'my nose runs', 'no chest pain'].map((text) => ours.send(text)));
      return ours.state.consultation?.rounds.map((round) => (round.input.type === 'utterance' ? round.input.text : ''));
    });
    expect(texts).toEqual(['I have had a cough for two weeks', 'a sore throat too', 'no fever', 'I am tired', 'my nose runs', 'no chest pain']);
    await context.close();
  });
});

/** Presses "Print" and gives what the page that would be printed holds. */
function pressPrint(chat: Locator): Promise<{ text: string; sheets: number; lang: string }> {
  return chat.evaluate((element) => {
    const window = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow');
    let seen = { text: '', sheets: 0, lang: '' };
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: HTMLIFrameElement) {
        const frame = window?.get?.call(this) as Window;
        frame.print = () => {
          seen = { text: frame.document.body.textContent, sheets: frame.document.adoptedStyleSheets.length, lang: frame.document.documentElement.lang };
        };
        return frame;
      },
    });
    const buttons = [...(element.shadowRoot?.querySelectorAll<HTMLButtonElement>('[part=actions] button') ?? [])];
    buttons.find((button) => button.textContent === 'Print')?.click();
    return seen;
  });
}

describe('taking the result along', () => {
  it('saves a file with what was said and computed, and prints a page of its own', async () => {
    const { chat, context, page } = await visit(browser, `${server.origin}/plain.html`);
    await complain(chat, 'I have had a cough for two weeks');
    await chat.getByRole('button', { name: 'Show the result now' }).click();
    await waitForScreen(chat, 'result');
    const [download] = await Promise.all([page.waitForEvent('download'), chat.getByRole('button', { name: 'Save as a file' }).click()]);
    expect(download.suggestedFilename()).toBe('anamnesis.json');
    const json = await chat.evaluate((element) => (element as AnamnesisChat).exportJson());
    expect(JSON.parse(json ?? '')).toMatchObject({ kind: 'anamnesis-export', record: { inputs: [{ type: 'utterance', text: 'I have had a cough for two weeks' }] } });

    const printed = await pressPrint(chat);
    expect(printed.text).toContain('I have had a cough for two weeks');
    expect(printed.text).toContain('Not a diagnosis');
    expect(printed).toMatchObject({ sheets: 1, lang: 'en' });
    await context.close();
  });

  it('takes both away where the page says so', async () => {
    const { chat, context } = await visit(browser, `${server.origin}/plain.html`);
    await chat.evaluate((element) => {
      element.setAttribute('no-print', '');
      element.setAttribute('no-export', '');
    });
    await complain(chat, 'hello');
    expect(await chat.getByRole('button', { name: 'Print' }).count()).toBe(0);
    expect(await chat.getByRole('button', { name: 'Save as a file' }).count()).toBe(0);
    await context.close();
  });
});
