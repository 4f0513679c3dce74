import { countTerms, termsOf } from '../../src/text/features.js';
import { normalizeText } from '../../src/text/normalize.js';
import { type DiseaseFacts, type DiseaseWords, FREQUENCIES, PREVALENCES } from './disease.js';
import type { IssueLog } from './source-file.js';
import { SELDOM } from './spoken.js';

/** Two pseudo histories with more than this share of common terms are one history told twice. */
const NEAR_IDENTICAL = 0.72;
/** A finding discriminates when it is at least this frequent here … */
const FREQUENT = 0.5;
/** … and listed as often in at most this share of the other diseases. */
const SHARED = 0.12;

/** Share of common terms (Jaccard, by counts). */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let both = 0;
  let either = 0;
  for (const [term, count] of a) {
    both += Math.min(count, b.get(term) ?? 0);
    either += Math.max(count, b.get(term) ?? 0);
  }
  for (const [term, count] of b) if (!a.has(term)) either += count;
  return either === 0 ? 0 : both / either;
}

/** Every finding and risk factor has its words in this language, and no words are tied to something else. */
export function lintTies(facts: DiseaseFacts, words: DiseaseWords, log: IssueLog): void {
  const listed = new Set([...facts.findings.keys(), ...facts.riskFactors.keys()]);
  const tied = new Set<string>();
  for (const leaf of words.leaves) {
    for (const id of leaf.findings) {
      tied.add(id);
      if (!listed.has(id)) log.error(words.source.path, leaf.line, 'tie', `ties "${id}", which ${facts.id}.md does not list`);
    }
  }
  for (const id of listed) if (!tied.has(id)) log.error(words.source.path, 1, 'missing-part', `no line is tied to "${id}"`);
}

/** An entry wider than others: the particular disease is to be named first. */
const UMBRELLA = /总称|统称|笼统/u;
/** Advice to stop or take medicines that does not name who decides. */
const ALONE_WITH_MEDICINE = /(?:自行|自己)(?:停|加|减|吃|服|用)药?(?!.{0,12}(?:不要|别))|(?:^|[，。；、])(?:停用?|先停)(?:可疑|多余|所有)?(?:的)?药/u;
const SOMEBODY = /不自己|不自行|医生|医师|医嘱|大夫|药师|医院|不要|别|勿|不能|不可|切忌|避免|问/u;

/** Kinds of fault that second readers found in entries, so that they do not come back. */
export function lintEntry(facts: DiseaseFacts, words: DiseaseWords, findingNames: ReadonlySet<string>, log: IssueLog): void {
  const { path } = words.source;
  for (const alias of words.aliases) {
    if (findingNames.has(normalizeText(alias))) log.warn(path, words.source.lineOf('aliases', alias), 'alias-is-finding', `the alias "${alias}" is a finding: it would name the disease for a symptom`);
  }
  for (const leaf of words.leaves) {
    if (SELDOM.test(leaf.path.at(-1) ?? '') && /想到|更像|考虑|提示|少见|罕见|suggests|uncommon/u.test(leaf.text)) {
      for (const id of leaf.findings) if ((facts.findings.get(id) ?? 0) > (FREQUENCIES.rare ?? 0)) log.error(path, leaf.line, 'seldom-but-frequent', `"${id}" stands under what is seldom, but is graded more than rare`);
    }
    if ((leaf.role === 'care' || leaf.role === 'seek-care') && leaf.text.split(/[，。；]/u).some((clause) => ALONE_WITH_MEDICINE.test(clause) && !SOMEBODY.test(clause) && !SOMEBODY.test(leaf.text))) log.error(path, leaf.line, 'alone-with-medicine', 'tells to stop or take a medicine without a doctor');
    if (leaf.role === 'overview' && facts.icd10 !== '' && UMBRELLA.test(leaf.text) && facts.prevalence >= (PREVALENCES.common ?? 0)) log.error(facts.source.path, facts.source.lineOf('prevalence'), 'umbrella', 'a wide entry is graded common; the particular diseases would not be named before it');
  }
}

/** Text in the wrong language. */
export function lintLanguage(words: DiseaseWords, log: IssueLog): void {
  const han = /\p{Script=Han}/u;
  const path = words.source.path;
  const check = (text: string, line: number): void => {
    const hanCount = [...text].filter((character) => han.test(character)).length;
    if (words.language === 'en' ? hanCount > 0 : hanCount < [...text].length * 0.1) log.error(path, line, 'wrong-language', `"${text.slice(0, 40)}" is not ${words.language === 'en' ? 'English' : 'Chinese'}`);
  };
  check(words.name, words.source.lineOf('name'));
  for (const leaf of words.leaves) check(leaf.text, leaf.line);
  for (const history of words.histories) {
    check(history.text, history.line);
    const length = words.language === 'zh' ? [...history.text].length : history.text.split(/\s+/).length;
    const [least, most] = words.language === 'zh' ? [30, 260] : [25, 160];
    if (length < least || length > most) log.warn(path, history.line, 'history-length', `a pseudo history of ${String(length)} ${words.language === 'zh' ? 'characters' : 'words'}; ${String(least)} to ${String(most)} are wanted`);
  }
}

/** Characters of a shingle; texts that are nearly the same share many of these, others hardly any. */
const SHINGLE = 5;
/** Shared shingles from which two texts are compared in full. */
const SHARED_SHINGLES = 4;

interface Story {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Pairs of stories with enough shingles in common to be worth comparing. */
function suspects(stories: readonly Story[]): [Story, Story][] {
  const holders = new Map<string, number[]>();
  const pairs: [Story, Story][] = [];
  stories.forEach((story, at) => {
    const text = normalizeText(story.text).replace(/[^\p{L}\p{N}]+/gu, '');
    const shared = new Map<number, number>();
    for (const shingle of new Set(Array.from({ length: Math.max(0, text.length - SHINGLE + 1) }, (_, from) => text.slice(from, from + SHINGLE)))) {
      const others = holders.get(shingle) ?? [];
      for (const other of others) shared.set(other, (shared.get(other) ?? 0) + 1);
      // A phrase that many histories use tells nothing.
      if (others.length < 40) holders.set(shingle, [...others, at]);
    }
    for (const [other, count] of shared) {
      const twin = stories[other];
      if (count >= SHARED_SHINGLES && twin !== undefined) pairs.push([story, twin]);
    }
  });
  return pairs;
}

/** Near-identical pseudo histories, duplicate ids, names and aliases, diseases nothing tells apart. */
export function lintTogether(facts: readonly DiseaseFacts[], words: readonly DiseaseWords[], log: IssueLog): void {
  for (const language of ['zh', 'en'] as const) {
    const stories = words.filter((one) => one.language === language).flatMap((one) => one.histories.map(({ text, line }) => ({ path: one.source.path, line, text })));
    for (const [one, other] of suspects(stories)) {
      if (similarity(countTerms(termsOf(one.text)), countTerms(termsOf(other.text))) > NEAR_IDENTICAL) log.error(one.path, one.line, 'near-identical', `this pseudo history nearly repeats ${other.path}:${String(other.line)}`);
    }
  }
  const names = new Map<string, DiseaseWords>();
  for (const one of words) {
    for (const name of [one.name, ...one.aliases]) {
      const key = `${one.language} ${normalizeText(name)}`;
      const other = names.get(key);
      if (other !== undefined && other.id !== one.id) log.error(one.source.path, one.source.lineOf('aliases', name), 'duplicate-alias', `"${name}" is a name of ${other.id} too`);
      names.set(key, one);
    }
  }
  const holders = new Map<string, number>();
  for (const one of facts) for (const [id, frequency] of one.findings) if (frequency >= FREQUENT) holders.set(id, (holders.get(id) ?? 0) + 1);
  for (const one of facts) {
    const discriminates = [...one.findings].some(([id, frequency]) => frequency >= FREQUENT && (holders.get(id) ?? 0) <= Math.max(3, facts.length * SHARED));
    if (!discriminates) log.error(one.source.path, one.source.lineOf('findings'), 'no-discriminating', 'no finding tells this disease from the others: grade one common or more that few others have so often, or add one that only it has');
  }
  lintRelated(facts, log);
}

/** A disease of Chinese medicine names its syndromes, a syndrome the diseases it occurs in; both exist. */
function lintRelated(facts: readonly DiseaseFacts[], log: IssueLog): void {
  const typeOf = new Map(facts.map((one) => [one.id, one.type]));
  for (const one of facts) {
    for (const id of one.related) {
      const type = typeOf.get(id);
      if (type === undefined) log.error(one.source.path, one.source.lineOf('related', id), 'related', `no entry has the id "${id}"`);
      else if (type === one.type) log.error(one.source.path, one.source.lineOf('related', id), 'related', `"${id}" is a ${type} too; a ${one.type} is related to entries of the other type`);
    }
  }
}
