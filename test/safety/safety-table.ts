import { readFileSync } from 'node:fs';
import type { KnowledgeBundle, Sex } from '../../src/bundle/bundle.js';
import { createReaders } from '../../src/anamnesis.js';
import { learnInput } from '../../src/consultation/learn-input.js';
import { EMPTY_PATIENT } from '../../src/findings/finding-state.js';
import type { RedFlag } from '../../src/safety/red-flags.js';

/** A line of `phrases.LANG.tsv`. */
export interface SafetyPhrase {
  readonly line: number;
  readonly fires: boolean;
  readonly kind: string;
  readonly level: string;
  readonly text: string;
  readonly ageYears: number;
  readonly sex: Sex;
}

/** Who is meant where a line does not say. */
const DEFAULT_AGE = 40;

export function readSafetyPhrases(path: string): SafetyPhrase[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((raw, index): SafetyPhrase[] => {
      if (raw.trim() === '' || raw.startsWith('#')) return [];
      const [fires = '', kind = '', level = '', text = '', profile = ''] = raw.split('\t');
      const age = /age=([\d.]+)/.exec(profile)?.[1];
      return [{ line: index + 1, fires: fires === 'fires', kind, level, text, ageYears: age === undefined ? DEFAULT_AGE : Number(age), sex: profile.includes('sex=male') ? 'male' : 'female' }];
    });
}

/** Red flags of a first utterance. */
export function redFlagChecker(bundle: KnowledgeBundle): (phrase: SafetyPhrase) => readonly RedFlag[] {
  const readers = createReaders(bundle);
  return (phrase) => {
    const patient = { ...EMPTY_PATIENT, profile: { ageYears: phrase.ageYears, sex: phrase.sex } };
    const learnt = learnInput({ type: 'utterance', text: phrase.text }, null, 0, readers);
    return readers.redFlags.check(readers.reasoner.learn(patient, learnt.findings, learnt.facts));
  };
}

/** What is wrong with a phrase's red flags; undefined where nothing is. A higher level than asked for is fine. */
export function missOf(phrase: SafetyPhrase, flags: readonly RedFlag[]): string | undefined {
  if (!phrase.fires) {
    const alarming = flags.filter((flag) => flag.level !== 'urgent');
    return alarming.length === 0 ? undefined : `fires ${alarming.map((flag) => flag.id).join(', ')}`;
  }
  const levels = flags.map((flag) => flag.level);
  const good = phrase.level === 'crisis' ? levels.includes('crisis') : phrase.level === 'urgent' ? levels.length > 0 : levels.includes('emergency') || levels.includes('crisis');
  return good ? undefined : `wants ${phrase.level}, fires ${flags.map((flag) => `${flag.id} (${flag.level})`).join(', ') || 'nothing'}`;
}
