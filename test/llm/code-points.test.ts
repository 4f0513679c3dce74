import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodePoints } from '../../src/llm/code-points.js';

describe('CodePoints', () => {
  it('UI-07 puts an emoji together that came in halves', () => {
    const points = new CodePoints();
    expect(['a\ud83e', '\udd12', '', 'b'].map((piece) => points.push(piece))).toEqual(['a', '🤒', '', 'b']);
    expect(points.end()).toBe('');
  });

  it('replaces a half that never becomes whole', () => {
    const points = new CodePoints();
    expect(points.push('a\ud83e')).toBe('a');
    expect(points.push('b\udd12')).toBe('\ufffdb\ufffd');
    expect(points.push('\ud83e')).toBe('');
    expect(points.end()).toBe('\ufffd');
    expect(points.end()).toBe('');
  });

  it('gives any text back whatever the pieces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(40)), (text, cuts) => {
        const edges = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length];
        const points = new CodePoints();
        const pieces = edges.slice(1).map((edge, at) => points.push(text.slice(edges[at], edge)));
        expect(pieces.join('') + points.end()).toBe(text);
        for (const piece of pieces) expect(piece).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});
