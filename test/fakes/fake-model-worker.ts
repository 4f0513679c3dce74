import type { FromModelWorker, ToModelWorker } from '../../src/llm/model-protocol.js';
import type { ModelWorker } from '../../src/llm/worker-link.js';

type Listener = (event: never) => void;

/** A worker that a test plays: `sent` is what the page said to it, `say` what it says to the page. */
export class FakeModelWorker implements ModelWorker {
  readonly sent: ToModelWorker[] = [];
  isTerminated = false;
  readonly #listeners = new Map<string, Listener[]>();
  readonly #answer: (message: ToModelWorker, worker: FakeModelWorker) => void;

  /** @param answer called for each message of the page, in a later turn of the event loop */
  constructor(answer: (message: ToModelWorker, worker: FakeModelWorker) => void = () => undefined) {
    this.#answer = answer;
  }

  postMessage(message: ToModelWorker): void {
    this.sent.push(message);
    setTimeout(() => this.#answer(message, this), 0);
  }

  addEventListener(type: string, listener: unknown): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener as Listener]);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(message: FromModelWorker): void {
    this.#emit('message', { data: message });
  }

  /** As when its script throws. */
  crash(): void {
    this.#emit('error', { preventDefault: () => undefined });
  }

  /** As when a message could not be read. */
  garble(): void {
    this.#emit('messageerror', {});
  }

  #emit(type: string, event: unknown): void {
    if (!this.isTerminated) for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }
}

/** Answers as a good worker does: loads, counts characters, repeats the last message letter by letter, stops when told. */
export function goodWorker(): (message: ToModelWorker, worker: FakeModelWorker) => void {
  const stopped = new Set<number>();
  return (message, worker) => {
    const { id } = message;
    if (message.type === 'load') {
      worker.say({ type: 'progress', id, loadedBytes: 5, totalBytes: 10 });
      worker.say({ type: 'progress', id, loadedBytes: 10, totalBytes: 10 });
      worker.say({ type: 'loaded', id, device: 'gpu', contextTokens: 100 });
    } else if (message.type === 'count') worker.say({ type: 'counted', id, tokens: message.text.length });
    else if (message.type === 'dispose') worker.say({ type: 'disposed', id });
    else if (message.type === 'abort') stopped.add(id);
    else {
      const letters = [...message.request.messages.at(-1)!.content].slice(0, message.request.maxTokens);
      const write = (at: number): void => {
        if (stopped.has(id)) worker.say({ type: 'failed', id, code: 'generation-failed', message: 'stopped' });
        else if (at === letters.length) worker.say({ type: 'end', id, reason: 'stop', promptTokens: 1, replyTokens: at });
        else {
          worker.say({ type: 'delta', id, text: letters[at]! });
          setTimeout(() => write(at + 1), 0);
        }
      };
      write(0);
    }
  };
}
