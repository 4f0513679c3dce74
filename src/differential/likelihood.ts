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
  /** `[diseases.length + 1][findings.length]`; the last row is "something else". */
  readonly #rows: Float32Array[];
  readonly #columns = { present: new Map<number, Float32Array>(), absent: new Map<number, Float32Array>() };

  constructor(bundle: KnowledgeBundle, reasoner: FindingReasoner) {
    const { findings, diseases } = bundle;
    const descendants: number[][] = findings.map(() => []);
    for (const finding of findings) for (const ancestor of reasoner.ancestors(finding.index)) descendants[ancestor]?.push(finding.index);
    const unlisted = Float32Array.from(findings, (finding) => Math.max(UNLISTED[finding.kind], finding.base));
    this.#rows = diseases.map((disease) => frequenciesOf(disease, unlisted, descendants));
    const total = diseases.reduce((sum, disease) => sum + disease.prevalence, 0);
    const other = new Float32Array(findings.length);
    diseases.forEach((disease, index) => {
      const share = disease.prevalence / total;
      this.#rows[index]?.forEach((value, finding) => (other[finding]! += share * value));
    });
    for (let finding = 0; finding < other.length; finding++) other[finding] = Math.max(findings[finding]?.base ?? 0, (other[finding] ?? 0) * 0.8, LEAST);
    this.#rows.push(other);
  }

  /**
   * ln of how much more probable the state is under each disease than under "something else", `[diseases.length]`. Kept
   * once computed: a consultation speaks of the same few findings again and again.
   */
  logRatios(findingIndex: number, state: 'present' | 'absent'): Float32Array {
    const columns = this.#columns[state];
    let column = columns.get(findingIndex);
    if (column === undefined) {
      const other = this.#rows.length - 1;
      const elsewhere = this.of(other, findingIndex);
      column = new Float32Array(other);
      for (let disease = 0; disease < other; disease++) {
        const here = this.of(disease, findingIndex);
        column[disease] = state === 'present' ? Math.log(here / elsewhere) : Math.log((1 - here) / (1 - elsewhere));
      }
      if (columns.size >= MOST_COLUMNS) columns.clear();
      columns.set(findingIndex, column);
    }
    return column;
  }

  /** P(finding present | disease), within bounds. @param diseaseIndex the number of diseases for "something else" */
  of(diseaseIndex: number, findingIndex: number): number {
    return this.#rows[diseaseIndex]?.[findingIndex] ?? LEAST;
  }
}

/** `[findings.length]`: listed frequencies, shares of listed parents, risk factors by their odds, the rest unlisted. */
function frequenciesOf(disease: Disease, unlisted: Float32Array, descendants: readonly (readonly number[])[]): Float32Array {
  const row = unlisted.map(clamp);
  for (const [finding, frequency] of disease.frequencies) {
    for (const child of descendants[finding] ?? []) if (!disease.frequencies.has(child)) row[child] = clamp(Math.min(row[child] ?? 0, frequency * UNLISTED_CHILD_SHARE));
  }
  for (const [finding, factor] of disease.riskFactors) {
    const base = unlisted[finding] ?? 0;
    row[finding] = clamp((base * factor) / (1 - base + base * factor));
  }
  for (const [finding, frequency] of disease.frequencies) row[finding] = clamp(frequency);
  return row;
}

function clamp(value: number): number {
  return Math.min(MOST, Math.max(LEAST, value));
}
