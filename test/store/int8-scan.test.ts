import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine, toUnit } from '../../src/store/cosine.js';
import { Int8Scan } from '../../src/store/int8-scan.js';
import { SCAN_WASM_BASE64 } from '../../src/store/scan/scan-wasm.js';

describe('Int8Scan', () => {
  it('bounds every cosine from above, and by little', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_200 }),
        fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
        fc.constantFrom(1, 9, 99),
        (dimension, values, power) => {
          // A high power makes rows in which few axes are large, the worst case for one scale per row.
          const random = () => (values.next().value as number) ** power;
          const vectors = new Float32Array(6 * dimension);
          for (let row = 0; row < 6; row++) vectors.set(makeRow(dimension, random), row * dimension);
          const unit = toUnit(makeRow(dimension, random), 1, dimension)!;
          const upper = new Int8Scan(vectors, dimension).upperBounds(unit);
          for (let row = 0; row < 6; row++) {
            const score = cosine(vectors, row, unit);
            expect(upper[row]).toBeGreaterThanOrEqual(score);
            expect(upper[row]! - score).toBeLessThan(0.02 + Math.sqrt(dimension) / 200);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does not overflow where all axes of long rows are equal', () => {
    const dimension = 20_000;
    const row = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
    const scan = new Int8Scan(row, dimension);
    expect(scan.upperBounds(toUnit(row, 1, dimension)!)[0]).toBeCloseTo(1, 2);
    expect(
      scan.upperBounds(
        toUnit(
          row.map((value) => -value),
          1,
          dimension,
        )!,
      )[0],
    ).toBeCloseTo(-1, 2);
  });
});

describe('scan-wasm.ts', () => {
  it('is what scan.ts compiles to', { timeout: 60_000 }, async () => {
    const build = fileURLToPath(new URL('../../src/store/scan/build.js', import.meta.url));
    await promisify(execFile)(process.execPath, [build, '--check']);
  });

  it('is small enough to compile synchronously in every browser', () => {
    expect(atob(SCAN_WASM_BASE64).length).toBeLessThan(4_096);
  });
});

function makeRow(dimension: number, random: () => number): Float32Array {
  const values = Float64Array.from({ length: dimension }, random);
  const length = Math.hypot(...values);
  if (length === 0) values[0] = 1;
  return Float32Array.from(values, (value) => value / (length || 1));
}
