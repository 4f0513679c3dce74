import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/llm/catalogue-data.js';
import { chooseModel } from '../../src/llm/choose.js';
import type { DeviceReport } from '../../src/llm/probe.js';
import { launchBrowser, type PageRecord, record, serve, type TestServer } from '../browser/launch.js';

const WORKER = readFileSync(fileURLToPath(new URL('../../dist/chunks/probe-worker.js', import.meta.url)), 'utf8');

let server: TestServer;
let strict: TestServer;

beforeAll(async () => {
  server = await serve({ csp: null });
  strict = await serve();
});

afterAll(async () => {
  await server.close();
  await strict.close();
});

/** A page that can import the compiled probe; `prelude` runs in the worker before its own script. */
async function open(browser: Browser, prelude: string | null = null, origin = server.origin): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly seen: PageRecord }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen = record(page);
  if (prelude !== null) {
    // Imports are lifted above the prelude; none of them looks at the device.
    await page.route('**/chunks/probe-worker.js', (route) => route.fulfill({ contentType: 'text/javascript', body: `${prelude};\n${WORKER}` }));
  }
  await page.goto(`${origin}/plain.html`);
  seen.requests.length = 0;
  return { context, page, seen };
}

/** In words, since a function's own import() would be rewritten by the test runner. */
const PROBE = `import('/js/src/llm/probe.js').then(({ probeDevice }) => probeDevice({ workerBase: new URL('/chunks/', location.href), signal: globalThis.signal }))`;

/** Through the page's side, as the consultation uses it. */
function probe(page: Page): Promise<DeviceReport> {
  return page.evaluate<DeviceReport>(PROBE);
}

/** By its messages alone. */
function ask(page: Page): Promise<{ readonly hello: unknown; readonly answer: { readonly type: string; readonly report: DeviceReport } }> {
  return page.evaluate(async () => {
    const worker = new Worker('/chunks/probe-worker.js', { type: 'module' });
    const next = (): Promise<unknown> => new Promise((resolve) => worker.addEventListener('message', (event: MessageEvent<unknown>) => resolve(event.data), { once: true }));
    const hello = await next();
    worker.postMessage({ type: 'probe' });
    const answer = await next();
    worker.terminate();
    return { hello, answer: answer as never };
  });
}

const choose = (report: DeviceReport, allowSoftware = false): ReturnType<typeof chooseModel> => chooseModel(report, CATALOGUE, { language: 'en', source: 'hub', mirrored: [], allowSoftware });

describe('with a software adapter', () => {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    browser = await launchBrowser({ args: ['--use-webgpu-adapter=swiftshader'] });
  });
  afterAll(() => browser.close());
  afterEach(() => opened.context.close());

  it('GPU-06: recognises it, and refuses it unless a test asks for it', async () => {
    opened = await open(browser);
    const { hello, answer } = await ask(opened.page);
    expect(hello).toEqual({ type: 'hello', protocol: 1 });
    expect(answer.type).toBe('report');
    const { report } = answer;
    expect(report.gpu).toMatchObject({ vendor: 'google', architecture: 'swiftshader', isSoftware: true });
    expect(report.gpuAbsence).toBeNull();
    const small = { ...report, cores: 2, memoryGibibytes: 8 };
    expect(choose(small)).toEqual({ choice: null, reason: 'software-adapter' });
    expect(choose(small, true).choice).toMatchObject({ model: { id: 'qwen3-0.6b' }, variant: { id: 'q4f32' } });
  });

  it('GPU-06: recognises it by the flag that older browsers have on the adapter, and by its name', async () => {
    const hideInfo = `const given = GPUAdapter.prototype; Object.defineProperty(given, 'info', { get: () => ({ vendor: 'google', architecture: '' }) });`;
    opened = await open(browser, `${hideInfo} Object.defineProperty(given, 'isFallbackAdapter', { get: () => true })`);
    expect((await probe(opened.page)).gpu?.isSoftware).toBe(true);
    await opened.context.close();
    opened = await open(browser, hideInfo);
    expect((await probe(opened.page)).gpu?.isSoftware).toBe(false);
    await opened.context.close();
    opened = await open(browser, `Object.defineProperty(GPUAdapter.prototype, 'info', { get: () => ({ vendor: 'microsoft', architecture: '', description: 'Microsoft Basic Render Driver' }) })`);
    expect((await probe(opened.page)).gpu?.isSoftware).toBe(true);
  });

  it('GPU-02: reports features and limits, so that the form of the weights is known before any byte of them', async () => {
    opened = await open(browser);
    const report = await probe(opened.page);
    expect(report.gpu?.features).not.toContain('shader-f16');
    expect(report.gpu?.maxBufferBytes).toBeGreaterThanOrEqual(256 * 2 ** 20);
    expect(report.gpu?.maxStorageBufferBytes).toBeGreaterThanOrEqual(128 * 2 ** 20);
    expect(report.gpu?.maxWorkgroupBytes).toBeGreaterThanOrEqual(16_384);
    expect(report.gpu?.maxStorageBuffers).toBeGreaterThanOrEqual(8);
    expect(choose(report, true).choice?.variant.features).toEqual([]);
  });

  it('measures the speed of GPU and processor and what else decides, and asks for nothing but its own scripts', async () => {
    opened = await open(browser);
    const report = await probe(opened.page);
    expect(report.gpu?.gigaflops).toBeGreaterThan(0);
    expect(report.cpuGigaflops).toBeGreaterThan(0);
    expect(report.cores).toBe(await opened.page.evaluate(() => navigator.hardwareConcurrency));
    expect(report.memoryGibibytes).toBe(await opened.page.evaluate(() => (navigator as { deviceMemory?: number }).deviceMemory));
    expect(report.storage?.quotaBytes).toBeGreaterThan(0);
    expect(report).toMatchObject({ isMobile: false, isCrossOriginIsolated: false, wasm: { simd: true, memory64: true, heapBytes: 4 * 2 ** 30, jspi: true } });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(opened.seen.requests.filter((address) => !/^http:\/\/127\.0\.0\.1:\d+\/(js\/src\/(llm|errors)|chunks)\/[\w-]+\.js$/.test(address))).toEqual([]);
    expect(opened.seen.errors).toEqual([]);
  });

  it('gives no speed for a GPU that multiplies wrongly, fails or never ends, and still reports the rest', async () => {
    const broken = [
      `GPUComputePassEncoder.prototype.dispatchWorkgroups = () => {}`,
      `GPUAdapter.prototype.requestDevice = () => Promise.reject(new Error('refused'))`,
      `GPUQueue.prototype.onSubmittedWorkDone = () => new Promise(() => {})`,
    ];
    for (const prelude of broken) {
      opened = await open(browser, prelude);
      const report = await probe(opened.page);
      expect(report.gpu).toMatchObject({ vendor: 'google', gigaflops: null });
      expect(report.wasm.simd).toBe(true);
      await opened.context.close();
    }
  });

  it.each([
    ['GPU-13: has none in workers', `delete WorkerNavigator.prototype.gpu`, 'absent'],
    ['GPU-01: gives no adapter', `GPU.prototype.requestAdapter = () => Promise.resolve(null)`, 'no-adapter'],
    ['throws when asked', `GPU.prototype.requestAdapter = () => { throw new Error('blocked') }`, 'failed'],
    ['never answers', `GPU.prototype.requestAdapter = () => new Promise(() => {})`, 'failed'],
  ])('%s: reports no GPU and goes on', async (_name, prelude, absence) => {
    opened = await open(browser, prelude);
    const report = await probe(opened.page);
    expect(report).toMatchObject({ gpu: null, gpuAbsence: absence, wasm: { simd: true } });
    expect(choose({ ...report, cores: 2 })).toEqual({ choice: null, reason: 'no-adapter' });
    expect(opened.seen.errors).toEqual([]);
  });

  it('GPU-12: reports what WebAssembly refuses', async () => {
    opened = await open(browser, `WebAssembly.validate = () => false; WebAssembly.Memory = class { constructor() { throw new RangeError('Out of memory') } }; delete WebAssembly.Suspending`);
    const report = await probe(opened.page);
    expect(report.wasm).toEqual({ simd: false, memory64: false, heapBytes: 0, jspi: false });
    await opened.context.close();
    opened = await open(browser, `const Memory = WebAssembly.Memory; WebAssembly.Memory = class { constructor(asked) { if (asked.maximum > 16384n) throw new RangeError('Out of memory'); return new Memory(asked) } }`);
    expect((await probe(opened.page)).wasm).toEqual({ simd: true, memory64: true, heapBytes: 2 ** 30, jspi: true });
  });

  it('reports no storage where the browser never tells it', async () => {
    opened = await open(browser, `StorageManager.prototype.estimate = () => new Promise(() => {})`);
    expect(await probe(opened.page)).toMatchObject({ storage: null, gpu: { isSoftware: true } });
  });

  it('tells a phone by its name', async () => {
    opened = await open(browser, `Object.defineProperty(WorkerNavigator.prototype, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)' })`);
    expect((await probe(opened.page)).isMobile).toBe(true);
  });

  it.each([
    ['is missing', '', 404],
    ['throws', `throw new Error('broken')`, 200],
    ['says hello and then nothing', `postMessage({ type: 'hello', protocol: 1 })`, 200],
    ['breaks when asked', `postMessage({ type: 'hello', protocol: 1 }); addEventListener('message', () => { throw new Error('broken') })`, 200],
  ])('reports a silent worker where its script %s', async (_name, body, status) => {
    opened = await open(browser);
    await opened.page.route('**/chunks/probe-worker.js', (route) => route.fulfill({ contentType: 'text/javascript', body, status }));
    const report = await probe(opened.page);
    expect(report).toMatchObject({ gpu: null, gpuAbsence: 'silent' });
    expect(choose(report).reason).toBe('runtime-failed');
    expect(opened.seen.errors).toEqual([]);
  });

  it('reports under the strict policy of the README without an error', async () => {
    opened = await open(browser, null, strict.origin);
    const report = await probe(opened.page);
    expect(report.gpu !== null || report.gpuAbsence === 'silent').toBe(true);
    expect(opened.seen.errors).toEqual([]);
  });

  it('ends at once when it is aborted, with the reason given', async () => {
    opened = await open(browser, `addEventListener('message', (event) => event.stopImmediatePropagation())`);
    const reason = await opened.page.evaluate<string>(`
      const controller = new AbortController();
      globalThis.signal = controller.signal;
      setTimeout(() => controller.abort(new DOMException('enough', 'AbortError')), 300);
      ${PROBE}.then(() => 'reported', String);
    `);
    expect(reason).toBe('AbortError: enough');
  });

  it('leaves no worker behind', async () => {
    opened = await open(browser);
    await probe(opened.page);
    await expect.poll(() => opened.page.workers().length).toBe(0);
  });
});

describe('without an adapter', () => {
  it.each([
    ['has nothing behind WebGPU', ['--disable-gpu', '--disable-software-rasterizer'], () => server.origin, 'no-adapter'],
    ['shows WebGPU to safe pages only', ['--host-resolver-rules=MAP clinic.test 127.0.0.1'], () => `http://clinic.test:${String(server.port)}`, 'absent'],
  ])('GPU-01: says why there is no GPU where the browser %s, and the choice falls', async (_name, args, origin, absence) => {
    const browser = await launchBrowser({ args });
    try {
      const { page, seen } = await open(browser, null, origin());
      const report = await probe(page);
      expect(report).toMatchObject({ gpu: null, gpuAbsence: absence });
      expect(choose({ ...report, cores: 2 })).toEqual({ choice: null, reason: 'no-adapter' });
      expect(seen.errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
