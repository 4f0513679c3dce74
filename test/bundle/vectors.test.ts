import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRows } from '../../src/bundle/decode.js';
import { encodeVectors } from '../../src/bundle/encode.js';

const DIMENSION = 8;

describe('rows of a bundle', () => {
  it('point where they pointed, whatever their length, to within the steps they are written in', () => {
    const row = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSION, maxLength: DIMENSION }).filter((values) => Math.hypot(...values) > 0.01);
    fc.assert(
      fc.property(row, (values) => {
        const read = decodeRows(encodeVectors(Float32Array.from(values), DIMENSION), DIMENSION, 1);
        const norm = Math.hypot(...values);
        const cosine = values.reduce((sum, value, at) => sum + (value / norm) * read[at]!, 0);
        expect(Math.hypot(...read)).toBeCloseTo(1, 5);
        expect(cosine).toBeGreaterThan(0.995);
      }),
    );
  });

  it('of nothing but zeros stay zeros', () => {
    expect([...decodeRows(encodeVectors(new Float32Array(2 * DIMENSION), DIMENSION), DIMENSION, 2)].every((value) => value === 0)).toBe(true);
  });
});
