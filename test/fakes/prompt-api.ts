import { ModelError } from '../../src/errors/model-error.js';
import type { ChatMessage, JsonSchema } from '../../src/llm/language-model.js';
import type { FakeLanguageModel } from './fake-language-model.js';

export interface PromptApiOptions {
  /** What `availability` says, or fails with. @default available */
  readonly availability?: string | Error;
  /** `create` fails with this. */
  readonly createError?: Error;
  /** Names of the fields: those of today, or those that came before. @default context */
  readonly names?: 'context' | 'input' | 'none';
  /** Shares that `downloadprogress` tells while the model is fetched. */
  readonly downloads?: readonly number[];
  /** Signals are not looked at, and nothing settles by them. @default false */
  readonly isDeaf?: boolean;
  /** Answers by the question, as Chromium without a model does. @default false */
  readonly isEcho?: boolean;
  /** @default that of the fake model */
  readonly contextWindow?: number;
}

interface CreateOptions {
  readonly initialPrompts?: readonly ChatMessage[];
  readonly expectedInputs?: unknown;
  readonly expectedOutputs?: unknown;
  readonly signal?: AbortSignal;
  readonly monitor?: (events: EventTarget) => void;
}

/** Tokens that measuring adds to every text, as Chrome does. */
const TEMPLATE_TOKENS = 9;
const MUCH = 100_000;
const TRIAL = /^Is water wet|^水是湿的吗/;

/** Chrome's `LanguageModel` as a page sees it, with a fake model behind it. */
export class PromptApi {
  readonly availabilityCalls: unknown[] = [];
  readonly creates: CreateOptions[] = [];
  /** Options of each `promptStreaming`. */
  readonly prompts: { readonly input: string; readonly responseConstraint?: unknown }[] = [];
  openSessions = 0;
  sessionsMade = 0;
  readonly #model: FakeLanguageModel;
  readonly #options: PromptApiOptions;

  constructor(model: FakeLanguageModel, options: PromptApiOptions = {}) {
    this.#model = model;
    this.#options = options;
  }

  /** Puts it where pages find it; returns what takes it away again. */
  install(): () => void {
    Object.assign(globalThis, { LanguageModel: this });
    return () => void Reflect.deleteProperty(globalThis, 'LanguageModel');
  }

  availability(options: unknown): Promise<string> {
    this.availabilityCalls.push(options);
    const { availability = 'available' } = this.#options;
    return typeof availability === 'string' ? Promise.resolve(availability) : Promise.reject(availability);
  }

  async create(options: CreateOptions = {}): Promise<Record<string, unknown>> {
    this.creates.push(options);
    const { createError, isDeaf = false, downloads = [] } = this.#options;
    if (createError !== undefined) throw createError;
    if (!isDeaf) options.signal?.throwIfAborted();
    const events = new EventTarget();
    options.monitor?.(events);
    for (const loaded of downloads) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (!isDeaf) options.signal?.throwIfAborted();
      events.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }));
    }
    const used = await this.#tokensOf(options.initialPrompts ?? []);
    if (used >= this.#model.contextTokens) throw new DOMException('too large', 'QuotaExceededError');
    this.openSessions++;
    this.sessionsMade++;
    return this.#session(options.initialPrompts ?? [], used);
  }

  async #tokensOf(messages: readonly ChatMessage[]): Promise<number> {
    let tokens = 0;
    for (const { content } of messages) tokens += (await this.#model.countTokens(content)) + TEMPLATE_TOKENS;
    return tokens;
  }

  #session(initial: readonly ChatMessage[], used: number): Record<string, unknown> {
    const { names = 'context', contextWindow = this.#model.contextTokens } = this.#options;
    let isDestroyed = false;
    const stop = new AbortController();
    const measure = async (input: string): Promise<number> => (await this.#model.countTokens(input)) + TEMPLATE_TOKENS;
    const fields = { context: { contextWindow, contextUsage: used, measureContextUsage: measure }, input: { inputQuota: contextWindow, inputUsage: used, measureInputUsage: measure }, none: {} }[names];
    return {
      ...fields,
      promptStreaming: (input: string, options: { signal?: AbortSignal; responseConstraint?: JsonSchema }) => {
        if (isDestroyed) throw new DOMException('destroyed', 'InvalidStateError');
        const single = (text: string): ReadableStream<string> => new Blob([text]).stream().pipeThrough(new TextDecoderStream());
        if (this.#options.isEcho === true) return single(`No model here, only an echo:\n${input}`);
        // The trial of the adapter, not a request.
        if (initial.length === 0 && TRIAL.test(input)) return single('Yes.');
        this.prompts.push({ input, ...(options.responseConstraint === undefined ? {} : { responseConstraint: options.responseConstraint }) });
        return this.#stream([...initial, { role: 'user', content: input }], options, stop.signal);
      },
      destroy: () => {
        if (isDestroyed) return;
        isDestroyed = true;
        this.openSessions--;
        stop.abort(new DOMException('destroyed', 'AbortError'));
      },
    };
  }

  #stream(messages: readonly ChatMessage[], { signal, responseConstraint }: { signal?: AbortSignal; responseConstraint?: JsonSchema }, destroyed: AbortSignal): ReadableStream<string> {
    const stop = new AbortController();
    const isDeaf = this.#options.isDeaf === true;
    return new ReadableStream<string>({
      start: (controller) => {
        for (const one of isDeaf ? [destroyed] : [signal, destroyed]) one?.addEventListener('abort', () => stop.abort(one.reason), { once: true });
        const write = async (): Promise<void> => {
          const events = this.#model.chat({ messages, maxTokens: MUCH, signal: stop.signal, ...(responseConstraint === undefined ? {} : { schema: responseConstraint }) });
          for await (const event of events) if (event.type === 'delta') controller.enqueue(event.text);
          controller.close();
        };
        write().catch((error: unknown) => controller.error(error instanceof ModelError ? new DOMException('scripted', error.code === 'context-overflow' ? 'QuotaExceededError' : 'UnknownError') : error));
      },
      cancel: () => stop.abort(),
    });
  }
}
