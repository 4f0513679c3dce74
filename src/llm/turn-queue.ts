/** Lets one request in at a time, in the order in which they came. */
export class TurnQueue {
  readonly #waiting: { readonly enter: () => void; readonly refuse: (reason: Error) => void }[] = [];
  #isTaken = false;
  #closedBy: Error | undefined;

  /**
   * Waits for its turn; call what it returns when done, once or more often.
   * @throws the signal's reason at once when it aborts while waiting; the error given to `close`
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#closedBy !== undefined) throw this.#closedBy;
    if (this.#isTaken) await this.#wait(signal);
    this.#isTaken = true;
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#isTaken = false;
      else next.enter();
    };
  }

  /** Refuses all who wait and all who come later. */
  close(reason: Error): void {
    this.#closedBy = reason;
    for (const { refuse } of this.#waiting.splice(0)) refuse(reason);
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        signal.removeEventListener('abort', leave);
        action();
      };
      const place = { enter: () => settle(resolve), refuse: (reason: Error) => settle(() => reject(reason)) };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        place.refuse(signal.reason as Error);
      };
      signal.addEventListener('abort', leave);
      this.#waiting.push(place);
    });
  }
}
