import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Candidate, Question } from '../differential/differential.js';
import { questionLine } from '../differential/question-words.js';
import type { Likelihood } from '../differential/likelihood.js';
import type { PatientState } from '../findings/finding-state.js';
import { fill, type PromptTexts } from './prompts/prompt-texts.js';

/** Shared by candidates where it is present in at least this share of each. */
const COMMON = 0.4;
/** Telling where it is this much more frequent than in the mean of the others. */
const TELLING = 0.25;
const MOST_FINDINGS = 4;
const MOST_EVIDENCE = 3;

/**
 * The analyzer without a model: what the candidates share, how they differ, how the patient stands to each, what to ask.
 * The same content that MRD-RAG asks its analyzer for, from frequencies and evidence.
 */
export function analyzeByKnowledge(bundle: KnowledgeBundle, likelihood: Likelihood, patient: PatientState, candidates: readonly Candidate[], questions: readonly Question[], texts: PromptTexts['analysis']): string {
  const names = (findings: readonly number[]): string => findings.map((finding) => bundle.findings[finding]?.names[bundle.language] ?? '').join(texts.separator);
  const lines: string[] = [];
  const indices = candidates.map((candidate) => candidate.diseaseIndex);
  if (indices.length > 1) {
    const shared = topFindings(bundle, (finding) => Math.min(...indices.map((index) => listed(bundle, index, finding))), COMMON);
    if (shared.length > 0) lines.push(fill(texts.shared, { names: candidates.map((candidate) => candidate.name).join(texts.separator), findings: names(shared) }));
  }
  for (const candidate of candidates) {
    const others = indices.filter((index) => index !== candidate.diseaseIndex);
    const mean = (finding: number): number => (others.length === 0 ? 0 : others.reduce((sum, other) => sum + likelihood.of(other, finding), 0) / others.length);
    const own = topFindings(bundle, (finding) => (!patient.findings.has(finding) && listed(bundle, candidate.diseaseIndex, finding) >= COMMON ? listed(bundle, candidate.diseaseIndex, finding) - mean(finding) : 0), TELLING);
    const { evidenceFor, evidenceAgainst } = candidate;
    if (own.length > 0) lines.push(fill(texts.usually, { name: candidate.name, findings: names(own) }));
    const words = (evidence: Candidate['evidenceFor']): string => evidence.slice(0, MOST_EVIDENCE).map((one) => one.name).join(texts.separator);
    if (evidenceFor.length > 0) lines.push(fill(texts.fits, { name: candidate.name, findings: words(evidenceFor) }));
    if (evidenceAgainst.length > 0) lines.push(fill(texts.against, { name: candidate.name, findings: evidenceAgainst.slice(0, MOST_EVIDENCE).map((one) => absence(one, bundle.language)).join(texts.separator) }));
    if (evidenceFor.length === 0 && evidenceAgainst.length === 0) lines.push(fill(texts.nothing, { name: candidate.name }));
  }
  if (questions.length > 0) lines.push(fill(texts.ask, { questions: questions.slice(0, 2).map((question) => questionLine(question, bundle.language)).join(' ') }));
  return lines.join('\n');
}

function absence(evidence: Candidate['evidenceAgainst'][number], language: KnowledgeBundle['language']): string {
  if (evidence.state === 'present') return evidence.name;
  return language === 'zh' ? `没有${evidence.name}` : `no ${evidence.name}`;
}

/** Frequency where the disease's knowledge lists the finding; else 0. */
function listed(bundle: KnowledgeBundle, diseaseIndex: number, finding: number): number {
  return bundle.diseases[diseaseIndex]?.frequencies.get(finding) ?? 0;
}

/** Findings worth at least `least`, most first, without those that a closer one says already. */
function topFindings(bundle: KnowledgeBundle, worth: (finding: number) => number, least: number): number[] {
  const ranked = bundle.findings
    .filter((finding) => finding.kind !== 'risk')
    .map((finding) => ({ index: finding.index, worth: worth(finding.index) }))
    .filter((one) => one.worth >= least)
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
  const kept: number[] = [];
  for (const { index } of ranked) {
    if (kept.length === MOST_FINDINGS) break;
    if (!kept.some((other) => bundle.findings[other]?.parents.includes(index) === true || bundle.findings[index]?.parents.includes(other) === true)) kept.push(index);
  }
  return kept;
}
