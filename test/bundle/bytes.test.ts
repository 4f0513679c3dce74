import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter, readHeader, writeHeader } from '../../src/bundle/bytes.js';

describe('ByteWriter and ByteReader', () => {
  it('give back what was written', () => {
    const bytes = new ByteWriter().u8(200).u32(4_000_000_000).f32(0.5).varuint(0).varuint(127).varuint(128).varuint(2 ** 40).string('发热 fever').list(['a', 'bc'], () => undefined).finish();
    const reader = new ByteReader(bytes, 'test');
    expect([reader.u8(), reader.u32(), reader.f32(), reader.varuint(), reader.varuint(), reader.varuint(), reader.varuint(), reader.string(), reader.varuint()]).toEqual([200, 4_000_000_000, 0.5, 0, 127, 128, 2 ** 40, '发热 fever', 2]);
    expect(reader.remaining).toBe(0);
  });

  it('grow beyond any size', () => {
    expect(new ByteWriter().raw(new Uint8Array(100_000)).u8(1).finish()).toHaveLength(100_001);
  });

  it('report reading past the end as truncated', () => {
    expect(() => new ByteReader(new Uint8Array(3), 'test').u32()).toThrow(expect.objectContaining({ code: 'truncated' }) as Error);
  });

  it('report a list longer than what is left as malformed', () => {
    expect(() => new ByteReader(new ByteWriter().varuint(1_000_000).finish(), 'test').list(() => 0)).toThrow(expect.objectContaining({ code: 'malformed' }) as Error);
  });

  it('report a number without an end as malformed', () => {
    expect(() => new ByteReader(new Uint8Array(20).fill(0xff), 'test').varuint()).toThrow(expect.objectContaining({ code: 'malformed' }) as Error);
  });

  it('report text that is not UTF-8 as malformed', () => {
    expect(() => new ByteReader(new Uint8Array([2, 0xc3, 0x28]), 'test').string()).toThrow(expect.objectContaining({ code: 'malformed' }) as Error);
  });
});

describe('readHeader', () => {
  const header = (): Uint8Array => writeHeader('texts').finish();
  it.each([
    ['another part', (): Uint8Array => writeHeader('vectors').finish(), 'malformed'],
    ['a newer format', (): Uint8Array => header().with(4, 9), 'format-unsupported'],
    ['other bytes', (): Uint8Array => header().with(0, 0), 'not-a-bundle'],
    ['too few bytes', (): Uint8Array => header().slice(0, 5), 'truncated'],
  ])('refuses %s', (_what, bytes, code) => {
    expect(() => readHeader(bytes(), 'texts')).toThrow(expect.objectContaining({ code }) as Error);
  });
});
