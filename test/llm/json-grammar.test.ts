import { describe, expect, it } from 'vitest';
import { jsonGrammar } from '../../src/llm/json-grammar.js';
import type { JsonSchema } from '../../src/llm/language-model.js';

/** A small reader of the grammar: true where it derives the text. */
function derives(grammar: string, text: string): boolean {
  const rules = new Map(grammar.split('\n').map((line) => line.split(' ::= ') as [string, string]));
  const patterns = new Map<string, string>();
  const patternOf = (name: string): string => {
    let pattern = patterns.get(name);
    if (pattern === undefined) {
      const body = rules.get(name);
      if (body === undefined) throw new Error(`the grammar has no rule ${name}`);
      pattern = `(?:${body.replace(/"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|(r\d+)|\s+/g, (_all, literal: string | undefined, set: string | undefined, rule: string | undefined) => {
        if (literal !== undefined) return `(?:${(JSON.parse(`"${literal}"`) as string).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`;
        return set ?? (rule === undefined ? '' : patternOf(rule));
      })})`;
      patterns.set(name, pattern);
    }
    return pattern;
  };
  return new RegExp(`^${patternOf(rules.get('root')!)}$`, 'u').test(text);
}

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    decision: { enum: ['ask', '结束'] },
    sure: { type: 'boolean' },
    note: { type: 'string', maxLength: 5 },
    age: { type: 'integer' },
    marks: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
    free: { type: 'array', items: { type: 'string' } },
  },
  required: ['decision', 'marks'],
};

describe('jsonGrammar', () => {
  const grammar = jsonGrammar(SCHEMA);

  it.each([
    '{"decision":"ask","marks":["a"]}',
    '{"decision": "结束", "sure": true, "note": "五个字以内"., "marks": ["a", "b"]}'.replace('.', ''),
    '{"decision":"ask","age":-12,"marks":["b"],"free":[]}',
    '{"decision":"ask", "sure":false, "age":0, "marks":["b", "a"], "free":["x\\"y", "\\\\"]}',
  ])('allows %s', (text) => {
    expect(derives(grammar, text)).toBe(true);
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each([
    '{}',
    '{"decision":"ask"}',
    '{"decision":"no","marks":["a"]}',
    '{"marks":["a"],"decision":"ask"}',
    '{"decision":"ask","marks":[]}',
    '{"decision":"ask","marks":["a","b","a"]}',
    '{"decision":"ask","note":"longer","marks":["a"]}',
    '{"decision":"ask","sure":"yes","marks":["a"]}',
    '{"decision":"ask","age":01,"marks":["a"]}',
    '{"decision":"ask","note":"\n","marks":["a"]}',
    '{"decision":"ask","marks":["a"],}',
    '{"decision":"ask",\n\n\n"marks":["a"]}',
    '{"decision":"ask","marks":["a"],"more":1}',
  ])('does not allow %j', (text) => {
    expect(derives(grammar, text)).toBe(false);
  });

  it('takes optional members alone, together or not at all', () => {
    const optional = jsonGrammar({ type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'boolean' } } });
    for (const text of ['{}', '{"a":true}', '{"b":true}', '{"a":true,"b":false}']) expect(derives(optional, text)).toBe(true);
    for (const text of ['{,}', '{"a":true,}', '{,"b":true}', '{"b":true,"a":true}']) expect(derives(optional, text)).toBe(false);
  });

  it('takes constants, numbers, null and nested objects', () => {
    const nested = jsonGrammar({ type: 'object', properties: { kind: { const: 'a "b" \\' }, inner: { type: 'object', properties: { n: { type: 'number' }, z: { type: 'null' } }, required: ['n', 'z'] } }, required: ['kind', 'inner'] });
    expect(derives(nested, '{"kind":"a \\"b\\" \\\\","inner":{"n":1.25,"z":null}}')).toBe(true);
    expect(derives(nested, '{"kind":"a","inner":{"n":1.25,"z":null}}')).toBe(false);
  });

  it('refuses a schema that it cannot constrain', () => {
    expect(() => jsonGrammar({})).toThrow(RangeError);
    expect(() => jsonGrammar({ type: 'array' })).toThrow(RangeError);
  });
});
