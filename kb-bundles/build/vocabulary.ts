import type { AskSet, FindingKind, Language, Localized, RedFlagRule, Within } from '../../src/bundle/bundle.js';
import { ASK_TYPES, KINDS, LEVELS, WITHIN } from '../../src/bundle/tables.js';
import { findingsOf, parseCondition } from '../../src/findings/condition.js';
import { isTold } from '../../src/findings/told-diagnosis.js';
import { normalizeText } from '../../src/text/normalize.js';
import { cutSections, type IssueLog, type SourceSection } from './source-file.js';

/** A finding as written; ids are not yet indices. */
export interface FindingSource {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly kind: FindingKind;
  readonly names: Localized;
  readonly synonyms: { readonly zh: string[]; readonly en: string[] };
  readonly opposites: { readonly zh: string[]; readonly en: string[] };
  readonly ask: Localized;
  readonly label: Localized;
  readonly askIf: string;
  readonly parents: string[];
  readonly needs: string[];
  readonly excludes: string[];
  readonly group: string;
  readonly base: number | undefined;
  readonly value: string;
}

export interface AskSource extends Omit<AskSet, 'options' | 'needs'> {
  readonly needs: string[];
  readonly options: string[];
  readonly file: string;
  readonly line: number;
}

export interface RedFlagSource extends RedFlagRule {
  readonly file: string;
  readonly line: number;
  /** Ids of the findings that `when` names; none where it cannot be read. */
  readonly findings: readonly string[];
}

const FINDING_KEYS = new Set(['kind', 'zh', 'en', 'ask-zh', 'ask-en', 'label-zh', 'label-en', 'parents', 'needs', 'group', 'not', 'opposite-zh', 'opposite-en', 'base', 'value', 'ask-if']);
const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** `- key: value` lines of a section. */
function fieldsOf(section: SourceSection): Map<string, { value: string; line: number }> {
  const fields = new Map<string, { value: string; line: number }>();
  for (const { text, line } of section.lines) {
    const match = /^-\s*([a-z][a-z-]*)\s*:\s*(.*)$/.exec(text);
    if (match !== null) fields.set(match[1] ?? '', { value: (match[2] ?? '').trim(), line });
  }
  return fields;
}

const items = (value: string | undefined): string[] =>
  (value ?? '')
    .split(/[,，]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

function nameAndSynonyms(value: string | undefined): { name: string; synonyms: string[] } {
  const text = value ?? '';
  const bar = text.indexOf('|');
  if (bar < 0) return { name: text.trim(), synonyms: [] };
  return { name: text.slice(0, bar).trim(), synonyms: items(text.slice(bar + 1)) };
}

/** Reads one findings file. */
export function parseFindings(file: string, content: string, log: IssueLog): { findings: FindingSource[]; asks: AskSource[]; notFindings: Record<Language, string[]> } {
  const findings: FindingSource[] = [];
  const asks: AskSource[] = [];
  const notFindings: Record<Language, string[]> = { zh: [], en: [] };
  for (const section of cutSections(content)) {
    if (section.depth !== 2) continue;
    const fields = fieldsOf(section);
    const get = (key: string): string => fields.get(key)?.value ?? '';
    if (section.title.startsWith('ask:')) {
      const type = get('type') as AskSet['type'];
      if (!ASK_TYPES.includes(type)) log.error(file, section.line, 'ask-type', `${section.title}: type "${get('type')}" is none of ${ASK_TYPES.join(', ')}`);
      asks.push({ id: section.title, type, text: { zh: get('zh'), en: get('en') }, needs: items(get('needs')), options: items(get('options')), variable: get('value'), unit: get('unit'), file, line: section.line });
      continue;
    }
    if (section.title.startsWith('words:')) {
      for (const language of ['zh', 'en'] as const) notFindings[language].push(...items(get(language)));
      continue;
    }
    if (!ID.test(section.title)) {
      log.error(file, section.line, 'finding-id', `"${section.title}" is no id: lower-case words joined by hyphens`);
      continue;
    }
    for (const [key, { line }] of fields) if (!FINDING_KEYS.has(key)) log.warn(file, line, 'unknown-key', `${section.title}: unknown key "${key}"`);
    const kind = get('kind') as FindingKind;
    if (!KINDS.includes(kind)) log.error(file, section.line, 'missing-part', `${section.title}: kind "${get('kind')}" is none of ${KINDS.join(', ')}`);
    const zh = nameAndSynonyms(get('zh'));
    const en = nameAndSynonyms(get('en'));
    if (zh.name === '' || en.name === '') log.error(file, section.line, 'missing-part', `${section.title}: needs a name in both languages`);
    const value = get('value');
    for (const key of ['value', 'ask-if']) if (get(key) !== '') checkCondition(get(key), file, fields.get(key)?.line ?? section.line, log);
    findings.push({
      id: section.title,
      file,
      line: section.line,
      kind,
      names: { zh: zh.name, en: en.name },
      synonyms: { zh: zh.synonyms, en: en.synonyms },
      opposites: { zh: items(get('opposite-zh')), en: items(get('opposite-en')) },
      ask: { zh: get('ask-zh'), en: get('ask-en') },
      label: { zh: get('label-zh'), en: get('label-en') },
      askIf: get('ask-if'),
      parents: items(get('parents')),
      needs: items(get('needs')),
      excludes: items(get('not')),
      group: get('group'),
      base: get('base') === '' ? undefined : Number(get('base')),
      value,
    });
  }
  return { findings, asks, notFindings };
}

function checkCondition(source: string, file: string, line: number, log: IssueLog): string[] {
  try {
    return findingsOf(parseCondition(source));
  } catch (error) {
    log.error(file, line, 'condition', error instanceof Error ? error.message : 'not a condition');
    return [];
  }
}

/** How an urgent rule's action says its time. */
const SAYS: Readonly<Record<Within, readonly [zh: RegExp, en: RegExp]>> = {
  now: [/现在|马上/u, /\bnow\b/iu],
  'a-day': [/今天|当天|一天内/u, /today|same day|within a day(?! or two)/iu],
  'two-days': [/一两天内/u, /within a day or two/iu],
};

/** The banner names the time by the rule's field, the card by its words: both must say the same. */
function lintWithin(section: SourceSection, within: Within, zh: string, en: string, file: string, log: IssueLog): void {
  const says = SAYS[within];
  if (says === undefined || (says[0].test(zh) && says[1].test(en))) return;
  log.error(file, section.line, 'time-not-said', `${section.title}: within is ${within}, but what to do in zh or en does not say so (${says[0].source}; ${says[1].source})`);
}

/** Reads one file of red flag rules. */
export function parseRedFlags(file: string, content: string, known: ReadonlySet<string>, log: IssueLog): RedFlagSource[] {
  const rules: RedFlagSource[] = [];
  for (const section of cutSections(content)) {
    if (section.depth !== 2) continue;
    const fields = fieldsOf(section);
    const get = (key: string): string => fields.get(key)?.value ?? '';
    const level = get('level') as RedFlagRule['level'];
    if (!LEVELS.includes(level)) log.error(file, section.line, 'missing-part', `${section.title}: level is none of ${LEVELS.join(', ')}`);
    const within = level === 'urgent' ? (get('within') as Within) : 'now';
    if (!WITHIN.includes(within) || (level !== 'urgent' && get('within') !== '')) log.error(file, section.line, 'missing-part', `${section.title}: an urgent rule, and no other, says within which time: ${WITHIN.join(', ')}`);
    for (const key of ['when', 'zh', 'en', 'source']) if (get(key) === '') log.error(file, section.line, 'missing-part', `${section.title}: lacks "${key}"`);
    const findings = checkCondition(get('when'), file, fields.get('when')?.line ?? section.line, log);
    for (const id of findings) {
      if (!known.has(id)) log.error(file, fields.get('when')?.line ?? section.line, 'unknown-finding', `${section.title}: no finding has the id "${id}"`);
    }
    const split = (text: string): [string, string] => {
      const bar = text.indexOf('|');
      return bar < 0 ? [text.trim(), ''] : [text.slice(0, bar).trim(), text.slice(bar + 1).trim()];
    };
    const [whatZh, actionZh] = split(get('zh'));
    const [whatEn, actionEn] = split(get('en'));
    if (actionZh === '' || actionEn === '') log.error(file, section.line, 'missing-part', `${section.title}: zh and en need a bar and what to do`);
    if (level === 'urgent') lintWithin(section, within, actionZh, actionEn, file, log);
    rules.push({ id: section.title, file, line: section.line, level, within, when: get('when'), findings, what: { zh: whatZh, en: whatEn }, action: { zh: actionZh, en: actionEn }, source: get('source') });
  }
  return rules;
}

/** Longest label of an option, in characters: two lines of a small phone. */
const LONGEST_LABEL: Readonly<Record<Language, number>> = { zh: 18, en: 60 };

/** A label is short, no question, and names one finding only. */
function lintLabels(findings: readonly FindingSource[], log: IssueLog): void {
  for (const language of ['zh', 'en'] as const) {
    const owners = new Map(findings.map((finding) => [finding.names[language], finding]));
    for (const finding of findings) {
      const label = finding.label[language];
      if (label === '') continue;
      const fault = (what: string): void => log.error(finding.file, finding.line, 'label', `${finding.id}: the label "${label}" ${what}`);
      if (label.length > LONGEST_LABEL[language]) fault(`is longer than ${String(LONGEST_LABEL[language])} characters`);
      if (/[?？]/u.test(label)) fault('is a question');
      const owner = owners.get(label);
      if (owner !== undefined) fault(owner === finding ? 'is its name' : `stands for ${owner.id} too`);
      owners.set(label, finding);
    }
  }
}

/** Duplicate ids and words, unknown parents and needs, over all files. */
export function lintVocabulary(findings: readonly FindingSource[], asks: readonly AskSource[], log: IssueLog): void {
  const byId = new Map<string, FindingSource>();
  const byWord = new Map<string, FindingSource>();
  for (const finding of findings) {
    const twin = byId.get(finding.id);
    if (twin !== undefined) log.error(finding.file, finding.line, 'duplicate-id', `${finding.id}: stands in ${twin.file}:${String(twin.line)} too`);
    byId.set(finding.id, finding);
    for (const language of ['zh', 'en'] as const) {
      for (const word of [finding.names[language], ...finding.synonyms[language]]) {
        const key = normalizeText(word);
        const other = byWord.get(key);
        if (word.startsWith('@') || isTold(finding.id)) continue;
        if (other !== undefined && other.id !== finding.id) log.warn(finding.file, finding.line, 'duplicate-alias', `${finding.id}: "${word}" is a name of ${other.id} too (${other.file}:${String(other.line)}); the closer description, else the first, keeps it`);
        else byWord.set(key, finding);
      }
      const han = /\p{Script=Han}/u;
      if (language === 'en' && [finding.names.en, finding.ask.en, ...finding.synonyms.en].some((text) => han.test(text))) log.error(finding.file, finding.line, 'wrong-language', `${finding.id}: Chinese in the English words`);
      if (language === 'zh' && !han.test(finding.names.zh)) log.error(finding.file, finding.line, 'wrong-language', `${finding.id}: the Chinese name has no Chinese`);
    }
  }
  lintLabels(findings, log);
  const check = (owner: { id: string; file: string; line: number }, ids: readonly string[], key: string): void => {
    for (const id of ids) if (!byId.has(id)) log.error(owner.file, owner.line, 'unknown-finding', `${owner.id}: ${key} names "${id}", which no finding has`);
  };
  for (const finding of findings) {
    check(finding, finding.parents, 'parents');
    check(finding, finding.needs, 'needs');
    check(finding, finding.excludes, 'not');
  }
  for (const ask of asks) {
    check(ask, ask.options, 'options');
    check(ask, ask.needs, 'needs');
  }
}
