import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Language, Localized, School } from '../../src/bundle/bundle.js';
import { normalizeText } from '../../src/text/normalize.js';
import { type DiseaseFacts, type DiseaseWords, parseFacts, parseWords } from './disease.js';
import { ancestorsIn, lintDanger, lintGrades } from './lint-danger.js';
import { lintEntry, lintLanguage, lintTies, lintTogether } from './lint.js';
import { IssueLog } from './source-file.js';
import { type AskSource, type FindingSource, lintVocabulary, parseFindings, parseRedFlags, type RedFlagSource } from './vocabulary.js';

/** An entry of `bundles.yaml`. */
export interface BundlePlan {
  readonly id: string;
  readonly version: string;
  readonly school: School;
  readonly language: Language;
  readonly name: Localized;
  /** Whether words of the other language are read as well as the own, or only its names and what red flags rest on. @default both */
  readonly lexicon?: 'both' | 'own';
}

/** All sources, read and checked. */
export interface Sources {
  readonly plans: readonly BundlePlan[];
  readonly findings: readonly FindingSource[];
  readonly asks: readonly AskSource[];
  /** Words that look like a finding and are none. */
  readonly notFindings: Readonly<Record<Language, readonly string[]>>;
  readonly redFlags: readonly RedFlagSource[];
  readonly facts: Readonly<Record<School, readonly DiseaseFacts[]>>;
  readonly words: readonly DiseaseWords[];
  readonly log: IssueLog;
}

const LANGUAGES: readonly Language[] = ['zh', 'en'];

function markdown(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .sort();
  } catch {
    return [];
  }
}

/** Reads the sources under a directory such as `kb-bundles`. @param root shown in issues as written */
export function readSources(root: string): Sources {
  const log = new IssueLog();
  const read = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').replace(/^\u{FEFF}/u, '');
  const plans = parse(read(join(root, 'bundles.yaml'))) as BundlePlan[];
  const findings: FindingSource[] = [];
  const asks: AskSource[] = [];
  const notFindings: Record<Language, string[]> = { zh: [], en: [] };
  for (const name of markdown(join(root, 'findings'))) {
    const file = join(root, 'findings', name);
    const parsed = parseFindings(file, read(file), log);
    findings.push(...parsed.findings);
    asks.push(...parsed.asks);
    for (const language of LANGUAGES) notFindings[language].push(...parsed.notFindings[language]);
  }
  lintVocabulary(findings, asks, log);
  const known = new Set(findings.map((finding) => finding.id));
  const ancestors = ancestorsIn(findings);
  const namesIn = (language: Language): ReadonlySet<string> => new Set(findings.filter((finding) => finding.kind === 'symptom' || finding.kind === 'sign').map((finding) => normalizeText(finding.names[language])));
  const findingNames: Readonly<Record<Language, ReadonlySet<string>>> = { zh: namesIn('zh'), en: namesIn('en') };
  const redFlags = markdown(join(root, 'red-flags')).flatMap((name) => {
    const file = join(root, 'red-flags', name);
    return parseRedFlags(file, read(file), known, log);
  });
  const words: DiseaseWords[] = [];
  const facts = { mm: [] as DiseaseFacts[], tcm: [] as DiseaseFacts[] };
  for (const school of ['mm', 'tcm'] as const) {
    const directory = join(root, school);
    const names = markdown(directory);
    const languages = LANGUAGES.filter((language) => plans.some((plan) => plan.school === school && plan.language === language));
    for (const name of names.filter((one) => !/\.(?:zh|en)\.md$/.test(one))) {
      const file = join(directory, name);
      const one = parseFacts(file, read(file), school, known, log);
      lintGrades(one, ancestors, log);
      facts[school].push(one);
      if (!languages.some((language) => names.includes(name.replace(/\.md$/, `.${language}.md`)))) log.error(file, 1, 'missing-part', `has words in no language; ${name.replace(/\.md$/, '.zh.md')} is missing`);
      for (const language of languages) {
        const wordsName = name.replace(/\.md$/, `.${language}.md`);
        if (!names.includes(wordsName)) continue;
        const path = join(directory, wordsName);
        const spoken = parseWords(path, read(path), one.id, language, log);
        lintTies(one, spoken, log);
        lintEntry(one, spoken, findingNames[language], log);
        lintDanger(one, spoken, ancestors, log);
        lintLanguage(spoken, log);
        words.push(spoken);
      }
    }
    lintTogether(facts[school], words.filter((one) => facts[school].some((fact) => fact.id === one.id)), log);
  }
  return { plans, findings, asks, notFindings, redFlags, facts, words, log };
}
