/** Whose, when and how: whether words are about the visitor, now, and meant. */
export type Aside = 'other-person' | 'past' | 'hypothetical' | 'quoted';

/** 我给她数脉: who looks after somebody is not the patient. */
const OWN_ZH = /我(?!(?:给|帮|看|摸|让|叫|喊|问|扶|带|抱|背|拍|掐|听|量|数|发现|见|瞧|替|喂|劝|送|拉|推|照顾)(?:着|到|见|了)?(?:他|她|它|娃|孩|宝|老|爸|妈|爷|奶|姥|外)|该|应该|想问|想咨询|要怎么|能做|可以做|爸|妈|父|母|爷|奶|外公|外婆|姥|老公|老婆|丈夫|妻|哥|弟|姐|妹|儿|女儿|孩|宝|娃|朋友|同事|同学|邻居|室友|舅|姨|姑|叔|伯|岳|公公|婆婆|男友|女友|男朋友|女朋友|对象|爱人|家|们家|的(?:爸|妈|父|母|爷|奶|老公|老婆|丈夫|妻|哥|弟|姐|妹|朋友|同事|同学|邻居))|本人|自己/gu;
const OWN_EN = /\b(?:(?<!\b(?:do|should|can|could|must|shall) )i(?! (?:like|liked|love|know|knew|met|follow|saw|once knew|work with|went to school|(?:checked|found|see|noticed|called|asked|told|carried|held|gave|took|measured|can feel|counted|woke|cannot wake|can't wake|cant wake) (?:him|her|his|them|she|he|the baby|my (?:mum|mom|mother|dad|father|son|daughter|wife|husband))))|i'm|i've|me|myself)\b|\bmy (?!mum|mom|mother|dad|father|parent|husband|wife|partner|brother|sister|son|daughter|child|kid|baby|toddler|friend|colleague|co-worker|coworker|neighbo|roommate|flatmate|boss|uncle|aunt|cousin|grand|boyfriend|girlfriend|nan\b|nana|granny|gran\b|teacher|doctor|gp|in-law|niece|nephew|family|patient)/gu;
/** People one is with: the patient where the speaker has no complaint of their own and speaks of now. */
const RELATIVE = /(?<=(?:给|让|把|被|喂|对|叫|喊)了?)[他她](?!们)|爸|妈妈|妈|父亲|母亲|曾?祖父|曾?祖母|太爷爷?|太奶奶?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|丈夫|妻子|哥哥?|弟弟?|姐姐?|妹妹?|舅舅|阿姨|姑姑|叔叔|伯伯|岳父|岳母|公公|婆婆|爱人|孙子|孙女|侄子?|外甥|表[哥姐弟妹]|堂[哥姐弟妹]|男朋友|女朋友|男友|女友|对象|老伴|家里?人|(?<!女|男)朋友|同事|同学|室友|\b(?:mum|mom|mother|dad|father|parents?|husband|wife|partner|brother|sister|uncle|aunt|cousin|(?:great[- ])?(?:grand|gran)(?:ma|pa|mother|father|dad|mum|son|daughter)|boyfriend|girlfriend|nan|nana|granny|gran|mother-in-law|father-in-law|niece|nephew|family|friend|colleague|co-?worker|roommate|flatmate|classmate)\b/gu;
const STRANGER = /球员|运动员|选手|诗人|作家|演员|歌手|主角|主人公|历史上|名人|网红|楼上|楼下|邻居|老板|老师|别人|(?<!像)有人(?![掐拧捅揪扎踩压捏拽打捶勒用拿按])|(?<!老)人家|他人|隔壁|明星|网友|病友|领导|客户|亲戚|(?<!像|被|野|流浪)(?:狗|猫)(?!咬|抓|毛|皮|粪|屎|尿|喘|叫|玩具|粮|过敏)|宠物|\b(?:dog|cat|pet|puppy|kitten)s?\b(?! (?:bit|bite|scratch|hair|fur|allerg))|\b(?:neighbou?r|boss|teacher|someone|somebody|people|a man|a woman|celebrity|patient of mine|other people|a guy|person|schoolmate|lady|gentleman|singer|actor|actress|poet|writer|footballer|celebrity|character|bloke|ex-?colleague|landlord|tenant|customer|passenger)s?\b/gu;

const HISTORY_OF_OTHER = /自尽|自杀了|死的|走了|去年|前年|以前|曾|年前|得过|患有|患过|死于|去世|因.{0,8}(?:去世|死|走)|有.{0,6}史|当年|之前|确诊|住院|\b(?:had(?! (?:(?:a|an|her|his|the|our|my) )?(?:baby|fall|fit|seizure|accident|crash))|has had|died|passed away|was diagnosed|diagnosed|years ago|last year|history of|suffered|used to|(?:was|were) (?:ill|sick|in hospital|diagnosed|told)|killed (?:him|her)self|took (?:his|her) (?:own )?life)\b/u;

/** It befalls them now, whatever went before. */
const HAPPENING = /现在|突然|刚刚|刚才|还在|正在|马上|\b(?:now|suddenly|just (?:now|collapsed|started|fell|had)|right now|is (?:\w+ )?\w+ing|keeps?|can't|cannot|won't|is still|has (?:a|an|been|just))\b/u;

const PAST = /去年|前年|大前年|以前|从前(?!胸|面|额|臂|头|边|侧|后|往)|曾经|(?<!不)曾(?!祖)|小时候|年轻时|年轻的时候|当年|[\d一二两三四五六七八九十几多半]+个?(?:年|多年|月)(?:以)?前|多年前|很久以前|早年|既往|得过|患过|有过|上次|那年|那时候|那会儿|大学时|上学时|\b(?:years? ago|months ago|last year|year before last|used to|previously|in the past|when i was (?:a |in |at )?(?:\w+ )?(?:young|younger|child|kid|boy|girl|teen\w*|student|school|college|university|little|small|pregnant)|as a (?:child|kid|teen\w*|baby)|once had|(?:back )?in (?:19|20)\d\d|last (?:spring|summer|autumn|fall|winter)|a while ago|long ago|decades? ago|formerly|as an? (?:\w+ )?(?:boy|girl|infant|youngster)|in the (?:nineties|eighties|seventies|sixties|noughties|(?:19|20)?\d0s)|in my (?:teens|twenties|thirties|childhood|youth))\b/u;
const STILL = /开始|以来|一直|至今|到现在|起(?:就|，|,|便)|反复|断断续续|持续|之后就|后就|又|再次|再发|加重|since|ever since|started|began|for the past|until now|on and off|still|again|ongoing|keeps? |comes? and go/u;
const NOW = /现在|今天|这次|目前|刚才|刚刚|最近|这两天|这几天|如今|此刻|今早|今晚|昨天|昨晚|又|再次|\b(?:now|today|currently|this (?:morning|time|week|evening|afternoon)|tonight|at the moment|recently|again|yesterday|lately|these days|still)\b/u;

const FEAR = /(?:最怕|怕|担心|害怕|恐怕|怀疑|以为|生怕)(?!冷|热|光|风|人)|预防|防止|避免|疫苗|\b(?:afraid|worried|worry|worrying|scared|fear|fearing|concerned|anxious) (?:that|about|of|it|i|this|if|he|she|my|the)|\b(?:prevent|avoid|vaccine|risk of|chances? of|screening for|checked for|test(?:ed)? for|wonder(?:ing)? (?:if|about|whether)|suspect|rule out|look(?:ing)? out for|in case of|hate to|dread|would hate|don't want to)\b/u;
const QUESTION = /什么叫|啥叫|什么是|会不会(?:是|有|得)?|是不是得了|是否(?:是|会|得|患)|能不能是|可能是不是|什么是|怎么预防|要不要紧吗|\b(?:could it be|could this be|might it be|can it be|does it mean|what is (?!wrong)|what are|what causes|symptoms of|signs of|difference between|could i have)\b|(?:^|[,.;?] ?|\b(?:so|or|whether) )(?:is (?:it|this)|do i have|have i got|am i having)\b/u;
const CONDITIONAL = /将来|如果|要是|万一|假如|假设|倘若|\b(?:if|in case|what if|should i (?:ever|get)|suppose|if i ever)\b/u;
const CONDITIONAL_ASK = /怎么办|做什么|咋办|怎么处理|需要|应该|该怎么|要不要|能不能|可以吗|再来|复诊|去医院|就去|come back|return|call|\b(?:what|should|would|could|do i|how|when)\b/u;
const QUOTED = /看到(?:说|有|一|网|新|文|别|朋)|(?<!没)听说|据说|网上|新闻|电影|电视|小说|文章|书上|书里|歌词|朋友圈|群里|科普|视频里|广告|剧里|课上|老师讲|百度|抖音|公众号|梦见|梦到|\b(?:i read|read (?:that|about|an|online|somewhere)|heard (?:that|about|on)|article|movie|film|novel|the news|in the news|story|song|lyrics|website|leaflet|brochure|tv|show|poster|googled?|google says|the internet|online|podcast|documentary|dreamt|dreamed|in my dream|textbook|lecture|quiz|course|essay|homework)\b/u;

/** A question about things in general: it begins like one and speaks of nothing of the speaker's own. */
const GENERAL_EN = /^\s*(?:do|does|can|could|will|would|is|are|should|what|when|which|how)\b/u;
const OWN_STATE_EN = /\b(?:my|i have|i've|i am|i'm|i feel|i keep|i had|i got)\b/u;
const GENERAL_ZH = /什么情况下|多少度|会(?:引起|导致)|哪些症状|有什么区别|怎么区[别分]|什么叫|啥叫|(?:为什么|有什么|有多)危险|有什么后果/u;

/** Words of studying, quoting and making in the same clause, or before a colon: what is named is a subject, not a complaint … */
const STUDIED = /论文|海报|宣传|考试题|考题|培训|课题|作业题|翻译|剧本|学习一下|了解一下|科普|歌里|唱的?(?:是|道)|\b(?:exam|essay|dissertation|revising|translating|poster|leaflet i|quiz|crossword|lyrics|in that song|the song|training course|first aid course|screenplay|my novel|his novel|her novel)\b/u;

/** … unless it befell the speaker meanwhile. */
const MEANWHILE = /的时候|时突然|当时|途中|\b(?:during|while|in the middle of|before|after|at) (?:my|the|an?|this|that)\b/u;

interface Subject {
  readonly at: number;
  readonly who: 'own' | 'relative' | 'stranger';
}

function subjectsOf(sentence: string): Subject[] {
  const all: Subject[] = [];
  const collect = (pattern: RegExp, who: Subject['who']): void => {
    for (const match of sentence.matchAll(pattern)) all.push({ at: match.index, who });
  };
  collect(OWN_ZH, 'own');
  collect(OWN_EN, 'own');
  collect(RELATIVE, 'relative');
  collect(STRANGER, 'stranger');
  return all.sort((a, b) => a.at - b.at);
}

/** Reads who, when and how a place of a text is meant. Built once per text. */
export class TextContext {
  readonly #sentences: { start: number; end: number; text: string; subjects: Subject[] }[] = [];
  /** No complaint of the speaker's own is in the text: a relative named in it is the patient. */
  readonly #speaksForOther: boolean;

  /**
   * @param text normalised
   * @param complaints where findings are spoken of, ascending; worry about another person is none
   */
  constructor(text: string, complaints: readonly number[]) {
    for (const match of text.matchAll(/[^.!?;。\n]+(?:\.(?=\d)[^.!?;。\n]+)*[.!?;。\n]?/gu)) {
      this.#sentences.push({ start: match.index, end: match.index + match[0].length, text: match[0], subjects: subjectsOf(match[0]) });
    }
    const owners = complaints.map((at) => {
      const sentence = this.#sentences.find((one) => at >= one.start && at < one.end);
      return sentence?.subjects.findLast((subject) => subject.at + sentence.start < at)?.who;
    });
    this.#speaksForOther = owners.includes('relative') && !owners.includes('own');
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
    const quote = QUOTED.exec(before);
    if (quote !== null && !this.#ownClauseAfter(sentence.text, quote.index + quote[0].length, from)) return 'quoted';
    // "my hand is numb" after a relative's story: the words themselves say whose they are.
    const who = sentence.subjects.findLast((subject) => subject.at < from || (subject.who === 'own' && subject.at + sentence.start < end));
    if (who?.who === 'stranger') return 'other-person';
    if (who?.who === 'relative' && (!this.#speaksForOther || (HISTORY_OF_OTHER.test(sentence.text) && !HAPPENING.test(sentence.text)))) return 'other-person';
    const pastAt = PAST.exec(before + sentence.text.slice(from, from + (end - start))) ?? (clause === clauseBefore ? null : PAST.exec(clause));
    if (pastAt !== null && !STILL.test(clause) && !STILL.test(sentence.text.slice(pastAt.index, from)) && !NOW.test(sentence.text.slice(pastAt.index + pastAt[0].length, from)) && !NOW.test(clause)) return 'past';
    if (FEAR.test(clauseBefore) || QUESTION.test(clauseBefore)) return 'hypothetical';
    const condition = CONDITIONAL.exec(before);
    if (condition !== null && CONDITIONAL_ASK.test(sentence.text) && !this.#ownClauseAfter(sentence.text, condition.index + condition[0].length, from)) return 'hypothetical';
    return undefined;
  }

  /** A clause of the speaker's own (我…, I …) between a quotation and the words in question. */
  #ownClauseAfter(sentence: string, from: number, to: number): boolean {
    const between = sentence.slice(from, to);
    const boundary = between.search(/[,，]|但|而|\bbut\b|\band (?:now )?i\b/u);
    if (boundary < 0) return false;
    const rest = between.slice(boundary);
    return /我|本人|自己/u.test(rest) || /\b(?:i|my|me)\b/u.test(rest);
  }
}
