import type { ErrorCode } from '../errors/codes.js';
import type { ChatRequest } from './language-model.js';

/** What page and model worker say to each other, after the worker's hello. Everything about a request carries its `id`. */

/** A request as it crosses to the worker: chat markers already broken, no signal. */
export type WireRequest = Required<Pick<ChatRequest, 'messages' | 'maxTokens' | 'temperature' | 'seed'>> & Pick<ChatRequest, 'schema'>;

/** What every runtime needs to load a model. */
export interface LoadOptions {
  readonly modelId: string;
  /** Fetched and verified; by path under the model's directory. */
  readonly files: ReadonlyMap<string, Blob>;
  readonly contextTokens: number;
  /** Writes a thinking block unless told not to. */
  readonly thinks: boolean;
}

export type ToModelWorker<Load extends LoadOptions = LoadOptions> =
  | { readonly type: 'load'; readonly id: number; readonly options: Load }
  | { readonly type: 'chat'; readonly id: number; readonly request: WireRequest }
  /** Stops the chat of that id; its end or failure still comes. */
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'count'; readonly id: number; readonly text: string }
  | { readonly type: 'dispose'; readonly id: number };

/** Why something did not work, in words that hold nothing of a prompt or a reply. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

export type FromModelWorker =
  | { readonly type: 'progress'; readonly id: number; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly type: 'loaded'; readonly id: number; readonly device: 'gpu' | 'cpu'; readonly contextTokens: number }
  /** The prompt is still being read. */
  | { readonly type: 'alive'; readonly id: number }
  | { readonly type: 'delta'; readonly id: number; readonly text: string }
  | { readonly type: 'end'; readonly id: number; readonly reason: 'stop' | 'length'; readonly promptTokens: number; readonly replyTokens: number }
  | { readonly type: 'counted'; readonly id: number; readonly tokens: number }
  | { readonly type: 'disposed'; readonly id: number }
  /** The request of that id is over; the model goes on. */
  | ({ readonly type: 'failed'; readonly id: number } & Failure)
  /** The model is gone; no request of this worker will be answered any more. */
  | ({ readonly type: 'lost' } & Failure);
