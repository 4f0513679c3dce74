import type { Aside } from '../text/context.js';

/** Whether a finding is a diagnosis that somebody was told of. Its words may be those of other findings too. */
export function isTold(findingId: string): boolean {
  return findingId.startsWith('told-');
}

/** A doctor or a report doubts it: that is no mere fear. */
const BY_A_DOCTOR = /医生|大夫|主任|教授|急诊|医院|门诊|报告|检查|影像|片子|彩超|b超|超声|\bct|核磁|mri|心电图|\b(?:doctors?|dr|gp|hospital|a&e|er|nurse|consultant|radiologist|report|scan|ultrasound|x-?ray|ecg|ekg|they|rule out|r\/o)\b/u;

/** The words with `⟨` and `⟩` about them: part of another word, or an old, mild or lasting kind of it. */
const ANOTHER_THING = new RegExp(
  [
    '咽⟨喉水肿|不⟨完全性|直⟨肠套叠|[室房]上⟨性心动|中风⟩[险疹湿]|心梗⟩三项|异物⟩感|炎⟩症|炎⟩(?:支原体|衣原体)|扭转⟩痉挛|血气胸⟩片|[上岔生透]气胸⟩|药疹⟩子|骨折⟩愈合',
    '⟩[^,，。;]{0,2}(?:疫苗|抗毒素|免疫球蛋白|筛查|预防|康复|高危|风险|前兆|先兆|三项)|⟩针|⟩[(,，]?(?:陈旧|软化|后遗)|打破伤风',
    '(?:陈旧|腔隙|后遗|慢性|原发性|自身免疫性|短阵|非持续|特发性|缩窄性|间质性|轻度|椎体)[^,，。;⟩]{0,4}⟨',
    '⟨[^⟩]*(?:陈旧|腔隙|慢性(?!硬膜下)|原发性|自身免疫性|椎体|脐带|附件)[^⟩]*⟩',
    '(?:容易|预防|避免|风险|小心|会得|以后会|疫苗|筛查|网上|听说|据说|百度)[^⟩]{0,8}⟩',
    String.raw`ectopic⟩ (?:beat|kidney|heart|atrial|pvc)|\bnon-? ?⟨|supra-? ?⟨|⟩ (?:vaccin\w*|jabs?|prevention|prophylaxis|screening|stockings|risk|volume|clinic|ward|insulin|button|is healing|healing|has healed|healed)`,
    String.raw`⟨[^⟩]*\b(?:old|previous|lacunar|chronic|mini|benign ethnic|healed|umbilical|lymph node|neck|nasal|airflow|tear duct|rectal|silicone oil|could cause|can cause|could lead to|prevent|about)\b[^⟩]*⟩`,
    String.raw`\b(?:old|previous|lacunar|chronic|exertional|rectal|umbilical|prevent|constrictive|benign ethnic) ⟨`,
  ].join('|'),
  'u',
);
/** Only supposed, whoever would say it. */
const SUPPOSED = /如果|要是|万一|假如|假设|倘若|\b(?:if|in case)\b/u;
/** It was, and was treated. */
const OVER_BEFORE = /上(?:一|个)?[胎次回][^,。;]{0,6}$|\b(?:last|previous) pregnancy[^.;]*$|(?:[做切]过|(?:19|20)\d\d年)[^,，。;]{0,4}$|(?:既往|得过|患过|有过|\b(?:previous|prior|past|history of|h\/o|survived|recovered from))\s*(?:a |an |的)?$/u;
const OVER_AFTER =
  /^(?:病?史|家族史|术后|手术[后史]|恢复期|治[愈好]|过[,，。、\s]|住过院|做[过了]手术|(?:都|已经|早)?好了|已吸收|愈合|[^,。;]{0,4},?(?:是|那是)?(?:去年|前年|\d+年前|[一二两三四五六七八九十几]+年前|以前|小时候)的事|\s*(?:survivor|(?:was )?repair(?:ed)?\b|in (?:19|20)\d\d|(?:\w+ ){1,2}years ago|as a child|when i was|at (?:age )?\d{1,2}\b|(?:that|which) was (?:operated|treated|fixed|repaired|cured)))/u;
/** What it is, what comes before it, how to keep from it. */
const ASKED_AFTER =
  /^(?:到底)?(?:是(?:什么|啥|怎么|个什么)|会(?:不会)?(?:遗传|传染|复发)|能?(?:怎么|如何|咋)|的(?:症状|表现|原因|前兆|征兆|预防|区别|早期|发病率)|(?:和|跟|与)[^,。]{1,12}(?:区别|哪个)|多大(?:年纪|岁数|了)?|有(?:什么|哪些|啥)(?!.{0,6}(?:我|现在))|(?:好发|容易|一般)|[^,。;]{0,12}(?:有什么|有何|有啥)(?:不同|区别|差别|关系)|的?(?:英文|全称|缩写|拼音|翻译))/u;
const ASKED_BEFORE = /\bwhat(?:'s| is| are| does| do| causes?)\b[^.;]*$/u;

/**
 * Why a diagnosis that is named says nothing of now, beyond what context alone tells of any finding.
 * @param aside by the context
 * @param before text before the words, normalised, some 40 characters
 * @param words the diagnosis with what was matched about it
 * @param after text behind them
 */
export function asideOfTold(aside: Aside | undefined, before: string, words: string, after: string): Aside | undefined {
  const isByADoctor = BY_A_DOCTOR.test(before + words);
  if (aside === 'hypothetical' && isByADoctor && !SUPPOSED.test(before)) return undefined;
  if (aside !== undefined) return aside;
  if (OVER_BEFORE.test(before) || OVER_AFTER.test(after)) return 'past';
  const isAsked = !isByADoctor && (ASKED_AFTER.test(after) || ASKED_BEFORE.test(before));
  return isAsked || ANOTHER_THING.test(`${before.slice(-14)}⟨${words}⟩${after.slice(0, 16)}`) ? 'hypothetical' : undefined;
}
