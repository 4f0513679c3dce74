import type { School } from '../../src/bundle/bundle.js';
import { normalizeText } from '../../src/text/normalize.js';
import type { DiseaseFacts } from './disease.js';
import type { Sources } from './read-sources.js';

/** Two entries of one list whose findings differ by less than this share (weighted Jaccard) are told apart by nothing a visitor can say. */
const ALIKE = 0.8;

export interface SchoolStats {
  readonly school: School;
  readonly entries: number;
  readonly findingsPerEntry: { readonly least: number; readonly median: number; readonly most: number };
  readonly histories: number;
  readonly firstSentences: number;
  /** By how an entry was reviewed: `none`, `model`, `clinician`. */
  readonly reviewed: Readonly<Record<string, number>>;
  /** Pairs of entries that no finding separates, the most alike first. */
  readonly inseparable: readonly (readonly [one: string, other: string, likeness: number])[];
}

export interface KnowledgeStats {
  readonly schools: readonly SchoolStats[];
  readonly findings: number;
  /** Vocabulary that no entry, rule or question uses. */
  readonly unusedFindings: readonly string[];
  /** Words that stand in two findings, of which neither is the wider one. */
  readonly sharedWords: readonly (readonly [word: string, findings: string])[];
}

/** What a maintainer wants to know of the sources. */
export function statsOf(sources: Sources): KnowledgeStats {
  const schools = (['mm', 'tcm'] as const).map((school) => schoolStats(school, sources));
  const used = new Set<string>();
  for (const facts of [...sources.facts.mm, ...sources.facts.tcm]) for (const id of [...facts.findings.keys(), ...facts.riskFactors.keys(), ...facts.redFlags]) used.add(id);
  for (const rule of sources.redFlags) for (const id of rule.findings) used.add(id);
  for (const ask of sources.asks) for (const id of [...ask.options, ...ask.needs]) used.add(id);
  for (const finding of sources.findings) for (const id of [...finding.parents, ...finding.needs]) used.add(id);
  return { schools, findings: sources.findings.length, unusedFindings: sources.findings.map((finding) => finding.id).filter((id) => !used.has(id)), sharedWords: sharedWords(sources) };
}

function schoolStats(school: School, sources: Sources): SchoolStats {
  const facts = sources.facts[school];
  const counts = facts.map((one) => one.findings.size).sort((a, b) => a - b);
  const ids = new Set(facts.map((one) => one.id));
  const words = sources.words.filter((one) => one.language === 'zh' && ids.has(one.id));
  const reviewed: Record<string, number> = {};
  for (const one of facts) {
    const who = one.reviewed.split(' ')[0] ?? 'none';
    reviewed[who] = (reviewed[who] ?? 0) + 1;
  }
  return {
    school,
    entries: facts.length,
    findingsPerEntry: { least: counts[0] ?? 0, median: counts[counts.length >> 1] ?? 0, most: counts.at(-1) ?? 0 },
    histories: words.reduce((sum, one) => sum + one.histories.length, 0),
    firstSentences: words.reduce((sum, one) => sum + one.firstSentences.length, 0),
    reviewed,
    inseparable: inseparable(facts),
  };
}

/** Weighted Jaccard of two entries' frequencies. */
function likeness(one: DiseaseFacts, other: DiseaseFacts): number {
  let both = 0;
  let either = 0;
  for (const [id, frequency] of one.findings) {
    const there = other.findings.get(id) ?? 0;
    both += Math.min(frequency, there);
    either += Math.max(frequency, there);
  }
  for (const [id, frequency] of other.findings) if (!one.findings.has(id)) either += frequency;
  return either === 0 ? 0 : both / either;
}

function inseparable(facts: readonly DiseaseFacts[]): [string, string, number][] {
  const pairs: [string, string, number][] = [];
  for (const [at, one] of facts.entries()) {
    for (const other of facts.slice(0, at)) {
      if (one.type !== other.type) continue;
      const value = likeness(one, other);
      if (value >= ALIKE) pairs.push([other.id, one.id, Number(value.toFixed(2))]);
    }
  }
  return pairs.sort((a, b) => b[2] - a[2]);
}

function sharedWords(sources: Sources): [string, string][] {
  const parents = new Map(sources.findings.map((finding) => [finding.id, finding.parents]));
  const isAbove = (id: string, below: string): boolean => (parents.get(below) ?? []).some((parent) => parent === id || isAbove(id, parent));
  const holders = new Map<string, string[]>();
  for (const finding of sources.findings) {
    for (const language of ['zh', 'en'] as const) {
      for (const word of [finding.names[language], ...finding.synonyms[language]]) {
        if (word.startsWith('@')) continue;
        const key = normalizeText(word);
        const known = holders.get(key) ?? [];
        if (!known.includes(finding.id)) holders.set(key, [...known, finding.id]);
      }
    }
  }
  return [...holders].filter(([, ids]) => ids.some((one, at) => ids.slice(0, at).some((other) => !isAbove(one, other) && !isAbove(other, one)))).map(([word, ids]) => [word, ids.join(', ')]);
}
