import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/bundle/bundle.js';
import { SentenceStream, splitSentences } from '../../src/llm/sentences.js';

function stream(deltas: readonly string[], language: Language): string[] {
  const sentences = new SentenceStream(language);
  return [...deltas.flatMap((delta) => sentences.push(delta)), ...sentences.end()];
}

const ENGLISH: readonly (readonly string[])[] = [
  ['Since when?', 'Is it sharp or dull?', 'Tell me more!'],
  ['Dr. Smith and Mrs. J. Jones agree.', 'So does Prof. Lee.'],
  ['You may eat soft food, e.g. rice, i.e. nothing spicy.', 'Rest.'],
  ['It began at 8 p.m. and ended at 9 a.m. on Monday.', 'Then it came back.'],
  ['Take your time, etc.', 'Then go on.'],
  ['It lasts 10 min. at most.', 'It stops in 5 min.', 'Then rest.'],
  ['A temperature of 38.5 °C is a fever.', 'So is 101.3 °F.'],
  ['Vitamin D.', 'Hepatitis B.', 'No. 5 is next.', 'The answer is no.', 'Go on.'],
  ['1. Rest.', '2. Drink water.', '3. Sleep.'],
  ['- a. Rest.', 'B. Drink water.', '(c) Sleep.', 'Step 4. Wait.'],
  ['He said "I am ill."', 'Then he left.'],
  ['"Is it bad?" he asked.', '“No.”', '(It was not.)', '**Rest.**', 'Then come.'],
  ['Well... maybe.', 'What?!', 'Really...', 'Yes.'],
  ['See www.example.com/a?b=c.d for it.', 'Or not.'],
  ['One line without an end', 'Another line', '- a point', '- one more.'],
  ['Pain in the U.S. and the U.K. is the same.', 'St. John is not.'],
];
const CHINESE: readonly (readonly string[])[] = [
  ['您好。', '请问痛了多久？', '是刺痛还是胀痛？', '别担心！'],
  ['体温38.5℃，血压120/80 mmHg。', '还有别的不舒服吗？？！'],
  ['他问：“痛吗？”', '我说：“不痛。”', '（真的。）', '「好。」'],
  ['1. 头痛。', '2. 恶心。', '3.呕吐。', '4、发热。'],
  ['常见原因有：', '- 感冒', '- 鼻炎；', '- 流感'],
  ['我头痛.', '请问怎么办.', '谢谢'],
  ['痛吗?', '多久了?', '好!', '知道了'],
  ['嗯……我想想...再说吧。', '见 https://a.cn/?b=1 处。'],
  ['发烧🤒了。', '🤒好些了吗？'],
  ['他说："好。"', '她说："不好。"', '然后走了。'],
  ['他走了。', '"好"是她说的。'],
];

describe('splitSentences', () => {
  for (const [language, tables] of [['en', ENGLISH], ['zh', CHINESE]] as const) {
    const separator = language === 'en' ? ' ' : '';
    for (const sentences of tables) {
      // Lines of a list or without a mark stand on lines of their own.
      const text = sentences.map((sentence, at) => (at === 0 ? sentence : /[\p{L}：；]$/u.test(sentences[at - 1]!) ? `\n${sentence}` : separator + sentence)).join('');
      it(`cuts ${JSON.stringify(text)}, wherever it is split`, () => {
        expect(splitSentences(text, language)).toEqual(sentences);
        expect(stream(text.split(''), language)).toEqual(sentences);
        for (let at = 0; at <= text.length; at++) expect(stream([text.slice(0, at), text.slice(at)], language)).toEqual(sentences);
      });
    }
  }

  it('gives nothing for white space', () => {
    expect(splitSentences(' \n\n \t ', 'en')).toEqual([]);
    expect(splitSentences('', 'zh')).toEqual([]);
  });

  it('cuts a run without an end at 400 characters, or at a blank before', () => {
    expect(splitSentences('痛'.repeat(1000), 'zh').map((sentence) => sentence.length)).toEqual([400, 400, 200]);
    expect(splitSentences(`${'x'.repeat(398)}1🤒${'y'.repeat(20)}`, 'en')).toEqual([`${'x'.repeat(398)}1`, `🤒${'y'.repeat(20)}`]);
    expect(splitSentences('words '.repeat(100), 'en').every((sentence) => /^(?:words ?)+$/.test(sentence))).toBe(true);
  });
});

describe('SentenceStream', () => {
  it('gives a sentence once it is certain that it ended', () => {
    const sentences = new SentenceStream('en');
    expect(sentences.push('It is 38.')).toEqual([]);
    expect(sentences.push('5 now. ')).toEqual([]);
    expect(sentences.push('R')).toEqual(['It is 38.5 now.']);
    expect(sentences.push('est\n')).toEqual(['Rest']);
    expect(sentences.push('So')).toEqual([]);
    expect(sentences.end()).toEqual(['So']);
    expect(sentences.end()).toEqual([]);
  });

  it('loses no character, whatever the text and its split (UI-07)', () => {
    const piece = fc.oneof(fc.constantFrom('.', '?', '。', '！', '"', '”', ')', ' ', '\n', 'Dr.', '1.', 'e.g.', '3.5', '头痛', 'Then', 'word', '🤒', '…'), fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constant('x'.repeat(150)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom('zh' as const, 'en' as const), (pieces, step, language) => {
        const text = pieces.join('');
        const whole = splitSentences(text, language);
        const deltas = Array.from({ length: Math.ceil(text.length / step) }, (_, at) => text.slice(at * step, (at + 1) * step));
        expect(stream(deltas, language)).toEqual(whole);
        expect(whole.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const sentence of whole) {
          expect(sentence).not.toMatch(/\p{Cs}|^$/u);
          expect(sentence.length).toBeLessThanOrEqual(400);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
