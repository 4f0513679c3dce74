import type { Language } from '../bundle/bundle.js';

/** Why a sentence of a reply is not shown. */
export type RefusalReason = 'empty' | 'language' | 'link' | 'number' | 'treatment' | 'urgency' | 'certainty' | 'other-condition';

interface Rule {
  readonly reason: RefusalReason;
  readonly words: Readonly<Record<Language, RegExp>>;
}

const LINK = /\w+:\/\/|(?:tel|mailto|file|ftp|vbscript|sms|blob|https?):|(?:^|[^:])\/\/\w|www\.|\b[\w-]+\.(?:com|example|org|net|cn|io|info|gov|edu|de|uk)\b|@\w|\]\(|<\/?[a-z!]|javascript:|data:/i;

/**
 * What no sentence of a model may say, whatever it rests on: these are decided by rules and knowledge, or not at all.
 * Texts are normalised (lower case, simplified) before they are tested.
 */
const RULES: readonly Rule[] = [
  { reason: 'link', words: { zh: LINK, en: LINK } },
  {
    reason: 'treatment',
    words: {
      zh: /毫克|微克|毫升|克\/|[片粒丸支袋滴]\s*[\/,，]?\s*(?:每|一)?[日天次]|每[日天次]\S{0,4}[片粒丸支袋滴次]|服用|口服|吃\S{0,6}药|用药|停药|加量|减量|涂抹|外用|注射|输液|打针|处方|抗生素|消炎药|止痛药|激素|布洛芬|阿司匹林|对乙酰|头孢|阿莫西林|中药|方剂|推荐|建议(?:您|你)?(?:吃|喝|用|服|做|到|去)|购买|针灸|拔罐|推拿|热敷|冰敷|多喝|偏方|手术治疗/,
      en: /\b(?:mg|mcg|ml|milligrams?|tablets?|capsules?|puffs?|dos(?:e|es|age)|twice (?:a|per) day|daily|prescri\w+|medicin\w*|medication\w*|drugs?|antibiotics?|painkillers?|ibuprofen|aspirin|paracetamol|acetaminophen|amoxicillin|steroids?|inject\w*|supplements?|herb\w*|remed\w+|surgery|buy|purchase)\b|\b(?:take|taking|use|apply|stop taking)\b (?:an?|some|your|the|two|one)?\s?\w+ ?(?:pill|cream|tablet|for (?:the )?pain|every)|\brecommend\w*|\bi (?:suggest|advise)\b|\b(?:drink plenty|apply (?:ice|heat)|cold compress|hot compress|massage|acupuncture|home cure)\b/,
    },
  },
  {
    reason: 'urgency',
    words: {
      zh: /没事|无大碍|不严重|不用担心|别担心|不必担心|放心|不用(?:去|看|就)|不需要(?:去|看|就|治)|无需|不必(?:去|看|就)|不着急|不急|急诊|急救|立即|马上|尽快|紧急|危险|拨打|住院|在家观察|自行(?:恢复|缓解|痊愈)|会自愈|良性|无害|忽略|不用管|不用理|不必理会|自己会好|就会好|会好的|会过去|不碍事|不要紧|没关系|没什么(?:大)?(?:问题|事)|小毛病|等等看|观察(?:几天|一下)|过几天|安全的/,
      en: /\b(?:not|nothing|isn't|n't)\b[^.]{0,20}\b(?:serious|dangerous|worr\w+|urgent|concern\w*)|\bno need\b|\b(?:can|could|may) wait\b|\b(?:don't|do not|needn't) (?:need to )?(?:see|go|call|worry|visit)|\b(?:fine|harmless|benign|reassur\w+|safe to|stay (?:at )?home|wait and see|go away by itself|nothing to worry|ignore (?:it|this|that|them)|sleep it off|on its own|by itself|will pass|relax|no (?:reason|cause|danger)|minor|trivial|mild and will|next (?:week|month)|all is well|perfectly normal|healthy)\b|\b(?:emergency|urgent\w*|immediately|right away|at once|as soon as possible|ambulance|hospital|call \w+ now|life.threatening)\b/,
    },
  },
  {
    reason: 'certainty',
    words: {
      zh: /确诊|诊断(?:为|是)|(?:你|您)(?:得了|患了|患有|就是|肯定|一定是|必定)|肯定是|一定是|毫无疑问|百分之百/,
      en: /\byou(?:'ve| have|'re| are)? (?:got|suffering from|diagnosed)|\b(?:diagnos\w+|definitely|certainly|without (?:a )?doubt|for sure|confirmed|it is clear that you have)\b/,
    },
  },
];

/** The rule that a normalised sentence breaks, or null. */
export function brokenRule(normalized: string, language: Language): RefusalReason | null {
  return RULES.find((rule) => rule.words[language].test(normalized))?.reason ?? null;
}

/** Words that look like the name of a disease, for names that no bundle knows. */
export const CONDITION_WORDS: Readonly<Record<Language, RegExp>> = {
  zh: /[\p{Script=Han}]{1,8}(?:综合征|综合症|病|炎|癌|瘤|症候群|中风|梗死|梗塞|结核|感染|中毒|溃疡|结石|骨折|贫血|哮喘|糖尿|肿瘤|证)/gu,
  en: /\b(?:[a-z]+(?:itis|osis|oma|emia|aemia|pathy|algia|plegia|ectasis|rrhea|rrhoea)|(?:[a-z]+ ){0,2}(?:cancer|syndrome|disease|disorder|infection|tumou?r|stroke|fever|failure|fracture|ulcer|infarction|embolism|diabetes|asthma|lupus|hiv|aids|cholera|malaria|tuberculosis))\b/g,
};

/** Negation: where sentence and knowledge differ in it, one does not support the other. */
export const NEGATION: Readonly<Record<Language, RegExp>> = {
  zh: /不|没|无|非|未|否/,
  en: /\b(?:no|not|never|without|neither|nor|rarely|seldom|unlikely|cannot)\b|n't\b/,
};
