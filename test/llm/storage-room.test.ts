import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/llm/file-store.js';
import { SpillingStore } from '../../src/llm/spilling-store.js';
import { chooseRoom, type DeviceRoom } from '../../src/llm/storage-room.js';
import { FILES, manifestOf, TOTAL_BYTES } from './tiny-model.js';

const MANIFEST = manifestOf(FILES);
const granting = (quota: number, more: DeviceRoom = {}): DeviceRoom => ({ storage: { estimate: () => Promise.resolve({ quota, usage: 1_000 }) }, ...more });

/** Whether the model is kept, on a device. */
async function keeps(room: DeviceRoom, kept = new MemoryStore()): Promise<boolean> {
  const store = new SpillingStore(kept, undefined, { keep: true });
  await chooseRoom(MANIFEST, store, room);
  return store.keeps;
}

describe('chooseRoom', () => {
  it('keeps a model for which there is room and a twentieth to spare', async () => {
    const needed = Math.ceil(TOTAL_BYTES * 1.05) + 1_000;
    expect(await keeps(granting(needed))).toBe(true);
    expect(await keeps(granting(needed - 1))).toBe(false);
  });

  it('counts only what is missing', async () => {
    const kept = new MemoryStore();
    const part = await kept.append(MANIFEST.files[3]!.digest);
    await part.write(FILES[3]!.bytes);
    await part.finish();
    expect(await keeps(granting(TOTAL_BYTES), kept)).toBe(true);
    expect(await keeps(granting(TOTAL_BYTES))).toBe(false);
  });

  it('lets the writing show where the browser does not say', async () => {
    expect(await keeps({})).toBe(true);
    expect(await keeps({ storage: {} })).toBe(true);
    expect(await keeps({ storage: { estimate: () => Promise.resolve({}) } })).toBe(true);
    expect(await keeps({ storage: { estimate: () => Promise.reject(new Error('refused')) } })).toBe(true);
  });

  it('refuses a model that neither storage nor memory can hold, with the bytes that it needs', async () => {
    await expect(keeps(granting(5_000, { deviceMemory: 0.001 }))).rejects.toMatchObject({ code: 'quota-exceeded', modelId: 'tiny', requiredBytes: Math.ceil(TOTAL_BYTES * 1.05) });
    const store = new SpillingStore(undefined, undefined, { keep: false });
    await expect(chooseRoom(MANIFEST, store, { deviceMemory: 0.001 })).rejects.toMatchObject({ code: 'quota-exceeded' });
  });
});
