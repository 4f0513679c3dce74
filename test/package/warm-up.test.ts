import { describe, expect, it } from 'vitest';
import { createRetriever, warmUp } from '../../src/index.js';
import { warmUpWhenIdle } from '../../widget/warm-up.js';
import { builtBundle } from '../bundles.js';

const bundle = builtBundle('mm-zh');
const WORDS = ['嗓子疼，发烧三天'];

describe('warmUp', () => {
  it('pauses many times, may be left at any of them, and changes no answer', async () => {
    const before = await createRetriever(bundle).retrieve(WORDS);
    for await (const step of warmUp(bundle)) {
      void step;
      break;
    }
    let steps = 0;
    for await (const step of warmUp(bundle)) {
      void step;
      steps++;
    }
    expect(steps).toBeGreaterThan(30);
    expect(await createRetriever(bundle).retrieve(WORDS)).toEqual(before);
  });
});

describe('warmUpWhenIdle', () => {
  it('goes to the end, once a bundle', async () => {
    let begun = 0;
    let ended = 0;
    const engine = {
      warmUp: async function* (): AsyncGenerator<void, void, undefined> {
        begun++;
        for (let step = 0; step < 3; step++) yield await Promise.resolve();
        ended++;
      },
    };
    const other = { ...bundle };
    await Promise.all([warmUpWhenIdle(engine, other), warmUpWhenIdle(engine, other)]);
    await warmUpWhenIdle(engine, other);
    expect([begun, ended]).toEqual([1, 1]);
  });

  it('says nothing of a failure: it comes again where somebody waits for the answer', async () => {
    const failing = {
      warmUp: async function* (): AsyncGenerator<void, void, undefined> {
        yield await Promise.reject(new Error('out of memory'));
      },
    };
    await expect(warmUpWhenIdle(failing, { ...bundle })).resolves.toBeUndefined();
  });
});
