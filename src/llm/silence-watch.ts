const TICKS = 30;

/**
 * Notices that nothing was heard for a while. It counts ticks, not the clock: a page that the system froze gets none, so
 * that no time passes for it.
 */
export class SilenceWatch {
  readonly #timer: ReturnType<typeof setInterval>;
  #ticks = 0;

  constructor(limitMs: number, onSilence: () => void) {
    this.#timer = setInterval(() => {
      this.#ticks++;
      if (this.#ticks === TICKS) onSilence();
    }, limitMs / TICKS);
  }

  heard(): void {
    this.#ticks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
