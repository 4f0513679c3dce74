import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createParts } from '../../src/anamnesis.js';
import type { Question } from '../../src/differential/differential.js';
import type { ConsultationParts } from '../../src/consultation/consultation.js';
import { parseCases } from '../../src/evaluation/cases.js';
import { SimulatedPatient } from '../../src/evaluation/simulated-patient.js';
import { openDirectory } from '../../src/cli/open-bundle.js';
import { buildFixtures } from '../fixtures/fixture-bundles.js';

describe('SimulatedPatient', () => {
  let parts: ConsultationParts;
  beforeAll(async () => {
    parts = createParts(await openDirectory(join(await buildFixtures(), 'mini-en')));
  });

  const patientOf = (keys: Readonly<Record<string, unknown>>, wholeRecord = false): SimulatedPatient =>
    new SimulatedPatient(parseCases(JSON.stringify({ id: 'a', lang: 'en', ...keys }))[0]!, parts, { wholeRecord });
  const question = (id: string): Question => parts.questionById(id)!;

  it('says the first utterance, and the whole record when told to', () => {
    const keys = { patient: 'I cough.', patient_clean: 'I cough a lot.', first_utterance: 'hello', facts: ['No fever.'] };
    expect(patientOf(keys).opening).toBe('hello');
    expect(patientOf(keys, true).opening).toBe('I cough a lot.\nNo fever.');
  });

  it('knows the clean record where there is one, and not the other', () => {
    expect(patientOf({ patient: 'I cough.', patient_clean: 'I have a fever.' }).answer(question('cough'))).toBe('unknown');
  });

  it('answers yes, no and unknown by the record and its facts', () => {
    const patient = patientOf({ patient: 'Runny nose. No cough.', facts: ['He has a sore throat.'] });
    expect(['runny-nose', 'cough', 'sore-throat', 'nausea'].map((id) => patient.answer(question(id)))).toEqual(['yes', 'no', 'yes', 'unknown']);
  });

  it('answers yes to what follows from the record', () => {
    expect(patientOf({ patient: 'She is burning hot.' }).answer(question('fever'))).toBe('yes');
    expect(patientOf({ patient: 'Temperature 39.4 C.' }).answer(question('high-fever'))).toBe('yes');
  });

  it('does not answer from another person’s complaint', () => {
    expect(patientOf({ patient: 'I have a headache. My brother had a cough last week.' }).answer(question('cough'))).toBe('unknown');
  });

  it('ticks what the record has; none where all are denied; else it does not know', () => {
    const set = question('ask:urinary-together');
    expect(patientOf({ patient: 'Painful urination and blood in the urine.' }).answer(set)).toEqual(['painful-urination', 'blood-in-urine']);
    expect(patientOf({ patient: 'No painful urination, no frequent urination, no blood in the urine.' }).answer(set)).toEqual([]);
    expect(patientOf({ patient: 'No painful urination.' }).answer(set)).toBe('unknown');
  });

  it('names one option of a one-of question', () => {
    const oneOf: Question = { ...question('ask:urinary-together'), type: 'one-of' };
    expect(patientOf({ patient: 'Painful urination and blood in the urine.' }).answer(oneOf)).toEqual(['painful-urination']);
  });

  it('gives a measured number within the question’s range', () => {
    const temperature = question('ask:temperature');
    expect(patientOf({ patient: 'Temperature 38.5 C.' }).answer(temperature)).toBe(38.5);
    expect(patientOf({ patient: 'I am hot.' }).answer(temperature)).toBe('unknown');
    expect(patientOf({ patient: 'Temperature 38.5 C.' }).answer({ ...temperature, max: 38 })).toBe('unknown');
  });

  it.each([
    ['A 52-year-old man with a cough.', { ageYears: 52, sex: 'male' }],
    ['A 6-month-old boy with a cough.', { ageYears: 0.5, sex: 'male' }],
    ['She is pregnant and coughs.', { ageYears: null, sex: 'female' }],
    ['My baby coughs.', { ageYears: 0.75, sex: null }],
    ['A cough.', { ageYears: null, sex: null }],
  ])('takes age and sex from “%s”', (patient, profile) => {
    expect(patientOf({ patient }).profile).toEqual(profile);
  });

  it('tells what its first words did not say when asked for more, four findings at most', () => {
    const record = 'Cough, sore throat, runny nose, fever, nausea and painful urination. No headache.';
    const patient = patientOf({ patient: record, first_utterance: 'I have a cough' });
    const told = patient.reply(question('tell:more'));
    expect(told).toEqual({ type: 'utterance', text: 'I have sore throat, I have runny nose, I have fever, I have nausea' });
    expect(patient.reply(question('tell:results'))).toEqual({ type: 'answer', questionId: 'tell:results', value: [] });
    expect(patientOf({ first_utterance: 'I have a cough' }).reply(question('tell:more'))).toEqual({ type: 'answer', questionId: 'tell:more', value: [] });
  });

  it('knows its first words where it has no record', () => {
    expect(patientOf({ first_utterance: 'i have a runny nose' }).answer(question('runny-nose'))).toBe('yes');
  });
});
