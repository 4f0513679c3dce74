import type { EntryType, HeadingRole, Language, School, Sex, Urgency } from '../../src/bundle/bundle.js';
import { URGENCY_LEVELS } from '../../src/bundle/bundle.js';
import { type IssueLog, SourceFile } from './source-file.js';

/** What the frequency words mean. */
export const FREQUENCIES: Readonly<Record<string, number>> = { always: 0.97, usual: 0.8, common: 0.5, sometimes: 0.25, rare: 0.08, never: 0.01 };
/** Odds factor of a risk factor. */
export const RISKS: Readonly<Record<string, number>> = { strong: 6, moderate: 3, weak: 1.7 };
/** Relative weight among people who seek advice. */
export const PREVALENCES: Readonly<Record<string, number>> = { 'very-common': 16, common: 8, uncommon: 3, rare: 1, 'very-rare': 0.3 };

const HEADINGS: Readonly<Record<Language, Readonly<Record<string, HeadingRole | 'histories' | 'first-sentences'>>>> = {
  zh: { 概述: 'overview', 病因与危险因素: 'causes', 病因病机: 'causes', 症状与表现: 'symptoms', 体征: 'symptoms', 病程: 'symptoms', 舌脉: 'tongue-pulse', 诊断与检查: 'tests', 辨证要点: 'tests', 何时就医: 'seek-care', 处理原则: 'care', 调护原则: 'care', 鉴别诊断: 'differential', 首句: 'first-sentences', 病史: 'histories' },
  en: { Overview: 'overview', 'Causes and risk factors': 'causes', 'Symptoms and signs': 'symptoms', Course: 'symptoms', 'Tongue and pulse': 'tongue-pulse', 'Diagnosis and tests': 'tests', 'When to seek care': 'seek-care', 'What is usually done': 'care', 'What else it could be': 'differential', 'First sentences': 'first-sentences', Histories: 'histories' },
};
/** Systems of pattern differentiation in Chinese medicine. */
const SYSTEMS: readonly string[] = ['八纲', '脏腑', '六经', '卫气营血', '三焦', '气血津液', '病因', '经络'];
/** A person's kind and the day: `model 2026-11-30`. */
const WHO_AND_WHEN = /^(?:model|clinician) \d{4}-\d{2}-\d{2}(?: .+)?$/;
const FACT_KEYS: readonly string[] = ['id', 'icd10', 'name-en', 'sex', 'age', 'peak', 'prevalence', 'urgency', 'findings', 'risk-factors', 'red-flags', 'sources', 'authored', 'reviewed', 'type', 'systems', 'related'];
const WORD_KEYS: readonly string[] = ['name', 'aliases'];
/** An amount of a medicine, not a laboratory value, which is per litre or decilitre. */
const DOSE = /\d\s*(?:(?:mg|mcg|µg|μg|毫克|微克)(?!\s*[/每])|片|粒|(?:tablet|capsule)s?\b)/i;
const LEAST_SENTENCES = 4;
const REQUIRED: readonly HeadingRole[] = ['overview', 'causes', 'symptoms', 'tests', 'seek-care', 'care', 'differential'];

/** Facts of one disease, the same in every language. */
export interface DiseaseFacts {
  readonly id: string;
  readonly source: SourceFile;
  readonly icd10: string;
  readonly sex: Sex | 'any';
  readonly age: readonly [number, number];
  readonly peak: readonly [number, number];
  readonly prevalence: number;
  readonly urgency: Urgency;
  readonly findings: ReadonlyMap<string, number>;
  readonly riskFactors: ReadonlyMap<string, number>;
  readonly redFlags: readonly string[];
  readonly sources: readonly string[];
  /** Who wrote it and when: `model 2026-11-30`, `clinician 2027-01-08`. */
  readonly authored: string;
  /** Who read it and when: `none`, or as in `authored`. */
  readonly reviewed: string;
  /** Chinese medicine: whether the entry is a disease (病) or a syndrome (证); modern medicine has diseases only. */
  readonly type: EntryType;
  /** Systems of pattern differentiation that know the syndrome (八纲, 脏腑, …). */
  readonly systems: readonly string[];
  /** Ids of entries of the other type: the syndromes of a disease, the diseases a syndrome occurs in; the most usual first. */
  readonly related: readonly string[];
}

export interface LeafSource {
  readonly role: HeadingRole;
  readonly path: readonly string[];
  readonly text: string;
  readonly findings: readonly string[];
  readonly line: number;
}

/** Words of one disease in one language. */
export interface DiseaseWords {
  readonly id: string;
  readonly language: Language;
  readonly source: SourceFile;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly leaves: readonly LeafSource[];
  readonly histories: readonly { readonly text: string; readonly line: number }[];
  /** What people say first, as they say it. */
  readonly firstSentences: readonly { readonly text: string; readonly line: number }[];
}

function range(source: SourceFile, key: string, log: IssueLog): [number, number] {
  const match = /^(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)$/.exec(source.text(key));
  const from = Number(match?.[1]);
  const to = Number(match?.[2]);
  if (match === null || from > to || to > 130) log.error(source.path, source.lineOf(key), 'range', `"${key}" is not a range of years such as 8-35`);
  return match === null ? [0, 130] : [from, to];
}

/** Reads the facts file of a disease. */
export function parseFacts(path: string, content: string, school: School, known: ReadonlySet<string>, log: IssueLog): DiseaseFacts {
  const source = new SourceFile(path, content, log);
  source.onlyKeys(FACT_KEYS);
  for (const key of ['sources', 'red-flags']) if (!Array.isArray(source.value(key))) log.error(path, 1, 'missing-part', `front matter lacks the list "${key}"${key === 'red-flags' ? '; [] where there are none' : ''}`);
  const id = source.text('id');
  if (!path.endsWith(`/${id}.md`)) log.error(path, source.lineOf('id'), 'id', `the id "${id}" is not the file's name`);
  const graded = (key: string, grades: Readonly<Record<string, number>>): Map<string, number> => {
    const out = new Map<string, number>();
    for (const [finding, grade] of source.entries(key)) {
      const line = source.lineOf(key, finding);
      if (!known.has(finding)) log.error(path, line, 'unknown-finding', `no finding has the id "${finding}"; correct it, or add the finding to a file in findings/ first`);
      const value = grades[grade];
      if (value === undefined) log.error(path, line, 'grade', `"${grade}" is none of ${Object.keys(grades).join(', ')}`);
      out.set(finding, value ?? 0);
    }
    return out;
  };
  const icd10 = school === 'mm' ? source.text('icd10') : source.value('icd10') === undefined ? '' : source.text('icd10');
  if (icd10 !== '' && !/^[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?$/.test(icd10)) log.error(path, source.lineOf('icd10'), 'icd10', `"${icd10}" does not have ICD-10's form`);
  const oneOf = <T extends string>(key: string, words: readonly T[]): T => {
    const value = source.text(key) as T;
    if (!words.includes(value)) log.error(path, source.lineOf(key), 'missing-part', `"${key}: ${value}" is none of ${words.join(', ')}`);
    return value;
  };
  const listed = (key: string, words: readonly string[]): string[] => {
    const values = source.strings(key);
    for (const value of values) if (!words.includes(value)) log.error(path, source.lineOf(key, value), 'missing-part', `"${key}: ${value}" is none of ${words.join(', ')}`);
    return values;
  };
  const whoAndWhen = (key: 'authored' | 'reviewed'): string => {
    const value = source.text(key);
    const day = /\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? '';
    const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
    if (!(WHO_AND_WHEN.test(value) && isDay) && !(key === 'reviewed' && value === 'none')) log.error(path, source.lineOf(key), 'who-and-when', `"${key}: ${value}" is not of the form "model 2026-11-30" or "clinician 2027-01-08"${key === 'reviewed' ? ', or "none"' : ''}`);
    return value;
  };
  const findings = graded('findings', FREQUENCIES);
  if (findings.size < 8) log.error(path, source.lineOf('findings'), 'few-findings', `${String(findings.size)} findings; at least 8 are needed`);
  const age = range(source, 'age', log);
  const peak = range(source, source.value('peak') === undefined ? 'age' : 'peak', log);
  if (peak[0] < age[0] || peak[1] > age[1]) log.error(path, source.lineOf('peak'), 'range', `"peak" reaches beyond "age: ${age.join('-')}"; widen "age" or narrow "peak"`);
  const redFlags = source.strings('red-flags');
  for (const flag of redFlags) if (!known.has(flag)) log.error(path, source.lineOf('red-flags', flag), 'unknown-finding', `no finding has the id "${flag}"`);
  return {
    id,
    source,
    icd10,
    sex: oneOf('sex', ['any', 'female', 'male']),
    age,
    peak,
    prevalence: PREVALENCES[oneOf('prevalence', Object.keys(PREVALENCES))] ?? 1,
    urgency: oneOf('urgency', URGENCY_LEVELS),
    findings,
    riskFactors: graded('risk-factors', RISKS),
    redFlags,
    sources: source.strings('sources'),
    authored: whoAndWhen('authored'),
    reviewed: whoAndWhen('reviewed'),
    type: school === 'tcm' ? oneOf('type', ['syndrome', 'disease']) : 'disease',
    systems: listed('systems', SYSTEMS),
    related: source.strings('related'),
  };
}

function titlesOf(language: Language, role: string): string[] {
  return Object.entries(HEADINGS[language]).flatMap(([title, one]) => (one === role ? [title] : []));
}

/** Reads the words file of a disease in one language. */
export function parseWords(path: string, content: string, id: string, language: Language, log: IssueLog): DiseaseWords {
  const source = new SourceFile(path, content, log);
  source.onlyKeys(WORD_KEYS);
  const leaves: LeafSource[] = [];
  const histories: { text: string; line: number }[] = [];
  const firstSentences: { text: string; line: number }[] = [];
  let role: HeadingRole | 'histories' | 'first-sentences' | undefined;
  let path2: string[] = [];
  const seen = new Set<string>();
  for (const section of source.sections) {
    if (section.depth === 1) continue;
    if (section.depth === 2) {
      role = HEADINGS[language][section.title];
      path2 = [section.title];
      if (role === undefined) log.error(path, section.line, 'heading', `"${section.title}" is none of ${Object.keys(HEADINGS[language]).join(', ')}`);
      else seen.add(role);
    } else path2 = [...path2.slice(0, section.depth - 2), section.title];
    if (role === undefined) continue;
    if (role === 'histories') {
      if (section.lines.length > 0) histories.push({ text: section.lines.map((line) => line.text).join(language === 'zh' ? '' : ' '), line: section.line });
      continue;
    }
    if (role === 'first-sentences') {
      for (const { text, line } of section.lines) firstSentences.push({ text: text.replace(/^[-*]\s+/, ''), line });
      continue;
    }
    for (const { text, line } of section.lines) {
      if (DOSE.test(text)) log.error(path, line, 'dose', 'gives an amount of a medicine; no entry names doses');
      const tie = /\s*\{([^}]*)\}\s*$/.exec(text);
      const findings = (tie?.[1] ?? '').split(',').map((item) => item.trim()).filter((item) => item !== '');
      leaves.push({ role, path: path2, text: text.slice(0, tie?.index).replace(/^[-*]\s+/, '').trim(), findings, line });
    }
  }
  for (const part of REQUIRED) if (!seen.has(part)) log.error(path, 1, 'missing-part', `lacks the heading "## ${titlesOf(language, part).join('" or "## ')}"`);
  // The English pilot has no first sentences yet; where a file has them, it has enough.
  if ((language === 'zh' || firstSentences.length > 0) && firstSentences.length < LEAST_SENTENCES) log.error(path, 1, 'few-sentences', `has ${String(firstSentences.length)} first sentences under "## ${titlesOf(language, 'first-sentences').join()}"; at least ${String(LEAST_SENTENCES)} are needed`);
  if (histories.length < 3 || histories.length > 5) log.error(path, 1, 'histories', `has ${String(histories.length)} pseudo histories; 3 to 5 are wanted`);
  return { id, language, source, name: source.text('name'), aliases: source.strings('aliases'), leaves, histories, firstSentences };
}
