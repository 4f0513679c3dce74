import type { ChatEvent, ChatRequest } from './language-model.js';

/** A RangeError where no model could answer the request. */
export function checkRequest({ messages, maxTokens, temperature = 0, seed = 0 }: ChatRequest): void {
  if (messages.length === 0) throw new RangeError('A request needs at least one message.');
  if (messages.at(-1)!.role !== 'user') throw new RangeError('The last message of a request must be the user’s.');
  if (messages.some(({ role }, at) => role === 'system' && at > 0)) throw new RangeError('A system message may only come first.');
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw new RangeError(`maxTokens must be a whole number of at least 1, not ${String(maxTokens)}.`);
  if (!(temperature >= 0 && temperature <= 2)) throw new RangeError(`temperature must be 0 to 2, not ${String(temperature)}.`);
  if (!Number.isInteger(seed)) throw new RangeError(`seed must be a whole number, not ${String(seed)}.`);
}

/** What has come of a reply and was not read yet. */
class ReplyBuffer {
  readonly #events: ChatEvent[] = [];
  #failure: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(event: ChatEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** Only the first failure counts; what was not read before it is dropped. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake?.();
  }

  async next(): Promise<ChatEvent> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/**
 * A reply as the port wants it: `write` runs by itself and hands over events; the reader may be slow or walk away. An
 * abort, or a reader who stops, settles the reader at once and aborts the signal that `write` got; `write` then ends in
 * its own time.
 * @param write resolves after an `end` event, or rejects
 */
export async function* streamReply(request: ChatRequest, write: (push: (event: ChatEvent) => void, signal: AbortSignal) => Promise<void>): AsyncGenerator<ChatEvent, void, undefined> {
  checkRequest(request);
  const { signal } = request;
  signal?.throwIfAborted();
  const buffer = new ReplyBuffer();
  const stop = new AbortController();
  const abort = (): void => {
    buffer.fail(signal?.reason);
    stop.abort(signal?.reason);
  };
  signal?.addEventListener('abort', abort);
  write((event) => buffer.push(event), stop.signal).catch((error: unknown) => buffer.fail(error));
  try {
    for (;;) {
      const event = await buffer.next();
      yield event;
      if (event.type === 'end') return;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    stop.abort();
  }
}
