import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCases } from '../../src/evaluation/cases.js';
import { EvaluationError } from '../../src/errors/evaluation-error.js';
import { CASES } from '../fixtures/fixture-bundles.js';

const line = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ id: 'a', lang: 'en', school: 'mm', patient: 'A record.', first_utterance: 'it hurts', gold: 'Migraine', gold_aliases: [], urgency: 'urgent', ...changes });

function errorOf(text: string): EvaluationError {
  try {
    parseCases(text);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('parseCases', () => {
  it('reads every key of a case', () => {
    const [one] = parseCases(line({ patient_clean: 'clean', lay_symptoms: 'lay', tcm_syndrome: '肝郁', facts: ['one', 'two'], flags: ['x'], candidates: ['y'], gold_aliases: ['hemicrania'] }));
    expect(one).toEqual({
      id: 'a', language: 'en', school: 'mm', patient: 'A record.', patientClean: 'clean', firstUtterance: 'it hurts', laySymptoms: 'lay',
      gold: 'Migraine', goldAliases: ['hemicrania'], tcmSyndrome: '肝郁', urgency: ['urgent'], facts: ['one', 'two'], flags: ['x'], candidates: ['y'],
    });
  });

  it('reads the fixture', () => {
    expect(parseCases(readFileSync(CASES, 'utf8'))).toHaveLength(5);
  });

  it('passes over empty lines, a byte order mark, carriage returns and unknown keys', () => {
    expect(parseCases(`\u{FEFF}${line({ source: 'x' })}\r\n\r\n${line({ id: 'b' })}\r\n`).map((one) => one.id)).toEqual(['a', 'b']);
  });

  it.each([
    ['emergency', ['emergency']],
    ['non_emergency', ['urgent', 'routine']],
    ['self_care', ['self-care']],
    ['routine|self_care', ['routine', 'self-care']],
    ['emergency|non_emergency', ['emergency', 'urgent', 'routine']],
    [null, null],
  ])('reads the urgency %j as %j', (urgency, accepted) => {
    expect(parseCases(line({ urgency }))[0]?.urgency).toEqual(accepted);
  });

  it('takes a missing school as modern medicine and a null gold as none', () => {
    expect(parseCases('{"id":"a","lang":"zh","first_utterance":"头痛","gold":null}')[0]).toMatchObject({ school: 'mm', gold: null, patient: '' });
  });

  it.each([
    ['no JSON', '{"id":', 'is not JSON'],
    ['a list', '[]', 'is not a JSON object'],
    ['no id', line({ id: undefined }), '"id" is missing'],
    ['an id that is a number', line({ id: 7 }), '"id" is not text'],
    ['another language', line({ lang: 'fr' }), '"lang" is neither zh nor en'],
    ['another school', line({ school: 'vet' }), '"school" is neither mm nor tcm'],
    ['no words at all', line({ patient: '', first_utterance: undefined }), 'has neither "patient" nor "first_utterance"'],
    ['aliases that are text', line({ gold_aliases: 'x' }), '"gold_aliases" is not a list of texts'],
    ['facts that are numbers', line({ facts: [1] }), '"facts" is not a list of texts'],
    ['an unknown urgency', line({ urgency: 'soon' }), '"urgency" holds a word that is none of'],
    ['a repeated id', line({ id: 'first' }), 'its id stands in line 1 too'],
  ])('refuses %s and names the line', (_what, bad, message) => {
    const error = errorOf(`${line({ id: 'first' })}\n\n${bad}`);
    expect(error).toMatchObject({ code: 'cases-invalid', line: 3 });
    expect(error.message).toContain(`line 3: ${message}`);
  });

  it('refuses a file without cases', () => {
    expect(errorOf('\n \n').code).toBe('cases-invalid');
  });

  it('never repeats a case’s words in its message', () => {
    expect(errorOf(line({ urgency: 'my secret complaint' })).message).not.toContain('secret');
  });
});
