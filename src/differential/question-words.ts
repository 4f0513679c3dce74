import type { Language } from '../bundle/bundle.js';
import type { Question } from './differential.js';

/**
 * Why a question is asked, in one sentence.
 * @param likely disease that a yes speaks for; empty where it is not known
 * @param unlikely disease that a no speaks for
 * @param dangerous the first is an emergency that is to be ruled out
 */
export function whyWords(language: Language, likely: string, unlikely: string, dangerous: boolean): string {
  if (language === 'zh') {
    if (likely === '') return '这有助于缩小范围。';
    if (dangerous) return `用来排除“${likely}”，这种情况需要马上处理。`;
    return unlikely === '' ? `看看是否符合“${likely}”。` : `用来区分“${likely}”和“${unlikely}”。`;
  }
  if (likely === '') return 'This helps to narrow down what it may be.';
  if (dangerous) return `To rule out ${likely}, which would need care at once.`;
  return unlikely === '' ? `To see whether it fits ${likely}.` : `Helps to tell ${likely} from ${unlikely}.`;
}

/** A question in one line, with what a list offers behind it: its words alone do not say what it asks. */
export function questionLine(question: Question, language: Language): string {
  if (question.type !== 'many-of') return question.text;
  const options = question.options.map((option) => option.text);
  return language === 'zh' ? `${question.text}（${options.join('、')}）` : `${question.text} (${options.join(', ')})`;
}
