import type { KnowledgeBundle, RedFlagRule, Urgency, Within } from '../bundle/bundle.js';
import { WITHIN } from '../bundle/tables.js';
import { type Condition, findingsOf, holds, parseCondition } from '../findings/condition.js';
import { conditionScope, type PatientState } from '../findings/finding-state.js';

/** A rule that fired. */
export interface RedFlag {
  readonly id: string;
  readonly level: RedFlagRule['level'];
  /** How soon `action` says to go. */
  readonly within: Within;
  /** What it may be, in the bundle's language. */
  readonly what: string;
  /** What to do now. */
  readonly action: string;
  /** Guideline or standard the rule rests on. */
  readonly source: string;
  /** Present findings of the rule, by index: why it fired. */
  readonly because: readonly number[];
}

const LEVELS: readonly RedFlag['level'][] = ['crisis', 'emergency', 'urgent'];

/** Orders red flags, crisis first, then emergency, then urgent, of which the soonest first. */
export function byLevel(a: RedFlag, b: RedFlag): number {
  return LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || WITHIN.indexOf(a.within) - WITHIN.indexOf(b.within);
}

/** Lowest urgency that a fired rule allows. */
export function urgencyOfRedFlag(flag: RedFlag): Urgency {
  return flag.level === 'urgent' ? 'urgent' : 'emergency';
}

/**
 * The rules of a bundle, run on every turn before any strategy or model. They only ever add: a flag that fired for what
 * is known cannot be taken back by a strategy.
 */
export class RedFlagChecker {
  readonly #rules: readonly { rule: RedFlagRule; condition: Condition }[];
  readonly #bundle: KnowledgeBundle;
  /** A patient's state never changes, so neither does what fires for it. */
  readonly #checked = new WeakMap<PatientState, readonly RedFlag[]>();

  constructor(bundle: KnowledgeBundle) {
    this.#bundle = bundle;
    this.#rules = bundle.redFlags.map((rule) => ({ rule, condition: parseCondition(rule.when) }));
  }

  /** Findings of crisis rules: their words count even when feared or supposed. */
  crisisFindings(): Set<number> {
    const all = new Set<number>();
    for (const { rule, condition } of this.#rules) {
      if (rule.level !== 'crisis') continue;
      for (const id of findingsOf(condition)) {
        const index = this.#bundle.findingIndex(id);
        if (index !== undefined) all.add(index);
      }
    }
    return all;
  }

  /** The rules that hold, crisis first, then emergency, then urgent; else in the order of the sources. */
  check(patient: PatientState): readonly RedFlag[] {
    let flags = this.#checked.get(patient);
    if (flags === undefined) {
      flags = this.#evaluate(patient);
      this.#checked.set(patient, flags);
    }
    return flags;
  }

  #evaluate(patient: PatientState): RedFlag[] {
    const scope = conditionScope(patient, this.#bundle);
    const language = this.#bundle.language;
    return this.#rules
      .filter(({ condition }) => holds(condition, scope))
      .map(({ rule, condition }) => ({
        id: rule.id,
        level: rule.level,
        within: rule.within,
        what: rule.what[language],
        action: rule.action[language],
        source: rule.source,
        because: findingsOf(condition)
          .map((id) => this.#bundle.findingIndex(id))
          .filter((index): index is number => index !== undefined && patient.findings.get(index)?.state === 'present'),
      }))
      .sort(byLevel);
  }
}
