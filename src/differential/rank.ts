import type { DiLeaf, KnowledgeBundle } from '../bundle/bundle.js';
import { isCourse } from '../findings/course.js';
import type { Candidate, Evidence, Strength } from './differential.js';
import type { Likelihood } from './likelihood.js';
import type { CountedFinding } from './posterior.js';

/** Candidates that are described; the posterior covers all. */
const RANKED = 12;
/** Evidence weaker than this (natural logarithm) is not shown. */
const LEAST_WEIGHT = 0.12;

/** Word for a probability. */
export function strengthOf(probability: number): Strength {
  if (probability >= 0.6) return 'strong';
  return probability >= 0.2 ? 'moderate' : 'weak';
}

/** The most probable diseases with their evidence, best first. */
export function rankCandidates(bundle: KnowledgeBundle, likelihood: Likelihood, probabilities: Float64Array, counted: readonly CountedFinding[]): Candidate[] {
  const ranked = [...bundle.diseases.keys()].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0) || a - b).slice(0, RANKED);
  return describeCandidates(bundle, likelihood, probabilities, counted, ranked);
}

/** Diseases with their evidence, in the order given. */
export function describeCandidates(bundle: KnowledgeBundle, likelihood: Likelihood, probabilities: Float64Array, counted: readonly CountedFinding[], diseaseIndices: readonly number[]): Candidate[] {
  return diseaseIndices.flatMap((diseaseIndex) => {
    const disease = bundle.diseases[diseaseIndex];
    if (disease === undefined) return [];
    const probability = probabilities[diseaseIndex] ?? 0;
    const { leaves } = bundle.diTree(diseaseIndex);
    const all = counted
      .map((finding) => weigh(bundle, likelihood, diseaseIndex, finding, leaves))
      // "No days of it": how long it has not lasted is nothing that a reader could follow.
      .filter(({ state, findingId }) => state === 'present' || !isCourse(findingId))
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    return {
      diseaseIndex,
      id: disease.id,
      name: disease.name,
      icd10: disease.icd10,
      probability,
      strength: strengthOf(probability),
      urgency: disease.urgency,
      evidenceFor: all.filter((one) => one.weight > LEAST_WEIGHT),
      evidenceAgainst: all.filter((one) => one.weight < -LEAST_WEIGHT),
    };
  });
}

function weigh(bundle: KnowledgeBundle, likelihood: Likelihood, diseaseIndex: number, { findingIndex, state }: CountedFinding, leaves: readonly DiLeaf[]): Evidence {
  const here = likelihood.of(diseaseIndex, findingIndex);
  const elsewhere = likelihood.of(bundle.diseases.length, findingIndex);
  const finding = bundle.findings[findingIndex];
  const leaf = leafFor(bundle, leaves, findingIndex);
  return {
    findingId: finding?.id ?? '',
    name: finding?.names[bundle.language] ?? '',
    state,
    words: leaf?.text ?? '',
    path: leaf?.path ?? [],
    weight: state === 'present' ? Math.log(here / elsewhere) : Math.log((1 - here) / (1 - elsewhere)),
  };
}

/** The leaf tied to the finding; else to its nearest wider finding. */
function leafFor(bundle: KnowledgeBundle, leaves: readonly DiLeaf[], findingIndex: number): DiLeaf | undefined {
  const queue = [findingIndex];
  for (let at = 0; at < queue.length; at++) {
    const index = queue[at] ?? -1;
    const leaf = leaves.find((one) => one.findings.includes(index));
    if (leaf !== undefined) return leaf;
    queue.push(...(bundle.findings[index]?.parents ?? []));
  }
  return undefined;
}
