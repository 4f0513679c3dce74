import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripControlTokens } from '../../src/llm/control-tokens.js';

const STRIPPED: readonly (readonly [name: string, text: string, reply: string])[] = [
  ['the end of a turn', 'Drink water.<|im_end|>', 'Drink water.'],
  ['the end of a turn of Llama', '多喝水。<|eot_id|>', '多喝水。'],
  ['the end of a turn of Gemma', 'Drink water.<end_of_turn>\n', 'Drink water.'],
  ['the end of a sequence', 'Drink water.</s>', 'Drink water.'],
  ['the end of a text and what follows', 'Drink water.<|endoftext|>Once upon a time', 'Drink water.'],
  ['full-width tokens', '多喝水。<｜end▁of▁sentence｜>', '多喝水。'],
  ['reserved tokens', 'Drink <|reserved_special_token_12|>water<pad><unk>.', 'Drink water.'],
  ['byte and unused tokens', 'Drink<0x0A> water<unused12>.', 'Drink water.'],
  ['an answer’s tags', '<answer>Drink water.</answer>', 'Drink water.'],
  ['its own role', '<|im_start|>assistant\nDrink water.', 'Drink water.'],
  ['its own role of Llama', '<|start_header_id|>assistant<|end_header_id|>\n\nDrink water.', 'Drink water.'],
  ['its own role of Gemma', '<start_of_turn>model\nDrink water.', 'Drink water.'],
  ['its own name', '**Assistant:** Drink water.', 'Drink water.'],
  ['its own name in Chinese', '医生：您好，多喝水。', '您好，多喝水。'],
  ['a token that breaks off', 'Drink water.<|im_e', 'Drink water.'],
  ['a token put together by taking one out', 'Drink water.<|im<|x|>_end|>', 'Drink water.'],
  ['zero-width and direction marks', 'Dr\u200bink\u202e wa\u2066ter\ufeff.', 'Drink water.'],
  ['a token hidden by a zero-width mark', 'Drink water.<|im\u200b_end|>', 'Drink water.'],
  ['controls', 'Drink\u0007 wa\u009bter\u0000.', 'Drink water.'],
  ['replacement characters and halves of pairs', 'Drink\ufffd wa\ud83eter.', 'Drink water.'],
  ['line ends of other systems', 'One.\r\nTwo.\rThree.\u2028Four.', 'One.\nTwo.\nThree.\nFour.'],
];
const CUT: readonly (readonly [string, string])[] = [
  ['Since when?<|im_end|>\n<|im_start|>user\nSince Monday.', 'Since when?'],
  ['Since when?<|im_start|>user\nSince Monday.', 'Since when?'],
  ['Since when?<start_of_turn>user\nSince Monday.', 'Since when?'],
  ['Since when?<|user|>Since Monday.', 'Since when?'],
  ['多久了？<｜User｜>三天。', '多久了？'],
  ['Since when? [INST] Since Monday. [/INST]', 'Since when?'],
  ['Since when?\nUser: Since Monday.', 'Since when?'],
  ['Since when?\n\nPatient: Since Monday.\nDoctor: I see.', 'Since when?'],
  ['Since when?\n**Patient:** Since Monday.', 'Since when?'],
  ['Since when?\n### Human: Since Monday.', 'Since when?'],
  ['Since when?\nuser\nSince Monday.', 'Since when?'],
  ['多久了？\n患者：三天。', '多久了？'],
  ['多久了？\n用户: 三天。', '多久了？'],
  ['Patient: my head hurts.', ''],
  ['<|im_start|>user\nmy head hurts', ''],
];
const KEPT = ['体温 < 38 °C，血压 120/80', 'Pain of 3 <b>or</b> more', 'One\n\n- two\n\t- three 🤒', 'The patient: user of many words', '请问您是患者：还是家属？', 'Patients often say so.', 'a | b || c', 'human users'];

describe('stripControlTokens', () => {
  it.each(STRIPPED)('takes out %s', (_name, text, reply) => {
    expect(stripControlTokens(text)).toBe(reply);
  });

  it.each(CUT)('ends where the model speaks for the patient: %j', (text, reply) => {
    expect(stripControlTokens(text)).toBe(reply);
  });

  it.each(KEPT)('leaves %j as it is', (text) => {
    expect(stripControlTokens(text)).toBe(text);
  });

  const pieces = fc.array(
    fc.oneof(fc.constantFrom(...STRIPPED.map(([, text]) => text), ...CUT.map(([text]) => text), ...KEPT, '<|', '|>', '<', '</s', '\n', ' ', 'Doctor:', 'Patient:', 'assistant', '<|im_start|>', '\u200b'), fc.string({ unit: 'binary', maxLength: 8 })),
    { maxLength: 6 },
  );

  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const once = stripControlTokens(parts.join(''));
        expect(stripControlTokens(once)).toBe(once);
        expect(once).not.toMatch(/<\|[a-z_]+\|>|[\u200b\u202e\ufffd\u0000-\u0008]/);
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes back what a growing reply has shown, but for its last characters', () => {
    fc.assert(
      fc.property(pieces, fc.nat(300), (parts, at) => {
        const text = parts.join('');
        const soFar = stripControlTokens(text.slice(0, at));
        const shown = soFar.slice(0, Math.max(0, soFar.length - 24)).trimEnd();
        expect(stripControlTokens(text).startsWith(shown)).toBe(true);
      }),
      { numRuns: 4000 },
    );
  });
});
