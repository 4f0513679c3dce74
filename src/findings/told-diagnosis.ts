import type { Aside } from '../text/context.js';

/** Findings that are a diagnosis somebody was told of. */
export const TOLD_PREFIX = 'told-';

/** A doctor or a report doubts it: that is no mere fear. */
const BY_A_DOCTOR = /医生|大夫|主任|教授|急诊|医院|门诊|报告|检查|影像|片子|彩超|b超|超声|\bct|核磁|mri|心电图|\b(?:doctors?|dr|gp|hospital|a&e|er|nurse|consultant|radiologist|report|scan|ultrasound|x-?ray|ecg|ekg|they)\b/u;
/** It was, and was treated. */
const OVER_BEFORE = /(?:陈旧性?|既往|得过|患过|有过|\b(?:old|previous|prior|past|history of|h\/o|survived|recovered from))\s*(?:a |an |的)?$/u;
const OVER_AFTER = /^(?:病?史|家族史|术后|手术[后史]|后遗症|恢复期|康复|治[愈好]|过[,，。、\s]|\s*(?:survivor|(?:was )?repair(?:ed)?\b|in (?:19|20)\d\d|(?:\w+ ){1,2}years ago|as a child|when i was))/u;
/** What it is, what comes before it, how to keep from it. */
const ASKED_AFTER = /^(?:到底)?(?:是(?:什么|啥|怎么|个什么)|会(?:不会)?(?:遗传|传染|复发)|能?(?:怎么|如何|咋)|的(?:症状|表现|原因|前兆|征兆|预防|区别|早期|发病率)|(?:和|跟|与)[^,。]{1,12}(?:区别|哪个)|前兆|有(?:什么|哪些|啥)(?!.{0,6}(?:我|现在))|(?:好发|容易|一般))/u;

/**
 * Why a diagnosis that is named says nothing of now, beyond what context alone tells of any finding.
 * @param aside by the context
 * @param before text of the sentence before the words, normalised
 * @param after text behind them
 */
export function asideOfTold(aside: Aside | undefined, before: string, after: string): Aside | undefined {
  if (aside === 'hypothetical' && BY_A_DOCTOR.test(before) && !ASKED_AFTER.test(after)) return undefined;
  if (aside !== undefined) return aside;
  if (OVER_BEFORE.test(before) || OVER_AFTER.test(after)) return 'past';
  return ASKED_AFTER.test(after) ? 'hypothetical' : undefined;
}
