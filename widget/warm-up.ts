import type { LoadedBundle } from '../src/index.js';
import type { Engine } from './engine.js';

type Bundle = LoadedBundle['bundle'];

const warmed = new WeakSet<Bundle>();

/** Safari has no idle callback. */
const whenIdle = (): Promise<void> => new Promise((resolve) => (typeof requestIdleCallback === 'function' ? requestIdleCallback(() => resolve()) : setTimeout(resolve, 50)));

/** Warms the engine up for a bundle, once, while the visitor reads and types; a step at a time, so that no key waits. */
export async function warmUpWhenIdle(engine: Pick<Engine, 'warmUp'>, bundle: Bundle): Promise<void> {
  if (warmed.has(bundle)) return;
  warmed.add(bundle);
  try {
    await whenIdle();
    for (const steps = engine.warmUp(bundle); (await steps.next()).done !== true; ) await whenIdle();
  } catch {
    // What fails here fails again, and is told, where a visitor needs it.
  }
}
