import type { KnowledgeBundle } from '../bundle/bundle.js';
import { learnInput } from '../consultation/learn-input.js';
import type { AnswerValue, ConsultationState, PatientInput } from '../consultation/state.js';
import { OPEN_QUESTIONS, type OpenQuestion } from '../differential/question-words.js';
import type { FindingExtractor } from '../findings/extract.js';
import { EMPTY_PATIENT, type FindingReasoner, type PatientState, type Profile } from '../findings/finding-state.js';
import { statedProfile } from './assumed-profile.js';
import type { EvaluationCase } from './cases.js';

type Question = NonNullable<ConsultationState['question']>;

/** What reads the record; the same parts as in the consultation under test. */
export interface PatientReaders {
  readonly bundle: KnowledgeBundle;
  readonly extractor: FindingExtractor;
  readonly reasoner: FindingReasoner;
}

export interface SimulatedPatientOptions {
  /** Says the whole record at once in place of the first utterance. @default false */
  readonly wholeRecord?: boolean;
}

/** Findings told in answer to one open question, at most: nobody tells everything. */
const MOST_TOLD = 4;

/**
 * A patient made of a case's record. It knows `patient_clean`, or `patient` where there is none, and `facts`; it says
 * the first utterance and answers each question by what the record says: yes, no, or "don't know" where it says nothing;
 * asked to tell more, up to four findings of the kind asked for.
 * Age and sex come from the record, null where it does not say (`statedProfile`). Deterministic. It reads with the
 * system's own extractor, so what that cannot read is not known to the patient either: figures are a lower bound on
 * that account.
 */
export class SimulatedPatient {
  readonly profile: Profile;
  /** The first words. */
  readonly opening: string;
  readonly #bundle: KnowledgeBundle;
  readonly #known: PatientState;
  /** Findings that the first words speak of. */
  readonly #said: ReadonlySet<number>;
  readonly #extractor: FindingExtractor;

  constructor(one: EvaluationCase, readers: PatientReaders, options: SimulatedPatientOptions = {}) {
    const record = [one.patientClean === '' ? one.patient : one.patientClean, ...one.facts].filter((part) => part !== '').join('\n');
    const knowledge = record === '' ? one.firstUtterance : record;
    this.#bundle = readers.bundle;
    this.#extractor = readers.extractor;
    this.profile = statedProfile(knowledge, readers.extractor.read(knowledge), readers.bundle);
    this.opening = options.wholeRecord === true ? knowledge : one.firstUtterance || one.laySymptoms || knowledge;
    this.#said = new Set(learnInput({ type: 'utterance', text: this.opening }, null, 0, readers).findings.map((known) => known.findingIndex));
    const learnt = learnInput({ type: 'utterance', text: knowledge }, null, 0, readers);
    this.#known = readers.reasoner.learn({ ...EMPTY_PATIENT, profile: this.profile }, learnt.findings, learnt.facts);
  }

  /** Answers a question from the record: a typed one by its type, an open one in words. */
  reply(question: Question): PatientInput {
    const open = OPEN_QUESTIONS.find((one) => one.id === question.id);
    if (open !== undefined) return this.#tell(open);
    return question.type === 'open' ? { type: 'utterance', text: this.#say(question.text) } : { type: 'answer', questionId: question.id, value: this.answer(question) };
  }

  /** Answers a typed question from the record. @throws {RangeError} an open question, which has no typed answer */
  answer(question: Question): AnswerValue {
    switch (question.type) {
      case 'open':
        throw new RangeError('an open question is answered in words');
      case 'yes-no': {
        const state = this.#stateOf(question.id);
        return state === 'present' ? 'yes' : state === 'absent' ? 'no' : 'unknown';
      }
      case 'one-of':
      case 'many-of': {
        const states = question.options.map((option) => ({ id: option.id, state: this.#stateOf(option.id) }));
        const present = states.filter((one) => one.state === 'present').map((one) => one.id);
        if (present.length > 0) return question.type === 'one-of' ? present.slice(0, 1) : present;
        return states.every((one) => one.state === 'absent') ? [] : 'unknown';
      }
      case 'number': {
        const value = this.#measured(question.id);
        return value !== undefined && value >= question.min && value <= question.max ? value : 'unknown';
      }
    }
  }

  /** What the record has of the kinds that an open question asks for and the first words did not say. */
  #tell({ id, kinds }: OpenQuestion): PatientInput {
    const { findings, language } = this.#bundle;
    const told = [...this.#known.findings.values()].flatMap(({ findingIndex, state, origin }) => {
      const finding = findings[findingIndex];
      return state === 'present' && origin !== 'implied' && finding !== undefined && kinds.includes(finding.kind) && !this.#said.has(findingIndex) ? [finding.names[language]] : [];
    });
    if (told.length === 0) return { type: 'answer', questionId: id, value: [] };
    return { type: 'utterance', text: this.#inWords(told.slice(0, MOST_TOLD).map((name) => ({ name, state: 'present' }))) };
  }

  /** What the record says of the findings that an open question speaks of. */
  #say(text: string): string {
    const { findings, language } = this.#bundle;
    const mentioned = [...new Set(this.#extractor.read(text).mentions.map((mention) => mention.findingIndex))];
    const said = mentioned.flatMap((index) => {
      const state = this.#known.findings.get(index)?.state;
      const name = findings[index]?.names[language] ?? '';
      return state === undefined || state === 'unknown' || name === '' ? [] : [{ name, state }];
    });
    if (said.length > 0) return this.#inWords(said);
    return language === 'zh' ? '不清楚' : "I don't know";
  }

  #inWords(said: readonly { readonly name: string; readonly state: 'present' | 'absent' }[]): string {
    const { language } = this.#bundle;
    const [present, absent, between] = language === 'zh' ? ['有', '没有', '，'] : ['I have ', 'no ', ', '];
    return said.map(({ name, state }) => (state === 'present' ? present : absent) + name).join(between);
  }

  #stateOf(findingId: string): 'present' | 'absent' | 'unknown' {
    const index = this.#bundle.findingIndex(findingId);
    return (index === undefined ? undefined : this.#known.findings.get(index)?.state) ?? 'unknown';
  }

  #measured(questionId: string): number | undefined {
    const { temperatureC, durationDays, severity } = this.#known.facts;
    const variable = this.#bundle.askSets.find((set) => set.id === questionId)?.variable;
    return variable === 'temperature' ? temperatureC : variable === 'duration' ? durationDays : variable === 'severity' ? severity : undefined;
  }
}
