import type { Language } from '../bundle/bundle.js';
import type { ModelError } from '../errors/model-error.js';

/**
 * The port to a language model, whatever runs it: a runtime in a worker of ours, the browser's own model, an object of
 * the host page, a server (command line only). `test/conformance/language-model.ts` holds every adapter to it.
 */

/** What runs the model. */
export type RuntimeName = 'web-llm' | 'wllama' | 'built-in' | 'host' | 'server' | 'fake';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** Plain text. Markers of chat templates in it are text too: no adapter lets them become turns. */
  readonly content: string;
}

/** A JSON schema; the subset that all runtimes can constrain: object, array, string, integer, boolean, enum, const, items, properties, required, minItems, maxItems, maxLength. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ChatRequest {
  /** In order; a system message only first; the last one is the user's. */
  readonly messages: readonly ChatMessage[];
  /** Tokens of the reply at most; at least 1. A reply cut there ends with `length`. */
  readonly maxTokens: number;
  /** 0 to 2. @default 0 */
  readonly temperature?: number;
  /** Same seed, same reply, where the runtime can. @default 0 */
  readonly seed?: number;
  /** The reply is JSON of this schema, as far as the runtime can constrain it: the caller still checks. */
  readonly schema?: JsonSchema;
  /** Aborting rejects with its reason within 300 ms, whether the request waits, reads the prompt or writes. */
  readonly signal?: AbortSignal;
}

export type ChatEvent =
  /** Whole code points only. Thinking blocks are not taken out here. */
  | { readonly type: 'delta'; readonly text: string }
  /** Comes once, last. */
  | { readonly type: 'end'; readonly reason: 'stop' | 'length'; readonly promptTokens: number; readonly replyTokens: number };

/** Bytes fetched or read so far and in all; never falls, never above the total. `totalBytes` 0: unknown. */
export interface ModelProgress {
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

/** A loaded model. An adapter is a function that loads one: `load…(options): Promise<LanguageModel>`. */
export interface LanguageModel {
  /** Of the catalogue, or the host's or the server's own name. */
  readonly id: string;
  readonly runtime: RuntimeName;
  /** What computes. `elsewhere`: not this page. */
  readonly device: 'gpu' | 'cpu' | 'elsewhere';
  /** Prompt and reply together fit into so many tokens. */
  readonly contextTokens: number;
  /** Number of weights; null where not known. Decides what is asked of it. */
  readonly parameters: number | null;
  /** Languages it writes well enough. */
  readonly languages: readonly Language[];
  /**
   * Writes a reply. One request runs at a time; others wait in order. Returning early (`return()`, `break`) stops it.
   * @throws {RangeError} a request that no model could answer (no message, maxTokens below 1)
   * @throws {ModelError} context-overflow, device-lost, generation-failed, out-of-memory, model-closed
   */
  chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined>;
  /** Tokens of a text by the model's own tokenizer, without the chat template's; a caller keeps a margin for that. */
  countTokens(text: string): Promise<number>;
  /** Settles with the reason when the model dies by itself; never after `dispose`. */
  readonly lost: Promise<ModelError>;
  /** Frees GPU, memory and workers; waiting requests reject with model-closed. May be called twice. */
  dispose(): Promise<void>;
}
