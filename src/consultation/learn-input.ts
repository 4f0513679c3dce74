import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Question } from '../differential/differential.js';
import { FOUND_PREFIX } from '../differential/question-words.js';
import { ConsultationError } from '../errors/consultation-error.js';
import type { FindingExtractor } from '../findings/extract.js';
import type { KnownFinding, PatientFacts, PatientState, SaidProfile } from '../findings/finding-state.js';
import type { PatientInput } from './state.js';

/** What one input tells. */
export interface Learnt {
  readonly findings: readonly KnownFinding[];
  readonly facts: PatientFacts;
  /** Absent where it was no text, or one that speaks only of others. */
  readonly said?: SaidProfile;
}

interface Readers {
  readonly bundle: KnowledgeBundle;
  readonly extractor: FindingExtractor;
}

/**
 * Reads an input: free text by the vocabulary, an answer by its question.
 * @param before what was known before this round
 * @throws {ConsultationError} answer-invalid when the answer does not fit the question
 */
export function learnInput(input: PatientInput, question: Question | null, round: number, readers: Readers, before?: PatientState): Learnt {
  if (input.type === 'utterance') return readUtterance(input.text, round, readers, before);
  if (question === null) throw new ConsultationError('question-unknown', 'An answer needs the question it answers.');
  return readAnswer(input.value, question, round, readers.bundle);
}

function readUtterance(text: string, round: number, { bundle, extractor }: Readers, before?: PatientState): Learnt {
  const { mentions, quantities } = extractor.read(text, (findingIndex) => before?.findings.get(findingIndex)?.state === 'present');
  const findings = mentions
    .filter((mention) => mention.aside === undefined)
    .map(
      (mention): KnownFinding => ({
        findingIndex: mention.findingIndex,
        state: mention.state,
        origin: 'said',
        quote: mention.quote,
        round,
        ...(mention.severity === undefined ? {} : { severity: mention.severity }),
        ...(mention.side === undefined ? {} : { side: mention.side }),
        ...(mention.guessed ? { guessed: true } : {}),
        ...(mention.resolved === true ? { resolved: true } : {}),
      }),
    );
  const severe = bundle.findingIndex('severe-pain');
  const said = findings.find((known) => known.state === 'present' && known.severity === 'severe' && PAIN.test(bundle.findings[known.findingIndex]?.id ?? ''));
  if (severe !== undefined && said !== undefined) findings.push({ findingIndex: severe, state: 'present', origin: 'said', round, ...(said.quote === undefined ? {} : { quote: said.quote }) });
  // Numbers of a text that speaks only of others, or quotes, are not the patient's.
  if (findings.length === 0 && mentions.length > 0) return { findings, facts: {} };
  const { ageYears, sex, unclear: _unclear, ...facts } = quantities;
  return { findings, facts, said: { ...(ageYears === undefined ? {} : { ageYears }), ...(sex === undefined ? {} : { sex }) } };
}

/** Ids of findings that are a pain: a severe one is also a severe pain. */
const PAIN = /pain|headache|toothache|sciatica/;

const invalid = (question: Question, what: string): ConsultationError => new ConsultationError('answer-invalid', `The answer to ${question.id} ${what}.`);

function readAnswer(value: Extract<PatientInput, { type: 'answer' }>['value'], question: Question, round: number, bundle: KnowledgeBundle): Learnt {
  const state = (id: string, is: KnownFinding['state']): KnownFinding => {
    const findingIndex = bundle.findingIndex(id);
    if (findingIndex === undefined) throw invalid(question, `names "${id}", which is none of its options`);
    return { findingIndex, state: is, origin: 'answered', round };
  };
  switch (question.type) {
    case 'yes-no': {
      if (value !== 'yes' && value !== 'no' && value !== 'unknown') throw invalid(question, 'must be yes, no or unknown');
      // "No" to a test says that none showed it, not that one was made.
      const isTest = bundle.findings[bundle.findingIndex(question.id) ?? -1]?.kind === 'test';
      return { findings: [state(question.id, value === 'yes' ? 'present' : value === 'no' && !isTest ? 'absent' : 'unknown')], facts: {} };
    }
    case 'one-of':
    case 'many-of': {
      const ids = question.options.map((option) => option.id);
      if (value === 'unknown') return { findings: ids.map((id) => state(id, 'unknown')), facts: {} };
      if (!Array.isArray(value)) throw invalid(question, 'must be a list of option ids or unknown');
      const chosen = value as readonly string[];
      const stranger = chosen.find((id) => !ids.includes(id));
      if (stranger !== undefined) throw invalid(question, `names "${stranger}", which is none of its options`);
      if (question.type === 'one-of' && chosen.length > 1) throw invalid(question, 'may name one option only');
      // What is not ticked beside something that is was perhaps passed over; "none of these" denies all but what nobody may have looked for.
      const left = question.type === 'many-of' && (chosen.length > 0 || question.id.startsWith(FOUND_PREFIX)) ? 'unknown' : 'absent';
      return { findings: ids.map((id) => state(id, chosen.includes(id) ? 'present' : left)), facts: {} };
    }
    case 'open':
      if (value !== 'unknown' && !(Array.isArray(value) && value.length === 0)) throw invalid(question, 'must be given in words, or be none or unknown');
      return { findings: [], facts: {} };
    case 'number': {
      if (value === 'unknown') return { findings: [], facts: {} };
      if (typeof value !== 'number' || !Number.isFinite(value) || value < question.min || value > question.max) {
        throw invalid(question, `must be a number from ${String(question.min)} to ${String(question.max)}, or unknown`);
      }
      const variable = bundle.askSets.find((set) => set.id === question.id)?.variable;
      return { findings: [], facts: variable === 'temperature' ? { temperatureC: value } : variable === 'duration' ? { durationDays: value } : variable === 'severity' ? { severity: value } : {} };
    }
  }
}
