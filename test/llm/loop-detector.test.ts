import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoopDetector } from '../../src/llm/loop-detector.js';
import { knowledgeLines } from './knowledge-lines.js';

/** Characters read until the loop was seen; Infinity where none was. */
function readUntilLoop(text: string): number {
  const detector = new LoopDetector();
  const at = text.split('').findIndex((character) => detector.push(character));
  return at < 0 ? Infinity : at + 1;
}

/** The same whole numbers in no order, each time. */
function randomNumbers(): () => number {
  let seed = 1;
  return () => (seed = (seed * 48_271) % 2_147_483_647) >> 8;
}

const ORDINARY = [
  '您好，根据您说的情况，头痛已经持续三天，伴有恶心，但没有呕吐。请问头痛是一侧还是两侧？',
  '您有没有发热？有没有咳嗽？有没有咳痰？有没有胸闷？有没有气短？有没有盗汗？',
  '请问疼痛是刺痛、胀痛、钝痛、绞痛还是跳痛？',
  '1. 偏头痛：一侧搏动性头痛，怕光怕声。\n2. 紧张性头痛：双侧压迫感，像戴了紧箍。\n3. 丛集性头痛：一侧眼眶周围剧痛，流泪。\n4. 鼻窦炎：前额胀痛，低头加重，流脓涕。',
  '- 头痛\n- 头晕\n- 恶心\n- 呕吐\n- 畏光\n- 畏声\n- 颈部僵硬\n- 视物模糊',
  '头痛、头晕、头胀、头重、头皮麻木，都可以由颈椎病引起；头痛、发热、颈项强直，则要想到脑膜炎。',
  '可能的原因有：普通感冒、流行性感冒、急性支气管炎、社区获得性肺炎、支气管哮喘。',
  '第1天：体温38.5℃，第2天：体温38.2℃，第3天：体温37.6℃，第4天：体温37.1℃，第5天：体温36.8℃。',
  '血压130/85 mmHg，心率78次/分，呼吸18次/分，体温36.8 ℃，血氧98%。',
  '胸痛时有没有出汗？胸痛时有没有气短？胸痛时有没有心慌？胸痛时有没有放射到左臂？胸痛时有没有恶心？',
  '不是。不是的。没有。没有，没有发热，没有咳嗽，没有咳痰，没有胸痛，没有腹痛，没有腹泻。',
  '哈哈哈，别紧张。嗯……我再问您几个问题。',
  '太阳穴、前额、头顶、后脑勺、眼眶，哪里最痛？是不是早上最痛？是不是晚上最痛？是不是累了最痛？',
  '中医认为，此证属肝阳上亢，治以平肝潜阳；若属痰浊中阻，治以燥湿化痰；若属气血亏虚，治以补益气血；若属肾精不足，治以补肾填精。',
  '舌淡红，苔薄白，脉浮紧；舌红，苔薄黄，脉浮数；舌红，苔黄腻，脉滑数；舌淡，苔白腻，脉濡缓。',
  'How long have you had the headache? Is it on one side or on both? Does light make it worse? Does noise make it worse?',
  'Do you have a fever? Do you have a cough? Do you have a sore throat? Do you have a runny nose? Do you have a rash? Do you have chest pain?',
  'I am sorry to hear that. To understand it better, I need to ask a few more questions about your stomach pain.',
  '1. Migraine: a throbbing pain on one side, worse with light.\n2. Tension headache: a band of pressure on both sides.\n3. Cluster headache: a severe pain around one eye.\n4. Sinusitis: a pressure in the forehead, worse when bending.',
  '- fever\n- fatigue\n- headache\n- neck stiffness\n- nausea\n- vomiting\n- sensitivity to light\n- sensitivity to sound\n- rash',
  'No fever, no cough, no sore throat, no chest pain, no abdominal pain, no diarrhoea, no rash, no joint pain.',
  'Very, very tired; really, really thirsty; up again and again in the night, night after night.',
  'The pain may be sharp, dull, burning, cramping, stabbing, throbbing, aching, gnawing or squeezing.',
  'Pain in the upper right of the belly points to the gallbladder; pain in the lower right of the belly points to the appendix; pain in the upper middle of the belly points to the stomach.',
  'Day 1: 38.5 °C, day 2: 38.1 °C, day 3: 37.9 °C, day 4: 37.2 °C, day 5: 36.9 °C, day 6: 36.7 °C.',
  '8:00 120/80, 12:00 125/82, 16:00 131/85, 20:00 128/79, 24:00 119/77',
  'For the common cold: rest and drink. See a doctor if it gets worse. For influenza: rest and drink. See a doctor if it gets worse. For a throat infection: rest and drink.',
  '| symptom | cold | influenza |\n|---------|------|-----------|\n| fever | rare | usual |\n| cough | usual | usual |\n| aches | slight | usual, often severe |\n| tiredness | slight | usual |\n| runny nose | usual | sometimes |',
  'Conditions to think of\n----------------------------------------\nangina ........... chest\nreflux ........... chest\nasthma ........... lungs\n========================================',
  '{"action": "ask", "questions": [1, 4, 9, 12], "candidates": [3, 1, 2], "reply": "Is the pain worse when you bend forward, cough or strain?"}',
  '{"candidates":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],"found":[true,true,true,false,false,false,false,true]}',
  'Itchy skin may come from eczema, dry skin, hives, scabies, contact with nickel, a medicine, the liver or the kidneys. Itchy eyes may come from hay fever, dry eyes, a sty, contact lenses or an infection.',
];

const LOOPING: readonly (readonly [name: string, start: string, cycle: string])[] = [
  ['one letter', '好的', '啊'],
  ['a short word', '您好，', '好的'],
  ['an exclamation', '您好', '！'],
  ['a word and a comma', 'You have ', 'pain, '],
  ['two symptoms', '可能有', '头痛、头晕、'],
  ['spaces', '{"reply": "x"', ' '],
  ['line ends', 'Rest well.', '\n'],
  ['mixed white space', '{"a": 1,', ' \n\t'],
  ['dots', 'Let me think', '.'],
  ['lines of a table', '| a |\n', '|---'],
  ['a sentence', 'I see. ', 'Please tell me more about your pain. '],
  ['a Chinese sentence', '您好。', '请您描述一下您的症状。'],
  ['a line of a list', '常见原因：\n', '- 上呼吸道感染\n'],
  ['a numbered line', 'Reasons:\n', '#. Drink plenty of water\n'],
  ['a numbered Chinese line', '建议：\n', '第#点，多喝水，注意休息。'],
  ['a long sentence', '根据您的描述，', '您目前的症状可能与上呼吸道感染、过敏性鼻炎或者其他原因有关，建议您注意休息，多喝温水，保持室内空气流通，避免受凉，'],
  ['a list of a list', 'It may be ', 'a cold, influenza, bronchitis, asthma, pneumonia, an allergy, '],
];

describe('LoopDetector (OUT-06)', () => {
  it.each(ORDINARY)('lets %j pass', (text) => {
    expect(readUntilLoop(text)).toBe(Infinity);
  });

  it('lets a reply of all of them pass', () => {
    expect(readUntilLoop(ORDINARY.slice(0, 15).join('\n'))).toBe(Infinity);
    expect(readUntilLoop(ORDINARY.slice(15).join('\n'))).toBe(Infinity);
  });

  it.each(['zh', 'en'] as const)('lets replies of thirty lines of the knowledge pass (%s)', (language) => {
    const lines = knowledgeLines(language);
    const replies = Array.from({ length: Math.floor(lines.length / 30) }, (_, at) => lines.slice(at * 30, at * 30 + 30).join('\n'));
    expect(replies.length).toBeGreaterThan(60);
    expect(replies.filter((reply) => readUntilLoop(reply) < Infinity)).toEqual([]);
  });

  it.each(LOOPING)('stops %s within 200 characters of looping', (_name, start, cycle) => {
    for (const before of [start, `${ORDINARY.join('\n')}\n${start}`]) {
      const cycles = Array.from({ length: 500 }, (_, at) => cycle.replace('#', String(at + 1))).join('');
      expect(readUntilLoop(before + cycles)).toBeLessThanOrEqual(before.length + cycle.length + 200);
    }
  });

  it('stops a sentence that comes back between others', () => {
    const others = ['The first is a cold, with a runny nose.', 'The second is hay fever, in spring.', 'The third is asthma, with wheezing.'];
    const text = others.map((other) => `${other} It is important to consult a healthcare professional for advice. `).join('');
    expect(readUntilLoop(text)).toBeLessThanOrEqual(text.length);
    expect(readUntilLoop(others.map((other) => `${other} Ask your doctor. `).join(''))).toBe(Infinity);
  });

  it('stops the same few words in changing order', () => {
    const words = ['头痛', '头晕', '恶心', '乏力'];
    const random = randomNumbers();
    const text = Array.from({ length: 300 }, () => words[random() % 4]).join('、');
    expect(readUntilLoop(text)).toBeLessThan(450);
  });

  it('stops white space without any order', () => {
    const random = randomNumbers();
    const text = `{"a": 1,${Array.from({ length: 300 }, () => ' \n\t'.charAt(random() % 3)).join('')}`;
    expect(readUntilLoop(text)).toBeLessThan(60);
  });

  it('stops a paragraph when it begins a third time', () => {
    const paragraph = ORDINARY.slice(15, 18).join(' ');
    expect(readUntilLoop(paragraph.repeat(2))).toBe(Infinity);
    expect(readUntilLoop(paragraph.repeat(3))).toBeLessThan(paragraph.length * 2 + 60);
  });

  it('stays true, and gives the same for every split', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOOPING), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 30, maxLength: 30 }), ([, start, cycle], lengths) => {
        const text = start + cycle.repeat(60);
        const detector = new LoopDetector();
        const least = readUntilLoop(text);
        let at = 0;
        for (const length of lengths) {
          const found = detector.push(text.slice(at, at + length));
          at += length;
          expect(found).toBe(at >= least);
        }
      }),
    );
  });

  it('finds a cycle after very long text of which no more than the end is kept', () => {
    const random = randomNumbers();
    const text = Array.from({ length: 40_000 }, () => String.fromCharCode(0x4e00 + (random() % 5000))).join('');
    expect(readUntilLoop(text)).toBe(Infinity);
    expect(readUntilLoop(text + '请您描述一下您的症状。'.repeat(20))).toBeLessThan(40_100);
  });
});
