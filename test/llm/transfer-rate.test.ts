import { describe, expect, it } from 'vitest';
import { TransferRate } from '../../src/llm/transfer-rate.js';

describe('TransferRate', () => {
  it('knows nothing within the first second, nor while nothing comes', () => {
    const rate = new TransferRate();
    expect(rate.secondsFor(100)).toBeNull();
    rate.add(0, 500);
    expect(rate.secondsFor(100)).toBeNull();
    rate.add(999, 900);
    expect(rate.secondsFor(100)).toBeNull();
    const idle = new TransferRate();
    idle.add(0, 500);
    idle.add(5_000, 500);
    expect(idle.secondsFor(100)).toBeNull();
  });

  it('leaves out what was there before', () => {
    const rate = new TransferRate();
    rate.add(0, 1_000_000);
    rate.add(2_000, 1_000_200);
    expect(rate.secondsFor(1_000)).toBe(10);
  });

  it('goes by the last ten seconds', () => {
    const rate = new TransferRate();
    for (let second = 0; second <= 20; second++) rate.add(second * 1_000, second * 1_000);
    for (let second = 21; second <= 40; second++) rate.add(second * 1_000, 20_000 + (second - 20) * 10);
    expect(rate.secondsFor(1_000)).toBe(100);
  });
});
