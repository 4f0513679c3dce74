const WINDOW_MS = 10_000;
/** Less says nothing. */
const LEAST_MS = 1_000;

/** How fast bytes came in the last seconds. What was there at the first sample does not count. */
export class TransferRate {
  #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  /** @param atMs of a clock that runs evenly */
  add(atMs: number, bytes: number): void {
    this.#samples.push({ atMs, bytes });
    while (atMs - (this.#samples[1]?.atMs ?? atMs) >= WINDOW_MS) this.#samples.shift();
  }

  /** Seconds until so many bytes more will have come; null while that cannot be told. */
  secondsFor(bytes: number): number | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < LEAST_MS || last.bytes <= first.bytes) return null;
    return Math.ceil((bytes * (last.atMs - first.atMs)) / (last.bytes - first.bytes) / 1_000);
  }
}
