import type { Language } from '../bundle/bundle.js';
import type { Question } from '../differential/differential.js';
import type { TranscriptLine, TurnEvent } from '../strategy/strategy.js';
import type { PatientInput, Reply } from './state.js';

const WORDS = {
  zh: { yes: '是', no: '没有', unknown: '不清楚', none: '都没有', nothing: '没有要补充的', separator: '、' },
  en: { yes: 'Yes', no: 'No', unknown: "I don't know", none: 'None of these', nothing: 'Nothing to add', separator: ', ' },
} as const;

/** The dialogue as words. A typed answer becomes the words of its option. */
export function transcriptOf(inputs: readonly PatientInput[], questions: readonly (Question | null)[], language: Language): TranscriptLine[] {
  return inputs.flatMap((input, round): TranscriptLine[] => {
    const question = questions[round] ?? null;
    const asked: TranscriptLine[] = question === null ? [] : [{ speaker: 'doctor', text: question.text }];
    return [...asked, { speaker: 'patient', text: input.type === 'utterance' ? input.text : answerWords(input.value, question, language) }];
  });
}

function answerWords(value: Extract<PatientInput, { type: 'answer' }>['value'], question: Question | null, language: Language): string {
  const words = WORDS[language];
  if (value === 'yes' || value === 'no' || value === 'unknown') return words[value];
  if (typeof value === 'number') return `${String(value)} ${question?.unit ?? ''}`.trim();
  const named = value.map((id) => question?.options.find((option) => option.id === id)?.text ?? '').filter((text) => text !== '');
  if (named.length === 0) return question?.type === 'open' ? words.nothing : words.none;
  return named.join(words.separator);
}

/** A reply after one more event of its turn; null before anything was written and after a fallback. */
export function replyAfter(reply: Reply | null, event: TurnEvent): Reply | null {
  const before = reply ?? { sentences: [], analysis: '', isComplete: false };
  switch (event.type) {
    case 'analysis-delta':
      return { ...before, analysis: before.analysis + event.text };
    case 'reply-start':
      return { ...before, sentences: [], isComplete: false };
    case 'reply-delta':
      return { ...before, sentences: [...before.sentences, event.sentence] };
    case 'reply-end':
      return { ...before, isComplete: true };
    case 'fallback':
      return null;
    default:
      return reply;
  }
}
