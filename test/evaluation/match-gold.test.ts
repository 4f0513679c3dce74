import { describe, expect, it } from 'vitest';
import type { Disease, KnowledgeBundle, School } from '../../src/bundle/bundle.js';
import { type EvaluationCase, parseCases } from '../../src/evaluation/cases.js';
import { parseGoldMap } from '../../src/evaluation/gold-map.js';
import { GoldMatcher } from '../../src/evaluation/match-gold.js';

function bundleOf(school: School, ...diseases: readonly { name: string; aliases?: string[]; icd10?: string }[]): KnowledgeBundle {
  return { school, diseases: diseases.map(({ name, aliases = [], icd10 = '' }, index) => ({ index, name, aliases, icd10 }) as unknown as Disease) } as unknown as KnowledgeBundle;
}

function caseOf(gold: string | null, changes: Readonly<Record<string, unknown>> = {}): EvaluationCase {
  return parseCases(JSON.stringify({ id: 'a', lang: 'en', patient: 'x', gold, ...changes }))[0]!;
}

describe('GoldMatcher', () => {
  const bundle = bundleOf('mm', { name: 'Acute appendicitis', aliases: ['appendicitis'], icd10: 'K35' }, { name: 'Crohn’s disease', icd10: 'K50' }, { name: 'Diabetes', aliases: ['diabetes mellitus'], icd10: 'E14' });
  const matcher = new GoldMatcher(bundle);

  it.each([
    ['its name', 'Acute appendicitis', [0]],
    ['an alias', 'appendicitis', [0]],
    ['another case, other blanks and marks', '  ACUTE-appendicitis. ', [0]],
    ['another apostrophe', "Crohn's Disease", [1]],
    ['the code that the entry declares', 'K35', [0]],
    ['a closer code, not', 'K35.8', []],
    ['a narrower name, not', 'Type 2 diabetes', []],
    ['a wider name, not', 'Abdominal pain', []],
  ])('matches %s', (_what, gold, expected) => {
    expect([...matcher.diseasesOf(caseOf(gold))]).toEqual(expected);
  });

  it('matches an alias of the case', () => {
    expect([...matcher.diseasesOf(caseOf('Inflamed appendix', { gold_aliases: ['Appendicitis'] }))]).toEqual([0]);
  });

  it('matches nothing where the case has no diagnosis', () => {
    expect(matcher.diseasesOf(caseOf(null)).size).toBe(0);
  });

  it('matches through the map, in the list of the case alone', () => {
    const mapped = new GoldMatcher(bundle, parseGoldMap('list\tgold\tentry\nen\tBelly inflammation\tappendicitis\nmm-zh\tSugar\tDiabetes\n'));
    expect([...mapped.diseasesOf(caseOf('Belly inflammation'))]).toEqual([0]);
    expect([...mapped.diseasesOf(caseOf('Sugar'))]).toEqual([]);
    expect([...mapped.diseasesOf(caseOf('Sugar', { lang: 'zh' }))]).toEqual([2]);
  });

  it('matches an alias of the case through the map', () => {
    const mapped = new GoldMatcher(bundle, parseGoldMap('en\tSugar sickness\tDiabetes'));
    expect([...mapped.diseasesOf(caseOf('Something', { gold_aliases: ['Sugar sickness'] }))]).toEqual([2]);
  });

  describe('in Chinese medicine', () => {
    const syndromes = new GoldMatcher(bundleOf('tcm', { name: '肝郁脾虚证' }, { name: '胃痛' }));
    it('accepts the disease and the syndrome, with or without 证', () => {
      const one = caseOf('泄泻', { lang: 'zh', school: 'tcm', tcm_syndrome: '肝鬱脾虛' });
      expect([...syndromes.diseasesOf(one)]).toEqual([0]);
      expect([...syndromes.diseasesOf(caseOf('胃痛', { lang: 'zh', school: 'tcm', tcm_syndrome: '肝郁脾虚证' }))].sort()).toEqual([0, 1]);
    });

    it('does not accept the syndrome of a case of modern medicine', () => {
      expect(new GoldMatcher(bundleOf('mm', { name: '肝郁脾虚' })).diseasesOf(caseOf('泄泻', { lang: 'zh', tcm_syndrome: '肝郁脾虚' })).size).toBe(0);
    });
  });
});

describe('parseGoldMap', () => {
  it('keeps several names of one diagnosis', () => {
    expect(parseGoldMap('en\ta\tb\nen\ta\tc\r\n').namesOf('en', 'a')).toEqual(['b', 'c']);
  });

  it.each(['en\ta', 'en\ta\tb\tc', 'en\t\tb', 'only words'])('refuses %j with its line', (bad) => {
    expect(() => parseGoldMap(`list\tgold\tentry\n${bad}`)).toThrow(expect.objectContaining({ code: 'cases-invalid', line: 2 }) as Error);
  });
});
