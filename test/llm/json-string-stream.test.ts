import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonStringStream } from '../../src/llm/json-string-stream.js';

const LONE_HALF = /\p{Cs}/u;

function run(deltas: readonly string[], key = 'reply'): { readonly text: string; readonly frames: readonly string[]; readonly isClosed: boolean } {
  const stream = new JsonStringStream(key);
  const frames = deltas.map((delta) => stream.push(delta));
  return { text: frames.join(''), frames, isClosed: stream.isClosed };
}

const CASES: readonly (readonly [name: string, json: string, text: string])[] = [
  ['a value', '{"reply": "Since when?"}', 'Since when?'],
  ['a value after others', '{"action": "ask", "questions": [1, {"reply": "no"}], "n": 3, "ok": true, "reply" : "Since when?"}', 'Since when?'],
  ['an empty value', '{"reply": ""}', ''],
  ['escapes', String.raw`{"reply": "a\"b\\c\/d\ne\tf\u0041"}`, 'a"b\\c/d\ne\tfA'],
  ['pairs of escapes', String.raw`{"reply": "发烧\ud83e\udd12了"}`, '发烧🤒了'],
  ['a key that is escaped', String.raw`{"r\u0065ply": "yes"}`, 'yes'],
  ['a value that looks like the key', '{"action": "reply", "x": "reply: no", "reply": "yes"}', 'yes'],
  ['brackets and quotes in texts', String.raw`{"x": "}{\"reply\": \"no\"", "reply": "yes {[\""}`, 'yes {["'],
  ['the first of two', '{"reply": "first", "reply": "second"}', 'first'],
  ['words and a fence before it', 'Sure, "reply": here [it] is:\n```json\n{"reply": "yes"}\n```', 'yes'],
  ['a line end as it is', '{"reply": "a\nb"}', 'a\nb'],
  ['escapes that do not exist', String.raw`{"reply": "a\xb\u12zc"}`, 'axbzc'],
  ['halves without the other half', String.raw`{"reply": "a\ud83eb\udd12c\ud83e"}`, 'abc'],
];

describe('JsonStringStream (UI-07)', () => {
  it.each(CASES)('reads %s, wherever the JSON is split', (_name, json, text) => {
    for (let at = 0; at <= json.length; at++) expect(run([json.slice(0, at), json.slice(at)])).toMatchObject({ text, isClosed: true });
    const { frames, ...whole } = run(json.split(''));
    expect(whole).toEqual({ text, isClosed: true });
    for (const frame of frames) expect(frame).not.toMatch(LONE_HALF);
  });

  it.each([
    ['{"reply": "Since wh', 'Since wh'],
    ['{"reply": "Since\\', 'Since'],
    ['{"reply": "Since\\u00', 'Since'],
    ['{"reply": ', ''],
    ['{"reply": null, "other": "x"}', ''],
    ['{"reply": ["x"]}', ''],
    ['{"reply": {"reply": "x"}}', ''],
    ['{"a": {"reply": "x"}}', ''],
    ['{"a": 1} {"reply": "x"}', ''],
    ['no object', ''],
  ])('is not closed by %j', (json, text) => {
    expect(run(json.split(''))).toMatchObject({ text, isClosed: false });
  });

  it('reads whatever text JSON can hold, for every split, as it grows', () => {
    const value = fc.record({ before: fc.jsonValue({ maxDepth: 2 }), reply: fc.string({ unit: 'grapheme', maxLength: 20 }), after: fc.jsonValue({ maxDepth: 1 }) });
    fc.assert(
      fc.property(value, fc.boolean(), fc.integer({ min: 1, max: 7 }), (object, isEscaped, step) => {
        const plain = JSON.stringify(object);
        const json = isEscaped ? plain.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : plain;
        const stream = new JsonStringStream('reply');
        let text = '';
        for (let at = 0; at < json.length; at += step) {
          text += stream.push(json.slice(at, at + step));
          expect(object.reply.startsWith(text)).toBe(true);
          expect(text).not.toMatch(LONE_HALF);
        }
        expect(text).toBe(object.reply);
        expect(stream.isClosed).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
