import type { Language } from '../bundle/bundle.js';
import { ModelError } from '../errors/model-error.js';
import { plainText } from './chat-markers.js';
import { streamReply } from './chat-reply.js';
import { CodePoints } from './code-points.js';
import type { ChatEvent, ChatMessage, ChatRequest, JsonSchema, LanguageModel, ModelProgress } from './language-model.js';
import { OpenRequests, untilAborted } from './open-requests.js';
import { estimateTokens } from './prompt-size.js';
import { TurnQueue } from './turn-queue.js';

export interface BuiltInOptions {
  /** The browser is asked for exactly this one. */
  readonly language: Language;
  /** The browser tells shares, no bytes: both numbers stay 0 while it fetches its model. */
  readonly onProgress?: (progress: ModelProgress) => void;
  readonly signal?: AbortSignal;
}

/** A session of the browser's Prompt API. Two names of a field: the later one first, browsers have either. */
interface PromptSession {
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  measureContextUsage?(input: string): Promise<number>;
  measureInputUsage?(input: string): Promise<number>;
  promptStreaming(input: string, options: { readonly signal: AbortSignal; readonly responseConstraint?: JsonSchema }): ReadableStream<string>;
  destroy(): void;
}

interface ExpectedText {
  readonly expectedInputs: readonly { readonly type: 'text'; readonly languages: readonly string[] }[];
  readonly expectedOutputs: ExpectedText['expectedInputs'];
}

interface PromptApi {
  availability(options: ExpectedText): Promise<string>;
  create(options: ExpectedText & { readonly initialPrompts?: readonly ChatMessage[]; readonly signal?: AbortSignal; readonly monitor?: (monitor: EventTarget) => void }): Promise<PromptSession>;
}

/** Chromium without Google's model has the interface all the same, and behind it only an echo; the answer to this tells them apart. */
const TRIAL: Readonly<Record<Language, string>> = { en: 'Is water wet? Answer with one word.', zh: '水是湿的吗？只回答一个字。' };
const TRIAL_LENGTH = 200;
const FIT: readonly string[] = ['available', 'downloadable', 'downloading'];
const DEFAULT_CONTEXT_TOKENS = 4_096;
/** Taken where the browser states no limit. */
const UNLIMITED_TOKENS = 32_768;

function expected(language: Language): ExpectedText {
  const texts = [{ type: 'text', languages: [language] }] as const;
  return { expectedInputs: texts, expectedOutputs: texts };
}

/** Whether the browser has its own model on the device already, for this language. Asks nothing of any network, never rejects. */
export async function isBuiltInHere(language: Language): Promise<boolean> {
  try {
    const api = (globalThis as { readonly LanguageModel?: PromptApi }).LanguageModel;
    return api !== undefined && (await api.availability(expected(language))) === 'available';
  } catch {
    return false;
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
const unavailable = (why: string, retryable = false): ModelError => new ModelError('built-in-unavailable', `The browser’s own model cannot be used: ${why}.`, { modelId: 'built-in', retryable });

/**
 * The browser's own model (Prompt API; page only, no worker). Where the browser must fetch it first, call this from a
 * click. The reply's length is counted by the pieces that come, seed and temperature are the browser's own.
 * @throws {ModelError} built-in-unavailable: not there, not for this language, refused, a mere echo, or failed in any way
 */
export async function loadBuiltIn({ language, onProgress, signal }: BuiltInOptions): Promise<LanguageModel> {
  const text = expected(language);
  return new OpenRequests().run(signal, async (inner) => {
    try {
      const api = (globalThis as { readonly LanguageModel?: PromptApi }).LanguageModel;
      if (api === undefined) throw unavailable('this browser has none');
      const availability = await api.availability(text);
      if (!FIT.includes(availability)) throw unavailable(`it says “${availability}” for the language ${language}`);
      inner.throwIfAborted();
      const monitor = (events: EventTarget): void => events.addEventListener('downloadprogress', () => onProgress?.({ loadedBytes: 0, totalBytes: 0 }));
      const session = await api.create({ ...text, signal: inner, monitor });
      try {
        inner.throwIfAborted();
        const templateTokens = (await measure(session, '')) ?? 0;
        if (await echoes(session, TRIAL[language], inner)) throw unavailable('it only repeats what it is asked');
        return new BuiltInModel(api, text, session, language, templateTokens);
      } catch (error) {
        session.destroy();
        throw error;
      }
    } catch (error) {
      throw error instanceof ModelError ? error : unavailable(nameOf(error), nameOf(error) === 'NotAllowedError');
    }
  });
}

/** Tokens of a text with the template around it; null where the browser does not say. */
async function measure(session: PromptSession, text: string): Promise<number | null> {
  try {
    const tokens = await (session.measureContextUsage?.(text) ?? session.measureInputUsage?.(text));
    return typeof tokens === 'number' && tokens >= 0 ? Math.round(tokens) : null;
  } catch {
    return null;
  }
}

async function echoes(session: PromptSession, question: string, signal: AbortSignal): Promise<boolean> {
  const reader = session.promptStreaming(question, { signal }).getReader();
  let reply = '';
  while (reply.length < TRIAL_LENGTH) {
    const piece = await untilAborted(reader.read(), signal);
    if (piece.done) break;
    reply += piece.value;
  }
  reader.cancel().catch(() => undefined);
  return reply.includes(question);
}

class BuiltInModel implements LanguageModel {
  readonly id = 'built-in';
  readonly runtime = 'built-in';
  readonly device = 'gpu';
  readonly contextTokens: number;
  readonly parameters = null;
  readonly languages: readonly Language[];
  /** Never: the browser says nothing, and makes its next session anew. */
  readonly lost = new Promise<ModelError>(() => undefined);
  readonly #api: PromptApi;
  readonly #text: ExpectedText;
  /** Holds the model in memory, and measures. */
  readonly #session: PromptSession;
  readonly #templateTokens: number;
  readonly #requests = new OpenRequests();
  readonly #queue = new TurnQueue();
  #isDisposed = false;

  constructor(api: PromptApi, text: ExpectedText, session: PromptSession, language: Language, templateTokens: number) {
    this.#api = api;
    this.#text = text;
    this.#session = session;
    this.#templateTokens = templateTokens;
    this.languages = [language];
    const window = session.contextWindow ?? session.inputQuota ?? DEFAULT_CONTEXT_TOKENS;
    this.contextTokens = window === Infinity ? UNLIMITED_TOKENS : Math.floor(window);
  }

  chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    return streamReply(request, (push, outer) =>
      this.#requests.run(outer, async (signal) => {
        const release = await this.#queue.enter(signal);
        try {
          await this.#write(request, push, signal);
        } catch (error) {
          if (signal.aborted || error instanceof ModelError) throw error;
          if (nameOf(error) === 'QuotaExceededError') throw this.#overflow();
          throw new ModelError('generation-failed', `The browser’s own model failed (${nameOf(error)}).`, { modelId: this.id, retryable: true });
        } finally {
          release();
        }
      }),
    );
  }

  countTokens(text: string): Promise<number> {
    return this.#requests.run(undefined, async () => {
      const plain = plainText(text);
      const tokens = await measure(this.#session, plain);
      return tokens === null ? estimateTokens(plain) : Math.max(0, tokens - this.#templateTokens);
    });
  }

  dispose(): Promise<void> {
    this.#requests.close();
    if (!this.#isDisposed) this.#session.destroy();
    this.#isDisposed = true;
    return Promise.resolve();
  }

  /** Each request has a session of its own, made of the turns before it, so that none leaks into the next. */
  async #write({ messages, maxTokens, schema }: ChatRequest, push: (event: ChatEvent) => void, signal: AbortSignal): Promise<void> {
    const plain = messages.map(({ role, content }): ChatMessage => ({ role, content: plainText(content) }));
    const last = plain.at(-1)!.content;
    const creating = this.#api.create({ ...this.#text, initialPrompts: plain.slice(0, -1), signal });
    const session = await untilAborted(creating, signal).catch((error: unknown) => {
      creating.then((late) => late.destroy(), () => undefined);
      throw error;
    });
    try {
      const promptTokens = (session.contextUsage ?? session.inputUsage ?? 0) + ((await measure(session, last)) ?? estimateTokens(last));
      if (promptTokens >= this.contextTokens) throw this.#overflow();
      const reader = session.promptStreaming(last, { signal, ...(schema === undefined ? {} : { responseConstraint: schema }) }).getReader();
      const points = new CodePoints();
      let replyTokens = 0;
      let isDone = false;
      while (!isDone && replyTokens < maxTokens) {
        const piece = await untilAborted(reader.read(), signal);
        isDone = piece.done;
        const text = piece.done ? points.end() : points.push(piece.value);
        if (!piece.done) replyTokens += Math.max(1, estimateTokens(piece.value));
        if (text !== '') push({ type: 'delta', text });
      }
      reader.cancel().catch(() => undefined);
      push({ type: 'end', reason: isDone ? 'stop' : 'length', promptTokens, replyTokens });
    } finally {
      session.destroy();
    }
  }

  #overflow(): ModelError {
    return new ModelError('context-overflow', `The prompt is too long for the browser’s own model, which takes ${String(this.contextTokens)} tokens.`, { modelId: this.id });
  }
}
