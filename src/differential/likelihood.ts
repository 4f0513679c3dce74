import type { Disease, FindingKind, KnowledgeBundle } from '../bundle/bundle.js';
import type { FindingReasoner } from '../findings/finding-state.js';

/** How often a finding is present in people with a disease whose knowledge does not list it, by kind. */
const UNLISTED: Readonly<Record<FindingKind, number>> = { symptom: 0.03, sign: 0.02, test: 0.02, risk: 0.08, tongue: 0.08, pulse: 0.08 };
/** An unlisted closer description of a listed finding: its share of the parent. */
const UNLISTED_CHILD_SHARE = 0.22;
/** Bounds that allow for what people overlook, misremember and mean otherwise. */
const MOST = 0.94;
const LEAST = 0.012;

/** How probable each finding is under each disease; P(finding | disease). Built once per bundle. */
export class Likelihood {
  /** `[diseases.length + 1][findings.length]`; the last row is "something else". */
  readonly #rows: Float32Array[];

  constructor(bundle: KnowledgeBundle, reasoner: FindingReasoner) {
    const { findings, diseases } = bundle;
    const ancestors = findings.map((finding) => [...reasoner.ancestors(finding.index)]);
    this.#rows = diseases.map((disease) => Float32Array.from(findings, (finding) => frequency(disease, finding.index, finding.kind, finding.base, ancestors[finding.index] ?? [])));
    const total = diseases.reduce((sum, disease) => sum + disease.prevalence, 0);
    const other = new Float32Array(findings.length);
    diseases.forEach((disease, index) => {
      const share = disease.prevalence / total;
      const row = this.#rows[index];
      for (let finding = 0; finding < other.length; finding++) other[finding]! += share * (row?.[finding] ?? 0);
    });
    for (let finding = 0; finding < other.length; finding++) other[finding] = Math.max(findings[finding]?.base ?? 0, (other[finding] ?? 0) * 0.8, LEAST);
    this.#rows.push(other);
  }

  /** P(finding present | disease), within bounds. @param diseaseIndex the number of diseases for "something else" */
  of(diseaseIndex: number, findingIndex: number): number {
    return this.#rows[diseaseIndex]?.[findingIndex] ?? LEAST;
  }
}

function frequency(disease: Disease, findingIndex: number, kind: FindingKind, base: number, ancestors: readonly number[]): number {
  const listed = disease.frequencies.get(findingIndex);
  const factor = disease.riskFactors.get(findingIndex);
  const unlisted = Math.max(UNLISTED[kind], base);
  if (listed !== undefined) return clamp(listed);
  if (factor !== undefined) return clamp((unlisted * factor) / (1 - unlisted + unlisted * factor));
  const nearest = ancestors.reduce((least, ancestor) => Math.min(least, disease.frequencies.get(ancestor) ?? 1), 1);
  return clamp(nearest < 1 || ancestors.some((ancestor) => disease.frequencies.has(ancestor)) ? Math.min(unlisted, nearest * UNLISTED_CHILD_SHARE) || unlisted : unlisted);
}

function clamp(value: number): number {
  return Math.min(MOST, Math.max(LEAST, value));
}
