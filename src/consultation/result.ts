import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Candidate } from '../differential/differential.js';
import { isCourse } from '../findings/course.js';
import type { PatientState } from '../findings/finding-state.js';
import type { Decision } from '../strategy/strategy.js';
import type { Result, ResultCandidate, UnderstoodFinding, UrgencyAssessment } from './state.js';

/** Candidates a result names at most. */
export const RESULT_CANDIDATES = 5;
/** A candidate less probable than this is not named, except the first and those that the strategy chose. */
const LEAST_PROBABILITY = 0.005;
/** ln odds from which a finding that is there speaks for a disease: twice as frequent in it as elsewhere. */
const SPEAKS = Math.log(2);
/** Like how long and how sudden (`isCourse`), how bad speaks for a disease only beside a complaint. */
const HOW_BAD = new Set(['worse-at-night', 'severe-pain']);
/** An age is known from the form; what it makes true is nothing that was understood. */
const OF_AGE = /\bage\b/;

/** What was understood, direct findings first, by round. */
export function understoodFindings(bundle: KnowledgeBundle, patient: PatientState): UnderstoodFinding[] {
  const rank = (origin: UnderstoodFinding['origin']): number => (origin === 'implied' ? 1 : 0);
  return [...patient.findings.values()]
    .filter((known) => known.origin !== 'measured' || (known.state === 'present' && !OF_AGE.test(bundle.findings[known.findingIndex]?.value ?? '')))
    .map((known): UnderstoodFinding => {
      const finding = bundle.findings[known.findingIndex];
      return { id: finding?.id ?? '', name: finding?.names[bundle.language] ?? '', state: known.state, origin: known.origin, quote: known.quote ?? '', round: known.round };
    })
    .sort((a, b) => rank(a.origin) - rank(b.origin) || a.round - b.round);
}

/** Builds the result; every statement in it is a DI-Tree leaf or a red flag rule. */
export function buildResult(bundle: KnowledgeBundle, differential: readonly Candidate[], alsoNamed: readonly Candidate[], decision: Extract<Decision, { type: 'conclude' }>, urgency: UrgencyAssessment): Result {
  // Beside a disease that something speaks for, one that nothing does is only common: a headache beside a swollen knee.
  const explains = ({ evidenceFor }: Candidate): boolean => evidenceFor.some((one) => one.state === 'present' && one.weight >= SPEAKS && !isCourse(one.findingId) && !HOW_BAD.has(one.findingId));
  const someExplain = differential.slice(0, RESULT_CANDIDATES).some(explains);
  const candidates = decision.enough
    ? differential.slice(0, RESULT_CANDIDATES).filter((candidate, rank) => rank < (decision.named ?? 1) || (candidate.probability >= LEAST_PROBABILITY && (!someExplain || explains(candidate))))
    : [];
  return { enough: decision.enough, reason: decision.reason, urgency, candidates: candidates.map((candidate) => describe(bundle, candidate)), alsoNamed: decision.enough ? alsoNamed.map(({ id, name, probability }) => ({ id, name, probability })) : [] };
}

function describe(bundle: KnowledgeBundle, candidate: Candidate): ResultCandidate {
  const disease = bundle.diseases[candidate.diseaseIndex];
  const { leaves } = bundle.diTree(candidate.diseaseIndex);
  const texts = (role: string): string[] => leaves.filter((leaf) => leaf.role === role).map((leaf) => leaf.text);
  return {
    ...candidate,
    aliases: disease?.aliases ?? [],
    overview: texts('overview').join(' '),
    seekCare: texts('seek-care'),
    care: texts('care'),
    sources: disease?.sources ?? [],
    review: disease?.review ?? 'none',
  };
}
