import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SilenceWatch } from '../../src/llm/silence-watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('SilenceWatch', () => {
  it('tells once of a silence, counted from the last sound', () => {
    const silent = vi.fn();
    const watch = new SilenceWatch(30_000, silent);
    vi.advanceTimersByTime(29_000);
    watch.heard();
    vi.advanceTimersByTime(29_000);
    expect(silent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(silent).toHaveBeenCalledTimes(1);
    watch.stop();
  });

  it('NET-15: does not count time in which the page was frozen', () => {
    const silent = vi.fn();
    const watch = new SilenceWatch(30_000, silent);
    vi.advanceTimersByTime(10_000);
    // A frozen page gets no ticks; the clock goes on.
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(10_000);
    expect(silent).not.toHaveBeenCalled();
    watch.stop();
  });

  it('is quiet once it was stopped', () => {
    const silent = vi.fn();
    new SilenceWatch(30_000, silent).stop();
    vi.advanceTimersByTime(90_000);
    expect(silent).not.toHaveBeenCalled();
  });
});
