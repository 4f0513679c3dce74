import type { FindingKind, Language, School } from '../bundle/bundle.js';
import { SWEEP_PREFIX } from '../findings/danger-sweep.js';
import type { Question } from './differential.js';

export const CHECK_PREFIX = 'check:';
export const ACCOMPANYING_PREFIX = 'accompanying:';
export const FOUND_PREFIX = 'found:';

type Words = Readonly<Record<Language, string>>;

/** Tick lists whose options are in their id, behind the prefix. */
export const TICK_LISTS: readonly { readonly prefix: string; readonly text: Words; readonly why: Words }[] = [
  {
    prefix: ACCOMPANYING_PREFIX,
    text: { zh: '除了您说的，还有下面这些情况吗？', en: 'Do you also have any of these?' },
    why: { zh: '有哪些一起出现，最能分清几种可能。', en: 'What comes with it tells the possible causes apart.' },
  },
  {
    prefix: FOUND_PREFIX,
    text: { zh: '您自己看到过，或者看医生、做检查时查出过下面这些吗？', en: 'Have you seen any of these yourself, or did a doctor or a test find any?' },
    why: { zh: '看得到、查得出的，往往比感觉更能分清几种可能。', en: 'What can be seen or measured often tells the possible causes apart better than what is felt.' },
  },
  { prefix: CHECK_PREFIX, text: { zh: '您现在有下面这些情况吗？', en: 'Do you have any of these now?' }, why: { zh: '先排除需要马上处理的情况。', en: 'To rule out what would need care at once.' } },
  {
    prefix: SWEEP_PREFIX,
    text: { zh: '您（或患者）现在有下面这些情况吗？', en: 'Do you, or does the patient, have any of these now?' },
    why: { zh: '您说的话没有全部看懂，所以先问需要马上处理的情况。', en: 'Not all of your words were understood, so this first: what would need care at once.' },
  },
];

/** What is asked where the words so far are not enough, and once in any consultation that leaves room for it. */
export const TELL_MORE = 'tell:more';

/** A question that is answered in one's own words. */
export interface OpenQuestion {
  readonly id: string;
  /** Of the findings that it may bring. */
  readonly kinds: readonly FindingKind[];
  /** What it counts beside what single questions about these findings would tell: whoever has a report tells all of it. */
  readonly worth: number;
  readonly text: Readonly<Record<School, Words>>;
  readonly why: Words;
}

/** In the order in which they are asked. */
export const OPEN_QUESTIONS: readonly OpenQuestion[] = [
  {
    id: TELL_MORE,
    kinds: ['symptom', 'tongue'],
    worth: 1,
    text: {
      mm: { zh: '能再多说一点吗？还有哪里不舒服，什么时候开始、怎么变化的？想到什么写什么。', en: 'Can you tell a little more? What else is wrong, when did it begin, and how has it changed? Write whatever comes to mind.' },
      tcm: { zh: '能再多说一点吗？还有哪里不舒服？怕冷还是怕热，出汗、口渴、胃口、睡眠、大小便怎么样？想到什么写什么。', en: 'Can you tell a little more? What else is wrong? Do you feel cold or hot, and how are sweating, thirst, appetite, sleep, stool and urine? Write whatever comes to mind.' },
    },
    why: { zh: '一起出现的情况，用您自己的话说最清楚。', en: 'What comes with it is told best in your own words.' },
  },
  {
    id: 'tell:results',
    kinds: ['sign', 'test', 'tongue', 'pulse'],
    worth: 2,
    text: {
      mm: { zh: '为这次不舒服看过医生、做过检查吗？查到了什么？可以照着报告写。', en: 'Has a doctor examined you for this, or did you have tests? What was found? You may copy the report.' },
      tcm: { zh: '为这次不舒服看过医生、做过检查吗？查到了什么？舌苔、脉象医生怎么说？可以照着病历写。', en: 'Has a doctor examined you for this, or did you have tests? What was found, and what was said of tongue and pulse? You may copy the record.' },
    },
    why: { zh: '已经查到的结果，往往最能分清几种可能。', en: 'Results that are there already often tell the possible causes apart best.' },
  },
];

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
