import { describe, expect, it } from 'vitest';
import { restoreConsultation } from '../../src/anamnesis.js';
import { builtBundle } from '../bundles.js';
import { answer, askedUntil, begin, stateOf } from '../consult.js';

describe('the list of accompanying symptoms', () => {
  it.each([
    ['mm-en', 'I have a sore throat and a cough'],
    ['mm-zh', '肚子疼，拉肚子两天了'],
  ] as const)('offers up to six symptoms that are not known yet, none of them a part of another (%s)', async (id, words) => {
    const consultation = await begin(id, words);
    const known = new Set(consultation.state.understood.map((one) => one.id));
    const options = await askedUntil(consultation, 'accompanying:');
    expect(options.length).toBeGreaterThanOrEqual(3);
    expect(options.length).toBeLessThanOrEqual(6);
    const bundle = builtBundle(id);
    for (const option of options) {
      expect(known.has(option)).toBe(false);
      const finding = bundle.findings[bundle.findingIndex(option)!]!;
      expect(finding.kind).toBe('symptom');
      expect(finding.parents.map((parent) => bundle.findings[parent]!.id).filter((parent) => options.includes(parent))).toEqual([]);
    }
    consultation.close();
  });

  it('leaves open what is not ticked beside something that is', async () => {
    const consultation = await begin('mm-en', 'I have a sore throat and a cough');
    const [ticked, ...left] = await askedUntil(consultation, 'accompanying:');
    await answer(consultation, [ticked!]);
    expect(stateOf(consultation, ticked!)).toBe('present');
    expect(left.map((id) => stateOf(consultation, id))).toEqual(left.map(() => 'unknown'));
    consultation.close();
  });

  it('takes "none of these" as a denial of each', async () => {
    const consultation = await begin('mm-en', 'I have a sore throat and a cough');
    const options = await askedUntil(consultation, 'accompanying:');
    await answer(consultation, []);
    expect(options.map((id) => stateOf(consultation, id))).toEqual(options.map(() => 'absent'));
    consultation.close();
  });

  it('comes twice at most, and never asks again what it asked', async () => {
    const consultation = await begin('mm-en', 'my stomach hurts after eating');
    const asked: string[] = [];
    let lists = 0;
    while (consultation.state.question !== null) {
      const { id, options } = consultation.state.question;
      if (id.startsWith('accompanying:')) lists++;
      if (!id.startsWith('ask:')) asked.push(...(options.length === 0 ? [id] : options.map((option) => option.id)));
      await answer(consultation, 'unknown');
    }
    expect(lists).toBeGreaterThan(0);
    expect(lists).toBeLessThanOrEqual(2);
    expect(new Set(asked).size).toBe(asked.length);
    consultation.close();
  });

  it('says a chart’s word in plain words', async () => {
    const bundle = builtBundle('mm-zh');
    const labelled = bundle.findings.filter((finding) => finding.label.zh !== '');
    expect(labelled.length).toBeGreaterThan(500);
    const consultation = await begin('mm-zh', '头晕，看东西转');
    const options = await askedUntil(consultation, 'accompanying:');
    for (const id of options) {
      const finding = bundle.findings[bundle.findingIndex(id)!]!;
      expect(consultation.state.question!.options.find((option) => option.id === id)!.text).toBe(finding.label.zh || finding.names.zh);
    }
    expect(options.some((id) => bundle.findings[bundle.findingIndex(id)!]!.label.zh !== '')).toBe(true);
    consultation.close();
  });

  it('is replayed with its answer', async () => {
    const consultation = await begin('mm-en', 'I have a sore throat and a cough');
    const [ticked] = await askedUntil(consultation, 'accompanying:');
    await answer(consultation, [ticked!]);
    const restored = await restoreConsultation(builtBundle('mm-en'), consultation.toRecord());
    expect(stateOf(restored, ticked!)).toBe('present');
    expect(restored.state.questionsAsked).toBe(consultation.state.questionsAsked);
    consultation.close();
    restored.close();
  });
});
