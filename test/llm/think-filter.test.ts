import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThinkFilter, type ThinkFilterOptions } from '../../src/llm/think-filter.js';

function run(deltas: readonly string[], options: ThinkFilterOptions = {}, reason: 'stop' | 'length' = 'stop'): string {
  const filter = new ThinkFilter(options);
  return deltas.map((delta) => filter.push(delta)).join('') + filter.end(reason);
}
/** In two parts at every place, and character by character. */
function splits(text: string): string[][] {
  return [...Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]), text.split('')];
}
const whole = (text: string, options?: ThinkFilterOptions): string => run([text], options);

/** Thoughts are written in capitals or in 密, replies without. */
const FORMS: readonly (readonly [name: string, text: string, reply: string, options?: ThinkFilterOptions])[] = [
  ['a think block', '<think>SECRET 密</think>\n\nyour reply', 'your reply'],
  ['an empty think block', '<think>\n\n</think>\n\nyour reply', 'your reply'],
  ['thinking', '<thinking>SECRET</thinking>your reply', 'your reply'],
  ['a thought', '<|thought|>SECRET<|/thought|>your reply', 'your reply'],
  ['a thought that ends by name', '<|begin_of_thought|>SECRET<|end_of_thought|>your reply', 'your reply'],
  ['reasoning', '<reasoning>SECRET</reasoning> your reply', 'your reply'],
  ['a scratchpad', '<scratchpad>SECRET</scratchpad> your reply', 'your reply'],
  ['triangles', '◁think▷SECRET 密◁/think▷your reply', 'your reply'],
  ['square brackets', '[THINK]SECRET[/THINK]your reply', 'your reply'],
  ['unused tokens', '<unused94>thought\nSECRET<unused95>your reply', 'your reply'],
  ['half-barred channels', '<|channel>thought\nSECRET<channel|>your reply', 'your reply'],
  ['Chinese names', '<思考>密密</思考>回答', '回答'],
  ['start and end by name', '<|START_THINKING|>SECRET<|END_THINKING|>your reply', 'your reply'],
  ['upper case', '<THINK>SECRET</Think>your reply', 'your reply'],
  ['blanks in tags', '< think >SECRET< / think\n>your reply', 'your reply'],
  ['full-width tags', '＜think＞SECRET＜／think＞your reply', 'your reply'],
  ['a closing tag of another name', '<think>SECRET</thinking>your reply', 'your reply'],
  ['a thought inside a thought', '<think>SECRET<think>MORE</think>STILL</think>your reply', 'your reply'],
  ['an opening tag said twice', '<think>\n<think>SECRET</think>your reply', 'your reply'],
  ['a thought in the middle', 'your <think>SECRET</think>reply', 'your reply'],
  ['two thoughts', '<think>ONE</think>your <think>TWO</think>reply', 'your reply'],
  ['an opening tag never closed', 'your reply<think>SECRET and </thin', 'your reply'],
  ['a tag that breaks off', 'your reply<thin', 'your reply'],
  ['a closing tag alone, first', '</think>your reply', 'your reply'],
  ['channels', '<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant<|channel|>final<|message|>your reply<|return|>', 'your reply'],
  ['channels with a commentary', '<|channel|>commentary to=X <|constrain|>json<|message|>{"SECRET":1}<|call|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{}', '{}'],
  ['a channel that never ends', '<|channel|>analysis<|message|>SECRET', ''],
  ['a tag said inside a channel', '<|channel|>analysis<|message|>SECRET <think> MORE<|end|><|start|>assistant<|channel|>final<|message|>your reply', 'your reply'],
  ['a prompt that ends inside a thought', 'SECRET</think>\nyour reply', 'your reply', { mayStartInside: true }],
  ['such a prompt, opened again', '<think>SECRET</think>\nyour reply', 'your reply', { mayStartInside: true }],
  ['such a prompt with a thought inside', 'SECRET <think>MORE</think> STILL</think>your reply', 'your reply', { mayStartInside: true }],
  ['such a prompt and no thought', 'your reply', 'your reply', { mayStartInside: true }],
];
const PLAIN = ['体温 < 38 °C，心率 > 100', 'x < y and y > z', 'a <b>bold</b> word', 'see [1] and [think of it]', '<', 'ends with <', 'a thought about <thin>', '<|im_end|>', 'the <|end|> of it', '发烧🤒了'];

describe('ThinkFilter (OUT-08)', () => {
  for (const [name, text, reply, options] of FORMS) {
    it(`takes out ${name}, wherever the text is split`, () => {
      for (const deltas of splits(text)) {
        const filter = new ThinkFilter(options);
        const frames = deltas.map((delta) => filter.push(delta));
        frames.push(filter.end());
        expect(frames.join('')).toBe(reply);
        expect(frames.join('|')).not.toMatch(/[A-Z密]/);
      }
    });
  }

  it.each(PLAIN)('leaves %j as it is', (text) => {
    for (const deltas of splits(text)) expect(run(deltas)).toBe(text);
  });

  it('returns what is certain at once', () => {
    const filter = new ThinkFilter();
    expect(filter.push('<think>A</think>  ')).toBe('');
    expect(filter.push('Rest, ')).toBe('Rest, ');
    expect(filter.push('and 3 < 4')).toBe('and 3 < 4');
    expect(filter.push(' <')).toBe(' ');
    expect(filter.push('b')).toBe('<b');
  });

  it('holds back no more than a tag’s length', () => {
    const filter = new ThinkFilter();
    filter.push('<');
    expect(filter.push(' '.repeat(100))).toBe(`<${' '.repeat(100)}`);
  });

  it('returns nothing of a reply that was cut in the middle of its thought', () => {
    expect(run(['Okay, the user', ' says'], { mayStartInside: true }, 'length')).toBe('');
    expect(run(['Okay <think>A', 'B'], { mayStartInside: true })).toBe('');
  });

  it('streams again once a thought has been closed', () => {
    const filter = new ThinkFilter({ mayStartInside: true });
    expect(filter.push('SECRET</think>one ')).toBe('one ');
    const own = new ThinkFilter({ mayStartInside: true });
    expect(own.push('\n<think>SECRET</think>one ')).toBe('one ');
  });

  it('tells when what it returned was a thought', () => {
    for (const deltas of splits('a thought</think>reply')) {
      const filter = new ThinkFilter();
      for (const delta of deltas) filter.push(delta);
      filter.end();
      expect(filter.leaked).toBe(true);
    }
    const filter = new ThinkFilter();
    filter.push('<think>A</think>reply');
    expect(filter.leaked).toBe(false);
  });

  it('gives the same for every split of any sequence of tags and text', () => {
    const tag = fc.constantFrom('<think>', '</think>', '<THINKING>', '</ thinking>', '<|thought|>', '<|/thought|>', '◁think▷', '◁/think▷', '<|channel|>', 'analysis', 'final', '<|message|>', '<|end|>', '<|start|>', '<unused94>', '<unused95>', '[think]', '<', '< ', '<|', '</', '<thin', ' ', '\n');
    const piece = fc.oneof(tag, fc.string({ unit: 'grapheme', maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.array(fc.nat(200), { maxLength: 12 }), fc.boolean(), fc.constantFrom('stop', 'length'), (pieces, cuts, mayStartInside, reason) => {
        const text = pieces.join('');
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((left, right) => left - right);
        const deltas = [0, ...places].map((place, index) => text.slice(place, places[index] ?? text.length));
        expect(run(deltas, { mayStartInside }, reason)).toBe(run([text], { mayStartInside }, reason));
      }),
      { numRuns: 2000 },
    );
  });

  it('lets no character of a thought through, whatever stands around it', () => {
    const opening = fc.constantFrom(['<think>', '</think>'], ['< Think >', '</THINK >'], ['<reasoning>', '</reasoning>'], ['◁think▷', '◁/think▷'], ['<unused94>thought\n', '<unused95>'], ['<scratchpad>', '</scratchpad>']);
    const words = (alphabet: string): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...alphabet.split('')), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.record({ before: words('xyz <.病'), tags: opening, thought: words('QWE </|>[密') }), { minLength: 1, maxLength: 4 }), fc.nat(60), (parts, cut) => {
        const text = parts.map(({ before, tags, thought }) => `${before}${tags[0]}${thought}${tags[1]}`).join('');
        const reply = run([text.slice(0, cut), ...text.slice(cut).split('')]);
        expect(reply).not.toMatch(/[QWE密]/);
        expect(whole(text)).toBe(parts.map(({ before }) => before).join('').trimStart());
      }),
      { numRuns: 1000 },
    );
  });
});
