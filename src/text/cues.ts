import { normalizeText } from './normalize.js';
import { toUnits, type Unit } from './units.js';

/**
 * Words that turn what follows (or precedes) into absent, unknown or resolved. Data only; `polarity.ts` says how far each
 * reaches. Chinese and English stand together since text may mix them.
 */

/** Negate what follows up to the end of the clause or list. */
const NEGATION_LIST = [
  '没有', '没', '无', '未见', '未', '未出现', '未有', '否认', '并无', '并没有', '没怎么', '从未', '从来没有', '毫无', '不伴', '不伴有', '无明显',
  '从来不', '莫得', '冇得', '没得', '哪有', '哪里有', '没出现', '没觉得', '没感觉', '没感到', '没发现', '不存在', '不是', '木有', '冇', '非', '从不', '也没', '都没', '排除', '可除外', '已除外', '不支持', '不考虑', '未提示', '不提示', '不觉得', '不感到', '不会', '不再', '不用查', '不需要查', '不用再查', '没必要查',
  'no', 'not', 'neg', '- ve for', 'denies', 'denied', 'deny', 'without', 'never', 'neither', 'nor', 'none of', 'free of', 'free from', 'negative for', 'absence of',
  'not think i have', 'not think i ve', 'not think i ve got', 'not think there is', 'not think there s', 'not think it is', 'not believe i have', 'not think he has', 'not think she has', 'cleared of', 'excluded', 'doubts it is', 'doubt it is', 'lack of', 'no sign of', 'no signs of', 'no evidence of', 'no longer', 'no more', 'hardly any', 'not any', 'nothing like', 'ruled out', 'not been', 'isn t', 'zero', 'nil', 'cessation of', 'gone are the', 'far from', 'at no point', 'at no point did i feel', 'at no point did i have', 'can not say i have', 'can not say i ve',
];
/** Negates only what follows at once, or what it stands inside of (头不疼). */
const NEGATION_NEAR = ['勿', '唔', '不', '不太', '不怎么', '不大', '不算', '别'];
/** After a finding that is denied: it is only less (it does not hurt so much). */
const LESS = ['so much', 'as much', 'that much', 'too much', 'so badly', 'as badly', 'that badly', 'so bad', 'as bad', 'that bad', 'quite so', 'quite as', 'nearly as', 'like it did'];
/** A negation word that belongs to another meaning: what follows is not denied. */
const NOT_NEGATION = [
  '特别', '别的', '分别', '区别', '性别', '别人', '告别', '差别', '个别', '动不动', '没有一天不', '没有哪天不', '没一天不', '无时无刻不', '不是一天两天', '没有好转', '没好转', '没有缓解', '没缓解', '没有改善', '没改善', '没有减轻', '没减轻', '没有效果', '没效果', '没有用', '没用', '没办法', '没有办法', '没有停', '没停',
  '没有退', '没退', '没有消', '没消', '没有好', '没好', '没有变', '没见好', '没断', '没有间断', '没睡', '没法', '没有诱因', '无明显诱因', '无诱因', '无缘无故', '没有原因', '没事',
  '没有任何诱因', '不明原因', '原因不明', '不能', '不停', '不断', '不住', '不止', '不清', '不舒服', '不好', '不行', '不了', '不得', '不知道怎么', '不知怎么', '不知道为什么', '不知为何', '不知道为啥',
  '不但', '不仅', '不光', '不只', '不过', '不管', '不论', '不敢', '不小心', '不时', '不见好', '不缓解', '不退', '不消', '不减', '不对劲', '不适', '不同', '不久', '不愈', '不规则', '不规律', '不能忍', '不省人事',
  '不是很好', '非常', '非说', '非得', '非让', '非要', '除非', '无论', '无力', '无法', '不如', '无名指', '无故', '无端', '无意中', '无意间', '未愈', '未缓解', '未好转', '未婚', '未育', '不用', '不一样', '不由', '受不了', '忍不住', '止不住', '差不多', '要不', '是不是', '会不会', '能不能', '有没有', '不只是', '不一会', '没多久', '没几天', '没多长时间', '没一会', '不到', '没这么', '都没这么', '也没这么', '没有这么', '没有过这么', '没那么', '没有那么', '不那么', '没这样', '没那样', '没以前那么', '没有以前那么', '没之前那么', '没有之前那么', '没昨天那么', '没有昨天那么', '没刚才那么', '没有刚才那么', '没开始那么', '没有开始那么', '没原来那么', '没有原来那么', '从来没这么', '从来没有这么', '从来没有过这么', '从没这么', '没想到', '没料到', '没成想', '想不到', '不慎', '不幸', '不洁', '不当', '哪能不', '怎么能不', '怎能不', '还不算', '要是不', '要是没有这', '要不是', '谁说我不', '谁说不', '谁说没', '唔舒服', '唔好', '唔知', '不认识', '睁不开', '张不开', '抬不起', '走不动', '起不来', '站不起', '爬不起', '弯不下', '蹲不下', '睡不着', '看不清', '看不见', '听不见', '听不清', '说不出', '喘不上', '喘不过', '吃不下', '咽不下', '喝不下', '尿不出', '拉不出', '拿不住', '憋不住', '使不上',
  '没有跟', '没跟', '没告诉', '没有告诉', '没敢', '没和', '没让', '没有让', '没对', '没向', '没有和', '没在意', '没有在意', '没当回事', '没重视', '没有重视', '没去看', '没去医院', '没及时', '没有及时', '没处理', '没管', '没人发现', '没有人发现', '没人注意', '没有人注意', '没人看见', '没人知道', '没跟任何人', '从没跟', '从没和', '没提过', '没说过', '没说完', '差点没', '差点儿没', '险些没', '差一点没', '没走两步', '没走几步', '没走多远', '没几分钟', '没几天', '没几步', '没一会', '没过多久', '没多久', '没等', '没来得及', '没任何预兆', '没有任何预兆', '没有预兆', '没预兆', '没有征兆',
  'not told', 'not tell', 'never told', 'never tell', 'not mention', 'not mentioned', 'never mentioned', 'not think the', 'not think it was serious', 'never thought this', 'never thought the', 'not take the', 'not been to', 'not seen a doctor', 'not seen anyone', 'not see a doctor', 'not call', 'not called', 'not paying attention', 'not pay attention', 'no one noticed', 'nobody noticed', 'no one saw', 'not long after', 'not finish', 'not believe', 'no idea what happened',
  '没察觉', '没觉察', '没发觉', '没意识到', '不知不觉', '浑然不觉',
  'not notice i', 'not notice that', 'not notice he', 'not notice she', 'not even notice', 'not realise', 'not realize', 'not even realise', 'not even realize', 'not know i', 'without noticing', 'without realising', 'without realizing', 'without knowing', 'someone not there', 'somebody not there', 'people not there', 'person not there',
  '不能排除', '不能除外', '不排除', '不除外', '未能排除', '无法排除', '没能排除', '没有排除', '没排除', '未排除', '未除外', '待排除', '需排除', '要排除', 'not ruled out', 'not rule out', 'not been ruled out', 'not exclude', 'not excluded', 'not been excluded', 'cannot rule out', 'can not rule out', 'could not rule out', 'cannot be ruled out', 'cannot be excluded', 'cannot exclude', 'can not exclude', 'to rule out', 'r/o', 'says rule out', 'please rule out', 'needs rule out',
  'non stop', 'no sooner', 'no i', 'never used to', 'not used to', 'is not it', 'isn t it', 'isnt it', 'is not that', 'not that my', 'not get me wrong', 'had i not', 'had she not', 'had he not', 'if i had not', 'if i do not', 'not remember', 'when i last did not', 'last time i did not', 'not go to', 'not ignore', 'said i am not', 'said i m not', 'said im not', 'says i am not', 'says im not', 'not able to', 'not got rid of', 'not get rid of', 'not got over', 'not shaken off', 'does not deny', 'not deny', 'no known trigger', 'no obvious trigger', 'no clear trigger', 'no trigger', 'no known cause', 'no clear cause', 'no obvious cause', 'no explanation',
  'not so', 'not as', 'not quite as', 'not quite so', 'not nearly as', 'not nearly so', 'not that bad', 'not too bad',
  'not only', 'not just', 'no relief', 'no better', 'not better', 'not getting better', 'no improvement', 'not improving', 'not improved', 'not going away', 'not stopping', 'not stop', 'will not stop', 'will not go away',
  'would not stop', 'not helping', 'not help', 'no help', 'no idea why', 'do not know why', 'not know why', 'no reason', 'no apparent reason', 'no obvious reason', 'no warning', 'no change', 'not changed', 'not gone', 'not sure why', 'no matter',
  'not quit', 'not shift', 'not budge', 'not settle', 'not ease', 'not clear', 'not let', 'not improve', 'not seem to stop', 'not subside', 'not respond', 'without trying', 'without any effort', 'without warning',
  'without reason', 'without any reason', 'without meaning to', 'without dieting', 'without doing anything', 'is not a day without', 'not a day without', 'not a day goes by without', 'no day without', 'not eased', 'not ease', 'not relieved', 'not settling', 'not subsided', 'no trauma', 'no doubt', 'not responding', 'not respond', 'can not stop', 'not touching', 'not working', 'not to mention', 'not let up', 'not going down', 'not come down',
];
/** Two negations, or a negation of one: neither yes nor no. */
const DOUBLE_NEGATION = ['不是没有', '不是没', '没有不', '并非没有', '不能说没有', '并不是没有', 'not had one day free of', 'not had a day free of', 'not had a day without', 'not had one day without', 'not had a single day without', 'not without', 'not that i do not', 'cannot say i do not', 'not no', 'denies no'];
/** What follows is not known to the speaker. */
const UNKNOWN = [
  '不知道有没有', '不知道是不是', '不知道是否', '不确定有没有', '不确定是不是', '不确定', '不清楚有没有', '不清楚是不是', '不清楚', '说不准', '没注意', '没量', '没测', '不知道算不算', '有没有', '是不是', '不知道',
  'not sure if', 'not sure whether', 'not sure', 'do not know if', 'do not know whether', 'unsure if', 'unsure whether', 'unsure', 'cannot tell if', 'cannot tell whether', 'no idea if', 'not certain',
];
/** Ends the reach of a negation and begins a new clause. */
const CONTRAST = [
  '但是', '但', '不过', '可是', '只是', '就是', '而是', '却', '反而', '然而', '倒是', '只有', '仅有', '仅', '只', '光', '后来', '之后', '现在', '今天', '反倒', '除了', '可就', '主要是', '结果',
  'but', 'however', 'although', 'though', 'except', 'just', 'only', 'instead', 'whereas', 'then', 'now', 'because', 'since', 'when', 'while', 'still', 'yet i', 'so i', 'apart from', 'other than', 'besides',
];
/** An assertion inside a clause that ends a negation's reach. */
const ASSERTION = [
  '有', '出现', '伴有', '伴', '感到', '感觉', '觉得', '还是', '又', '开始', '变成', '总', '老', '一直', '会',
  'and have', 'and has', 'and had', 'and i', 'i have', 'i ve', 'i am', 'i m', 'i feel', 'i got', 'and my', 'and the', 'and it', 'and am', 'and is', 'and feel', 'and feels', 'and there', 'and she', 'and he', 'and his', 'and her', 'and a', 'with', 'plus', 'my', 'and bad', 'and severe',
];
/** After a finding, at the end of its clause: it is absent. */
const AFTER_ABSENT = ['已排除', '已经排除', '被排除', '排除了', '已除外', 'ruled out', 'was ruled out', 'been ruled out', 'has been ruled out', 'excluded', 'was excluded', 'has been excluded', '也没事', '都没事', '也没问题', '都没问题', '没问题', '也正常', '都正常', '莫得', '否认', '没有的事', '没有过', 'nope', 'nah', 'zero', 'not seen', 'not noted', '无', '没有', '没', '否', '阴性', '没出现', '未见', '不明显', '不存在', '(-)', '(无)', '未检出', '未引出', '未查见', '未触及', '未闻及', '未找到', '未及', '(没有)', '(否)', '(no)', '(none)', '(negative)', '(absent)', '(nil)', 'no', 'none', 'negative', 'absent', 'denied', 'denies', 'nil', 'not present', 'n'];
/** After a finding, wherever its clause goes on: it is absent. */
const AFTER_DENIED = ['unlikely', 'is unlikely', 'was unlikely', 'very unlikely', '可以排除', '可以排除了', 'not seen', 'not noted', 'not found', 'not observed', 'absent', 'is denied', 'was denied', 'denied by', '(-)', '- free', 'free since', '- ve', 'not reported', 'no longer present', 'is not one of', 'is not a problem', 'is not an issue', '均未见', '均无', '皆无', '予以否认'];
const AFTER_PRESENT = ['有', '是', '阳性', '(+)', '(有)', '(是)', '(yes)', '+', '明显', 'yes', 'positive', 'present', 'y'];
/** After a finding, in its clause: it was there and has gone. */
const RESOLVED = [
  '好了', '退了', '消失', '没了', '不见了', '停了', '消了', '没有了', '过去了', '已退', '已消', '已经好', '已经退', '痊愈', '好多了', '止住了', '止了', '没再', '不再', '就好了', '恢复了',
  '停止', '完全缓解', '好利索', '好透', '消退', '退干净', '退光', '未再发', '未再发作', '未再出现', '未复发', '没再犯', '没复发',
  'is not there any more', 'is not there anymore', 'are not there any more', 'are not there anymore', 'ceased', 'vanished', 'is history', 'done and dusted', 'is over', 'are over', 'not come back', 'not returned', 'not recurred', 'gone', 'gone away', 'went away', 'has resolved', 'have resolved', 'resolved', 'cleared up', 'has stopped', 'have stopped', 'stopped', 'disappeared', 'better now', 'all better', 'settled', 'passed off', 'subsided', 'over now',
];

/** Words of absence, and then: it is there again. */
const RETURNS = ['又烧', '又起来', '又来了', 'came back', 'come back', 'came straight back', 'came right back', 'returned', 'recurred'];
/** After a finding that had gone, in its sentence or the next: it is there again. */
const RECURS = [...RETURNS, '又', '再次', '再发', '复发', '再犯', '反复', 'back again', 'again', 'restarted', 'started up'];
/** After "never": it is there, and worse than any before. */
const UNHEARD_OF = ['such', 'like this', 'like it', 'like that', 'this bad', 'so bad', 'this severe', 'so severe', 'this strong', 'so strong'];
/** What somebody has "gone" who is no better for it. */
const TURNED = ['grey', 'gray', 'pale', 'blue', 'white', 'yellow', 'red', 'purple', 'limp', 'floppy', 'quiet', 'numb', 'dead', 'cold', 'stiff', 'hard', 'blind', 'deaf', 'into', 'to', 'down', 'up', 'all', 'really', 'very', 'so', 'a', 'clammy', 'sweaty', 'weak', 'black', 'dark', 'worse', 'mad', 'crazy', 'unconscious'];
/** Sums up a list before it is denied or affirmed. */
const SUM = ['这些', '那些', '都', '统统', '通通', '全都', '均', '皆', '一概'];
/** Between a denial and a finding: it is the relief of the finding that is denied (neither of them takes away my back pain). */
const RELIEF = ['takes away', 'take away', 'took away', 'help', 'helps', 'helped', 'relieve', 'relieves', 'relieved', 'ease', 'eases', 'eased', 'touch', 'touches', 'touched', 'shift', 'shifts', 'shifted', 'cure', 'cured', 'fix', 'fixed', 'get rid of', 'got rid of', 'settle', 'settles', 'settled', '压住', '止住', '治好', '缓解', '减轻', '改善', '好转', '控制住'];

/** Between a finding and the word that denies or affirms it at the end of the clause; several may follow one another. */
const AFTER_SKIP = ['试验', '检查', '检测', '为', '呈', '这些', '那些', '这个', '这毛病', '统统', '通通', '全部', '全都', '一概', '均', '皆', '我', '可', '是', '的', '症状', '什么', '之类', '倒是', '倒', '也', '都', '目前', '暂时', '现在', '确实', '真的', '完全', '一直'];
/** Hedges: with a word of not knowing beside them, neither yes nor no. */
const MAYBE = ['可能', '也许', '大概', '好像', '似乎', '或许', 'might', 'maybe', 'possibly', 'perhaps', 'may be', 'may have'];
const UNSURE = ['说不准', '不确定', '不知道', '没量', '没测', '不清楚', '不好说', '没把握', 'not sure', 'not checked', 'not certain', 'not measured', 'not tested', 'unsure', 'do not know', 'cannot tell', 'not taken it'];

/** A cue as unit forms. */
export type Cue = readonly string[];

function compile(words: readonly string[]): ReadonlyMap<string, readonly Cue[]> {
  const byFirst = new Map<string, Cue[]>();
  for (const word of words) {
    const forms = toUnits(normalizeText(word)).map((unit) => unit.form);
    const first = forms[0];
    if (first === undefined) continue;
    const list = byFirst.get(first) ?? [];
    list.push(forms);
    byFirst.set(first, list);
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.length - a.length);
  return byFirst;
}

export const CUES = {
  negationList: compile(NEGATION_LIST),
  negationNear: compile(NEGATION_NEAR),
  notNegation: compile(NOT_NEGATION),
  less: compile(LESS),
  doubleNegation: compile(DOUBLE_NEGATION),
  unknown: compile(UNKNOWN),
  contrast: compile(CONTRAST),
  assertion: compile(ASSERTION),
  afterAbsent: compile(AFTER_ABSENT),
  afterDenied: compile(AFTER_DENIED),
  afterPresent: compile(AFTER_PRESENT),
  resolved: compile(RESOLVED),
  recurs: compile(RECURS),
  returns: compile(RETURNS),
  unheardOf: compile(UNHEARD_OF),
  turned: compile(TURNED),
  relief: compile(RELIEF),
  sum: compile(SUM),
  afterSkip: compile(AFTER_SKIP),
  maybe: compile(MAYBE),
  unsure: compile(UNSURE),
} as const;

export type CueSet = (typeof CUES)[keyof typeof CUES];

/** Length in units of the longest cue of a set that stands at `index` and ends before `limit`; 0: none. */
export function cueAt(units: readonly Unit[], index: number, set: CueSet, limit = Infinity): number {
  for (const cue of set.get(units[index]?.form ?? '') ?? []) {
    if (index + cue.length <= limit && cue.every((form, at) => units[index + at]?.form === form)) return cue.length;
  }
  return 0;
}
