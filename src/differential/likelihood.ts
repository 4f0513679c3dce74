import type { Disease, FindingKind, KnowledgeBundle } from '../bundle/bundle.js';
import type { FindingReasoner } from '../findings/finding-state.js';

/** How often a finding is present in people with a disease whose knowledge does not list it, by kind. */
const UNLISTED: Readonly<Record<FindingKind, number>> = { symptom: 0.03, sign: 0.02, test: 0.02, risk: 0.08, tongue: 0.08, pulse: 0.08, general: 0.1 };
/** An unlisted closer description of a listed finding: its share of the parent. */
const UNLISTED_CHILD_SHARE = 0.22;
/** Bounds that allow for what people overlook, misremember and mean otherwise. */
const MOST = 0.94;
const LEAST = 0.012;
/** Columns of ratios that are kept, of each state. */
const MOST_COLUMNS = 256;

/** How probable each finding is under each disease; P(finding | disease). Built once per bundle. */
export class Likelihood {
  readonly #diseaseCount: number;
  /** `[findings.length]`: under diseases that do not list the finding, and under "something else". */
  readonly #unlisted: Float32Array;
  readonly #other: Float32Array;
  /** By finding: diseases under which it is as probable as their knowledge says. */
  readonly #listed: readonly Map<number, number>[];
  readonly #columns = { present: new Map<number, Float32Array>(), absent: new Map<number, Float32Array>() };

  constructor(bundle: KnowledgeBundle, reasoner: FindingReasoner) {
    const { findings, diseases } = bundle;
    const descendants: number[][] = findings.map(() => []);
    for (const finding of findings) for (const ancestor of reasoner.ancestors(finding.index)) descendants[ancestor]?.push(finding.index);
    const bases = Float32Array.from(findings, (finding) => Math.max(UNLISTED[finding.kind], finding.base));
    this.#diseaseCount = diseases.length;
    this.#unlisted = bases.map(clamp);
    this.#listed = findings.map(() => new Map());
    diseases.forEach((disease, index) => {
      for (const [finding, frequency] of frequenciesOf(disease, bases, descendants)) this.#listed[finding]?.set(index, frequency);
    });
    const total = diseases.reduce((sum, disease) => sum + disease.prevalence, 0);
    this.#other = Float32Array.from(findings, ({ index, base }) => {
      const unlisted = this.#unlisted[index] ?? LEAST;
      let mean = unlisted;
      for (const [disease, frequency] of this.#listed[index] ?? []) mean += ((diseases[disease]?.prevalence ?? 0) / total) * (frequency - unlisted);
      return Math.max(base, mean * 0.8, LEAST);
    });
  }

  /**
   * ln of how much more probable the state is under each disease than under "something else", `[diseases.length]`. Kept
   * once computed: a consultation speaks of the same few findings again and again.
   */
  #logRatios(findingIndex: number, state: 'present' | 'absent'): Float32Array {
    const columns = this.#columns[state];
    let column = columns.get(findingIndex);
    if (column === undefined) {
      const elsewhere = this.#other[findingIndex] ?? LEAST;
      const log = (here: number): number => (state === 'present' ? Math.log(here / elsewhere) : Math.log((1 - here) / (1 - elsewhere)));
      column = new Float32Array(this.#diseaseCount).fill(log(this.#unlisted[findingIndex] ?? LEAST));
      for (const [disease, frequency] of this.#listed[findingIndex] ?? []) column[disease] = log(frequency);
      if (columns.size >= MOST_COLUMNS) columns.clear();
      columns.set(findingIndex, column);
    }
    return column;
  }

  /** Adds to ln odds by disease a share of how much more probable the state is under each than under "something else". @param logs `[diseases.length]` or longer */
  addTo(logs: Float64Array, findingIndex: number, state: 'present' | 'absent', share: number): void {
    const column = this.#logRatios(findingIndex, state);
    for (let disease = 0; disease < column.length; disease++) logs[disease]! += share * (column[disease] ?? 0);
  }

  /** P(finding present | disease), within bounds. @param diseaseIndex the number of diseases for "something else" */
  of(diseaseIndex: number, findingIndex: number): number {
    return (diseaseIndex === this.#diseaseCount ? this.#other[findingIndex] : (this.#listed[findingIndex]?.get(diseaseIndex) ?? this.#unlisted[findingIndex])) ?? LEAST;
  }
}

/** By finding, where it differs from the unlisted: listed frequencies, risk factors by their odds, shares of listed parents. */
function frequenciesOf(disease: Disease, bases: Float32Array, descendants: readonly (readonly number[])[]): Map<number, number> {
  const own = new Map<number, number>();
  for (const [finding, frequency] of disease.frequencies) {
    const share = frequency * UNLISTED_CHILD_SHARE;
    for (const child of descendants[finding] ?? []) if (share < (own.get(child) ?? bases[child] ?? 0)) own.set(child, clamp(share));
  }
  for (const [finding, factor] of disease.riskFactors) {
    const base = bases[finding] ?? 0;
    own.set(finding, clamp((base * factor) / (1 - base + base * factor)));
  }
  for (const [finding, frequency] of disease.frequencies) own.set(finding, clamp(frequency));
  return own;
}

function clamp(value: number): number {
  return Math.min(MOST, Math.max(LEAST, value));
}
