import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema, extractJson } from '../../src/llm/json-reply.js';

const ASK = { action: 'ask', questions: [1, 3] };
/** Bad outputs of small models, and the value that is read from each. */
const REPLIES: readonly (readonly [name: string, text: string, value: unknown])[] = [
  ['plain JSON', '{"action": "ask", "questions": [1, 3]}', ASK],
  ['a fence', '```json\n{"action": "ask", "questions": [1, 3]}\n```', ASK],
  ['a fence without a name', '```\n{"action": "ask", "questions": [1, 3]}\n```', ASK],
  ['a fence on one line', '```json {"action": "ask", "questions": [1, 3]}```', ASK],
  ['a fence never closed', 'Sure!\n```json\n{"action": "ask", "questions": [1, 3]}', ASK],
  ['words around it', 'Here is the JSON you asked for:\n{"action": "ask", "questions": [1, 3]}\nI hope this helps!', ASK],
  ['words with an apostrophe and a quote before it', 'Here\'s what I "think: {"action": "ask", "questions": [1, 3]}', ASK],
  ['a reference in the words', 'As [1] says: {"action": "ask", "questions": [1, 3]}', ASK],
  ['an example before it', 'The form is {action: …}. So: {"action": "ask", "questions": [1, 3]}', ASK],
  ['a bracket in the words', 'It begins with { or [: {"action": "ask", "questions": [1, 3]}', ASK],
  ['a fence after an object in words', '{"action": "conclude"} would be early, so:\n```json\n{"action": "ask", "questions": [1, 3]}\n```', ASK],
  ['commas at the end', '{"action": "ask", "questions": [1, 3,],}', ASK],
  ['no commas', '{"action": "ask"\n "questions": [1 3]}', ASK],
  ['single quotes', "{'action': 'ask', 'questions': [1, 3]}", ASK],
  ['single quotes with an apostrophe', "{'action': 'ask', 'reply': 'It\\'s fine'}", { action: 'ask', reply: "It's fine" }],
  ['keys without quotes', '{action: "ask", questions: [1, 3]}', ASK],
  ['values without quotes', '{"action": ask, "questions": [1, 3]}', ASK],
  ['comments', '{"action": "ask", // the "best" {one\n "questions": [1, 3] /* both } */}', ASK],
  ['comments of Python', '{"action": "ask", # it\'s best\n "questions": [1, 3]}', ASK],
  ['words of Python', "{'urgent': True, 'seen': False, 'note': None}", { urgent: true, seen: false, note: null }],
  ['curly quotes', '{“action”: “ask”, “questions”: [1, 3]}', ASK],
  ['full-width marks', '｛"action"："ask"，"questions"：［1，3］｝', ASK],
  ['full-width marks in a text', '{"reply"："痛吗：刺痛，还是胀痛？"}', { reply: '痛吗：刺痛，还是胀痛？' }],
  ['quotes inside a text', '{"action": "ask", "reply": "Is it "sharp" or dull?"}', { action: 'ask', reply: 'Is it "sharp" or dull?' }],
  ['a line end inside a text', '{"action": "ask", "reply": "One.\nTwo."}', { action: 'ask', reply: 'One.\nTwo.' }],
  ['a quote that is missing', '{"action": "ask, "questions": [1, 3]}', ASK],
  ['escaped quotes', '{\\"action\\": \\"ask\\", \\"questions\\": [1, 3]}', ASK],
  ['no last bracket', '{"action": "ask", "questions": [1, 3]', ASK],
  ['no last two brackets', '{"action": "ask", "questions": [1, 3', { action: 'ask', questions: [1] }],
  ['no last two brackets, with a line end', '{"action": "ask", "questions": [1, 3\n', ASK],
  ['a bracket of the wrong kind', '{"action": "ask", "questions": [1, 3}', ASK],
  ['a bracket too many', '{"action": "ask", "questions": [1, 3]}}', ASK],
  ['an end inside a text', '{"action": "ask", "questions": [1, 3], "reply": "Is it on one si', ASK],
  ['an end after a text', '{"questions": [1, 3], "action": "ask"', ASK],
  ['an end after a key', '{"action": "ask", "questions": [1, 3], "reply"', ASK],
  ['an end after a colon', '{"action": "ask", "questions": [1, 3], "reply":', ASK],
  ['an end inside a word', '{"action": "ask", "questions": [1, 3], "urgent": tru', ASK],
  ['an end after a word', '{"urgent": true', { urgent: true }],
  ['an end inside a number', '{"action": "ask", "questions": [1, 3], "age": 4', ASK],
  ['an end inside objects', '{"found": [{"id": "fever", "present": true}, {"id": "cou', { found: [{ id: 'fever', present: true }, {}] }],
  ['an end in a fence', '```json\n{"action": "ask", "questions": [1, 3], "reply": "Is', ASK],
  ['a list', 'The list: ["fever", "cough"]', ['fever', 'cough']],
  ['a list that is cut off', '["fever", "cough", "sor', ['fever', 'cough']],
  ['an object in an object', '{"a": {"b": {"c": [1, {"d": 2}]}}}', { a: { b: { c: [1, { d: 2 }] } } }],
  ['keys that reach into objects', '{"symptoms": ["s_9999"], "__proto__": {"admin": true}, "constructor": 1, "a": {"prototype": 2, "b": 3}}', { symptoms: ['s_9999'], a: { b: 3 } }],
  ['a call', 'callback({"action": "ask", "questions": [1, 3]});', ASK],
  ['a number that is too large', '{"age": 1e999}', { age: Infinity }],
];
const NOTHING: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['white space', ' \n '],
  ['words', 'I cannot answer that.'],
  ['a bare text', '"ask"'],
  ['a bare number', '42'],
  ['an address', 'see https://example.com'],
  ['what is too long', `{"a": "${'x'.repeat(12_000)}"}`],
  ['what is too deep', `${'['.repeat(40)}${']'.repeat(40)}`],
  ['what is too deep and broken', '{"a":'.repeat(2000)],
  ['what is far too deep', '['.repeat(11_000)],
];

describe('extractJson (OUT-04)', () => {
  it.each(REPLIES)('reads %s', (_name, text, value) => {
    expect(extractJson(text)).toEqual(value);
  });

  it.each(NOTHING)('finds no value in %s', (_name, text) => {
    expect(extractJson(text)).toBeUndefined();
  });

  it('runs nothing and reaches into nothing (OUT-05)', () => {
    const value = extractJson('{"__proto__": {"polluted": true}, "a": (() => { globalThis.ran = true; })(), "b": {"__proto__": {"polluted": true}}}');
    expect(Object.getPrototypeOf(value ?? {})).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((globalThis as Record<string, unknown>).ran).toBeUndefined();
    const broken = extractJson("{'__proto__': {'polluted': True}, constructor: {a: 1}, b: 2,") as Record<string, unknown>;
    expect(Object.keys(broken)).toEqual(['b']);
    expect(broken.polluted).toBeUndefined();
  });

  it('never throws, and returns objects or lists alone', () => {
    const piece = fc.oneof(fc.constantFrom('{', '}', '[', ']', ':', ',', '"', "'", '\\', '\\u12', '“', '”', '：', '//', '/*', '#', '```', 'true', 'None', '1.', '-', '\n', '...', '(', 'a', '/'), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const value = extractJson(pieces.join(''));
        expect(value === undefined || (typeof value === 'object' && value !== null)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('reads any JSON as it is, with words around it', () => {
    const inner = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }).filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(inner, (value) => {
        const json = JSON.stringify(value);
        fc.pre(!/__proto__|constructor|prototype|```/.test(json));
        const expected: unknown = JSON.parse(json);
        for (const text of [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is: ${json} Good luck!`]) expect(extractJson(text)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('invents nothing where the end is cut off', () => {
    const value = { action: 'ask', questions: [12, 345], found: [{ id: 'chest-pain', present: true }], reply: 'Is it "sharp", or {dull}?' };
    const json = JSON.stringify(value);
    for (let at = 1; at < json.length; at++) {
      const cut = extractJson(json.slice(0, at)) as Partial<typeof value>;
      if (cut.action !== undefined) expect(cut.action).toBe(value.action);
      if (cut.reply !== undefined) expect(cut.reply).toBe(value.reply);
      expect(value.questions.slice(0, cut.questions?.length ?? 0)).toEqual(cut.questions ?? []);
      expect([undefined, 'chest-pain']).toContain(cut.found?.[0]?.id);
      expect([undefined, true]).toContain(cut.found?.[0]?.present);
    }
  });
});

const SCHEMA = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['ask', 'conclude'] },
    questions: { type: 'array', items: { type: 'integer', enum: [1, 2, 3] }, minItems: 1, maxItems: 2 },
    found: { type: 'array', items: { type: 'object', properties: { id: { type: 'string', maxLength: 4 }, present: { type: 'boolean' } }, required: ['id', 'present'] } },
    version: { const: 1 },
  },
  required: ['action'],
};

describe('checkSchema (OUT-05)', () => {
  it.each([
    [{ action: 'ask' }],
    [{ action: 'ask', questions: [1, 3], found: [{ id: 'abcd', present: true }], version: 1 }],
    [{ action: 'conclude', more: 'is ignored' }],
    [{ action: 'ask', found: [{ id: '发烧🤒了', present: false }] }],
  ])('finds no fault in %j', (value) => {
    expect(checkSchema(value, SCHEMA)).toEqual([]);
  });

  it.each<[unknown, string[]]>([
    ['text', ['The reply must be an object.']],
    [null, ['The reply must be an object.']],
    [[], ['The reply must be an object.']],
    [{}, ['"action" is missing.']],
    [{ action: 'run' }, ['"action" must be one of "ask", "conclude".']],
    [{ action: 1 }, ['"action" must be a text in quotes.']],
    [{ action: 'ask', questions: 1 }, ['"questions" must be a list.']],
    [{ action: 'ask', questions: [] }, ['"questions" must have at least 1 items.']],
    [{ action: 'ask', questions: [1, 2, 3] }, ['"questions" must have at most 2 items.']],
    [{ action: 'ask', questions: ['1', 2.5] }, ['"questions[0]" must be a whole number without quotes.', '"questions[1]" must be a whole number without quotes.']],
    [{ action: 'ask', questions: [9] }, ['"questions[0]" must be one of 1, 2, 3.']],
    [{ action: 'ask', questions: [NaN, Infinity] }, ['"questions[0]" must be a whole number without quotes.', '"questions[1]" must be a whole number without quotes.']],
    [{ action: 'ask', found: [{ id: 'abc', present: 'yes' }] }, ['"found[0].present" must be true or false without quotes.']],
    [{ action: 'ask', found: [{ id: 'abc', present: 1 }] }, ['"found[0].present" must be true or false without quotes.']],
    [{ action: 'ask', found: [{ id: 'abcde', present: true }, {}] }, ['"found[0].id" must have at most 4 characters.', '"found[1].id" is missing.', '"found[1].present" is missing.']],
    [{ action: 'ask', version: 2 }, ['"version" must be 1.']],
  ])('names the faults of %j', (value, faults) => {
    expect(checkSchema(value, SCHEMA)).toEqual(faults);
  });

  it('refuses members beyond the schema where it says so, without repeating their names', () => {
    const strict = { ...SCHEMA, additionalProperties: false };
    expect(checkSchema({ action: 'ask', triage: 'self-care' }, strict)).toEqual(['The reply may have these members only: action, questions, found, version.']);
  });

  it('takes no member that an object has by nature', () => {
    expect(checkSchema({}, { type: 'object', required: ['toString'], properties: { toString: { type: 'string' } } })).toEqual(['"toString" is missing.']);
  });

  it('names a few faults only, and a few values of a long list', () => {
    expect(checkSchema(Array(50).fill('a'), { type: 'array', items: { type: 'boolean' } })).toHaveLength(8);
    const [fault] = checkSchema('x', { enum: Array.from({ length: 500 }, (_, at) => `id-${String(at)}`) });
    expect(fault).toMatch(/"id-19", ….$/);
  });

  it('refuses a schema that it cannot check', () => {
    expect(() => checkSchema(1, { type: 'integer', minimum: 3 })).toThrow(TypeError);
    expect(() => checkSchema(1, { type: 'toString' })).toThrow(TypeError);
    expect(() => checkSchema('a', { type: ['string', 'null'] })).toThrow(TypeError);
  });
});
