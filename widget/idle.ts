/** Longest warning before the wipe, milliseconds; a shorter limit warns for half its time. */
const WARNING_MS = 30_000;

/** Calls back after a time without use, with a warning before. Counts by the clock, so that a sleeping tab is not spared. */
export class IdleWatch {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastUse = 0;
  #limitMs = 0;
  #warned = false;
  readonly #onWarn: (isOn: boolean) => void;
  readonly #onIdle: () => void;

  constructor(onWarn: (isOn: boolean) => void, onIdle: () => void) {
    this.#onWarn = onWarn;
    this.#onIdle = onIdle;
  }

  /** @param minutes 0 stops watching */
  watch(minutes: number): void {
    this.stop();
    this.#limitMs = minutes * 60_000;
    if (this.#limitMs > 0) this.use();
  }

  /** The visitor did something. */
  use(): void {
    if (this.#limitMs === 0) return;
    this.#lastUse = Date.now();
    if (this.#warned) {
      this.#warned = false;
      this.#onWarn(false);
    }
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#limitMs = 0;
    if (this.#warned) this.#onWarn(false);
    this.#warned = false;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const warning = Math.min(WARNING_MS, this.#limitMs / 2);
    const left = this.#lastUse + this.#limitMs - Date.now();
    this.#timer = setTimeout(() => this.#look(), Math.max(0, this.#warned ? left : left - warning));
  }

  #look(): void {
    const left = this.#lastUse + this.#limitMs - Date.now();
    if (left <= 0) {
      this.stop();
      this.#onIdle();
      return;
    }
    if (!this.#warned) {
      this.#warned = true;
      this.#onWarn(true);
    }
    this.#wait();
  }
}
