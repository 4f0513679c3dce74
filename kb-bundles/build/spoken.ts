import type { Finding } from '../../src/bundle/bundle.js';
import { FindingExtractor } from '../../src/findings/extract.js';
import type { DiseaseWords } from './disease.js';

/** Headings under which stand findings that would speak for a neighbour. */
export const SELDOM = /^(?:少见|不常见|通常没有|Uncommon)/u;
const TYPICAL = /^(?:典型|主症|Typical)/u;
/** How often a finding is taken to be present that the entry's own words speak of but nobody has graded: it is there, and not usual. */
const SPOKEN = { typicalLine: 0.2, line: 0.12, histories: 0.15, once: 0.08 } as const;

/**
 * Findings that an entry's own words speak of, beyond those that it grades: in the lines of its tree on symptoms, signs,
 * tongue, pulse and tests, in its histories and first sentences. Read as a visitor's words are.
 */
export class SpokenFindings {
  readonly #extractor: FindingExtractor;
  readonly #findings: readonly Finding[];

  /** @param lexiconBytes the bundle's words */
  constructor(findings: readonly Finding[], lexiconBytes: Uint8Array) {
    this.#findings = findings;
    this.#extractor = new FindingExtractor({ findings, lexiconBytes });
  }

  /** Finding index to frequency. */
  of(words: DiseaseWords): Map<number, number> {
    const frequencies = new Map<number, number>();
    const note = (finding: number, frequency: number): void => void frequencies.set(finding, Math.max(frequency, frequencies.get(finding) ?? 0));
    for (const leaf of words.leaves) {
      const heading = leaf.path.at(-1) ?? '';
      if ((leaf.role !== 'symptoms' && leaf.role !== 'tongue-pulse' && leaf.role !== 'tests') || SELDOM.test(heading)) continue;
      for (const finding of this.#read(leaf.text)) note(finding, TYPICAL.test(heading) ? SPOKEN.typicalLine : SPOKEN.line);
    }
    const counts = new Map<number, number>();
    for (const { text } of [...words.histories, ...words.firstSentences]) for (const finding of this.#read(text)) counts.set(finding, (counts.get(finding) ?? 0) + 1);
    for (const [finding, count] of counts) note(finding, count > 1 ? SPOKEN.histories : SPOKEN.once);
    return frequencies;
  }

  #read(text: string): Set<number> {
    const said = this.#extractor.read(text).mentions.filter((mention) => mention.state === 'present' && mention.aside === undefined && !mention.guessed);
    return new Set(said.map((mention) => mention.findingIndex).filter((index) => this.#findings[index]?.kind !== 'risk'));
  }
}
