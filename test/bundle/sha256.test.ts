import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/bundle/sha256.js';

const inNode = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('sha256', () => {
  it('gives the standard’s digest of "abc"', async () => {
    expect(await sha256(new TextEncoder().encode('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('gives the same digest where there is no crypto.subtle', async () => {
    vi.stubGlobal('crypto', {});
    for (const length of [0, 1, 55, 56, 63, 64, 65, 300_001]) {
      const bytes = new Uint8Array(randomBytes(length));
      expect(await sha256(bytes)).toBe(inNode(bytes));
    }
  });

  it('digests a view from its own first byte', async () => {
    const view = new Uint8Array(randomBytes(100)).subarray(7, 60);
    expect(await sha256(view)).toBe(inNode(view));
    vi.stubGlobal('crypto', {});
    expect(await sha256(view)).toBe(inNode(view));
  });
});
