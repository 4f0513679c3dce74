import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ModelError } from '../../src/errors/model-error.js';
import type { ErrorCode } from '../../src/errors/codes.js';
import type { ChatEvent, ChatRequest, LanguageModel, ModelProgress, RuntimeName } from '../../src/llm/language-model.js';
import type { Language } from '../../src/bundle/bundle.js';
import { buildPage } from '../browser/build-page.js';
import { type PageRecord, record, serve, type TestServer } from '../browser/launch.js';
import type { PageApi, PageFailure, PageLoad, PageMessage } from './pages/model-page.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT = join(ROOT, 'test/output/model-page');

declare global {
  var models: PageApi;
}

/** Bundles the page's script; the workers are those of the build. */
export async function buildModelPage(): Promise<void> {
  await buildPage('test/llm/pages/model-page.ts');
}

/** Where the WebLLM test models lie (`tiny/`, `tiny.wasm`); undefined where there are none. */
export function webLlmModels(): string | undefined {
  const directory = process.env.ANAMNESIS_WEBLLM_MODELS;
  return directory !== undefined && existsSync(join(directory, 'tiny.wasm')) ? directory : undefined;
}

/** What to load of a WebLLM test model that is served under its name. */
export function webLlmLoad(directory: string, name: string, contextTokens: number): PageLoad {
  const files = Object.fromEntries(readdirSync(join(directory, name, 'resolve/main')).map((file) => [file, `/${name}/resolve/main/${file}`]));
  return { runtime: 'web-llm', files: { ...files, [`lib/${name}.wasm`]: `/${name}.wasm` }, library: `lib/${name}.wasm`, contextTokens, workerBase: '/chunks/' };
}

/** A GGUF file for wllama. */
export function ggufLoad(file: string, gpu: boolean, contextTokens: number): PageLoad {
  return { runtime: 'wllama', files: { 'model.gguf': `/${file}` }, gpu, contextTokens, workerBase: '/chunks/' };
}

/** Serves the page, the built workers and the models. */
export function serveModels(roots: readonly string[], options: { readonly csp?: string | null; readonly headers?: Readonly<Record<string, string>> } = {}): Promise<TestServer> {
  const built = process.env.ANAMNESIS_DIST;
  return serve({ csp: null, ...options, roots: [OUTPUT, ...(built === undefined ? [] : [built]), ...roots] });
}

export const directoryOf = (path: string): string => dirname(path);

/** A page in which models run; each call goes through it. */
export class ModelPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly seen: PageRecord;
  /** Codes of restarts and losses, as they came. */
  readonly restarts: string[] = [];
  readonly #handlers = new Map<string, (message: never) => void>();
  #lastId = 0;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    this.seen = record(page);
  }

  static async open(browser: Browser, origin: string): Promise<ModelPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const opened = new ModelPage(context, page);
    await page.exposeBinding('toTest', (_source, message: PageMessage) => opened.#receive(message));
    await page.goto(`${origin}/model-page.html`);
    await page.waitForFunction(() => 'models' in globalThis);
    return opened;
  }

  /** Workers that were created and terminated by the page. */
  workers(): Promise<{ created: number; terminated: number }> {
    return this.page.evaluate(() => globalThis.models.workers);
  }

  /** Loads a model in the page. */
  async load(load: PageLoad, onProgress: (progress: ModelProgress) => void = () => undefined): Promise<PageModel> {
    const id = ++this.#lastId;
    this.#handlers.set(`progress ${String(id)}`, onProgress);
    const opened = await this.page.evaluate(([number, options]) => globalThis.models.open(number, options), [id, load] as const);
    if ('failure' in opened) throw errorOf(opened.failure);
    return new PageModel(this, id, opened.value);
  }

  on(name: string, handler: (message: never) => void): void {
    this.#handlers.set(name, handler);
  }

  nextId(): number {
    return ++this.#lastId;
  }

  #receive(message: PageMessage): void {
    if (message.type === 'restart') this.restarts.push(message.code);
    const id = 'chat' in message ? message.chat : message.model;
    this.#handlers.get(`${message.type} ${String(id)}`)?.(message as never);
  }
}

/** A model in a page, as if it were here. */
export class PageModel implements LanguageModel {
  readonly id: string;
  readonly runtime: RuntimeName;
  readonly device: 'gpu' | 'cpu' | 'elsewhere';
  readonly contextTokens: number;
  readonly parameters: number | null;
  readonly languages: readonly Language[];
  readonly lost: Promise<ModelError>;
  readonly #page: ModelPage;
  readonly #number: number;

  constructor(page: ModelPage, number: number, about: Pick<LanguageModel, 'id' | 'runtime' | 'device' | 'contextTokens' | 'parameters' | 'languages'>) {
    ({ id: this.id, runtime: this.runtime, device: this.device, contextTokens: this.contextTokens, parameters: this.parameters, languages: this.languages } = about);
    this.#page = page;
    this.#number = number;
    this.lost = new Promise((resolve) => page.on(`lost ${String(number)}`, (message: { code: ErrorCode }) => resolve(new ModelError(message.code, 'lost in the page'))));
  }

  async *chat({ signal, ...request }: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    const { page } = this.#page;
    const id = this.#page.nextId();
    const waiting: (ChatEvent | { readonly failure: PageFailure | null })[] = [];
    let wake: () => void = () => undefined;
    const take = (item: (typeof waiting)[number]): void => {
      waiting.push(item);
      wake();
    };
    this.#page.on(`event ${String(id)}`, (message: { event: ChatEvent }) => take(message.event));
    this.#page.on(`done ${String(id)}`, (message: { failure: PageFailure | null }) => take({ failure: message.failure }));
    const abort = (): void => void page.evaluate((chat) => globalThis.models.abort(chat), id).catch(() => undefined);
    const begun = page.evaluate(([chat, model, options]) => globalThis.models.chat(chat, model, options), [id, this.#number, { ...request, isAborted: signal?.aborted === true }] as const);
    signal?.addEventListener('abort', abort);
    let isDone = false;
    try {
      await begun;
      for (;;) {
        const item = waiting.shift();
        if (item === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if ('failure' in item) {
          isDone = true;
          if (item.failure === null) return;
          throw item.failure.kind === 'abort' ? (signal?.reason as Error) : errorOf(item.failure);
        } else yield item;
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      if (!isDone) await page.evaluate((chat) => globalThis.models.leave(chat), id);
    }
  }

  async countTokens(text: string): Promise<number> {
    const counted = await this.#page.page.evaluate(([model, words]) => globalThis.models.count(model, words), [this.#number, text] as const);
    if ('failure' in counted) throw errorOf(counted.failure);
    return counted.value;
  }

  async dispose(): Promise<void> {
    const disposed = await this.#page.page.evaluate((model) => globalThis.models.dispose(model), this.#number);
    if ('failure' in disposed) throw errorOf(disposed.failure);
  }
}

function errorOf({ kind, code, message }: PageFailure): Error {
  if (kind === 'model') return new ModelError(code as ErrorCode, message);
  return kind === 'range' ? new RangeError(message) : new Error(message);
}
