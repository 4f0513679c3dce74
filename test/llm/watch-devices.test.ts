import { afterEach, describe, expect, it } from 'vitest';
import { watchDevices } from '../../src/llm/watch-devices.js';

type Lost = { readonly reason: 'unknown' | 'destroyed' };

describe('watchDevices', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'GPUAdapter');
  });

  /** An adapter class whose devices are lost when the test says so. */
  function supplyAdapters(): { readonly adapter: GPUAdapter; readonly lose: (lost: Lost) => void } {
    let lose: (lost: Lost) => void = () => undefined;
    class FakeAdapter {
      requestDevice(): Promise<unknown> {
        return Promise.resolve({ lost: new Promise<Lost>((resolve) => (lose = resolve)), of: this });
      }
    }
    Object.assign(globalThis, { GPUAdapter: FakeAdapter });
    return { adapter: new FakeAdapter() as unknown as GPUAdapter, lose: (lost) => lose(lost) };
  }

  it.each<[Lost['reason'], string]>([
    ['unknown', 'device-lost'],
    ['destroyed', 'out-of-memory'],
  ])('tells of a device that was lost for the reason %s as %s', async (reason, code) => {
    const { adapter, lose } = supplyAdapters();
    const told = new Promise((resolve) => watchDevices((error) => resolve(error.code)));
    const device = (await adapter.requestDevice()) as unknown as { of: unknown };
    expect(device.of).toBe(adapter);
    lose({ reason });
    expect(await told).toBe(code);
  });

  it('does nothing where there is no GPU', () => {
    expect(() => watchDevices(() => undefined)).not.toThrow();
  });
});
