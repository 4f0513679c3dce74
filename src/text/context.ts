import { type Subject, subjectsOf } from './subjects.js';

/** Whose, when and how: whether words are about the visitor, now, and meant. */
export type Aside = 'other-person' | 'past' | 'hypothetical' | 'quoted';

const HISTORY_OF_OTHER = /自尽|自杀了|死的|走了|去年|前年|以前(?!.{0,5}[没不])|曾|年前|得过|患有|患过|死于|去世|因.{0,8}(?:去世|死|走)|有.{0,6}史|当年|之前(?!.{0,5}[没不])|确诊|住院|\b(?:to death|in (?:19|20)\d\d|had(?! (?:to\b|(?:(?:a|an|her|his|the|our|my) )?(?:baby|fall|fit|seizure|accident|crash|echo|e[ck]g|scan|ct|mri|x-?ray|ultrasound|bloods?|blood test|tests?|holter|biopsy)))|has had|died|passed away|was diagnosed|diagnosed|years ago|last year|history of|suffered|used to|(?:was|were) (?:ill|sick|in hospital|diagnosed|told)|killed (?:him|her)self|took (?:his|her) (?:own )?life)\b/u;

/** Wherever it stands, nothing of now is spoken of. */
const LONG_OVER = /去世|走的|走了|死[了的于]|当年|年前|\b(?:died|passed away|years ago)\b/u;

/** Somebody is in need where the speaker is, though it is nobody of theirs. */
const BYSTANDER = /面前|跟前|旁边|身边|路边|路上|街上|马路|(?:地铁|公交|车|飞机|火车|船)上|(?:商场|超市|餐厅|饭店|车站|教室)里|这里|这儿|现在|刚刚|刚才|正在|还在|怎么救|急救|救命|快来|\b(?:(?:in front of|next to|beside|near) (?:me|us)|here|on (?:the|my|our) (?:street|road|bus|train|plane|platform|tube|pavement|sidewalk|flight|floor)|next door|now|just|help|what (?:do|should|can) (?:i|we) do|(?:is|'s|isn't) (?:not )?\w+ing|not breathing|cpr)\b/u;

/** It befalls them now, whatever went before. */
const HAPPENING = /现在|突然|刚刚|刚才|还在|正在|马上|今[天早晚]|昨晚|这两天|\b(?:now|suddenly|today|tonight|this (?:morning|afternoon|evening)|just (?:now|collapsed|started|fell|had)|right now|is (?:\w+ )?\w+ing|keeps?|can't|cannot|won't|is still|has (?:a|an|been|just))\b/u;

/** It befalls somebody this moment. */
const AT_ONCE = /现在|突然|刚刚|刚才|正在|\b(?:suddenly|now|is having|can'?t|cannot|just (?:now|collapsed|started|fell|had))\b/u;

/** What a relative has, the speaker has not: 我妈有糖尿病，我没有. */
const NOT_MINE = /我(?:自己|本人)?(?:倒|却|可|是|也|就|还)?没有?(?:[,，。.;；!]|$)|\bi (?:don't|do not|haven't|have not|am not|'m not)\s*(?:[,.;!]|$)/u;

/** Two are ill at once. */
const TOGETHER = /我[^,，。]{0,4}[也都]|我们|俩|\b(?:too|as well|also|both|all of us|we)\b/u;

const PAST = /去年|前年|大前年|以前(?!.{0,4}[没不])|从前(?!胸|面|额|臂|头|边|侧|后|往)|曾经|(?<!不)曾(?!祖)|小时候|年轻时|年轻的时候|当年|[\d一二两三四五六七八九十几多半]+个?(?:年|多年|月)(?:以)?前|多年前|很久以前|早年|既往|得过|患过|(?<!没|没有)有过|上次|那年|那时候|那会儿|大学时|上学时|\b(?:years? ago|months ago|last year|year before last|(?<!never |not |n't )used to|previously|in the past|when i was (?:a |in |at )?(?:\w+ )?(?:young|younger|child|kid|boy|girl|teen\w*|student|school|college|university|little|small|pregnant)|as a (?:child|kid|teen\w*|baby)|once had|(?:back )?in (?:19|20)\d\d|last (?:spring|summer|autumn|fall|winter)|a while ago|long ago|decades? ago|formerly|as an? (?:\w+ )?(?:boy|girl|infant|youngster)|in the (?:nineties|eighties|seventies|sixties|noughties|(?:19|20)?\d0s)|in my (?:teens|twenties|thirties|childhood|youth))\b/u;
const STILL = /开始|以来|一直|至今|到现在|起(?:就|，|,|便)|反复|断断续续|持续|之后就|后就|又|再次|再发|加重|[可但].{0,8}还|还(?=疼|痛|咳|烧|拉|吐|晕|肿|痒|喘|麻)|since|ever since|started|began|for the past|until now|on and off|still|again|ongoing|keeps? |comes? and go/u;
/** What is only compared with what was is there now: 比以前喘得厉害, I can't walk as far as I used to. */
const COMPARED = /(?:比起?|较|跟|和|同|与|像|不如|没有|没)(?:我|自己|他|她)?(?:之前|以前|从前|过去|去年|前年|上次|那时候|那会儿|年轻时|年轻的时候|小时候|当年|[\d一二两三四五六七八九十几]+个?(?:年|月)(?:以)?前)|\b(?:than|as|like|unlike|what)(?: (?:i|he|she|it|we|they|you|(?:my|his|her|the) \w+|mum|mom|dad))?(?:'s)? (?:(?:was|were|did|could|had been) )?(?:used to(?: (?:be|do|have))?|(?:a |two |few |some |\w+ )?(?:years? ago|months ago)|last (?:year|spring|summer|autumn|fall|winter)|in the past|previously|a while ago|long ago)\b/gu;
/** After what was: it is there this time too … */
const THIS_TIME = /此次|[这本]次|这回|\b(?:this time|again)\b/u;
/** … and what once came of something comes of less now. */
const ESCALATED = /以前.{0,10}才|used to .{0,30}\bonly .{0,30}\bnow\b/u;
const NOW = /现在|今天|这次|目前|刚才|刚刚|最近|这两天|这几天|如今|此刻|今早|今晚|昨天|昨晚|又|再次|\b(?:now|today|currently|this (?:morning|time|week|evening|afternoon)|tonight|at the moment|recently|again|yesterday|lately|these days|still|is having)\b/u;

const FEAR = /(?:最怕|怕|担心|害怕|恐怕|怀疑|以为(?!.{0,8}(?:好了|没事|过去))|生怕)(?!冷|热|光|风|人)|预防|防止|避免|(?<!打了?|打完|接种|注射)疫苗(?!后|以后|之后|完)|\b(?:afraid|worried|worry|worrying|scared|fear|fearing|concerned|anxious) (?:that|about|of|it|i\b|this|if(?! (?:i'?ve|i have|she has|he has|it has) been)|he|she|my|the)|\b(?:prevent|avoid|(?<!\b(?:after|since|had|got|from|following) (?:(?:the|a|my|her|his|our|their) )?(?:\w+ )?)vaccine|risk of|chances? of|screening for|checked for|test(?:ed)? for|wonder(?:ing)? (?:if|about|whether)|suspect|rule out|look(?:ing)? out for|in case of|hate to|dread|would hate|don't want to)\b/u;
const QUESTION = /什么叫|啥叫|什么是|会不会(?:是|有|得)?|是不是得了|是不是要|要不要(?!紧)|是否(?:是|会|得|患)|能不能是|可能是不是|什么是|怎么预防|要不要紧吗|\b(?:could it be|could this be|might it be|can it be|does it mean|what is (?!wrong)|what are|what causes|symptoms of|signs of|difference between|could i have)\b|(?:^|[,.;?] ?|\b(?:so|or|whether) )(?:is (?:it|this)(?! (?:normal|ok|okay|bad|serious|dangerous|common|supposed))|do i have|have i got|am i having)\b/u;
const CONDITIONAL = /将来|如果|要是|万一|假如|假设|倘若|\b(?:(?<!sure |know |wonder |wondering )if(?! this\b| (?:i'?ve|i have|she has|he has|it has|it's|my \w+ has) (?:been|had|got|just))|in case|what if|should i (?:ever|get)|suppose|if i ever)\b/u;
const CONDITIONAL_ASK = /怎么办|做什么|咋办|怎么处理|需要|应该|该怎么|要不要|能不能|可以吗|再来|复诊|去医院|就去|come back|return|call|\b(?:what|should|would|could|do i|how|when)\b/u;
const QUOTED = /看到(?:说|有|一|网|新|文|别|朋)|(?<!没)听说|据说|网上|那个视频|刷到|新闻|电影|电视(?!里?的人)|小说|文章|书上|书里|歌词|朋友圈|群里|科普|视频里|广告|剧里|课上|老师讲(?!我|咱|俺|孩|娃|他|她)|百度|抖音|公众号|(?:梦[见到里]|噩梦)(?!.*醒)|说明书|讲座|宣教|\b(?:i read|read (?:that|about|an|online|somewhere)|heard (?:that|about|on)|article|movie|film|novel|the news|in the news|story|song|lyrics|website|leaflet|brochure|tv|(?:the|a|an|that|this|talk) show|poster|googled?|google says|the internet|online|podcast|documentary|(?:dreamt|dreamed|nightmares?|in my dream|in the game|my character|saw an? (?:ad|advert|post|video))(?!.*\b(?:woke|woken|awake)\b)|textbook|lecture|quiz|(?<!of )course|tiktok|youtube|instagram|reel|(?:the|a) book|essay|homework)\b/u;

/** What somebody is at while it befalls them, and things named after a medium: no source of what is said (看新闻的时候, reading a book gives me …, the tv remote). */
const ENGAGED =
  /(?:看|刷|读|听|玩|追|写|上|打|翻|搜|用)(?:小说|[^,，。;；说讲]){0,8}?(?:的时候|时候|到一半|到半夜|久了|完(?!全)[^,，。;；说讲]{0,4}|(?<![觉会能可患晓值懂记])得|时(?!间))(?!.{0,3}[说讲])|电视(?:遥控|柜|机)|百度(?:地图|网盘)|\b(?:watch|read|play|scroll|listen|writ|sing|study|edit)\w*(?: (?!that\b|about\b)\w+){0,4}? (?:tv|films?|movies?|news|show|books?|novel|story|songs?|articles?|youtube|tiktok|instagram|podcast|documentary|lecture|homework|essay)\b(?! (?:that|about|saying|says|said|where))|\bat (?:a|the) (?:movies?|show|lecture|quiz)\b|\btv (?:remote|stand|table|cabinet|screen|unit|room)\b|(?:正在?|边)(?:看|刷|读|听|玩)[^,，。;；说讲]{0,6}|(?:看|刷|读|听|玩)着[^,，。;；说讲]{0,6}|(?:电视|电影|新闻|小说|视频|剧)(?:还|正|看到|看着|看了|播到|放着|开着)|看[^,，。;；说讲]{0,5}看到[^,，。;；说讲]{0,5}(?:点|夜|凌晨)|\b(?:during|halfway through|in the middle of|after|before|throughout) (?:the|a|an|my|that) (?:tv|film|movie|news|show|book|novel|story|song|podcast|documentary|lecture|quiz)\b|\bshow floor\b/gu;

/** A question about things in general: it begins like one and speaks of nothing of the speaker's own. */
const GENERAL_EN = /^\s*(?:do|does|can|could|will|would|is|are|should|what|when|which|how)\b/u;
const OWN_STATE_EN = /\b(?:my|i have|i've|i am|i'm|i feel|i keep|i had|i got)\b/u;
const GENERAL_ZH = /什么情况下|多少度|会(?:引起|导致)|哪些症状|有什么区别|怎么区[别分]|什么叫|啥叫|(?:为什么|有什么|有多)危险|有什么后果/u;

/** Words of studying, quoting and making in the same clause, or before a colon: what is named is a subject, not a complaint … */
const STUDIED = /论文|海报|宣传|考试题|考题|的题|题目|[师医护]题|(?:护理|解剖|生理|病理|临床)作业|培训|课题|作业题|翻译|剧本|学习一下|了解一下|科普|歌里|唱的?(?:是|道)|\b(?:usmle|exam|essay|dissertation|writing an? (?:novel|story|book|screenplay|script)|revising|translating|poster|leaflet i|quiz|crossword|lyrics|in that song|the song|training course|first aid course|screenplay|my novel|his novel|her novel)\b/u;

/** … unless it befell the speaker meanwhile. */
const MEANWHILE = /的时候|时突然|当时|途中|\b(?:during|while|in the middle of|before|after|at) (?:my|the|an?|this|that)\b/u;

interface Sentence {
  readonly start: number;
  readonly end: number;
  /** Comparisons with the past (`COMPARED`) blanked: they are of now. */
  readonly text: string;
  /** In its order. */
  readonly subjects: readonly Subject[];
}

/** Reads who, when and how a place of a text is meant. Built once per text. */
export class TextContext {
  readonly #sentences: Sentence[] = [];
  /** No complaint of the speaker's own is in the text: a relative named in it is the patient … */
  readonly #speaksForOther: boolean;
  /** Speaker and relative are ill together. */
  readonly #isTogether: boolean;
  /** … and where there is none, a stranger who is in need beside the speaker. */
  readonly #standsBy: boolean;

  /**
   * @param text normalised
   * @param complaints where findings are spoken of, ascending; worry about another person is none
   */
  constructor(text: string, complaints: readonly number[]) {
    for (const match of text.matchAll(/[^.!?;。\n]+(?:\.(?=\d)[^.!?;。\n]+)*[.!?;。\n]?/gu)) {
      this.#sentences.push({ start: match.index, end: match.index + match[0].length, text: match[0].replace(COMPARED, (words) => ' '.repeat(words.length)), subjects: subjectsOf(match[0]) });
    }
    const owners = complaints.map((at) => {
      const sentence = this.#sentences.find((one) => at >= one.start && at < one.end);
      return sentence?.subjects.findLast((subject) => subject.at + sentence.start < at)?.who;
    });
    this.#speaksForOther = owners.includes('relative') && !owners.includes('own') && !NOT_MINE.test(text);
    this.#isTogether = TOGETHER.test(text);
    this.#standsBy = owners.includes('stranger') && !owners.includes('relative') && !owners.includes('own') && BYSTANDER.test(text) && !HISTORY_OF_OTHER.test(text);
  }

  /**
   * Why words at `[start, end)` say nothing about the patient now; undefined where they do.
   * @param clauseStart start of the clause they stand in
   */
  asideAt(start: number, end: number, clauseStart: number, clauseEnd: number): Aside | undefined {
    const sentence = this.#sentences.find((one) => start >= one.start && start < one.end);
    if (sentence === undefined) return undefined;
    const from = start - sentence.start;
    const before = sentence.text.slice(0, from);
    const clause = sentence.text.slice(Math.max(0, clauseStart - sentence.start), clauseEnd - sentence.start);
    const clauseBefore = sentence.text.slice(Math.max(0, clauseStart - sentence.start), from);
    if (sentence.text.trimEnd().endsWith('?')) {
      if (GENERAL_EN.test(sentence.text) && !OWN_STATE_EN.test(sentence.text)) return 'hypothetical';
    }
    if (GENERAL_ZH.test(clause) && !sentence.text.includes('我')) return 'hypothetical';
    const heading = before.lastIndexOf(':');
    if ((STUDIED.test(clause) || (heading >= 0 && STUDIED.test(before.slice(0, heading)))) && !MEANWHILE.test(clause)) return 'quoted';
    const quote = QUOTED.exec(before.replace(ENGAGED, (words) => ' '.repeat(words.length)));
    const until = Math.max(from, clauseEnd - sentence.start);
    if (quote !== null && !this.#ownClauseAfter(sentence.text, quote.index + quote[0].length, from, until)) return 'quoted';
    // "my hand is numb" after a relative's story: the words themselves say whose they are.
    const who = sentence.subjects.findLast((subject) => subject.at < from || (subject.who === 'own' && subject.at + sentence.start < end));
    if (who?.who === 'animal' || (who?.who === 'stranger' && !this.#standsBy)) return 'other-person';
    if (who?.who === 'relative' && !this.#isTheirs(sentence, from, clause, clauseEnd - sentence.start)) return 'other-person';
    const pastAt = PAST.exec(before + sentence.text.slice(from, from + (end - start))) ?? (clause === clauseBefore ? null : PAST.exec(clause));
    // What was is another's: my mother had a stroke last year, I have a runny nose.
    const isAnothersPast = pastAt !== null && who?.who === 'own' && who.at > pastAt.index && sentence.subjects.some((subject) => subject.at < pastAt.index && subject.who !== 'own');
    if (pastAt !== null && !isAnothersPast && !THIS_TIME.test(sentence.text.slice(from)) && !ESCALATED.test(sentence.text) && !STILL.test(clause) && !STILL.test(sentence.text.slice(pastAt.index, from)) && !NOW.test(sentence.text.slice(pastAt.index + pastAt[0].length, from)) && !NOW.test(clause)) return 'past';
    if (FEAR.test(clauseBefore) || QUESTION.test(clauseBefore)) return 'hypothetical';
    const condition = CONDITIONAL.exec(before);
    if (condition !== null && CONDITIONAL_ASK.test(sentence.text) && !this.#ownClauseAfter(sentence.text, condition.index + condition[0].length, from, until)) return 'hypothetical';
    return undefined;
  }

  /** Whether what is said of a relative is a complaint of now: the relative is the patient, or is in need beside a speaker who is ill as well. */
  #isTheirs({ text, subjects }: Sentence, from: number, clause: string, clauseEnd: number): boolean {
    // What is told of the next person is not this one's: my dad has chest pain, his brother had a heart attack.
    const next = subjects.find((subject) => subject.at > from)?.at ?? text.length;
    const isHistory = HISTORY_OF_OTHER.test(text.slice(0, Math.min(clauseEnd, next))) || LONG_OVER.test(text.slice(0, next));
    return this.#speaksForOther ? !isHistory || HAPPENING.test(text) : AT_ONCE.test(clause) || (this.#isTogether && !isHistory);
  }

  /** A clause of the speaker's own (我…, I …) between a quotation and the words in question, which end at `until`. */
  #ownClauseAfter(sentence: string, from: number, to: number, until: number): boolean {
    const boundary = sentence.slice(from, to).search(/[,，:]|但|而|\bbut\b|\band (?:(?:now|suddenly|then) )?(?:i|my)\b|\band (?:suddenly|now)\b/u);
    if (boundary < 0) return false;
    const rest = sentence.slice(from + boundary, until);
    return /我|本人|自己/u.test(rest) || /\b(?:i|i'm|i've|my|me|suddenly)\b/u.test(rest);
  }
}
