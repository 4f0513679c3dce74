import { describe, expect, it } from 'vitest';
import { createConsultation } from '../../src/anamnesis.js';
import type { Result } from '../../src/consultation/state.js';
import { builtBundle } from '../bundles.js';

async function resultOf(id: 'mm-zh' | 'mm-en', words: string): Promise<Result | null> {
  const consultation = createConsultation(builtBundle(id), { maxQuestions: 0 });
  await consultation.setProfile({ ageYears: 46, sex: 'male' });
  for await (const event of consultation.send({ type: 'utterance', text: words })) void event;
  const { result } = consultation.state;
  consultation.close();
  return result;
}

describe('diseases that a result names', () => {
  it.each([
    ['mm-en', 'my knee is swollen and painful since yesterday', /knee|joint|gout|arthritis|sprain|bursitis/i],
    ['mm-zh', '膝盖肿了，疼得走不了路，已经一个星期', /膝|关节|痛风|滑膜|韧带|半月板|滑囊/],
  ] as const)('are those that a complaint speaks for, not what is merely common or began as suddenly (%s)', async (id, words, about) => {
    const candidates = (await resultOf(id, words))?.candidates ?? [];
    expect(candidates.length).toBeGreaterThan(1);
    for (const candidate of candidates) expect(candidate.evidenceFor.map((one) => `${candidate.name}: ${one.findingId}`).join('; '), candidate.name).toMatch(/joint|knee/);
    expect(candidates.filter((one) => about.test(one.name)).length).toBeGreaterThan(candidates.length / 2);
  });
});
