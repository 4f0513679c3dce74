import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestInScript, sha256 } from '../../src/bundle/sha256.js';

const inNode = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('sha256', () => {
  it('gives the standard’s digest of "abc"', async () => {
    expect(await sha256(new TextEncoder().encode('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('gives the same digest in script, at every length around a block', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = new Uint8Array(randomBytes(length));
      expect(hex(digestInScript(bytes))).toBe(inNode(bytes));
    }
  });

  it('gives the same digest in script for a large part', () => {
    const bytes = new Uint8Array(randomBytes(300_001));
    expect(hex(digestInScript(bytes))).toBe(inNode(bytes));
  });

  it('digests a view from its own first byte', async () => {
    const view = new Uint8Array(randomBytes(100)).subarray(7, 60);
    expect(await sha256(view)).toBe(inNode(view));
    expect(hex(digestInScript(view))).toBe(inNode(view));
  });
});
