import type { AskSet, DiLeaf, Disease, Finding, FindingKind, IndexRow, Language, Localized, Manifest, ManifestPart, PartName, RedFlagRule, School } from '../../src/bundle/bundle.js';
import { FORMAT_VERSION } from '../../src/bundle/bytes.js';
import { encodeDiseases, encodeFindings, encodeTexts, encodeVectors } from '../../src/bundle/encode.js';
import { encodeLexical, type LexicalDocument } from '../../src/retriever/lexical-index.js';
import { sha256 } from '../../src/bundle/sha256.js';
import type { DiseaseFacts, DiseaseWords } from './disease.js';
import { fitEncoder } from './encoder.js';
import { findingsOf, parseCondition } from '../../src/findings/condition.js';
import { encodeLexicon } from '../../src/findings/lexicon.js';
import { compoundSynonyms } from './compounds.js';
import { misspellings, protectedWords } from './protected-words.js';
import { SpokenFindings } from './spoken.js';
import { ordinaryRuns, syllableTable } from './syllables.js';
import type { BundlePlan, Sources } from './read-sources.js';
import type { FindingSource } from './vocabulary.js';

/** How often a finding is present in anyone, by kind, unless the vocabulary says otherwise. */
const BASE: Readonly<Record<FindingKind, number>> = { symptom: 0.03, sign: 0.02, test: 0.02, risk: 0.06, tongue: 0.1, pulse: 0.1, general: 0.1 };

/** A built bundle: the manifest's text and its parts by file name. */
export interface BuiltBundle {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Vocabulary shared by all bundles, as indices. */
export interface CompiledVocabulary {
  readonly findings: readonly Finding[];
  readonly askSets: readonly AskSet[];
  readonly redFlags: readonly RedFlagRule[];
  /** The words of both languages; with `own`, of the other language canonical names alone, and what stands as one run (without `&`) of findings that a red flag rests on. */
  lexicon(language: Language, reads: 'both' | 'own'): Uint8Array;
}

/** Findings that entries of a school, rules, questions or other such findings use; nothing else travels in its bundles. */
function usedFindings(sources: Sources, school: School): FindingSource[] {
  const byId = new Map(sources.findings.map((finding) => [finding.id, finding]));
  const used = new Set<string>();
  const use = (ids: Iterable<string>): void => {
    for (const id of ids) {
      const finding = byId.get(id);
      if (finding === undefined || used.has(id)) continue;
      used.add(id);
      use([...finding.parents, ...finding.needs, ...finding.excludes]);
      for (const condition of [finding.value, finding.askIf]) if (condition !== '') use(findingsOf(parseCondition(condition)));
    }
  };
  for (const facts of sources.facts[school]) use([...facts.findings.keys(), ...facts.riskFactors.keys(), ...facts.redFlags]);
  for (const rule of sources.redFlags) use(rule.findings);
  for (const ask of sources.asks) if (school === 'tcm' || !ask.options.some((id) => /^(?:tcm|tongue|pulse)-/.test(id))) use([...ask.options, ...ask.needs]);
  const kept = new Map(sources.findings.filter((finding) => used.has(finding.id)).map((finding) => [finding.id, finding]));
  for (const finding of sources.findings) {
    if (used.has(finding.id)) continue;
    // What is not told apart still counts as the wider finding.
    for (const id of usedAncestors(finding, byId, used)) {
      const wider = kept.get(id);
      if (wider === undefined) continue;
      const words = (language: Language): string[] => [...new Set([...wider.synonyms[language], finding.names[language], ...finding.synonyms[language].filter((word) => !word.startsWith('@'))])];
      kept.set(id, { ...wider, synonyms: { zh: words('zh'), en: words('en') } });
    }
  }
  return [...kept.values()];
}

/** The nearest used findings above one that is not used; the first of each line. */
function usedAncestors(finding: FindingSource, byId: ReadonlyMap<string, FindingSource>, used: ReadonlySet<string>): string[] {
  return finding.parents.slice(0, 1).flatMap((id) => {
    const parent = byId.get(id);
    return used.has(id) ? [id] : parent === undefined ? [] : usedAncestors(parent, byId, used);
  });
}

/** Gives the findings of a school's bundles their indices. */
export function compileVocabulary(sources: Sources, school: School): CompiledVocabulary {
  const used = usedFindings(sources, school);
  const ids = new Map(used.map((finding, index) => [finding.id, index]));
  const indexOf = (id: string): number[] => {
    const index = ids.get(id);
    return index === undefined ? [] : [index];
  };
  const groups = new Map<string, string[]>();
  for (const finding of used) if (finding.group !== '') groups.set(finding.group, [...(groups.get(finding.group) ?? []), finding.id]);
  const findings = used.map(
    (finding, index): Finding => ({
      index,
      id: finding.id,
      kind: finding.kind,
      names: finding.names,
      synonyms: finding.synonyms,
      opposites: finding.opposites,
      ask: finding.ask,
      label: finding.label,
      askIf: finding.askIf,
      parents: finding.parents.flatMap(indexOf),
      needs: finding.needs.flatMap(indexOf),
      excludes: [...new Set([...finding.excludes, ...(groups.get(finding.group) ?? []).filter((id) => id !== finding.id)])].flatMap(indexOf),
      base: finding.base ?? BASE[finding.kind],
      value: finding.value,
    }),
  );
  const askSets = sources.asks.filter((ask) => ask.options.every((id) => ids.has(id))).map((ask): AskSet => ({ id: ask.id, type: ask.type, text: ask.text, needs: ask.needs.flatMap(indexOf), options: ask.options.flatMap(indexOf), variable: ask.variable, unit: ask.unit }));
  const redFlags = sources.redFlags.map(({ id, level, within, when, what, action, source }): RedFlagRule => ({ id, level, within, when, what, action, source }));
  const common = new Set(['headache', 'fever', 'cough', 'vomiting', 'diarrhoea', 'abdominal-pain', 'rash', 'nausea', 'dizziness', 'sore-throat', 'insomnia'].flatMap(indexOf));
  const flagged = new Set(sources.redFlags.flatMap((rule) => rule.findings).flatMap(indexOf));
  const alarming = new Set([...flagged].filter((index) => !common.has(index)));
  const texts = sources.words.filter((words) => words.language === 'zh').flatMap((words) => [...words.leaves, ...words.histories, ...words.firstSentences].map((one) => one.text));
  // Chinese words alone, which every lexicon that guesses by sound has whole.
  const syllables = syllableTable(findings);
  const ordinary = ordinaryRuns(findings, texts, syllables);
  const lexicon = (language: Language, reads: 'both' | 'own'): Uint8Array => {
    const read = reads === 'both' ? findings : findings.map((finding) => withLanguage(finding, language, flagged.has(finding.index)));
    return encodeLexicon({ findings: read, notFindings: sources.notFindings, leftOut: compoundSynonyms(read), misspellings: misspellings(read), neverGuessed: alarming, protectedWords: protectedWords(read), syllables, ordinary });
  };
  return { findings, askSets, redFlags, lexicon };
}

/** A finding with the words of one language; of the other those that stand as one run, where an emergency rests on it. */
function withLanguage(finding: Finding, language: Language, isFlagged: boolean): Finding {
  const words = (given: Finding['synonyms']): Finding['synonyms'] => {
    const other = (one: Language): readonly string[] => (isFlagged ? given[one].filter((word) => !word.includes('&')) : []);
    return { zh: language === 'zh' ? given.zh : other('zh'), en: language === 'en' ? given.en : other('en') };
  };
  return { ...finding, synonyms: words(finding.synonyms), opposites: words(finding.opposites) };
}

function compileDisease(index: number, facts: DiseaseFacts, words: DiseaseWords, ids: ReadonlyMap<string, number>, diseaseIds: ReadonlyMap<string, number>, findings: readonly Finding[], spoken: SpokenFindings): Disease {
  const frequencies = new Map<number, number>();
  for (const [id, frequency] of facts.findings) {
    const finding = ids.get(id);
    if (finding !== undefined) frequencies.set(finding, frequency);
  }
  for (const [finding, frequency] of spoken.of(words)) {
    const id = findings[finding]?.id ?? '';
    if (!facts.findings.has(id) && !facts.riskFactors.has(id)) frequencies.set(finding, frequency);
  }
  // A parent holds whenever its child does: it is at least as frequent.
  for (const [finding, frequency] of [...frequencies]) {
    const queue = [...(findings[finding]?.parents ?? [])];
    for (const parent of queue) {
      if ((frequencies.get(parent) ?? 0) < frequency) frequencies.set(parent, frequency);
      queue.push(...(findings[parent]?.parents ?? []));
    }
  }
  const known = (items: readonly string[]): number[] => items.map((id) => ids.get(id)).filter((finding): finding is number => finding !== undefined);
  return {
    index,
    id: facts.id,
    name: words.name,
    aliases: words.aliases,
    icd10: facts.icd10,
    sex: facts.sex,
    age: facts.age,
    peak: facts.peak,
    prevalence: facts.prevalence,
    urgency: facts.urgency,
    frequencies: new Map([...frequencies].sort((a, b) => a[0] - b[0])),
    riskFactors: new Map([...facts.riskFactors].flatMap(([id, factor]) => known([id]).map((finding) => [finding, factor] as const))),
    redFlags: known(facts.redFlags),
    sources: facts.sources,
    review: facts.reviewed.startsWith('clinician') ? facts.reviewed : 'none',
    type: facts.type,
    systems: facts.systems,
    related: facts.related.flatMap((id) => diseaseIds.get(id) ?? []),
  };
}

/** Synonyms of a finding that a bundle carries for people and programs to see, in its own language; all are in the lexicon. */
const SHOWN_SYNONYMS = 8;

/** Text in one language alone: a bundle asks in its own. */
function inOneLanguage(text: Localized, language: Language): Localized {
  return { zh: language === 'zh' ? text.zh : '', en: language === 'en' ? text.en : '' };
}

function shownWords(finding: Finding, language: Language): Finding {
  const shown = (one: Language): string[] => (one === language ? finding.synonyms[one].filter((word) => !/[~&@]/.test(word)).slice(0, SHOWN_SYNONYMS) : []);
  return { ...finding, ask: inOneLanguage(finding.ask, language), label: inOneLanguage(finding.label, language), synonyms: { zh: shown('zh'), en: shown('en') }, opposites: { zh: [], en: [] } };
}

/** Lay words that the encoder's DI-Tree text gains per finding, so that spoken words reach written knowledge. */
const LAY_WORDS = 6;

/** What is written of a disease: names and leaves. */
function writtenText(disease: Disease, words: DiseaseWords): string {
  const leaves = words.leaves.filter((leaf) => ['overview', 'causes', 'symptoms', 'tongue-pulse', 'tests'].includes(leaf.role)).map((leaf) => leaf.text);
  return [disease.name, ...disease.aliases, ...leaves].join('\n');
}

/** Names and lay words of its findings. */
function layText(disease: Disease, language: Language, findings: readonly Finding[]): string {
  return [...disease.frequencies]
    .filter(([, frequency]) => frequency >= 0.25)
    .flatMap(([index, frequency]) => {
      const finding = findings[index];
      if (finding === undefined) return [];
      const synonyms = finding.synonyms[language].slice(0, frequency >= 0.5 ? LAY_WORDS : 2).map((synonym) => synonym.replaceAll(/[~&@]/g, language === 'zh' ? '' : ' '));
      return [finding.names[language], ...synonyms];
    })
    .join('\n');
}

/**
 * The entries of a bundle in its order: those of its school that have words in its language, by ICD-10 chapter and code, so
 * that like stands beside like, which compresses better (postings have shorter steps, texts repeat near by).
 */
export function entriesOf(plan: BundlePlan, sources: Sources): { readonly facts: DiseaseFacts; readonly words: DiseaseWords }[] {
  const wordsOf = new Map(sources.words.filter((one) => one.language === plan.language).map((one) => [one.id, one]));
  const ordered = [...sources.facts[plan.school]].sort((a, b) => (a.icd10 < b.icd10 ? -1 : a.icd10 > b.icd10 ? 1 : 0));
  return ordered.flatMap((facts) => {
    const words = wordsOf.get(facts.id);
    return words === undefined ? [] : [{ facts, words }];
  });
}

/** Builds one bundle. Same sources, same bytes. */
export async function compileBundle(plan: BundlePlan, sources: Sources, vocabulary: CompiledVocabulary): Promise<BuiltBundle> {
  const ids = new Map(vocabulary.findings.map((finding) => [finding.id, finding.index]));
  const lexicon = vocabulary.lexicon(plan.language, plan.lexicon ?? 'both');
  const spoken = new SpokenFindings(vocabulary.findings, lexicon);
  const entries = entriesOf(plan, sources);
  const diseaseIds = new Map(entries.map(({ facts }, index) => [facts.id, index]));
  const diseases: Disease[] = [];
  let pseudoHistories = 0;
  const trees: Omit<DiLeaf, 'id'>[][] = [];
  const documents: LexicalDocument[] = [];
  const rows: IndexRow[] = [];
  /** Texts whose embeddings' middle is a row. */
  const rowTexts: string[][] = [];
  for (const { facts, words } of entries) {
    const disease = compileDisease(diseases.length, facts, words, ids, diseaseIds, vocabulary.findings, spoken);
    diseases.push(disease);
    trees.push(words.leaves.map((leaf) => ({ role: leaf.role, path: leaf.path, text: leaf.text, findings: leaf.findings.map((id) => ids.get(id)).filter((finding): finding is number => finding !== undefined) })));
    const told = [...words.histories, ...words.firstSentences].map((one) => one.text);
    const written = writtenText(disease, words);
    documents.push({ pmh: told.join('\n'), di: written });
    rows.push({ diseaseIndex: disease.index, kind: 'pmh' }, { diseaseIndex: disease.index, kind: 'di' });
    rowTexts.push(told, [`${written}\n${layText(disease, plan.language, vocabulary.findings)}`]);
    pseudoHistories += words.histories.length;
  }
  const encoder = fitEncoder(rowTexts);
  const parts: Record<PartName, Uint8Array> = {
    findings: encodeFindings(vocabulary.findings.map((finding) => shownWords(finding, plan.language)), vocabulary.askSets.map((set) => ({ ...set, text: inOneLanguage(set.text, plan.language) })), vocabulary.redFlags),
    lexicon,
    diseases: encodeDiseases(diseases, rows),
    texts: encodeTexts(trees),
    lexical: encodeLexical(documents),
    encoder: encoder.bytes,
    vectors: encodeVectors(encoder.vectors, encoder.dimension),
  };
  const files = new Map<string, Uint8Array>();
  const listed: ManifestPart[] = [];
  for (const [name, bytes] of Object.entries(parts) as [PartName, Uint8Array][]) {
    const hash = await sha256(bytes);
    const file = `${name}-${hash.slice(0, 12)}.bin`;
    files.set(file, bytes);
    listed.push({ name, file, bytes: bytes.length, sha256: hash });
  }
  const reviewed = diseases.filter((disease) => disease.review !== 'none').length;
  const name: Localized = plan.name;
  const manifest: Manifest = {
    kind: 'anamnesis-bundle',
    formatVersion: FORMAT_VERSION,
    id: plan.id,
    version: plan.version,
    name,
    school: plan.school,
    languages: [plan.language],
    licence: 'CC-BY-4.0',
    review: { state: reviewed === 0 ? 'none' : reviewed < diseases.length ? 'partial' : 'reviewed', reviewed, total: diseases.length, date: null },
    counts: { diseases: diseases.length, findings: vocabulary.findings.length, pseudoHistories, rows: rows.length, redFlags: vocabulary.redFlags.length },
    encoder: { id: encoder.id, dimension: encoder.dimension },
    parts: listed,
  };
  files.set('manifest.json', new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`));
  return { manifest, files };
}
