/** Terms in code unit order, found by halving; cheaper to open than a map, since most are never asked for. */
export class SortedTerms {
  readonly #terms: readonly string[];

  /** @param joined terms in ascending code unit order, joined by line feeds */
  constructor(joined: string) {
    this.#terms = joined === '' ? [] : joined.split('\n');
  }

  get size(): number {
    return this.#terms.length;
  }

  /** Position of a term; undefined where it is none. */
  indexOf(term: string): number | undefined {
    let low = 0;
    let high = this.#terms.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const candidate = this.#terms[middle] ?? '';
      if (candidate === term) return middle;
      if (candidate < term) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}
