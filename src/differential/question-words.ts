import type { Language } from '../bundle/bundle.js';

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
