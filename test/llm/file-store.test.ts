import { beforeEach, describe, expect, it } from 'vitest';
import { type FileStore, MemoryStore, type PartialFile } from '../../src/llm/file-store.js';
import { SpillingStore } from '../../src/llm/spilling-store.js';
import { noise } from '../fakes/hub-server.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

async function contents(part: PartialFile): Promise<number[]> {
  const bytes: number[] = [];
  for await (const piece of part.read()) bytes.push(...piece);
  return bytes;
}
async function write(store: FileStore, digest: string, bytes: Uint8Array, isWhole = false): Promise<void> {
  const part = await store.append(digest);
  await part.write(bytes);
  if (isWhole) await part.finish();
  await part.close();
}
async function bytesOf(blob: Blob | undefined): Promise<Uint8Array | undefined> {
  return blob === undefined ? undefined : new Uint8Array(await blob.arrayBuffer());
}

/** A store on a device with little room. */
class SmallStore extends MemoryStore {
  roomBytes = 100;
  isLocked = false;

  override async append(digest: string): Promise<PartialFile> {
    if (this.isLocked) throw new DOMException('Another tab has it.', 'NoModificationAllowedError');
    const part = await super.append(digest);
    const write = part.write.bind(part);
    part.write = (chunk) => {
      if (part.bytes + chunk.length > this.roomBytes) return Promise.reject(new DOMException('Full.', 'QuotaExceededError'));
      return write(chunk);
    };
    return part;
  }
}

describe('MemoryStore', () => {
  let store: MemoryStore;
  beforeEach(() => {
    store = new MemoryStore();
  });

  it('takes up a part where it ended', async () => {
    await write(store, DIGEST, new Uint8Array([1, 2, 3]));
    expect(await store.storedBytes(DIGEST)).toBe(3);
    expect(await store.open(DIGEST, 3)).toBeUndefined();
    const part = await store.append(DIGEST);
    expect([part.bytes, await contents(part)]).toEqual([3, [1, 2, 3]]);
    await part.write(new Uint8Array([4]));
    expect(await contents(part)).toEqual([1, 2, 3, 4]);
    await part.finish();
    await part.close();
    expect(await bytesOf(await store.open(DIGEST, 4))).toEqual(new Uint8Array([1, 2, 3, 4]));
    expect(await store.storedBytes(DIGEST)).toBe(4);
  });

  it('opens a whole file of the right length alone', async () => {
    await write(store, DIGEST, new Uint8Array(5), true);
    expect((await store.open(DIGEST, 5))?.size).toBe(5);
    expect(await store.open(DIGEST, 6)).toBeUndefined();
    expect(await store.open(OTHER, 5)).toBeUndefined();
  });

  it('may be given the same array again', async () => {
    const chunk = new Uint8Array([1]);
    const part = await store.append(DIGEST);
    await part.write(chunk);
    chunk[0] = 9;
    await part.write(chunk);
    expect(await contents(part)).toEqual([1, 9]);
  });

  it('begins a file anew', async () => {
    await write(store, DIGEST, new Uint8Array([1, 2]));
    const part = await store.append(DIGEST);
    await part.empty();
    await part.write(new Uint8Array([7]));
    await part.finish();
    expect(await bytesOf(await store.open(DIGEST, 1))).toEqual(new Uint8Array([7]));
  });

  it('holds large files in order', async () => {
    const bytes = noise(20_000_000, 1);
    const part = await store.append(DIGEST);
    for (let from = 0; from < bytes.length; from += 3_000_000) await part.write(bytes.subarray(from, from + 3_000_000));
    await part.finish();
    expect(Buffer.compare((await bytesOf(await store.open(DIGEST, bytes.length)))!, bytes)).toBe(0);
  });

  it('hands over what it holds', async () => {
    await write(store, DIGEST, new Uint8Array(5), true);
    await write(store, OTHER, new Uint8Array(2));
    const next = new MemoryStore(store.held);
    expect([await next.storedBytes(DIGEST), await next.storedBytes(OTHER)]).toEqual([5, 2]);
    await next.remove(DIGEST);
    expect(await store.storedBytes(DIGEST)).toBe(5);
  });

  it('drops one file, or all', async () => {
    await write(store, DIGEST, new Uint8Array(5), true);
    await write(store, OTHER, new Uint8Array(2));
    await store.remove(DIGEST);
    expect([await store.storedBytes(DIGEST), await store.storedBytes(OTHER)]).toEqual([0, 2]);
    await store.clear();
    expect(await store.storedBytes(OTHER)).toBe(0);
  });
});

describe('SpillingStore', () => {
  let kept: SmallStore;
  let store: SpillingStore;
  beforeEach(() => {
    kept = new SmallStore();
    store = new SpillingStore(kept, undefined, { keep: true });
  });

  it('keeps what fits', async () => {
    await write(store, DIGEST, new Uint8Array(90), true);
    expect([store.keeps, await kept.storedBytes(DIGEST), store.held.whole.size]).toEqual([true, 90, 0]);
    expect((await store.open(DIGEST, 90))?.size).toBe(90);
  });

  it('NET-08: goes on in memory with what was written when the room is used up', async () => {
    const bytes = noise(150, 3);
    await write(kept, OTHER, bytes.subarray(0, 10), true);
    const part = await store.append(DIGEST);
    await part.write(bytes.subarray(0, 80));
    await part.write(bytes.subarray(80));
    expect(part.bytes).toBe(150);
    await part.finish();
    expect(await bytesOf(await store.open(DIGEST, 150))).toEqual(bytes);
    expect(store.keeps).toBe(false);
    expect([await kept.storedBytes(DIGEST), await kept.storedBytes(OTHER)]).toEqual([0, 10]);
    await write(store, `sha256:${'c'.repeat(64)}`, new Uint8Array(5), true);
    expect([...store.held.whole.keys()]).toHaveLength(2);
  });

  it('passes other failures on', async () => {
    kept.append = async (digest) => Object.assign(await MemoryStore.prototype.append.call(kept, digest), { write: () => Promise.reject(new DOMException('Gone.', 'InvalidStateError')) });
    const part = await store.append(DIGEST);
    await expect(part.write(new Uint8Array(5))).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('writes to memory what another tab writes just now', async () => {
    await write(kept, DIGEST, new Uint8Array(3));
    kept.isLocked = true;
    await write(store, DIGEST, new Uint8Array(50), true);
    expect((await store.open(DIGEST, 50))?.size).toBe(50);
    expect(await kept.storedBytes(DIGEST)).toBe(3);
  });

  it('moves a kept part to memory when nothing more is to be kept', async () => {
    await write(kept, DIGEST, new Uint8Array([1, 2, 3]));
    await write(kept, OTHER, new Uint8Array(4), true);
    const next = new SpillingStore(kept, undefined, { keep: false });
    const part = await next.append(DIGEST);
    expect([part.bytes, await contents(part)]).toEqual([3, [1, 2, 3]]);
    expect(await kept.storedBytes(DIGEST)).toBe(0);
    expect((await next.open(OTHER, 4))?.size).toBe(4);
  });

  it('goes on with a part that is held in memory', async () => {
    await write(store, DIGEST, new Uint8Array(60));
    const next = new SpillingStore(undefined, { whole: new Map(), parts: new Map([[DIGEST, new Blob([new Uint8Array(7)])]]) }, { keep: true });
    expect((await next.append(DIGEST)).bytes).toBe(7);
    expect(next.keeps).toBe(false);
  });

  it('drops files in both places', async () => {
    await write(kept, DIGEST, new Uint8Array(3), true);
    const next = new SpillingStore(kept, { whole: new Map([[OTHER, new Blob(['ab'])]]), parts: new Map() }, { keep: true });
    await next.remove(DIGEST);
    await next.clear();
    expect([await next.storedBytes(DIGEST), await next.storedBytes(OTHER)]).toEqual([0, 0]);
  });
});
