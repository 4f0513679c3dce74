import { describe, expect, it } from 'vitest';
import type { Urgency } from '../../src/bundle/bundle.js';
import { hitsAt, mean, meanReciprocalRank, percentile, reliability, urgencyMetrics } from '../../src/evaluation/metrics.js';

describe('ranks', () => {
  const ranks = [1, 2, null, 4];
  it('count a miss in every share', () => {
    expect([1, 2, 3, 5].map((k) => hitsAt(ranks, k))).toEqual([0.25, 0.5, 0.5, 0.75]);
    expect(meanReciprocalRank(ranks)).toBe(0.4375);
  });

  it('give 0 where there are none', () => {
    expect([hitsAt([], 1), meanReciprocalRank([]), mean([]), percentile([], 0.5)]).toEqual([0, 0, 0, 0]);
  });
});

describe('percentile', () => {
  it('is a value of the list, in any order', () => {
    expect([0.5, 0.95, 1].map((part) => percentile([9, 1, 5, 3], part))).toEqual([3, 9, 9]);
    expect(percentile([7], 0.5)).toBe(7);
  });
});

describe('reliability', () => {
  it('counts by fifths how often a score is right', () => {
    const bins = reliability([
      { probability: 0.7, right: true },
      { probability: 0.6, right: false },
      { probability: 1, right: true },
      { probability: 0.1, right: false },
    ]);
    expect(bins.map((bin) => [bin.from, bin.to, bin.shown, bin.right])).toEqual([
      [0, 0.2, 1, 0],
      [0.2, 0.4, 0, 0],
      [0.4, 0.6, 0, 0],
      [0.6, 0.8, 2, 0.5],
      [0.8, 1, 1, 1],
    ]);
    expect(bins[3]?.meanProbability).toBe(0.65);
  });
});

describe('urgencyMetrics', () => {
  const of = (assessed: Urgency, ...accepted: Urgency[]): [number, number, number] => {
    const { accuracy, underTriage, overTriage } = urgencyMetrics([{ assessed, accepted }]);
    return [accuracy, underTriage, overTriage];
  };

  it('tells right, too low and too high', () => {
    expect(of('urgent', 'urgent')).toEqual([1, 0, 0]);
    expect(of('routine', 'emergency')).toEqual([0, 1, 0]);
    expect(of('emergency', 'routine')).toEqual([0, 0, 1]);
  });

  it('accepts each of several levels', () => {
    expect(of('routine', 'urgent', 'routine')).toEqual([1, 0, 0]);
    expect(of('self-care', 'urgent', 'routine')).toEqual([0, 1, 0]);
    expect(of('emergency', 'urgent', 'routine')).toEqual([0, 0, 1]);
  });

  it('counts what falls between two accepted levels as too low', () => {
    expect(of('urgent', 'emergency', 'routine')).toEqual([0, 1, 0]);
  });

  it('adds up to 1', () => {
    const pairs = (['emergency', 'urgent', 'routine', 'self-care'] as const).map((assessed) => ({ assessed, accepted: ['urgent'] as const }));
    expect(urgencyMetrics(pairs)).toEqual({ accuracy: 0.25, underTriage: 0.5, overTriage: 0.25, cases: 4 });
  });
});
