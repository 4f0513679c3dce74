import { describe, expect, it } from 'vitest';
import { TurnQueue } from '../../src/llm/turn-queue.js';

const never = new AbortController().signal;

describe('TurnQueue', () => {
  it('lets one in at a time, in order', async () => {
    const queue = new TurnQueue();
    const seen: number[] = [];
    const turns = [0, 1, 2, 3].map(async (number) => {
      const release = await queue.enter(never);
      seen.push(number);
      await Promise.resolve();
      seen.push(number);
      release();
      release();
    });
    await Promise.all(turns);
    expect(seen).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it('lets one leave the queue who does not want to wait, and nobody else', async () => {
    const queue = new TurnQueue();
    const first = await queue.enter(never);
    const abort = new AbortController();
    const second = queue.enter(abort.signal);
    const third = queue.enter(never);
    abort.abort(new Error('no time'));
    await expect(second).rejects.toThrow('no time');
    first();
    (await third)();
    (await queue.enter(never))();
  });

  it('refuses one whose signal has aborted already', async () => {
    await expect(new TurnQueue().enter(AbortSignal.abort())).rejects.toHaveProperty('name', 'AbortError');
  });

  it('refuses everybody once it is closed', async () => {
    const queue = new TurnQueue();
    const release = await queue.enter(never);
    const waiting = queue.enter(never);
    queue.close(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    await expect(queue.enter(never)).rejects.toThrow('closed');
    release();
  });
});
