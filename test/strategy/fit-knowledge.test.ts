import { describe, expect, it } from 'vitest';
import { createReaders } from '../../src/anamnesis.js';
import { Likelihood } from '../../src/differential/likelihood.js';
import { EMPTY_PATIENT } from '../../src/findings/finding-state.js';
import { fitAccount } from '../../src/strategy/build-prompt.js';
import { doctorSchema, readDoctorReply } from '../../src/strategy/doctor-reply.js';
import { fitKnowledge, knowledgeText } from '../../src/strategy/fit-knowledge.js';
import { namedDiseases } from '../../src/strategy/named-diseases.js';
import { en } from '../../src/strategy/prompts/en.js';
import { builtBundle } from '../bundles.js';

const countTokens = (text: string): Promise<number> => Promise.resolve(Math.ceil(text.length / 4));
const bundle = builtBundle('mm-en');
const likelihood = new Likelihood(bundle, createReaders(bundle).reasoner);
const indexOf = (id: string): number => bundle.diseaseIndex(id) ?? -1;
const candidates = ['migraine', 'tension-type-headache', 'subarachnoid-haemorrhage', 'concussion'].map(indexOf).filter((index) => index >= 0);
const fit = (budgetTokens: number) => fitKnowledge({ bundle, likelihood, patient: EMPTY_PATIENT, candidates, budgetTokens, countTokens });

describe('knowledge fitted into a context', () => {
  it.each([60, 150, 400, 1_500])('stays within %i tokens and names every candidate', async (budget) => {
    const text = knowledgeText(bundle, await fit(budget));
    expect(await countTokens(text)).toBeLessThanOrEqual(budget);
    for (const index of candidates) expect(text).toContain(bundle.diseases[index]?.name);
  });

  it('keeps what tells the candidates apart before what they share', async () => {
    const [first] = await fit(150);
    const text = first?.leaves.map((leaf) => leaf.text).join(' ') ?? '';
    expect(text).toMatch(/one side|throbs|attacks/i);
  });

  it('gives every candidate its turn', async () => {
    const fitted = await fit(300);
    const counts = fitted.map(({ leaves }) => leaves.length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
  });

  it('leaves treatment and when to seek care out', async () => {
    const roles = new Set((await fit(100_000)).flatMap(({ leaves }) => leaves.map((leaf) => leaf.role)));
    expect(roles.has('care')).toBe(false);
    expect(roles.has('seek-care')).toBe(false);
  });
});

describe('a dialogue fitted into a context', () => {
  const transcript = [
    { speaker: 'patient' as const, text: 'FIRST words of the complaint' },
    ...Array.from({ length: 20 }, (_, at) => ({ speaker: at % 2 === 0 ? ('doctor' as const) : ('patient' as const), text: `line ${String(at)} of the dialogue with some more words in it` })),
    { speaker: 'patient' as const, text: 'LAST words' },
  ];

  it('keeps the first and the last words', async () => {
    const text = await fitAccount(en, transcript, 80, countTokens);
    expect(text).toContain('FIRST');
    expect(text).toContain('LAST');
    expect(await countTokens(text)).toBeLessThanOrEqual(80);
  });

  it('cuts one line that is too long, between characters', async () => {
    const text = await fitAccount(en, [{ speaker: 'patient', text: '🤒'.repeat(2_000) }], 50, countTokens);
    expect(await countTokens(text)).toBeLessThanOrEqual(50);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});

describe('the doctor’s reply', () => {
  const task = { mayAsk: true, mayConclude: true, listedQuestions: 3, notes: 2, mostQuestions: 2 };

  it('puts the decision before its words in the schema', () => {
    expect(Object.keys((doctorSchema(task) as { properties: object }).properties)).toEqual(['action', 'questions', 'candidates', 'reply']);
  });

  it('reads places from zero, without repeats', () => {
    expect(readDoctorReply('{"action":"ask","questions":[2,2],"candidates":[2,1],"reply":"x"}', task, 'no JSON')).toEqual({ reply: { action: 'ask', questions: [1], question: '', candidates: [1, 0], conditions: [] } });
  });

  it.each([
    ['nothing', '', task],
    ['concluding where it may only ask', '{"action":"conclude","candidates":[1],"reply":""}', { ...task, mayConclude: false }],
    ['asking where it must conclude', '{"action":"ask","questions":[1],"candidates":[1],"reply":""}', { ...task, mayAsk: false }],
    ['a place out of the list', '{"action":"ask","questions":[4],"candidates":[1],"reply":""}', task],
    ['a fraction', '{"action":"ask","questions":[1.5],"candidates":[1],"reply":""}', task],
  ])('finds fault with %s', (_what, text, given) => {
    expect(readDoctorReply(text, given, 'it is not JSON.')).toHaveProperty('faults');
  });
});

describe('names in a model’s words', () => {
  it.each([
    ['Migraine', ['migraine']],
    ['migraine with aura', ['migraine']],
    ['Common migraine, probably', ['migraine']],
    ['the fits', []],
    ['', []],
  ])('%j means %j', (name, ids) => {
    expect(namedDiseases(bundle, [name]).map((index) => bundle.diseases[index]?.id)).toEqual(ids);
  });
});
