import { ModelError } from '../../src/errors/model-error.js';
import { streamReply } from '../../src/llm/chat-reply.js';
import { plainText } from '../../src/llm/chat-markers.js';
import type { ChatEvent, ChatMessage, ChatRequest, JsonSchema, LanguageModel, RuntimeName } from '../../src/llm/language-model.js';
import { TurnQueue } from '../../src/llm/turn-queue.js';
import type { Language } from '../../src/bundle/bundle.js';

/** One reply of the script. */
export interface FakeReply {
  readonly text?: string;
  /** In these pieces; without it the text comes token by token. */
  readonly deltas?: readonly string[];
  /** After the text, this again and again until `maxTokens`. */
  readonly loop?: string;
  /** Ends with `length` although nothing was counted. */
  readonly cut?: boolean;
  /** After the text, rejects with this instead of an end. */
  readonly fail?: Error;
  /** After the text, the model is lost: this request and all later ones reject with it, and `lost` settles. */
  readonly die?: ModelError;
  /** After the text, silence until the request is aborted. */
  readonly hang?: boolean;
}

export type Script = string | FakeReply | ((request: ChatRequest, index: number) => string | FakeReply);

export interface FakeModelOptions {
  /** A list is used up in order, its last entry then stays. Without a script it repeats the last message, or writes JSON that fits the schema. */
  readonly script?: Script | readonly Script[];
  readonly id?: string;
  readonly runtime?: RuntimeName;
  readonly device?: 'gpu' | 'cpu' | 'elsewhere';
  /** @default 4096 */
  readonly contextTokens?: number;
  readonly parameters?: number | null;
  readonly languages?: readonly Language[];
  /** The clock. @default setTimeout */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Before the first piece. @default 0 */
  readonly firstTokenMs?: number;
  /** Before each further piece. @default 0 */
  readonly tokenMs?: number;
}

/** Rough tokens of any language: a word's letters by fours, everything else one by one. */
const TOKEN = /[A-Za-z]{1,4}|\s+|[^A-Za-z\s]/gu;
const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];
const TOKENS_A_MESSAGE = 4;

/** A small value of a schema: the same schema, the same value. */
export function valueOf(schema: JsonSchema): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const { type, properties = {}, items = {}, minItems = 0 } = schema as { type?: string; properties?: Record<string, JsonSchema>; items?: JsonSchema; minItems?: number };
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valueOf(inner)]));
  if (type === 'array') return Array.from({ length: minItems }, () => valueOf(items));
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 0 : 'text';
}

/** A language model that says what it is told to, for tests of everything that uses one. */
export class FakeLanguageModel implements LanguageModel {
  readonly id: string;
  readonly runtime: RuntimeName;
  readonly device: 'gpu' | 'cpu' | 'elsewhere';
  readonly contextTokens: number;
  readonly parameters: number | null;
  readonly languages: readonly Language[];
  readonly lost: Promise<ModelError>;
  /** Every request that began, in order. */
  readonly requests: ChatRequest[] = [];
  /** Requests that were aborted, or whose reader walked away. */
  abortedCount = 0;
  disposeCount = 0;
  readonly #options: FakeModelOptions;
  readonly #queue = new TurnQueue();
  readonly #sleep: (milliseconds: number) => Promise<void>;
  #settleLost!: (error: ModelError) => void;
  readonly #gone = new AbortController();

  constructor(options: FakeModelOptions = {}) {
    this.#options = options;
    this.id = options.id ?? 'fake';
    this.runtime = options.runtime ?? 'fake';
    this.device = options.device ?? 'cpu';
    this.contextTokens = options.contextTokens ?? 4_096;
    this.parameters = options.parameters ?? null;
    this.languages = options.languages ?? ['zh', 'en'];
    this.#sleep = options.sleep ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
    this.lost = new Promise((resolve) => {
      this.#settleLost = resolve;
    });
  }

  /** The whole text of each request, as a person would read it. */
  get prompts(): string[] {
    return this.requests.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`).join('\n'));
  }

  chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    return streamReply(request, async (push, signal) => {
      const release = await this.#queue.enter(signal);
      try {
        this.#gone.signal.throwIfAborted();
        await this.#write(request, push, signal);
      } finally {
        if (signal.aborted) this.abortedCount++;
        release();
      }
    });
  }

  countTokens(text: string): Promise<number> {
    return this.#gone.signal.aborted ? Promise.reject(this.#gone.signal.reason as ModelError) : Promise.resolve(tokensOf(plainText(text)).length);
  }

  dispose(): Promise<void> {
    this.disposeCount++;
    const closed = new ModelError('model-closed', 'The model was closed.');
    this.#gone.abort(closed);
    this.#queue.close(closed);
    return Promise.resolve();
  }

  /** Lets the model die now, between requests or in the middle of one. */
  die(error = new ModelError('device-lost', 'The fake’s device is gone.')): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort(error);
    this.#queue.close(error);
    this.#settleLost(error);
  }

  async #write(request: ChatRequest, push: (event: ChatEvent) => void, signal: AbortSignal): Promise<void> {
    const messages = request.messages.map((message): ChatMessage => ({ ...message, content: plainText(message.content) }));
    const promptTokens = messages.reduce((sum, { content }) => sum + tokensOf(content).length + TOKENS_A_MESSAGE, 0);
    if (promptTokens >= this.contextTokens) throw new ModelError('context-overflow', `The prompt has ${String(promptTokens)} tokens, the model takes ${String(this.contextTokens)}.`);
    const reply = this.#replyTo({ ...request, messages });
    this.requests.push(request);
    const room = Math.min(request.maxTokens, this.contextTokens - promptTokens);
    const pieces = reply.deltas ?? tokensOf(reply.text ?? '');
    const stop = AbortSignal.any([signal, this.#gone.signal]);
    const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    let replyTokens = 0;
    for (let at = 0; ; at++) {
      const piece = pieces[at] ?? reply.loop;
      if (piece === undefined || (replyTokens >= room && piece !== '')) break;
      // Also without delays a long reply must leave room for others.
      await Promise.race([this.#sleep((at === 0 ? this.#options.firstTokenMs : this.#options.tokenMs) ?? 0), stopped]);
      if (signal.aborted) return;
      this.#gone.signal.throwIfAborted();
      replyTokens++;
      if (piece !== '') push({ type: 'delta', text: piece });
    }
    if (reply.hang === true) {
      await stopped;
      if (signal.aborted) return;
    }
    if (reply.die !== undefined) this.die(reply.die);
    this.#gone.signal.throwIfAborted();
    if (reply.fail !== undefined) throw reply.fail;
    const isWhole = reply.cut !== true && reply.loop === undefined && replyTokens >= pieces.length;
    push({ type: 'end', reason: isWhole ? 'stop' : 'length', promptTokens, replyTokens });
  }

  #replyTo(request: ChatRequest): FakeReply {
    const index = this.requests.length;
    const { script } = this.#options;
    const entry = Array.isArray(script) ? ((script as readonly Script[])[index] ?? (script as readonly Script[]).at(-1)) : (script as Script | undefined);
    const reply = typeof entry === 'function' ? entry(request, index) : entry;
    if (reply === undefined) return { text: request.schema === undefined ? `You said: ${request.messages.at(-1)!.content}` : JSON.stringify(valueOf(request.schema)) };
    return typeof reply === 'string' ? { text: reply } : reply;
  }
}
