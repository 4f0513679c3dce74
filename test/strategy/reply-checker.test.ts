import { describe, expect, it } from 'vitest';
import { createReaders } from '../../src/anamnesis.js';
import { ReplyChecker } from '../../src/strategy/reply-checker.js';
import { builtBundle } from '../bundles.js';

const ACCOUNT = { en: 'I have had a throbbing headache on one side for 2 days and I feel sick. Light hurts my eyes.', zh: '一侧头痛2天，一跳一跳的，还恶心，怕光。' } as const;

function checkerFor(language: 'en' | 'zh', ids = ['migraine', 'tension-type-headache']): ReplyChecker {
  const bundle = builtBundle(`mm-${language}`);
  return new ReplyChecker(bundle, ids.map((id) => bundle.diseaseIndex(id) ?? -1), ACCOUNT[language], createReaders(bundle).extractor);
}

/** What a model might say and must not. */
const REFUSED = {
  en: [
    ['urgency', 'There is no reason to worry about this headache.'],
    ['urgency', 'You do not need to see a doctor for migraine.'],
    ['urgency', 'This is nothing serious.'],
    ['urgency', 'You can safely ignore this headache and it will pass.'],
    ['urgency', 'Go to the hospital immediately.'],
    ['urgency', 'It can wait until next week.'],
    ['urgency', 'Migraine is harmless.'],
    ['urgency', 'Your body is healthy and all is well.'],
    ['treatment', 'Take two tablets of ibuprofen.'],
    ['treatment', 'A dose of 400 mg works well for migraine.'],
    ['treatment', 'I recommend a dark room and Zorbalex.'],
    ['treatment', 'Your doctor will prescribe triptans.'],
    ['treatment', 'Stop taking your medication.'],
    ['treatment', 'Drink plenty of water and massage your temples.'],
    ['certainty', 'You have got migraine.'],
    ['certainty', 'You are suffering from migraine.'],
    ['certainty', 'It is definitely migraine.'],
    ['certainty', 'The diagnosis is migraine.'],
    ['link', 'See https://example.org/migraine for more.'],
    ['link', 'Visit www.headache.com today.'],
    ['link', 'Write to help@clinic.example for an appointment.'],
    ['link', 'Read [this](javascript:alert) about migraine.'],
    ['link', 'A headache <img src=x onerror=alert(1)> on one side.'],
    ['number', 'Migraine explains 97 percent of such headaches.'],
    ['number', 'Please ring 555 0100 about your headache.'],
    ['other-condition', 'It could also be meningitis.'],
    ['other-condition', 'A brain tumour can cause such a headache.'],
    ['other-condition', 'This looks like Harrington syndrome.'],
    ['other-condition', 'A SAH must be thought of.'],
    ['language', 'La douleur d’un seul côté de la tête est typique de la migraine.'],
    ['language', '一侧跳痛符合偏头痛。'],
    ['empty', '…'],
  ],
  zh: [
    ['urgency', '这种头痛没事，不用担心。'],
    ['urgency', '不需要去医院。'],
    ['urgency', '您可以放心，这不严重。'],
    ['urgency', '请立即去急诊。'],
    ['urgency', '可以忽略这个症状。'],
    ['urgency', '过几天就会好的。'],
    ['urgency', '这只是小毛病。'],
    ['treatment', '请服用布洛芬。'],
    ['treatment', '每日三次，每次两片。'],
    ['treatment', '建议您吃止痛药。'],
    ['treatment', '推荐到某某医院就诊。'],
    ['treatment', '可以热敷和按摩太阳穴。'],
    ['treatment', '剂量为400毫克。'],
    ['certainty', '您得了偏头痛。'],
    ['certainty', '确诊为偏头痛。'],
    ['certainty', '肯定是偏头痛。'],
    ['link', '详见 https://example.cn/偏头痛。'],
    ['number', '有97%的可能是偏头痛。'],
    ['other-condition', '也可能是脑膜炎。'],
    ['other-condition', '可能是脑瘤引起的。'],
    ['other-condition', '像是哈林顿综合征。'],
    ['language', 'The one-sided headache fits migraine.'],
    ['language', '單側頭痛並且噁心，與偏頭痛相符。'],
    ['empty', '。'],
  ],
} as const;

/** What it may say. */
const SHOWN = {
  en: [
    'The throbbing headache on one side fits migraine.',
    'Feeling sick and dislike of light are usual in migraine.',
    'Your headache of 2 days fits both notes.',
    'A tension-type headache is more often felt on both sides.',
    'The answers will help to tell the two apart.',
    'What you describe could be migraine.',
  ],
  zh: ['一侧跳痛、怕光符合偏头痛。', '恶心也常见于偏头痛。', '您头痛2天，两者都有可能。', '紧张型头痛多在两侧。', '这些回答可以帮助区分。'],
} as const;

describe.each(['en', 'zh'] as const)('a reply in %s', (language) => {
  const checker = checkerFor(language);

  it.each<readonly [string, string]>([...REFUSED[language]])('is refused for %s: %s', (reason, text) => {
    const checked = checker.check(text);
    expect('refused' in checked ? checked.refused : `shown: ${text}`).toBe(reason);
  });

  it.each<string>([...SHOWN[language]])('may say: %s', (text) => {
    expect(checker.check(text)).toHaveProperty('sentence');
  });

  it('points to the leaf of the disease it names, and denies where the leaf denies', () => {
    const fits = checker.check(language === 'en' ? 'Light hurting the eyes fits migraine.' : '怕光符合偏头痛。');
    expect(fits).toMatchObject({ sentence: { source: { diseaseIndex: builtBundle(`mm-${language}`).diseaseIndex('migraine') } } });
    const denies = checker.check(language === 'en' ? 'Nausea is never seen in migraine.' : '偏头痛不会恶心。');
    expect(denies).toMatchObject({ sentence: { source: null } });
    expect(checker.check(language === 'en' ? 'This must be unpleasant for you.' : '您一定很难受。')).toMatchObject({ sentence: { source: null } });
  });
});

describe('the knowledge as a reply', () => {
  it.each(['mm-en', 'mm-zh', 'tcm-zh'] as const)('passes and is found again in %s', (id) => {
    const bundle = builtBundle(id);
    const { extractor } = createReaders(bundle);
    let [all, shown, found] = [0, 0, 0];
    for (const disease of bundle.diseases) {
      const checker = new ReplyChecker(bundle, [disease.index], '', extractor);
      for (const leaf of bundle.diTree(disease.index).leaves.filter((one) => ['symptoms', 'tests', 'tongue-pulse'].includes(one.role))) {
        all++;
        const checked = checker.check(leaf.text);
        if ('refused' in checked) continue;
        shown++;
        if (checked.sentence.source?.diseaseIndex === disease.index) found++;
      }
    }
    console.log(`${id}: of ${String(all)} leaves ${String(shown)} pass as sentences, ${String(found)} are tied to their disease`);
    // Some leaves speak of other diseases or of what to do, which a reply may not.
    expect(shown / all).toBeGreaterThan(0.85);
    expect(found / shown).toBeGreaterThan(0.95);
  });
});
