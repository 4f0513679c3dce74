import { describe, expect, it } from 'vitest';
import { restoreConsultation } from '../../src/anamnesis.js';
import type { Consultation } from '../../src/consultation/consultation.js';
import { isAnamnesisError } from '../../src/errors/anamnesis-error.js';
import { builtBundle } from '../bundles.js';
import { answer, askedUntil, begin, say, stateOf } from '../consult.js';

describe('questions answered in one’s own words', () => {
  it.each([
    ['mm-en', 'I have a sore throat and a cough'],
    ['mm-zh', '肚子疼，拉肚子两天了'],
  ] as const)('come once each, results after the rest (%s)', async (id, words) => {
    const consultation = await begin(id, words);
    const asked: string[] = [];
    while (consultation.state.question !== null) {
      const { id: open, type } = consultation.state.question;
      expect(type === 'open').toBe(open.startsWith('tell:'));
      if (type === 'open') asked.push(open);
      await answer(consultation, []).catch(() => answer(consultation, 'unknown'));
    }
    expect(asked).toEqual(['tell:more', 'tell:results']);
    consultation.close();
  });

  it('take in what is told, and never ask for it again', async () => {
    const consultation = await begin('mm-zh', '肚子疼，拉肚子两天了');
    await askedUntil(consultation, 'tell:more');
    const before = consultation.state.questionsAsked;
    await say(consultation, '还有点发烧，恶心');
    expect([stateOf(consultation, 'fever'), stateOf(consultation, 'nausea')]).toEqual(['present', 'present']);
    expect(consultation.state.questionsAsked).toBe(before + 1);
    await askedUntil(consultation, 'tell:results');
    await say(consultation, '白细胞 14.2×10^9/L');
    expect(stateOf(consultation, 'white-cells-high')).toBe('present');
    while (consultation.state.question !== null) {
      expect(consultation.state.question.id).not.toMatch(/^(?:tell:|fever$|nausea$)/);
      await answer(consultation, 'unknown');
    }
    consultation.close();
  });

  it('teach nothing when there is nothing to add, and refuse any other typed answer', async () => {
    const consultation = await begin('mm-en', 'I have a sore throat and a cough');
    await askedUntil(consultation, 'tell:more');
    const understood = consultation.state.understood;
    const refused = await answer(consultation, 'yes').catch((error: unknown) => error);
    expect(isAnamnesisError(refused) && refused.code).toBe('answer-invalid');
    expect(consultation.state.question?.id).toBe('tell:more');
    await answer(consultation, []);
    expect(consultation.state.understood).toEqual(understood);
    expect(consultation.state.question?.id).not.toBe('tell:more');
    consultation.close();
  });

  it('are replayed with their words, or with none', async () => {
    const consultation = await begin('mm-en', 'I have a sore throat and a cough');
    await askedUntil(consultation, 'tell:more');
    await say(consultation, 'a fever too');
    await askedUntil(consultation, 'tell:results');
    await answer(consultation, []);
    const restored = await restoreConsultation(builtBundle('mm-en'), consultation.toRecord());
    expect(restored.state.rounds.map(({ question, input }) => [question?.id, input])).toEqual(consultation.state.rounds.map(({ question, input }) => [question?.id, input]));
    expect(restored.state.question).toEqual(consultation.state.question);
    consultation.close();
    restored.close();
  });
});

describe('a record whose question nobody knows any more', () => {
  it('keeps the words that answered it, and their red flags', async () => {
    const consultation = await begin('mm-en', 'hello');
    const record = consultation.toRecord();
    const restored = await restoreConsultation(builtBundle('mm-en'), { ...record, inputs: [...record.inputs, { type: 'utterance', text: 'I want to kill myself' }], questions: [...record.questions, 'open:4'] });
    expect(restored.state.rounds).toHaveLength(2);
    expect(restored.state.redFlags.map((flag) => flag.level)).toContain('crisis');
    consultation.close();
    restored.close();
  });
});

describe('where the first words are not enough', () => {
  it.each([
    ['mm-en', 'hello', 'I have a sore throat and a fever'],
    ['mm-zh', '你好', '嗓子疼，发烧'],
    ['mm-en', 'I feel unwell', 'I have a sore throat and a fever'],
  ] as const)('more is asked for, and a complaint then told is weighed as if it had come first (%s)', async (id, greeting, complaint) => {
    const consultation = await begin(id, greeting);
    expect(consultation.state.question).toMatchObject({ id: 'tell:more', type: 'open' });
    expect(consultation.state.differential).toEqual([]);
    await say(consultation, complaint);
    const straight = await begin(id, complaint);
    const named = (one: Consultation): string[] => one.state.differential.slice(0, 3).map((candidate) => candidate.id);
    expect(named(consultation)).toEqual(named(straight));
    consultation.close();
    straight.close();
  });

  it('at any age: what an age brings with it is no complaint', async () => {
    const straight = await begin('mm-zh', '咳嗽三周，有痰', { ageYears: 70 });
    const after = await begin('mm-zh', '你好', { ageYears: 70 });
    await say(after, '咳嗽三周，有痰');
    expect(after.state.urgency?.level).toBe(straight.state.urgency?.level);
    straight.close();
    after.close();
  });

  it('danger signs are asked for where what follows a greeting is hardly read', async () => {
    const consultation = await begin('mm-zh', '你好');
    await say(consultation, '他被车轮碾过去了，人现在躺马路上，一滩红的');
    expect(consultation.state.question?.id).toMatch(/^sweep:/);
    await answer(consultation, 'unknown');
    expect(consultation.state.question?.id ?? '').not.toMatch(/^sweep:/);
    consultation.close();
  });

  it('nothing is named when there is nothing to add', async () => {
    const consultation = await begin('mm-en', 'hello');
    await answer(consultation, []);
    expect(consultation.state.result).toMatchObject({ enough: false, candidates: [] });
    consultation.close();
  });

  it('nothing is asked under a red flag: its card says what to do', async () => {
    const consultation = await begin('mm-zh', '被狗咬了');
    expect(consultation.state.redFlags).not.toEqual([]);
    expect(consultation.state.result?.enough).toBe(false);
    consultation.close();
  });

  it('nothing is asked once the result was asked for, or no question is left', async () => {
    const consultation = await begin('mm-en', 'hello');
    expect((await consultation.conclude()).result?.enough).toBe(false);
    consultation.close();
    const none = await begin('mm-en', 'hello', { maxQuestions: 0 });
    expect(none.state.result?.enough).toBe(false);
    none.close();
  });
});

describe('the list of what was seen or found', () => {
  it('holds signs and tests, and "none of these" denies none of them: perhaps nobody looked', async () => {
    const bundle = builtBundle('mm-zh');
    const consultation = await begin('mm-zh', '发烧咳嗽3天');
    const options = await askedUntil(consultation, 'found:');
    for (const option of options) expect(['sign', 'test']).toContain(bundle.findings[bundle.findingIndex(option)!]!.kind);
    await answer(consultation, []);
    expect(options.map((id) => stateOf(consultation, id))).toEqual(options.map(() => 'unknown'));
    consultation.close();
  });
});
