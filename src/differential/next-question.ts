import type { AskSet, FindingKind, KnowledgeBundle } from '../bundle/bundle.js';
import { type Condition, findingsOf, mayHold, parseCondition } from '../findings/condition.js';
import { isCourse } from '../findings/course.js';
import { conditionScope, type PatientState } from '../findings/finding-state.js';
import type { Question } from './differential.js';
import type { Likelihood } from './likelihood.js';
import { ACCOMPANYING_PREFIX, CHECK_PREFIX, FOUND_PREFIX, OPEN_QUESTIONS, TICK_LISTS, whyWords } from './question-words.js';

/** Diseases whose findings are weighed for the next question. */
const CONSIDERED = 24;
/** Weight of learning whether an emergency is there, beside learning which disease it is. */
const DANGER_WEIGHT = 1.2;
/** Options of a tick list at most and at least. */
const MOST_OPTIONS = 6;
const LEAST_OPTIONS = 3;
/** Each further finding of a list, or of what is told in one's own words, tells this share of what it would tell alone, since they go together. */
const DECAY = 0.75;
/** A tick list costs the patient more than a yes-or-no question. */
const COST: Readonly<Record<Question['type'], number>> = { 'yes-no': 1, 'one-of': 1.15, 'many-of': 1.9, number: 1.3, open: 2.2 };
/** The likeliest diseases, one of which a reason names as what a no speaks for. */
const NAMED_IN_REASONS = 5;
/** Findings of a kind that somebody tells in their own words, at most, as far as is counted on. */
const MOST_TOLD = 8;
/** Lists of what tells most: kinds of findings, and how many in one consultation. */
const LISTS: readonly { readonly prefix: string; readonly kinds: readonly FindingKind[]; readonly most: number }[] = [
  { prefix: ACCOMPANYING_PREFIX, kinds: ['symptom'], most: 2 },
  { prefix: FOUND_PREFIX, kinds: ['sign', 'test'], most: 1 },
];
/** How well a visitor can answer, by kind. */
const ANSWERABLE: Readonly<Record<FindingKind, number>> = { symptom: 1, risk: 0.85, tongue: 0.6, sign: 0.55, pulse: 0.15, test: 0.3, general: 0 };

/** A question not yet worded: what it is expected to tell, in bits, and how to build it. */
interface Option {
  readonly id: string;
  readonly type: Question['type'];
  readonly value: number;
  build(): Question;
}

/** A question with what it is expected to tell. */
export interface WeighedQuestion {
  readonly question: Question;
  /** Expected information in bits, danger included, per cost. */
  readonly value: number;
}

/** A finding by its index, and what it tells. */
type Ranked = readonly [finding: number, value: number];

const byRank = (values: ReadonlyMap<number, number>): Ranked[] => [...values].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
/** What findings tell that are learnt by one question. */
const together = (findings: readonly Ranked[]): number => findings.reduce((sum, [, value], at) => sum + value * DECAY ** at, 0);
const entropy = (p: number): number => (p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p));

/** Chooses the question with the largest expected information, dangerous possibilities weighted up. */
export class QuestionChooser {
  readonly #bundle: KnowledgeBundle;
  readonly #likelihood: Likelihood;
  readonly #askIf: ReadonlyMap<number, Condition>;
  /** Findings that a red flag rule or a disease's red flags name. */
  readonly #alarming: ReadonlySet<number>;

  constructor(bundle: KnowledgeBundle, likelihood: Likelihood) {
    this.#bundle = bundle;
    this.#askIf = new Map(bundle.findings.filter((finding) => finding.askIf !== '').map((finding) => [finding.index, parseCondition(finding.askIf)]));
    this.#likelihood = likelihood;
    const named = bundle.redFlags.flatMap((rule) => findingsOf(parseCondition(rule.when))).map((id) => bundle.findingIndex(id));
    this.#alarming = new Set([...named.filter((index) => index !== undefined), ...bundle.diseases.flatMap((disease) => disease.redFlags)]);
  }

  /**
   * The best questions, best first; none where none can be asked.
   * @param probabilities `[diseases.length + 1]`, as `posterior` gives
   * @param count questions at most
   */
  choose(patient: PatientState, probabilities: Float64Array, asked: ReadonlySet<string>, count: number): WeighedQuestion[] {
    const { diseases, findings, askSets } = this.#bundle;
    const considered = [...diseases.keys(), diseases.length].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0) || a - b).slice(0, CONSIDERED);
    const dangers = diseases.filter((disease) => disease.urgency === 'emergency' && (probabilities[disease.index] ?? 0) > 0.003).map((disease) => disease.index);
    const pool = [...new Set([...considered, ...dangers])];
    const values = new Map<number, number>();
    for (const index of pool) {
      const disease = diseases[index];
      for (const finding of disease === undefined ? [] : [...disease.frequencies.keys(), ...disease.riskFactors.keys(), ...disease.redFlags]) {
        if (values.has(finding) || !this.#isOpen(finding, patient, asked)) continue;
        const kind = findings[finding]?.kind ?? 'symptom';
        values.set(finding, this.#gain(finding, pool, probabilities) * ANSWERABLE[kind]);
      }
    }
    const options: Option[] = [];
    for (const [findingIndex, value] of values) {
      if ((findings[findingIndex]?.ask[this.#bundle.language] ?? '') !== '') options.push({ id: findings[findingIndex]?.id ?? '', type: 'yes-no', value, build: () => this.#yesNo(findingIndex, pool, probabilities) });
    }
    for (const set of askSets) {
      if (asked.has(set.id) || (set.needs.length > 0 && !set.needs.some((need) => patient.findings.get(need)?.state === 'present'))) continue;
      const weighed = this.#weighSet(set, patient, values, pool, probabilities, asked);
      if (weighed !== undefined) options.push(weighed);
    }
    const ranked = byRank(values);
    options.push(...this.#lists(ranked, asked), ...this.#openQuestion(ranked, asked));
    const check = this.#dangerCheck(patient, probabilities, asked);
    if (check !== undefined) options.push(check);
    return options
      .map((option) => ({ option, worth: option.value / COST[option.type] }))
      .sort((a, b) => b.worth - a.worth || (a.option.id < b.option.id ? -1 : 1))
      .slice(0, count)
      .map(({ option, worth }) => ({ question: option.build(), value: worth }));
  }

  /** Not known yet, not asked, and not out of place. */
  #isOpen(findingIndex: number, patient: PatientState, asked: ReadonlySet<string>): boolean {
    const finding = this.#bundle.findings[findingIndex];
    if (finding === undefined || patient.findings.has(findingIndex) || asked.has(finding.id)) return false;
    if (finding.needs.length > 0 && !finding.needs.some((need) => patient.findings.get(need)?.state === 'present')) return false;
    const askIf = this.#askIf.get(findingIndex);
    return askIf === undefined || mayHold(askIf, conditionScope(patient, this.#bundle));
  }

  /**
   * Expected information of a yes-or-no answer, in bits: about the disease, and about whether it is an emergency. As
   * mutual information, H(answer) − Σ p(d) H(answer | d), which needs one pass.
   */
  #gain(findingIndex: number, pool: readonly number[], probabilities: Float64Array): number {
    let mass = 0;
    let yes = 0;
    let danger = 0;
    let dangerYes = 0;
    let conditional = 0;
    for (const index of pool) {
      const p = probabilities[index] ?? 0;
      const present = this.#likelihood.of(index, findingIndex);
      mass += p;
      yes += p * present;
      conditional += p * entropy(present);
      if (this.#bundle.diseases[index]?.urgency === 'emergency') {
        danger += p;
        dangerYes += p * present;
      }
    }
    if (mass <= 0) return 0;
    const about = entropy(yes / mass) - conditional / mass;
    const split = (part: number, partYes: number): number => (part <= 0 ? 0 : (part / mass) * entropy(partYes / part));
    const aboutDanger = entropy(yes / mass) - split(danger, dangerYes) - split(mass - danger, yes - dangerYes);
    return Math.max(0, about) + DANGER_WEIGHT * Math.max(0, aboutDanger);
  }

  #weighSet(set: AskSet, patient: PatientState, values: ReadonlyMap<number, number>, pool: readonly number[], probabilities: Float64Array, asked: ReadonlySet<string>): Option | undefined {
    const { id } = set;
    if (set.type === 'number') {
      const target = set.variable === 'temperature' ? ['fever', 'high-fever', 'low-grade-fever'] : set.variable === 'severity' ? ['severe-pain'] : [];
      if (set.variable === 'temperature' && patient.facts.temperatureC !== undefined) return undefined;
      const fever = this.#bundle.findingIndex('fever');
      if (set.variable === 'temperature' && (fever === undefined || patient.findings.get(fever)?.state !== 'present')) return undefined;
      const value = target.reduce((most, name) => Math.max(most, values.get(this.#bundle.findingIndex(name) ?? -1) ?? 0), 0);
      return value === 0 ? undefined : { id, type: set.type, value, build: () => this.questionById(id)! };
    }
    const open = set.options.filter((option) => !patient.findings.has(option) && !asked.has(this.#bundle.findings[option]?.id ?? ''));
    if (open.length < 2 || (set.type === 'one-of' && set.options.some((option) => patient.findings.get(option)?.state === 'present'))) return undefined;
    const gains = open.map((option) => values.get(option) ?? this.#gain(option, pool, probabilities)).sort((a, b) => b - a);
    const value = (gains[0] ?? 0) + 0.6 * (gains[1] ?? 0) + 0.3 * gains.slice(2).reduce((sum, gain) => sum + gain, 0);
    return { id, type: set.type, value, build: () => ({ ...this.questionById(id)!, why: this.#why(open[0] ?? 0, pool, probabilities) }) };
  }

  /** Tick lists of what tells most of a kind: one screen in place of a question for each. */
  #lists(ranked: readonly Ranked[], asked: ReadonlySet<string>): Option[] {
    const { findings, language } = this.#bundle;
    return LISTS.flatMap(({ prefix, kinds, most }) => {
      if ([...asked].filter((id) => id.startsWith(prefix)).length >= most) return [];
      const chosen = this.#unrelated(ranked.filter(([finding]) => {
        const known = findings[finding];
        return known !== undefined && kinds.includes(known.kind) && known.ask[language] !== '' && !isCourse(known.id);
      }));
      return chosen.length < LEAST_OPTIONS ? [] : [this.#tickList(prefix, chosen, together(chosen))];
    });
  }

  /** The next question that is answered in one's own words, by what the findings that it may bring would tell. */
  #openQuestion(ranked: readonly Ranked[], asked: ReadonlySet<string>): Option[] {
    const next = OPEN_QUESTIONS.find(({ id }) => !asked.has(id));
    if (next === undefined) return [];
    const told = ranked.filter(([finding]) => next.kinds.includes(this.#bundle.findings[finding]?.kind ?? 'general')).slice(0, MOST_TOLD);
    return [{ id: next.id, type: 'open', value: next.worth * together(told), build: () => this.questionById(next.id)! }];
  }

  /** The first options of a list, none of which is parent or child of one before it. */
  #unrelated(ranked: readonly Ranked[]): Ranked[] {
    const { findings } = this.#bundle;
    const chosen: Ranked[] = [];
    for (const one of ranked) {
      const [finding] = one;
      if (chosen.some(([other]) => findings[other]?.parents.includes(finding) === true || findings[finding]?.parents.includes(other) === true)) continue;
      chosen.push(one);
      if (chosen.length === MOST_OPTIONS) break;
    }
    return chosen;
  }

  #tickList(prefix: string, chosen: readonly Ranked[], value: number): Option {
    const id = prefix + chosen.map(([finding]) => this.#bundle.findings[finding]?.id ?? '').join('+');
    return { id, type: 'many-of', value, build: () => this.questionById(id)! };
  }

  /** A tick list of the danger signs of what must not be missed, asked while an emergency is possible but not settled. */
  #dangerCheck(patient: PatientState, probabilities: Float64Array, asked: ReadonlySet<string>): Option | undefined {
    if ([...asked].some((id) => id.startsWith(CHECK_PREFIX))) return undefined;
    const { diseases, findings, language } = this.#bundle;
    const scores = new Map<number, number>();
    let danger = 0;
    for (const disease of diseases) {
      const p = probabilities[disease.index] ?? 0;
      if (disease.urgency === 'emergency') danger += p;
      if (p < 0.01) continue;
      for (const finding of new Set([...disease.redFlags, ...(disease.urgency === 'emergency' ? [...disease.frequencies.keys()] : [])])) {
        const known = findings[finding];
        if (known === undefined || known.ask[language] === '' || !this.#isOpen(finding, patient, asked)) continue;
        if (known.kind !== 'symptom' || !this.#alarming.has(finding) || isCourse(known.id)) continue;
        const here = this.#likelihood.of(disease.index, finding);
        const elsewhere = this.#likelihood.of(diseases.length, finding);
        const isFlag = disease.redFlags.includes(finding);
        scores.set(finding, (scores.get(finding) ?? 0) + p * (isFlag ? 0.5 : 0) + (disease.urgency === 'emergency' ? p * here * Math.max(0, Math.log(here / elsewhere)) : 0));
      }
    }
    const chosen = this.#unrelated(byRank(scores));
    return chosen.length < LEAST_OPTIONS || danger < 0.02 ? undefined : this.#tickList(CHECK_PREFIX, chosen, 0.5 + Math.min(1.6, danger * 6));
  }

  #yesNo(findingIndex: number, pool: readonly number[], probabilities: Float64Array): Question {
    return { ...this.questionById(this.#bundle.findings[findingIndex]?.id ?? '')!, why: this.#why(findingIndex, pool, probabilities) };
  }

  #why(findingIndex: number, pool: readonly number[], probabilities: Float64Array): string {
    const { diseases, language } = this.#bundle;
    const known = pool.filter((index) => index < diseases.length);
    const weight = (index: number, sign: 1 | -1): number => {
      const here = this.#likelihood.of(index, findingIndex);
      return (probabilities[index] ?? 0) * (sign === 1 ? here : 1 - here);
    };
    const best = (among: readonly number[], sign: 1 | -1, not: number): number => among.reduce((top, index) => (index !== not && (top < 0 || weight(index, sign) > weight(top, sign)) ? index : top), -1);
    const likely = best(known, 1, -1);
    const unlikely = best(known.slice(0, NAMED_IN_REASONS), -1, likely);
    return whyWords(language, diseases[likely]?.name ?? '', diseases[unlikely]?.name ?? '', diseases[likely]?.urgency === 'emergency' && (probabilities[likely] ?? 0) < 0.5);
  }

  /** Builds a question from its id, without the reason that only a differential can give. */
  questionById(id: string): Question | undefined {
    const { language, findings, askSets } = this.#bundle;
    const options = (indices: readonly number[]): Question['options'] =>
      indices.map((index) => ({ id: findings[index]?.id ?? '', text: findings[index]?.label[language] || (findings[index]?.names[language] ?? '') }));
    const list = TICK_LISTS.find(({ prefix }) => id.startsWith(prefix));
    if (list !== undefined) {
      const indices = id.slice(list.prefix.length).split('+').map((part) => this.#bundle.findingIndex(part));
      if (indices.some((index) => index === undefined)) return undefined;
      return { id, type: 'many-of', text: list.text[language], why: list.why[language], options: options(indices as number[]), unit: '', min: 0, max: 0 };
    }
    const open = OPEN_QUESTIONS.find((one) => one.id === id);
    if (open !== undefined) return { id, type: 'open', text: open.text[this.#bundle.school][language], why: open.why[language], options: [], unit: '', min: 0, max: 0 };
    const set = askSets.find((one) => one.id === id);
    if (set !== undefined) {
      const [min, max] = set.variable === 'temperature' ? [34, 43] : set.variable === 'severity' ? [0, 10] : [0, 36_500];
      return { id, type: set.type, text: set.text[language], why: whyWords(language, '', '', false), options: options(set.options), unit: set.unit, min, max };
    }
    const index = this.#bundle.findingIndex(id);
    const finding = index === undefined ? undefined : findings[index];
    if (finding === undefined || finding.ask[language] === '') return undefined;
    return { id, type: 'yes-no', text: finding.ask[language], why: whyWords(language, '', '', false), options: [], unit: '', min: 0, max: 0 };
  }
}
