import type { DiLeaf, HeadingRole, KnowledgeBundle } from '../bundle/bundle.js';
import type { Likelihood } from '../differential/likelihood.js';
import type { PatientState } from '../findings/finding-state.js';

/**
 * How much a leaf is worth by where it stands. As in MRD-RAG only what serves the diagnosis goes in (its heading
 * keywords), so treatment and when to seek care stay out.
 */
const ROLE_WORTH: Readonly<Record<HeadingRole, number>> = { differential: 1, symptoms: 1, 'tongue-pulse': 1, tests: 0.45, causes: 0.4, overview: 0.3, 'seek-care': 0, care: 0 };
/** A leaf whose findings tell the candidates apart gains up to this … */
const DISTINCTION = 2;
/** … and one that speaks of what the patient has or lacks gains this. */
const KNOWN = 0.8;

/** One candidate's share of a prompt. */
export interface FittedCandidate {
  readonly diseaseIndex: number;
  /** Leaves that fit, in the tree's order. */
  readonly leaves: readonly DiLeaf[];
}

export interface FitOptions {
  readonly bundle: KnowledgeBundle;
  readonly likelihood: Likelihood;
  readonly patient: PatientState;
  /** Disease indices, best first. */
  readonly candidates: readonly number[];
  /** Tokens for all candidates together. */
  readonly budgetTokens: number;
  /** By the model's own tokenizer. */
  readonly countTokens: (text: string) => Promise<number>;
}

/**
 * Fits the candidates' DI-Trees into the model's context: names first, then leaf by leaf what tells them apart, each
 * candidate in turn, until the budget is spent. (MRD-RAG gives up to 15,000 tokens; a model in a browser has 1,000 to 4,000.)
 */
export async function fitKnowledge(options: FitOptions): Promise<FittedCandidate[]> {
  const { bundle, candidates, budgetTokens, countTokens } = options;
  let left = budgetTokens;
  const chosen = candidates.map(() => new Set<DiLeaf>());
  for (const [at, diseaseIndex] of candidates.entries()) left -= await countTokens(nameLine(at, bundle.diseases[diseaseIndex]?.name ?? ''));
  const queues = candidates.map((diseaseIndex) => byWorth(diseaseIndex, options));
  while (queues.some((queue) => queue.length > 0)) {
    for (const [at, queue] of queues.entries()) {
      const leaf = queue.shift();
      if (leaf === undefined) continue;
      const cost = await countTokens(leafLine(leaf));
      if (cost > left) continue;
      left -= cost;
      chosen[at]?.add(leaf);
    }
  }
  return candidates.map((diseaseIndex, at) => ({ diseaseIndex, leaves: bundle.diTree(diseaseIndex).leaves.filter((leaf) => chosen[at]?.has(leaf) === true) }));
}

/** The notes of a prompt: numbered from 1, as the model names them. */
export function knowledgeText(bundle: KnowledgeBundle, fitted: readonly FittedCandidate[]): string {
  return fitted.map(({ diseaseIndex, leaves }, at) => [nameLine(at, bundle.diseases[diseaseIndex]?.name ?? ''), ...leaves.map(leafLine)].join('')).join('');
}

const nameLine = (at: number, name: string): string => `[${String(at + 1)}] ${name}\n`;
const leafLine = (leaf: DiLeaf): string => `- ${leaf.text}\n`;

function byWorth(diseaseIndex: number, { bundle, likelihood, patient, candidates }: FitOptions): DiLeaf[] {
  const others = candidates.filter((other) => other !== diseaseIndex);
  const worth = (leaf: DiLeaf): number => {
    const role = ROLE_WORTH[leaf.role];
    if (role === 0) return 0;
    let best = 0;
    for (const finding of leaf.findings) {
      const here = likelihood.of(diseaseIndex, finding);
      const elsewhere = others.length === 0 ? here : others.reduce((sum, other) => sum + likelihood.of(other, finding), 0) / others.length;
      best = Math.max(best, DISTINCTION * Math.abs(here - elsewhere) + (patient.findings.has(finding) ? KNOWN : 0));
    }
    return role + best;
  };
  return bundle
    .diTree(diseaseIndex)
    .leaves.map((leaf, at) => ({ leaf, at, worth: worth(leaf) }))
    .filter((one) => one.worth > 0)
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
    .map((one) => one.leaf);
}
