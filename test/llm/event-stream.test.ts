import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../src/llm/event-stream.js';

const straight = <T>(wait: Promise<T>): Promise<T> => wait;

/** The bytes of a text as a stream of the given pieces. */
function streamOf(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const edges = [0, ...[...cuts].sort((one, other) => one - other), bytes.length];
  return new ReadableStream({
    start(controller) {
      edges.slice(1).forEach((edge, at) => controller.enqueue(bytes.slice(edges[at], edge)));
      controller.close();
    },
  });
}

async function read(text: string, cuts: (length: number) => readonly number[] = () => []): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const events: string[] = [];
  for await (const data of readEvents(streamOf(bytes, cuts(bytes.length)), straight)) events.push(data);
  return events;
}

const STREAM = ': hello\r\n\r\ndata: {"a":"头痛🤕"}\r\n\r\nevent: message\r\ndata: two\r\ndata: lines\r\n\r\n: ping\r\n\r\ndata:[DONE]\r\n\r\n';
const EVENTS = ['{"a":"头痛🤕"}', 'two\nlines', '[DONE]'];

describe('readEvents', () => {
  it('reads data between comments, names and line ends of either kind', async () => {
    expect(await read(STREAM)).toEqual(EVENTS);
    expect(await read(STREAM.replaceAll('\r\n', '\n'))).toEqual(EVENTS);
  });

  it('reads the same however the bytes are cut, in the middle of characters too', async () => {
    expect(await read(STREAM, (length) => Array.from({ length }, (_, at) => at))).toEqual(EVENTS);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(new TextEncoder().encode(STREAM).length), { maxLength: 12 }), async (cuts) => {
        expect(await read(STREAM, () => cuts)).toEqual(EVENTS);
      }),
    );
  });

  it('gives an event that the end of the stream cuts off', async () => {
    expect(await read('data: one\n\ndata: two')).toEqual(['one', 'two']);
  });

  it('gives an error line as data', async () => {
    expect(await read('error: {"code":500}\n\n')).toEqual(['{"error":{"code":500}}']);
  });

  it('rejects an event without end', async () => {
    await expect(read(`data: ${'x'.repeat(1_100_000)}`)).rejects.toHaveProperty('code', 'generation-failed');
  });

  it('closes the stream when its reader stops', async () => {
    let isClosed = false;
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')), cancel: () => void (isClosed = true) });
    for await (const data of readEvents(body, straight)) if (data === 'again') break;
    expect(isClosed).toBe(true);
  });
});
