import { ModelError } from '../errors/model-error.js';
import { LinkedAbort } from './linked-abort.js';

/** Settles with the work, or rejects with the signal's reason as soon as it aborts; the work then goes on unheard. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = (): void => reject(signal.reason as Error);
  });
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** What is under way at a model that is not ours to stop: closing, or an abort, settles it even if the other side goes on. */
export class OpenRequests {
  readonly #running = new Set<LinkedAbort>();
  #isClosed = false;

  /**
   * Settles with the work, or rejects at once when the caller's signal aborts or `close` is called. The work's own signal
   * aborts in both cases, and at its end, so that nothing stays open.
   * @throws {ModelError} model-closed
   */
  async run<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed();
    const stop = new LinkedAbort(outer);
    const { signal } = stop;
    this.#running.add(stop);
    try {
      signal.throwIfAborted();
      return await untilAborted(work(signal), signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      this.#running.delete(stop);
      stop.release();
      stop.abort(undefined);
    }
  }

  /** Ends all that runs, and all that comes, with model-closed. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#running) stop.abort(closed());
  }
}

function closed(): ModelError {
  return new ModelError('model-closed', 'The model was closed.');
}
