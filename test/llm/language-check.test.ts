import { Converter } from 'opencc-js/cn2t';
import { describe, expect, it } from 'vitest';
import { languageFault, type LanguageFault } from '../../src/llm/language-check.js';
import { splitSentences } from '../../src/llm/sentences.js';
import { knowledgeLines } from './knowledge-lines.js';

const CHINESE = [
  '您好，请问头痛持续多久了？', '建议做CT或MRI检查，必要时查HbA1c和TSH。', '体温38.5℃，血压120/80 mmHg，血糖6.1 mmol/L。', '可能是偏头痛（migraine）或紧张性头痛（tension headache）。',
  'COVID-19、RSV和H1N1都可引起咳嗽。', 'B超、X光、EKG都正常。', '幽门螺杆菌（Helicobacter pylori, HP）感染', '痛吗？', '详见 https://www.example.com/very-long-english-path 。', 'β受体阻滞剂、α波、μg',
  '疼痛评分（VAS）7分🤒', '1. 感冒\n2. 鼻炎\n3. 流感',
];
const ENGLISH = [
  'How long have you had the headache?', 'Fever, cough, sore throat, runny nose, chest pain, dizziness, nausea, vomiting, fatigue, rash.', 'Ménière’s disease and Sjögren’s syndrome.', 'Guillain-Barré syndrome may follow an infection.',
  'CT, MRI and HbA1c are normal.', 'Yin deficiency, yang deficiency and qi stagnation are patterns of Chinese medicine.', 'Hay fever or a cold?', 'Gastroenteritis', 'Acute viral upper respiratory tract infection', 'Yes', 'α- and β-blockers, 5 μg.',
  'Does Dr. Van den Berg know about your ALS?', 'See the naïve patient at the café.', 'In TCM it is called wind-cold (风寒).', 'Can he lie on the left side, or can she?',
  'The Guī Pí Tāng and the Sì Wù Tāng formulas are for the blood.',
];
const FAULTS: readonly (readonly ['zh' | 'en', LanguageFault, string])[] = [
  ['zh', 'wrong-language', 'How long have you had the headache?'],
  ['zh', 'wrong-language', 'PLEASE SEE A DOCTOR TODAY'],
  ['zh', 'wrong-language', 'Migraine'],
  ['zh', 'wrong-language', 'Nin hao, qing wen tou teng duo jiu le?'],
  ['zh', 'wrong-language', '頭痛はいつからですか？熱はありますか？'],
  ['zh', 'wrong-language', '두통이 언제부터 시작되었나요?'],
  ['zh', 'wrong-language', 'Как долго у вас болит голова?'],
  ['zh', 'wrong-language', 'منذ متى تعاني من الصداع؟'],
  ['zh', 'wrong-language', 'คุณปวดหัวมานานแค่ไหนแล้ว'],
  ['zh', 'wrong-language', 'Based on what you say it may be a migraine (偏头痛).'],
  ['zh', 'mixed', '您的 headache 持续多久了？'],
  ['zh', 'mixed', '您的头痛是一侧的吗？Does light make it worse, or noise?'],
  ['zh', 'mixed', '您好，根据您的描述，这可能是紧张性头痛，也可能是偏头痛，please see a doctor as soon as you can，谢谢。'],
  ['zh', 'mixed', '根据您的描述，头痛三天，位于一侧，伴有恶心呕吐，怕光怕声，睡眠不足时加重，休息以后减轻，没有发热，没有颈部僵硬，也没有肢体无力，Please See Your Doctor，以便明确原因，排除其他少见的情况'],
  ['zh', 'mixed', '可能是 Tylenol 和 Advil 引起'],
  ['zh', 'mixed', '您的头痛持续了多久？есть还有没有恶心、呕吐、怕光？'],
  ['zh', 'mixed', '您的头痛持续了多久？是一侧还是두통两侧？怕光吗？'],
  ['en', 'wrong-language', '您好，请问头痛持续多久了？'],
  ['en', 'wrong-language', 'Depuis combien de temps avez-vous mal à la tête ?'],
  ['en', 'wrong-language', '¿Desde cuándo le duele la cabeza?'],
  ['en', 'wrong-language', 'Seit wann haben Sie die Kopfschmerzen?'],
  ['en', 'wrong-language', 'Há quanto tempo você tem dor de cabeça?'],
  ['en', 'wrong-language', 'Da quanto tempo ha il mal di testa?'],
  ['en', 'wrong-language', 'Hoe lang heeft u al hoofdpijn, en is het een bonzende pijn?'],
  ['en', 'wrong-language', 'Bạn bị đau đầu bao lâu rồi?'],
  ['en', 'wrong-language', 'Ban co bi sot khong va dau dau tu khi nao?'],
  ['en', 'wrong-language', 'Sudah berapa lama anda sakit kepala, atau tidak?'],
  ['en', 'wrong-language', 'Umekuwa na maumivu ya kichwa kwa muda gani tangu yalipoanza usiku wa jana nyumbani'],
  ['en', 'wrong-language', 'Nín hǎo, qǐng wèn tóu tòng duō jiǔ le?'],
  ['en', 'wrong-language', 'nin hao qing wen nin tou teng duo jiu le'],
  ['en', 'wrong-language', 'Как долго у вас болит голова?'],
  ['en', 'wrong-language', '頭痛はいつからですか？'],
  ['en', 'mixed', 'How long have you had the 头痛, and is it on one side?'],
  ['en', 'mixed', 'How long have you had the headache? Depuis combien de temps avez-vous mal à la tête ?'],
  ['en', 'mixed', 'How long have you had the headache? Is it getting worse? 请问是一侧还是两侧？'],
];

const chinese = knowledgeLines('zh');
const english = knowledgeLines('en');
// The library's own types cannot be resolved by its import path.
const traditional = Converter({ from: 'cn', to: 'tw' }) as (text: string) => string;
const hongKong = Converter({ from: 'cn', to: 'hk' }) as (text: string) => string;
/** Long enough to have a character that tells. */
const longLines = chinese.filter((line) => line.length >= 30);
const share = (lines: readonly string[], holds: (line: string) => boolean): number => lines.filter(holds).length / lines.length;

describe('languageFault (OUT-07)', () => {
  it.each(CHINESE)('takes %j for Chinese', (text) => {
    expect(languageFault(text, 'zh', 'Hans')).toBeNull();
  });

  it.each(ENGLISH)('takes %j for English', (text) => {
    expect(languageFault(text, 'en')).toBeNull();
  });

  it.each(FAULTS)('in %s finds %s in %j', (language, fault, text) => {
    expect(languageFault(text, language)).toBe(fault);
  });

  it.each(['', '38.5', '…', '🤒', 'OK', '好的', 'Да'])('has nothing to say on %j', (text) => {
    expect(languageFault(text, 'zh', 'Hans')).toBeNull();
    expect(languageFault(text, 'en')).toBeNull();
  });

  it.each(['請問頭痛持續多久了？', '頭痛持續多久？體温高嗎？'])('tells %j from Simplified Chinese', (text) => {
    expect(languageFault(text, 'zh', 'Hans')).toBe('wrong-script');
    expect(languageFault(text, 'zh', 'Hant')).toBeNull();
    expect(languageFault(text, 'zh')).toBeNull();
  });

  it('tells Simplified Chinese from Traditional', () => {
    expect(languageFault('请问头痛持续多久了？', 'zh', 'Hant')).toBe('wrong-script');
  });

  it('finds a few Traditional characters in a Simplified reply', () => {
    expect(languageFault('您好，请问頭痛持续多久了？是一侧还是两侧？', 'zh', 'Hans')).toBe('wrong-script');
  });

  it('takes every line of the knowledge for its own language and script', () => {
    expect(chinese.length).toBeGreaterThan(2000);
    expect(english.length).toBeGreaterThan(2000);
    // A few names of Chinese medicine are written with characters that are Traditional elsewhere (癥瘕).
    expect(share(chinese, (line) => languageFault(line, 'zh', 'Hans') === null)).toBeGreaterThan(0.999);
    expect(english.filter((line) => languageFault(line, 'en') !== null)).toEqual([]);
    expect(english.flatMap((line) => splitSentences(line, 'en')).filter((line) => languageFault(line, 'en') !== null)).toEqual([]);
  });

  it('takes no line of the knowledge for the other language', () => {
    expect(chinese.filter((line) => line.length >= 15 && languageFault(line, 'en') === null)).toEqual([]);
    expect(english.filter((line) => line.length >= 15 && languageFault(line, 'zh') === null)).toEqual([]);
  });

  it('tells the scripts of nearly all longer lines of the knowledge', () => {
    expect(share(longLines, (line) => languageFault(traditional(line), 'zh', 'Hans') === 'wrong-script')).toBeGreaterThan(0.99);
    expect(share(longLines, (line) => languageFault(line, 'zh', 'Hant') === 'wrong-script')).toBeGreaterThan(0.99);
    expect(chinese.filter((line) => languageFault(traditional(line), 'zh', 'Hant') !== null || languageFault(hongKong(line), 'zh', 'Hant') !== null)).toEqual([]);
  });
});
