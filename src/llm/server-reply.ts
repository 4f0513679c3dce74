import { ModelError } from '../errors/model-error.js';
import { CodePoints } from './code-points.js';
import { readEvents } from './event-stream.js';

/** How a reply ended; null where the server does not count. */
export interface ServerReply {
  readonly reason: 'stop' | 'length';
  readonly text: string;
  readonly promptTokens: number | null;
  readonly replyTokens: number | null;
}

/** The parts that are read of an answer of `chat/completions`, whole or one piece of its stream. */
interface Completion {
  readonly choices?: readonly { readonly delta?: { readonly content?: unknown }; readonly message?: { readonly content?: unknown }; readonly finish_reason?: unknown }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
  readonly error?: unknown;
}

const OVERFLOW = /context[ _](?:length|size|window)|maximum context/i;

/** Whether a server's error object or text says that the prompt is too long for the model. */
export function saysOverflow(error: unknown): boolean {
  return OVERFLOW.test(typeof error === 'string' ? error : (JSON.stringify(error) ?? ''));
}

export function contextOverflow(contextTokens: number): ModelError {
  return new ModelError('context-overflow', `The model server refuses the prompt as too long; it takes ${String(contextTokens)} tokens.`);
}

const countOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null);

/**
 * Reads the answer to a chat request to its end, a stream or, from servers that stream nothing, one object.
 * @param onText each piece of the reply's text, in whole characters
 * @throws {ModelError} generation-failed: an error in mid-reply, or the stream broke off; context-overflow
 */
export async function readReply(answer: Response, contextTokens: number, inTime: <T>(wait: Promise<T>) => Promise<T>, onText: (text: string) => void): Promise<ServerReply> {
  const points = new CodePoints();
  let text = '';
  let finish: unknown;
  let usage: Completion['usage'];
  const add = (piece: string): void => {
    if (piece === '') return;
    text += piece;
    onText(piece);
  };
  for await (const data of piecesOf(answer, inTime)) {
    const piece = completionOf(data);
    if (piece.error !== undefined && piece.error !== null) {
      throw saysOverflow(piece.error) ? contextOverflow(contextTokens) : new ModelError('generation-failed', 'The model server reported an error in the middle of a reply.', { retryable: true });
    }
    const choice = piece.choices?.[0];
    const content = choice?.delta?.content ?? choice?.message?.content;
    if (typeof content === 'string') add(points.push(content));
    finish = choice?.finish_reason ?? finish;
    usage = piece.usage ?? usage;
  }
  add(points.end());
  if (typeof finish !== 'string') throw new ModelError('generation-failed', 'The model server’s reply broke off.', { retryable: true });
  return { reason: finish === 'length' ? 'length' : 'stop', text, promptTokens: countOf(usage?.prompt_tokens), replyTokens: countOf(usage?.completion_tokens) };
}

async function* piecesOf(answer: Response, inTime: <T>(wait: Promise<T>) => Promise<T>): AsyncGenerator<string, void, undefined> {
  if (answer.body === null) return;
  if (answer.headers.get('content-type')?.includes('application/json') === true) {
    yield await inTime(answer.text());
    return;
  }
  for await (const data of readEvents(answer.body, inTime)) {
    if (data === '[DONE]') return;
    yield data;
  }
}

function completionOf(data: string): Completion {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new ModelError('generation-failed', 'The model server sent a piece of a reply that is no JSON.');
  }
  return typeof value === 'object' && value !== null ? value : {};
}
