/** An abort of our own that also follows the caller's. `AbortSignal.any` would do, where every browser had it. */
export class LinkedAbort {
  readonly #own = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #follow = (): void => this.#own.abort(this.#outer?.reason);

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted === true) this.#follow();
    else outer?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(reason?: unknown): void {
    this.#own.abort(reason);
  }

  /** Lets go of the caller's signal. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#follow);
  }
}
