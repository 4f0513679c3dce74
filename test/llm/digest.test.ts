import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf, isDigest, startDigest } from '../../src/llm/digest.js';

const SHA256 = `sha256:${'0'.repeat(64)}`;
const GIT = `git-sha1:${'0'.repeat(40)}`;

describe('startDigest', () => {
  it('gives a blob the id that git gives it', () => {
    const digest = startDigest(GIT, 12);
    digest.update(new TextEncoder().encode('hello world\n'));
    expect(digest.value()).toBe('git-sha1:3b18e512dba79e4c8300dd08aeb37f8e728b8dad');
  });

  it('equals the digest of the whole, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (parts) => {
        const whole = Buffer.concat(parts);
        const [sha256, git] = [startDigest(SHA256, whole.length), startDigest(GIT, whole.length)];
        for (const part of parts) {
          sha256.update(part);
          git.update(part);
        }
        expect(sha256.value()).toBe(`sha256:${createHash('sha256').update(whole).digest('hex')}`);
        expect(git.value()).toBe(`git-sha1:${createHash('sha1').update(`blob ${String(whole.length)}\0`).update(whole).digest('hex')}`);
      }),
    );
  });

  it.each(['', 'md5:00', `sha256:${'0'.repeat(63)}`, `sha256:${'A'.repeat(64)}`, `git-sha1:${'0'.repeat(64)}`, `sha1:${'0'.repeat(40)}`])('refuses "%s"', (text) => {
    expect(isDigest(text)).toBe(false);
    expect(() => startDigest(text, 0)).toThrow(RangeError);
  });
});

describe('digestOf', () => {
  it('reads a whole file', async () => {
    expect(await digestOf(new Blob(['hello ', 'world\n']), GIT)).toBe('git-sha1:3b18e512dba79e4c8300dd08aeb37f8e728b8dad');
    expect(await digestOf(new Blob([]), SHA256)).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
