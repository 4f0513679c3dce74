import { ancestorsOf } from '../../src/findings/ancestors.js';
import { type DiseaseFacts, type DiseaseWords, FREQUENCIES } from './disease.js';
import type { IssueLog } from './source-file.js';
import type { FindingSource } from './vocabulary.js';

/** Ids of everything that holds when a finding does. */
export type Ancestors = (id: string) => ReadonlySet<string>;

/** Reads parents off the vocabulary, once a finding. */
export function ancestorsIn(findings: readonly FindingSource[]): Ancestors {
  const parents = new Map(findings.map((finding) => [finding.id, finding.parents]));
  const known = new Map<string, ReadonlySet<string>>();
  return (id) => {
    let all = known.get(id);
    if (all === undefined) {
      all = ancestorsOf(id, (one) => parents.get(one) ?? []);
      known.set(id, all);
    }
    return all;
  };
}

/** Findings that call for a doctor, but not now. */
const NEVER_AN_EMERGENCY = new Set(['weight-loss', 'glucose-high', 'haemoglobin-low', 'missed-period', 'blood-in-semen', 'breast-lump-hard-fixed', 'neck-lump-hard-fixed', 'cancer-history', 'immune-suppressed', 'penile-discharge', 'discharge-foul', 'fatigue', 'poor-appetite', 'pregnant', 'headache', 'failure-to-thrive', 'nystagmus']);
const EMERGENCY = /急诊|急救|救护车|抢救|120|110|emergency|ambulance|call 999|A&E/iu;
const AT_ONCE = /急诊|马上|立即|立刻|120|emergency|at once|right away|immediately/iu;
/** A feverish baby under three months that is told to wait. */
const YOUNG_FEVER = /(?:三|3)\s?个月(?:内|以内|以下|之内|大以下)[^。；]*(?:发热|发烧|发烫)|under (?:three|3) months[^.;]*fever/iu;
const WAITS = /当天|尽快|几天|same day|within/iu;
const VOMITS_HIMSELF = /催吐|make (?:yourself|them|him|her) vomit|induce vomiting/iu;
const NOT = /不|勿|别|禁|避免|暴食|怕胖|never|not|n't/iu;

/** Kinds of fault in danger signs and urgent advice that readers found, so that they do not come back. */
export function lintDanger(facts: DiseaseFacts, words: DiseaseWords, ancestors: Ancestors, log: IssueLog): void {
  const frequencies = new Map(facts.findings);
  for (const [finding, frequency] of facts.findings) for (const one of ancestors(finding)) frequencies.set(one, Math.max(frequency, frequencies.get(one) ?? 0));
  // A danger sign that nearly all (of a mild disease half) have would make an emergency of the disease.
  const most = facts.urgency === 'self-care' ? 0.5 : 0.8;
  const isMild = facts.urgency === 'self-care' || facts.urgency === 'routine';
  const flagged = (flag: string, kind: string, message: string): void => log.error(facts.source.path, facts.source.lineOf('red-flags', flag), kind, `"${flag}" ${message}`);
  for (const flag of facts.redFlags) {
    if (NEVER_AN_EMERGENCY.has(flag)) flagged(flag, 'flag-is-no-danger', 'is never an emergency by itself');
    if (isMild && flag === 'fever') flagged(flag, 'flag-is-no-danger', 'is no emergency in a mild disease; flag high-fever or infant-fever-under-3-months');
    if (facts.urgency !== 'emergency' && (frequencies.get(flag) ?? 0) >= most) flagged(flag, 'flag-is-usual', 'is usual in this disease (by itself or as the parent of what is), which is no emergency; as a red flag it would make nearly everyone one');
  }
  const { path } = words.source;
  const care = words.leaves.filter((leaf) => leaf.role === 'seek-care');
  if (facts.redFlags.length > 0 && !care.some((leaf) => EMERGENCY.test(leaf.text))) log.error(path, care[0]?.line ?? 1, 'flags-without-line', 'there are red flags, but no line on when to seek care sends anybody to the emergency department or to call an ambulance; write which signs do, or drop the flags');
  for (const leaf of words.leaves) {
    if (leaf.role !== 'care' && leaf.role !== 'seek-care') continue;
    if (YOUNG_FEVER.test(leaf.text) && WAITS.test(leaf.text) && !AT_ONCE.test(leaf.text)) log.error(path, leaf.line, 'young-fever-waits', 'a baby under three months with fever is sent to a doctor later than at once');
    if (leaf.text.split(/[。；;.]/u).some((clause) => VOMITS_HIMSELF.test(clause) && !NOT.test(clause))) log.error(path, leaf.line, 'makes-vomit', 'advises to make somebody vomit');
  }
}

/** A part that is graded more frequent than the whole it belongs to: the whole is at least as frequent. One graded `never` is the plain finding without the closer one. */
export function lintGrades(facts: DiseaseFacts, ancestors: Ancestors, log: IssueLog): void {
  for (const [finding, frequency] of facts.findings) {
    for (const one of ancestors(finding)) {
      const whole = facts.findings.get(one);
      if (whole !== undefined && whole > (FREQUENCIES.never ?? 0) && whole < frequency) log.error(facts.source.path, facts.source.lineOf('findings', one), 'part-over-whole', `"${finding}" is graded more frequent than "${one}", which holds whenever it does; raise this one or lower that`);
    }
  }
}
