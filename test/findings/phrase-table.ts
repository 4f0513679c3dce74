import { readFileSync } from 'node:fs';
import type { KnowledgeBundle } from '../../src/bundle/bundle.js';
import { FindingExtractor, type FindingMention } from '../../src/findings/extract.js';
import { EMPTY_PATIENT, FindingReasoner } from '../../src/findings/finding-state.js';
import { RedFlagChecker } from '../../src/safety/red-flags.js';
import type { Quantities } from '../../src/text/quantities.js';

/** A line of `phrases.LANG.tsv`. */
export interface Phrase {
  readonly line: number;
  readonly kind: string;
  readonly text: string;
  readonly expectations: readonly string[];
}

export function readPhrases(path: string): Phrase[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((raw, index): Phrase[] => {
      if (raw.trim() === '' || raw.startsWith('#')) return [];
      const [kind = '', text = '', expected = ''] = raw.split('\t');
      return [{ line: index + 1, kind, text, expectations: expected.trim().split(/\s+/) }];
    });
}

/** Checks phrases; a miss names what was expected and what was read. */
export class PhraseChecker {
  readonly #bundle: KnowledgeBundle;
  readonly #extractor: FindingExtractor;
  readonly #reasoner: FindingReasoner;

  constructor(bundle: KnowledgeBundle) {
    this.#bundle = bundle;
    this.#extractor = new FindingExtractor(bundle, new RedFlagChecker(bundle).crisisFindings());
    this.#reasoner = new FindingReasoner(bundle);
  }

  /** What is wrong with a phrase's reading; empty where nothing is. */
  misses(phrase: Phrase): string[] {
    const { mentions, quantities } = this.#extractor.read(phrase.text);
    const counted = mentions.filter((mention) => mention.aside === undefined);
    const { ageYears: _age, sex: _sex, unclear: _unclear, ...facts } = quantities;
    const patient = this.#reasoner.learn(
      EMPTY_PATIENT,
      counted.map((mention) => ({ findingIndex: mention.findingIndex, state: mention.state, origin: 'said' as const, round: 0, ...(mention.resolved === true ? { resolved: true } : {}) })),
      facts,
    );
    const state = (id: string): string => patient.findings.get(this.#bundle.findingIndex(id) ?? -1)?.state ?? 'none';
    return phrase.expectations.flatMap((expectation): string[] => {
      if (expectation === 'none') {
        const present = counted.filter((mention) => mention.state === 'present').map((mention) => this.#bundle.findings[mention.findingIndex]?.id);
        return present.length === 0 ? [] : [`none, but ${present.join(' ')}`];
      }
      if (expectation.includes('=')) return this.#missesFact(expectation, quantities, counted);
      const id = expectation.slice(1);
      const actual = state(id);
      const good = { '+': actual === 'present', '-': actual === 'absent', '?': actual === 'unknown' || actual === 'none', '!': actual !== 'present' }[expectation[0] ?? ''] ?? false;
      return good ? [] : [`${expectation} is ${actual}`];
    });
  }

  #missesFact(expectation: string, quantities: Quantities, mentions: readonly FindingMention[]): string[] {
    const [name = '', value = ''] = expectation.split('=');
    const dot = name.lastIndexOf('.');
    if (dot > 0) {
      const index = this.#bundle.findingIndex(name.slice(0, dot));
      const actual = mentions.filter((mention) => mention.findingIndex === index || (index !== undefined && this.#reasoner.ancestors(mention.findingIndex).has(index))).map((mention) => (name.endsWith('.side') ? mention.side : mention.severity));
      return actual.includes(value as never) ? [] : [`${expectation} is ${actual.join(',') || 'none'}`];
    }
    const actual = quantities[name as 'temperatureC'];
    const good = actual !== undefined && Math.abs(actual - Number(value)) <= Math.abs(Number(value)) * (name === 'durationDays' ? 0.1 : 0.01) + 1e-9;
    return good ? [] : [`${expectation} is ${String(actual)}`];
  }
}
