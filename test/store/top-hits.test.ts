import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TopHits } from '../../src/store/top-hits.js';

describe('TopHits', () => {
  it('keeps what sorting all offers and cutting would keep', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (scores, capacity, backwards) => {
          const offers = scores.map((score, row) => ({ row, score }));
          const top = new TopHits(capacity);
          for (const { row, score } of backwards ? offers.toReversed() : offers) top.offer(row, score);
          const sorted = offers.toSorted((left, right) => right.score - left.score || left.row - right.row);
          expect(top.list()).toEqual(sorted.slice(0, capacity));
          expect(top.floor).toBe(sorted.length < capacity ? -Infinity : sorted[capacity - 1]!.score);
        },
      ),
    );
  });
});
