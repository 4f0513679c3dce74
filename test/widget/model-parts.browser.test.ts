import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplySentence } from '../../src/index.js';
import { launchBrowser, record, serve, type PageRecord, type TestServer } from '../browser/launch.js';
import type { ModelPartsPage, Shown } from './pages/model-parts.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const OUTPUT = at('../output/model-parts');

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  await build({ configFile: false, root: at('pages'), publicDir: false, logLevel: 'warn', build: { target: 'es2022', outDir: OUTPUT, emptyOutDir: true, modulePreload: false, rolldownOptions: { input: at('pages/model-parts.ts'), output: { format: 'es', entryFileNames: '[name].js' } } } });
  [browser, server] = await Promise.all([launchBrowser(), serve({ roots: [OUTPUT, at('pages')] })]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface Opened {
  readonly page: Page;
  readonly seen: PageRecord;
  readonly panel: Locator;
  readonly show: (shown: Shown) => Promise<void>;
  readonly calls: () => Promise<readonly string[]>;
  /** Text of the panel as it is seen, without what is folded away. */
  readonly text: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Opens the page under the strict policy; every test starts with a fresh one. */
async function open(options: { readonly width?: number; readonly bypassCSP?: boolean } = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: options.width ?? 390, height: 844 }, reducedMotion: 'reduce', bypassCSP: options.bypassCSP ?? false });
  const page = await context.newPage();
  const seen = record(page);
  await page.goto(`${server.origin}/model-parts.html`);
  await page.waitForFunction(() => 'modelParts' in globalThis);
  const panel = page.locator('[part=model-panel]');
  return {
    page,
    seen,
    panel,
    show: (shown) => page.evaluate((value) => (globalThis as unknown as { modelParts: ModelPartsPage }).modelParts.show(value), shown),
    calls: () => page.evaluate(() => (globalThis as unknown as { modelParts: ModelPartsPage }).modelParts.calls),
    text: () => panel.innerText(),
    close: () => context.close(),
  };
}

const isOpen = (panel: Locator): Promise<boolean> => panel.evaluate((details) => (details as HTMLDetailsElement).open);

describe('model panel', () => {
  it('is not there where no model is set up or nothing is to be said', async () => {
    const { show, panel, close } = await open();
    await show({ model: null });
    expect(await panel.count()).toBe(0);
    await show({ model: { phase: 'none', reason: null } });
    expect(await panel.count()).toBe(0);
    await show({ screen: 'consent', model: { phase: 'offered' } });
    expect(await panel.count()).toBe(0);
    await close();
  });

  it.each(['profile', 'complaint', 'question', 'result'] as const)('is at the end of the screen %s', async (screen) => {
    const { show, panel, close } = await open();
    await show({ screen, model: { phase: 'offered' } });
    expect(await panel.evaluate((details) => details.parentElement?.lastElementChild?.previousElementSibling === details)).toBe(true);
    await close();
  });

  it('says in one line that there is no model, and why when asked', async () => {
    const { show, text, panel, close } = await open();
    await show({ model: { phase: 'none', reason: 'software-adapter', offer: null } });
    expect(await text()).toBe('Without a language model on this device');
    await panel.locator('summary').click();
    expect(await text()).toContain('The graphics processor is only imitated here, which is too slow for a language model. The symptom check works without one.');
    await show({ language: 'zh', model: { phase: 'checking', offer: null } });
    expect(await text()).toBe('正在查看这台设备能否运行语言模型……');
    await close();
  });

  it('says all there is to know before anything is fetched', async () => {
    const { show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'offered' }, offer: { storedBytes: 300_000_000, servers: ['models.example.org', 'files.example.org'] } });
    expect(await isOpen(panel)).toBe(true);
    const words = await text();
    for (const part of ['never decides how urgent', 'Qwen3 0.6B', '945 MB, of which 300 MB is here already', '1,403 MB', 'models.example.org, files.example.org', 'learn the internet address of this device, but nothing that you type', 'kept on this device', 'Apache-2.0', 'https://example.org/licence']) expect(words).toContain(part);
    expect(await panel.locator('a').count()).toBe(0);
    await panel.getByRole('button', { name: 'Fetch 645 MB and use it', exact: true }).click();
    await panel.getByRole('button', { name: 'Not now', exact: true }).click();
    expect(await calls()).toEqual(['allow', 'turnOff']);
    await close();
  });

  it('says the same in Chinese, with small sizes to one decimal', async () => {
    const { show, text, panel, close } = await open();
    await show({ language: 'zh', model: { phase: 'offered' }, offer: { downloadBytes: 9_460_000, servers: [], keeps: false } });
    const words = await text();
    for (const part of ['从不决定', '9.5 MB', '来自', '本网站', '关闭本页面后就不存在了']) expect(words).toContain(part);
    expect(words).not.toContain('网络地址');
    expect(await panel.getByRole('button', { name: '下载 9.5 MB 并使用', exact: true }).count()).toBe(1);
    await close();
  });

  it('asks for leave to ask a server where the size is not known', async () => {
    const { show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'offered' }, offer: { downloadBytes: null } });
    expect(await text()).toContain('known to the server only');
    await panel.getByRole('button', { name: 'Ask models.example.org for the size', exact: true }).click();
    await show({ model: { phase: 'sizing' }, offer: { downloadBytes: null } });
    expect(await text()).toContain('Asking models.example.org for the size');
    await panel.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await calls()).toEqual(['allow', 'cancel']);
    await close();
  });

  it('offers no fetch of what is here whole, or of what the browser brings', async () => {
    const { show, text, panel, close } = await open();
    await show({ model: { phase: 'offered' }, offer: { storedBytes: 945_000_000 } });
    expect(await text()).toContain('nothing; all 945 MB are here already');
    expect(await panel.getByRole('button', { name: 'Use it', exact: true }).count()).toBe(1);
    await show({ model: { phase: 'offered' }, offer: { name: 'built-in', runtime: 'built-in', downloadBytes: 0, servers: [], memoryBytes: 0, licence: '', licenceUrl: '', keeps: false } });
    expect(await text()).toContain('this browser, which may have to fetch it first');
    expect(await text()).not.toMatch(/built-in|Memory needed|To fetch|Licence/);
    expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Use it', 'Not now']);
    await close();
  });

  it('shows how far a download is, and can pause and cancel it', async () => {
    const { page, show, text, panel, calls, close } = await open();
    const seen: number[] = [];
    for (const loadedBytes of [0, 1_000_000, 312_000_000, 312_000_001, 944_999_999, 945_000_000, 990_000_000]) {
      await show({ model: { phase: 'downloading', loadedBytes, totalBytes: 945_000_000, secondsLeft: 125 } });
      seen.push(Number(await panel.locator('[role=progressbar]').getAttribute('aria-valuenow')));
      if (loadedBytes === 312_000_000) {
        if (!(await isOpen(panel))) await panel.locator('summary').click();
        expect(await text()).toMatch(/being fetched 33 %[^]*312 of 945 MB[^]*about 2 min left/);
        expect(await page.getByRole('progressbar', { name: 'being fetched' }).count()).toBe(1);
      }
    }
    expect(seen).toEqual([0, 0, 33, 33, 99, 100, 100]);
    await panel.getByRole('button', { name: 'Pause', exact: true }).click();
    await panel.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await calls()).toEqual(['pause', 'cancel']);
    await show({ language: 'zh', model: { phase: 'downloading', loadedBytes: 312_000_000, totalBytes: 945_000_000, secondsLeft: 40 } });
    expect(await text()).toMatch(/正在下载 33%[^]*312 \/ 945 MB[^]*大约还需 1 分钟/);
    await close();
  });

  it('offers to go on with a paused download or to delete it', async () => {
    const { show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'paused', loadedBytes: 312_000_000, totalBytes: 945_000_000, secondsLeft: 125 } });
    expect(await isOpen(panel)).toBe(false);
    await panel.locator('summary').click();
    expect(await text()).toContain('312 of 945 MB');
    expect(await text()).not.toContain('min left');
    await panel.getByRole('button', { name: 'Go on', exact: true }).click();
    await panel.getByRole('button', { name: 'Delete what was fetched', exact: true }).click();
    expect(await calls()).toEqual(['resume', 'remove']);
    await close();
  });

  it('waits for another tab, and loads without a share that nobody knows', async () => {
    const { page, show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'waiting' } });
    await panel.locator('summary').click();
    expect(await text()).toContain('Another tab of this browser is fetching the same model');
    await panel.getByRole('button', { name: 'Cancel', exact: true }).click();
    await show({ model: { phase: 'loading' } });
    expect(await text()).toContain('Being read into memory');
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
    expect(await calls()).toEqual(['cancel']);
    await close();
  });

  it.each([
    [{ runs: 'gpu', tokensPerSecond: 8.26 }, {}, 'on the graphics processor', 'about 8.3 pieces of words a second'],
    [{ runs: 'cpu', tokensPerSecond: 12.4 }, { runtime: 'wllama' }, 'on the main processor', 'about 12 pieces'],
    [{ runs: 'gpu' }, { runtime: 'built-in', keeps: false }, 'belongs to this browser', 'is used'],
    [{ runs: 'elsewhere' }, { runtime: 'host', keeps: false }, 'outside this page', 'is used'],
  ] as const)('says what runs now (%j)', async (model, offer, where, speed) => {
    const { show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'ready', ...model }, offer });
    expect(await isOpen(panel)).toBe(false);
    expect(await text()).toMatch(/Language model\s+in use/);
    await panel.locator('summary').click();
    const words = await text();
    expect(words).toContain(where);
    expect(words).toContain(speed);
    expect(words.includes('pieces of words')).toBe('tokensPerSecond' in model);
    const remove = panel.getByRole('button', { name: 'Delete from this device', exact: true });
    const hasFiles = !('keeps' in offer);
    expect(await remove.count()).toBe(hasFiles ? 1 : 0);
    if (hasFiles) await remove.click();
    if (!(await isOpen(panel))) await panel.locator('summary').click();
    await panel.getByRole('button', { name: 'Turn off', exact: true }).click();
    expect(await calls()).toEqual(hasFiles ? ['remove', 'turnOff'] : ['turnOff']);
    await close();
  });

  it('opens when it failed, with the sentence of the code', async () => {
    const { show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'failed', reason: 'download-failed', loadedBytes: 5_000_000 } });
    expect(await isOpen(panel)).toBe(true);
    expect(await text()).toContain('The language model could not be fetched whole. What has arrived is kept; you can go on later.');
    await panel.getByRole('button', { name: 'Try again', exact: true }).click();
    await panel.getByRole('button', { name: 'Delete from this device', exact: true }).click();
    expect(await calls()).toEqual(['retry', 'remove']);
    await show({ language: 'zh', model: { phase: 'failed', reason: 'out-of-memory' } });
    expect(await text()).toContain('内存不够运行语言模型');
    expect(await panel.getByRole('button').allInnerTexts()).toEqual(['重试']);
    await close();
  });

  it('says why it is off, and can be turned on', async () => {
    const { show, text, panel, calls, close } = await open();
    await show({ model: { phase: 'off', reason: 'safe-mode' }, offer: { storedBytes: 945_000_000 } });
    await panel.locator('summary').click();
    expect(await text()).toContain('It stays off until you turn it on.');
    expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Turn on', 'Delete from this device']);
    await panel.getByRole('button', { name: 'Turn on', exact: true }).click();
    expect(await calls()).toEqual(['turnOn']);
    await show({ model: { phase: 'off' } });
    expect(await text()).toContain('It is turned off. The symptom check works without it.');
    await close();
  });

  it('stays as the visitor left it, and closes by itself once what was started is done', async () => {
    const { show, panel, close } = await open();
    await show({ model: { phase: 'offered' } });
    await panel.getByRole('button').first().click();
    await show({ model: { phase: 'downloading', loadedBytes: 1, totalBytes: 10 } });
    expect(await isOpen(panel)).toBe(true);
    await show({ model: { phase: 'ready', runs: 'gpu' } });
    expect(await isOpen(panel)).toBe(false);
    await panel.locator('summary').click();
    await show({ model: { phase: 'ready', runs: 'gpu', tokensPerSecond: 9 } });
    expect(await isOpen(panel)).toBe(true);
    await panel.locator('summary').click();
    await show({ model: { phase: 'failed', reason: 'device-lost' } });
    expect(await isOpen(panel)).toBe(false);
    await close();
  });

  it('does not open by itself beside a red flag', async () => {
    const { show, panel, close } = await open();
    await show({ model: { phase: 'offered' }, redFlags: [{ id: 'chest', level: 'emergency', within: 'now', what: 'A heart attack.', action: 'Call now.', source: 'Guideline', because: [] }] });
    expect(await isOpen(panel)).toBe(false);
    await close();
  });

  it('moves focus to its heading when the pressed button goes', async () => {
    const { page, show, panel, close } = await open();
    await show({ model: { phase: 'offered' } });
    await panel.getByRole('button').first().click();
    await show({ model: { phase: 'downloading', loadedBytes: 1, totalBytes: 10 } });
    expect(await page.evaluate(() => document.querySelector('#host')?.shadowRoot?.activeElement?.tagName)).toBe('SUMMARY');
    await close();
  });

  it('speaks when the phase changes, and not while it goes on', async () => {
    const { page, show, close } = await open();
    await show({ model: { phase: 'checking' } });
    await page.evaluate(() => {
      const spoken: string[] = [];
      Object.assign(globalThis, { spoken });
      const status = document.querySelector('#host')?.shadowRoot?.querySelector('[role=status]');
      if (status === null || status === undefined) throw new Error('there is no status line');
      new MutationObserver(() => spoken.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
    });
    await show({ model: { phase: 'offered' } });
    for (let percent = 0; percent <= 100; percent++) await show({ model: { phase: 'downloading', loadedBytes: percent, totalBytes: 100, secondsLeft: 100 - percent } });
    await show({ model: { phase: 'loading' } });
    await show({ model: { phase: 'failed', reason: 'out-of-memory' } });
    expect(await page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken)).toEqual([
      'Language model: not used yet',
      'Language model: being fetched',
      'Language model: being made ready',
      'Language model: Memory ran out for the language model. The symptom check goes on without it.',
    ]);
    await close();
  });
});

const source = (leafId: string, words: string): ReplySentence['source'] => ({ diseaseIndex: 3, diseaseName: 'Influenza', leafId, path: ['Signs', 'Fever'], words });

describe('reply', () => {
  it('comes before the question, with a number for each source and a line for what has none', async () => {
    const { page, show, close } = await open();
    await show({
      model: null,
      reply: {
        sentences: [
          { text: 'A fever of this height fits influenza.', source: source('a', 'Fever rises fast, to 39 °C or more.') },
          { text: 'That sounds tiring.', source: null },
          { text: 'It often starts suddenly.', source: source('a', 'Fever rises fast, to 39 °C or more.') },
          { text: 'Muscles may ache.', source: source('b', 'Aching muscles are usual.') },
        ],
        analysis: '',
        isComplete: true,
      },
    });
    const reply = page.getByRole('region', { name: 'Worded by a language model' });
    expect(await reply.locator('p').first().innerText()).toMatch(/^A fever of this height fits influenza\.\s*1\s*That sounds tiring\. It often starts suddenly\.\s*1\s*Muscles may ache\.\s*2$/);
    expect(await reply.innerText()).toContain('Without a mark: worded by the language model, not from the knowledge.');
    expect(await reply.locator('.own').allInnerTexts()).toEqual(['That sounds tiring.']);
    expect(await reply.evaluate((element) => Boolean(element.compareDocumentPosition(element.getRootNode() instanceof ShadowRoot ? (element.getRootNode() as ShadowRoot).getElementById('question')! : element) & Node.DOCUMENT_POSITION_FOLLOWING))).toBe(true);
    expect(await reply.locator('p').first().evaluate((text) => [text.getAttribute('dir'), text.getAttribute('lang')])).toEqual(['auto', 'en']);
    await page.getByRole('link', { name: 'From the knowledge: 2' }).click();
    const item = reply.locator('[part=reply-source]').nth(1);
    await expect.poll(() => item.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element)).toBe(true);
    expect(await item.innerText()).toMatch(/Influenza › Signs › Fever\s*Aching muscles are usual\./);
    expect(await reply.locator('[part=reply-source]').count()).toBe(2);
    expect(page.url()).toBe(`${server.origin}/model-parts.html`);
    await close();
  });

  it('has no line about missing marks where every sentence has one, and is not there without sentences', async () => {
    const { page, show, close } = await open();
    await show({ reply: { sentences: [{ text: 'It fits.', source: source('a', 'It fits.') }], analysis: '', isComplete: true } });
    expect(await page.locator('[part=reply]').innerText()).not.toContain('Without a mark');
    expect(await page.locator('[part=analysis]').count()).toBe(0);
    await show({ reply: { sentences: [], analysis: 'thinking', isComplete: false } });
    expect(await page.locator('[part=reply]').count()).toBe(0);
    await show({ reply: null });
    expect(await page.locator('[part=reply]').count()).toBe(0);
    await close();
  });

  it('is busy while it is being written, and never in a live region (UI-03)', async () => {
    const { page, show, close } = await open();
    const sentences: ReplySentence[] = [];
    for (let number = 1; number <= 5; number++) {
      sentences.push({ text: `Sentence ${String(number)}.`, source: null });
      await show({ model: null, reply: { sentences: [...sentences], analysis: '', isComplete: false } });
      expect(await page.locator('[part=reply]').getAttribute('aria-busy')).toBe('true');
    }
    expect(await page.locator('[part=reply] .caret').count()).toBe(1);
    const live = await page.locator('[part=reply]').evaluate((reply) => {
      const around = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]';
      return reply.closest(around) !== null || reply.querySelector(around) !== null;
    });
    expect(live).toBe(false);
    await show({ model: null, reply: { sentences, analysis: '', isComplete: true } });
    expect(await page.locator('[part=reply]').getAttribute('aria-busy')).toBe('false');
    expect(await page.locator('[part=reply] .caret').count()).toBe(0);
    await close();
  });

  it('keeps the analysis closed, with its line breaks, and closes it again for the next round', async () => {
    const { page, show, close } = await open();
    const reply = { sentences: [{ text: 'One.', source: null }], analysis: 'First line\n\n  second line', isComplete: true };
    await show({ reply });
    const analysis = page.locator('[part=analysis]');
    expect(await analysis.evaluate((details) => (details as HTMLDetailsElement).open)).toBe(false);
    await analysis.locator('summary').click();
    expect(await analysis.locator('.analysis').innerText()).toBe('First line\n\n  second line');
    await show({ reply: { ...reply, analysis: 'First line\n\n  second line, more' } });
    expect(await analysis.evaluate((details) => (details as HTMLDetailsElement).open)).toBe(true);
    await show({ reply, rounds: [{ question: null, input: { type: 'utterance', text: 'cough' }, learnt: [] }] });
    expect(await analysis.evaluate((details) => (details as HTMLDetailsElement).open)).toBe(false);
    await close();
  });

  it('comes below the urgency of a result, and not at all in a crisis', async () => {
    const { page, show, close } = await open();
    const reply = { sentences: [{ text: 'One.', source: null }], analysis: '', isComplete: true };
    await show({ screen: 'result', model: null, reply });
    expect(await page.locator('[part=urgency] + [part=reply]').count()).toBe(1);
    expect(await page.locator('[part=reply] h3').innerText()).toBe('Worded by a language model');
    await show({ screen: 'result', model: null, reply, result: { enough: false } });
    expect(await page.locator('[part=not-enough] + [part=reply]').count()).toBe(1);
    await show({ screen: 'result', model: null, reply, redFlags: [{ id: 'self-harm', level: 'crisis', within: 'now', what: 'You are not alone.', action: 'Talk to someone.', source: 'Guideline', because: [] }] });
    expect(await page.locator('[part=urgency]').count()).toBe(1);
    expect(await page.locator('[part=reply]').count()).toBe(0);
    await close();
  });

  it('shows hostile words as words (OUT-01)', async () => {
    const { page, show, seen, close } = await open();
    const hostile = ['<img src=x onerror="globalThis.ran=1">', '<svg onload=globalThis.ran=1><script>globalThis.ran=1</script></svg>', '[a](javascript:globalThis.ran=1)', '<a href="javascript:globalThis.ran=1">a</a>', '${globalThis.ran=1}', '<!--?lit$1$-->', '</p></section><form action="//evil.example"><button>Go</button></form>'];
    const words = hostile.join(' ');
    await show({
      model: { phase: 'offered' },
      offer: { name: words, licence: words, licenceUrl: 'javascript:globalThis.ran=1', servers: [words] },
      question: { type: 'open', id: 'open:1', text: words, why: words },
      reply: { sentences: [...hostile.map((text): ReplySentence => ({ text, source: null })), { text: words, source: { diseaseIndex: 0, diseaseName: words, leafId: 'x', path: [words], words } }], analysis: words, isComplete: true },
    });
    const found = await page.evaluate(() => {
      const root = document.querySelector('#host')?.shadowRoot;
      for (const details of root?.querySelectorAll('details') ?? []) details.open = true;
      return {
        planted: root?.querySelectorAll('img, script, form[action], [onerror], [onload], svg svg, iframe').length,
        links: [...(root?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href')),
        ran: 'ran' in globalThis,
      };
    });
    expect(found).toEqual({ planted: 0, links: ['#reply-source-1'], ran: false });
    expect(await page.locator('.own').allInnerTexts()).toEqual(hostile);
    expect(await page.locator('.analysis').innerText()).toBe(words);
    expect(await page.locator('#question').innerText()).toBe(words);
    expect(seen.errors).toEqual([]);
    expect(seen.requests.filter((address) => !address.startsWith(server.origin))).toEqual([]);
    await close();
  });

  it('writes in the direction of its words', async () => {
    const { page, show, close } = await open();
    await show({ reply: { sentences: [{ text: 'عندك صداع شديد.', source: null }], analysis: '', isComplete: true } });
    expect(await page.locator('[part=reply] p').first().evaluate((text) => getComputedStyle(text).direction)).toBe('rtl');
    await close();
  });
});

describe('open question', () => {
  const question = { id: 'open:1', type: 'open', text: 'How did it begin?', why: '' } as const;

  it('is answered in the visitor’s own words, in a large box that it names', async () => {
    const { page, show, calls, close } = await open();
    await show({ model: null, question });
    const box = page.getByRole('textbox', { name: 'How did it begin?', exact: true });
    expect(await box.getAttribute('rows')).toBe('4');
    expect(await page.getByRole('textbox').count()).toBe(1);
    expect(await page.locator('.yes-no, .cards, input[name=number]').count()).toBe(0);
    await box.fill('Suddenly, in the night');
    await box.press('Enter');
    expect(await calls()).toEqual(['send:Suddenly, in the night']);
    await close();
  });

  it('is passed over with one press, and what was passed over can still be answered', async () => {
    const { page, show, calls, close } = await open();
    await show({ model: null, question });
    await page.getByRole('button', { name: 'Nothing to add', exact: true }).click();
    expect(await calls()).toEqual(['answer:[]']);
    const rounds = [{ question: { ...question, options: [], unit: '', min: 0, max: 0 }, input: { type: 'answer', questionId: question.id, value: [] }, learnt: [] }] as const;
    await show({ model: null, rounds });
    await page.locator('[part=transcript] summary').click();
    expect(await page.locator('.rounds').innerText()).toMatch(/^How did it begin\?\s*Nothing to add/);
    await page.getByRole('button', { name: 'Change: How did it begin?', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'How did it begin?', exact: true }).inputValue()).toBe('');
    await close();
  });

  it('is shown in the transcript with what was said, also while that is changed', async () => {
    const { page, show, close } = await open();
    await show({ model: null, rounds: [{ question: { ...question, options: [], unit: '', min: 0, max: 0 }, input: { type: 'utterance', text: 'Suddenly' }, learnt: [] }] });
    await page.locator('[part=transcript] summary').click();
    expect(await page.locator('.rounds').innerText()).toMatch(/^How did it begin\?\s*Suddenly/);
    await page.getByRole('button', { name: 'Change: How did it begin?', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'How did it begin?', exact: true }).inputValue()).toBe('Suddenly');
    await close();
  });
});

describe('accessibility and layout', () => {
  const reply: Shown['reply'] = { sentences: [{ text: 'A fever of this height fits influenza.', source: source('a', 'Fever rises fast.') }, { text: 'That sounds tiring.', source: null }], analysis: 'Compared.', isComplete: false };
  const phases: readonly Shown['model'][] = [
    { phase: 'none', reason: 'no-adapter' },
    { phase: 'checking' },
    { phase: 'offered' },
    { phase: 'sizing' },
    { phase: 'waiting' },
    { phase: 'downloading', loadedBytes: 312_000_000, totalBytes: 945_000_000, secondsLeft: 125 },
    { phase: 'paused', loadedBytes: 312_000_000, totalBytes: 945_000_000 },
    { phase: 'loading' },
    { phase: 'ready', runs: 'gpu', tokensPerSecond: 8 },
    { phase: 'failed', reason: 'download-failed', loadedBytes: 1 },
    { phase: 'off', reason: 'safe-mode' },
  ];

  it.each([
    ['light', 'en'],
    ['dark', 'zh'],
  ] as const)('axe finds nothing, targets are large and nothing is wider than 320 px (%s, %s)', async (theme, language) => {
    const { page, show, close } = await open({ width: 320, bypassCSP: true });
    await page.addScriptTag({ url: '/axe.min.js' });
    const found: Record<string, unknown> = {};
    for (const model of phases) {
      for (const screen of ['question', 'result'] as const) {
        await show({ theme, language, screen, model: model ?? null, reply, offer: { servers: ['models.a-rather-long-name-of-a-host.example.org', 'files.example.org'] } });
        const lines = await page.evaluate(async () => {
          const root = document.querySelector('#host')?.shadowRoot;
          for (const details of root?.querySelectorAll('details') ?? []) details.open = true;
          const axe = (globalThis as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> } }).axe;
          const { violations } = await axe.run('#host', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
          const wide = [...(root?.querySelectorAll('.shell *') ?? [])].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 && !one.classList.contains('unseen')).map((one) => `wide: ${one.outerHTML.slice(0, 80)}`);
          const small = [...(root?.querySelectorAll<HTMLElement>('button, summary') ?? [])].filter((one) => one.offsetHeight > 0 && one.offsetHeight < 44).map((one) => `small: ${one.outerHTML.slice(0, 80)}`);
          return [...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${JSON.stringify(target)}`)), ...wide, ...small];
        });
        if (lines.length > 0) found[`${screen} ${model?.phase ?? ''}`] = lines;
      }
    }
    expect(found).toEqual({});
    await close();
  });
});
