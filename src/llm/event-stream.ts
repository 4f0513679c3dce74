import { createParser } from 'eventsource-parser';
import { ModelError } from '../errors/model-error.js';

/** Characters of one event at most; a reply comes in far smaller ones. */
const EVENT_LENGTH = 1_000_000;

/**
 * Data of the events of a server-sent stream, in order, however its bytes were cut. A line `error: …`, which older
 * llama.cpp servers send in place of an event, comes as data too: `{"error":…}`. An event that the end of the stream cuts
 * off is given as far as it came.
 * @param inTime wraps each wait for bytes, to give it a deadline
 * @throws {ModelError} generation-failed: an event without end
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, inTime: <T>(wait: Promise<T>) => Promise<T>): AsyncGenerator<string, void, undefined> {
  const events: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: EVENT_LENGTH,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type, field, value }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
      else if (field === 'error') events.push(`{"error":${value ?? 'null'}}`);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      if (isTooLong) throw new ModelError('generation-failed', 'The model server sent an event without end.');
      yield* events.splice(0);
      if (done) return;
    }
  } finally {
    // Not awaited: a body that stalls would hold up whoever aborted.
    reader.cancel().catch(() => undefined);
  }
}
