import type { Hit } from './vector-store.js';

/** The order of `VectorStore.search`: the highest score first, equal scores by smaller row. */
export function byScore(left: Hit, right: Hit): number {
  return right.score - left.score || left.row - right.row;
}

/** Keeps the best of the rows it is offered, in the order of `VectorStore.search`, in a heap with the worst on top. */
export class TopHits {
  readonly #capacity: number;
  readonly #rows: number[] = [];
  readonly #scores: number[] = [];

  /** @param capacity Number of hits to keep, 1 or more. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The score below which an offer is in vain; `-Infinity` while there is room. An equal score may still win by row. */
  get floor(): number {
    return this.#rows.length < this.#capacity ? -Infinity : this.#scores[0]!;
  }

  offer(row: number, score: number): void {
    const count = this.#rows.length;
    if (count < this.#capacity) {
      this.#rows.push(row);
      this.#scores.push(score);
      this.#rise(count, row, score);
    } else if (this.#isWorse(0, row, score)) {
      this.#sink(row, score);
    }
  }

  /** The kept hits, best first. */
  list(): Hit[] {
    return this.#rows.map((row, at) => ({ row, score: this.#scores[at]! })).sort(byScore);
  }

  /** Whether the hit at a place of the heap is worse than another. */
  #isWorse(at: number, row: number, score: number): boolean {
    const own = this.#scores[at]!;
    return own < score || (own === score && this.#rows[at]! > row);
  }

  #rise(from: number, row: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, row, score)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#rows[at] = row;
    this.#scores[at] = score;
  }

  #sink(row: number, score: number): void {
    const count = this.#rows.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && this.#isWorse(child + 1, this.#rows[child]!, this.#scores[child]!)) child++;
      if (!this.#isWorse(child, row, score)) break;
      this.#move(child, at);
      at = child;
    }
    this.#rows[at] = row;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#rows[to] = this.#rows[from]!;
    this.#scores[to] = this.#scores[from]!;
  }
}
