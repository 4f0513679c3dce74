import { type LabName, readLabs } from './labs.js';
import { NUMBER_SOURCE, readNumber } from './numbers.js';

/** What was measured or said in numbers; blood tests by their names (`labs.ts`). A field that was not said is absent, never NaN. */
export interface Quantities extends Partial<Record<LabName, number>> {
  /** Degrees Celsius, 25 to 45. */
  temperatureC?: number;
  /** How long the complaint has lasted, days; hours and minutes are fractions. A range counts as its mean. */
  durationDays?: number;
  /** mmHg. */
  systolic?: number;
  diastolic?: number;
  /** Beats per minute. */
  pulse?: number;
  /** Breaths per minute. */
  respiration?: number;
  /** Oxygen saturation, percent. */
  oxygen?: number;
  /** Blood sugar, mmol/L. */
  glucose?: number;
  /** Pain, 0 to 10. */
  severity?: number;
  weeksPregnant?: number;
  /** Tablets taken at once. */
  tablets?: number;
  /** Years; months and weeks are fractions. */
  ageYears?: number;
  sex?: 'female' | 'male';
  /** Values that were named but cannot be right as written, such as a temperature of 385: to be asked. */
  unclear?: readonly 'temperature'[];
}

const N = NUMBER_SOURCE;
const first = (text: string, pattern: RegExp): RegExpExecArray | null => pattern.exec(text);
const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** Reads quantities from normalised text. */
export function readQuantities(text: string): Quantities {
  const found: Quantities = readLabs(text);
  readTemperature(text, found);
  readVitals(text, found);
  const age = readAge(text);
  if (age !== undefined) found.ageYears = age;
  const sex = readSex(text);
  if (sex !== undefined) found.sex = sex;
  const weeks = readPregnancy(text);
  if (weeks !== undefined) found.weeksPregnant = weeks;
  const tablets = readTablets(text);
  if (tablets !== undefined) found.tablets = tablets;
  const duration = durationBeside(text, weeks);
  if (duration !== undefined) found.durationDays = duration;
  return found;
}

/** How long a complaint has lasted, days; from normalised text. */
export function readDurationDays(text: string): number | undefined {
  return durationBeside(text, readPregnancy(text));
}

/** "36 weeks" of a pregnancy is no duration of a complaint. */
function durationBeside(text: string, weeksPregnant: number | undefined): number | undefined {
  const duration = readDuration(text);
  return duration !== undefined && weeksPregnant !== undefined && Math.abs(duration - weeksPregnant * 7) <= 3 ? undefined : duration;
}

const FEVER_WORDS = '(?:体温|发烧|烧到|高烧|低烧|发热|高热|低热|烧了?|腋温|耳温|额温|肛温|温度|热度|t(?:emp(?:erature)?)?|fevers?|feverr)';

const NAMED_TEMPERATURE = new RegExp(`(?:^|[^a-z])${FEVER_WORDS}(?:\\s*(?:最高|高达|大概|大约|约|有|是|为|达到|到|华氏|in the|is|was|of|at|up to|around|about|hit|reached|reads?|reading|showed|shows|:|=|,|量了?))*\\s*(\\d{1,3}(?:[.,]\\d{1,2})?)(?![\\d/]|\\s*(?:天|周|个|次|小时|days?|weeks?|hours?|months?))`, 'u');

/** What a joint is raised or bent by: 直腿抬高右40度. */
const ANGLE = /(?:抬高|抬到|屈曲|伸直|外展|内收|旋转|背伸|前屈|后伸|弯曲)[^,;。]{0,8}?\d{1,3}\s*(?:°|度)/gu;

function readTemperature(text: string, found: Quantities): void {
  const candidates: { value: number; unit: string }[] = [];
  const zh = first(text.replaceAll(ANGLE, ' '), /([零一二三四五六七八九十百]{2,4}|\d{2,3}(?:[.,]\d)?)\s*(?:°c?|度|摄氏度)\s*(半|[一二三四五六七八九]|\d)?(?!\s*(?:f|近视|角|烧伤))/u);
  if (zh !== null) {
    const whole = readNumber(zh[1] ?? '');
    const tail = zh[2] === undefined ? 0 : zh[2] === '半' ? 0.5 : readNumber(zh[2]) / 10;
    // Where 度 stands alone it is a temperature only in the range of bodies: 腿抬到90度 is an angle.
    candidates.push({ value: whole + tail, unit: 'c' });
  }
  const marked = first(text, /(\d{2,3}(?:[.,]\d+)?)\s*(?:°\s*|degrees?\s*|deg\s*)?(celsius|centigrade|fahrenheit|[cf])(?![a-z])/u);
  if (marked !== null) candidates.unshift({ value: readNumber(marked[1] ?? ''), unit: (marked[2] ?? '').startsWith('f') ? 'f' : 'c' });
  const degrees = first(text, /(\d{2,3}(?:[.,]\d+)?|(?:thirty|forty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)\s*(?:degrees?|deg|°)(?!\s*[cf]\b)/u);
  if (degrees !== null) candidates.push({ value: readNumber(degrees[1] ?? ''), unit: '' });
  const named = first(text, NAMED_TEMPERATURE);
  if (named !== null) candidates.push({ value: readNumber(named[1] ?? ''), unit: '' });
  // 晚上38.6, its 38.6: a number of that form, with no unit of anything else, is a temperature.
  const bare = candidates.length > 0 ? null : first(text, /(?<![\d.,/-])(3[5-9]|4[0-2])\.(\d)(?![\d./-])(?!\s*(?:公斤|斤|千克|kg|cm|厘米|毫米|元|块|万|岁|%|周|码|公里|千米|米|倍|分|m|g|l|u|μ|in\b|inch|lb|stone|years?|weeks?|x\b))/u);
  if (bare !== null) candidates.push({ value: Number(`${bare[1] ?? ''}.${bare[2] ?? ''}`), unit: 'c' });
  for (const { value, unit } of candidates) {
    if (value >= 25 && value <= 45 && unit !== 'f') return void (found.temperatureC = round(value));
    if (value >= (unit === 'f' ? 85 : 93) && value <= 113 && unit !== 'c') return void (found.temperatureC = round(((value - 32) * 5) / 9));
  }
  const value = named === null ? Number.NaN : readNumber(named[1] ?? '');
  if ((value >= 340 && value <= 430) || (value >= 3.4 && value <= 4.3) || (value > 45 && value < 85)) found.unclear = ['temperature'];
}

function readVitals(text: string, found: Quantities): void {
  const pressure = first(text, /(?:血压|高压|\bbp\b|blood pressure|mmhg)?[^\d]{0,12}?(\d{2,3})\s*(?:\/|over)\s*(\d{2,3})(?!\s*[/\d])/u);
  if (pressure !== null) {
    const systolic = Number(pressure[1]);
    const diastolic = Number(pressure[2]);
    if (systolic >= 60 && systolic <= 280 && diastolic >= 30 && diastolic <= 180 && systolic > diastolic) Object.assign(found, { systolic, diastolic });
  }
  const high = first(text, /(?<!肺动脉|右心室|右室|pulmonary (?:artery )?)(?:高压|收缩压|systolic)\D{0,6}(\d{2,3})/u);
  const low = first(text, /(?:低压|舒张压|diastolic)\D{0,6}(\d{2,3})/u);
  if (high !== null) found.systolic = Number(high[1]);
  if (low !== null) found.diastolic = Number(low[1]);
  const single: [RegExp, 'pulse' | 'respiration' | 'oxygen' | 'severity', number, number][] = [
    [/(?:(?<!胎儿?)心率|脉搏|(?<!胎儿?)心跳|[数摸号]脉|脉(?=一分钟|每分钟)|pulse|heart rate|\bhr\b|\bp(?=\s*\d{2,3}\s*次))[^\d.,;]{0,14}?(\d{2,3}|[一二三四五六七八九]百[一二三四五六七八九]?十?[一二三四五六七八九]?|[三四五六七八九]十[一二三四五六七八九]?)/u, 'pulse', 20, 260],
    // What a watch says of a heart that is spoken of.
    [/(?:\bheart\b|心)[^;。]{0,60}?(?:watch|fitbit|tracker|手表|手环)(?: (?:says?|shows?|reads?|is at|gives))?[^\d.,;。]{0,6}?(\d{2,3})(?!\d|[:%])/u, 'pulse', 20, 260],
    [/(?:呼吸(?:频率)?|respirat\w*(?: rate)?|breathing rate|\brr\b|\br(?=\s*\d{2}\s*次))[^\d.,;]{0,8}?(\d{1,2}|[二三四五六七八九]?十[一二三四五六七八九]?)(?=\s*(?:次|\/|breaths|per)|\b)/u, 'respiration', 4, 90],
    [/(?:每|一)分钟(?:大概|大约|约|差不多)?(?:呼吸|喘气?|出气)(?:了|有|大概|大约|约|要)*\s*(\d{1,2}|[二三四五六七八九]?十[一二三四五六七八九]?)\s*(?:次|下|口)/u, 'respiration', 4, 90],
    [/(?<!(?:psg|ahi|睡眠|呼吸暂停|打呼|打鼾|鼾)[^]{0,60}最低\s?)(?:血氧(?:饱和度)?|氧饱和度?|指脉氧|pulse ox\w*(?: meter)?|spo2|sao2|o2 sat\w*|oxygen(?: saturation| level)?|\bsats?)[^\d.,;]{0,14}?(\d{2,3}|[五六七八九]十[一二三四五六七八九]?)\s*%?/u, 'oxygen', 40, 100],
    [/(\d{1,2})\s*(?:\/\s*10\b|out of (?:10|ten)\b)/u, 'severity', 0, 10],
    [/(?:pain score|scale of[^.;]{0,24}?\b(?:is|at|as|say|give it)\b)\D{0,8}(\d{1,2})\b/u, 'severity', 0, 10],
    [/(?:满分|总分)\s*(?:10|十)\s*分[^,。;]{0,10}?([\d一二三四五六七八九十]{1,2})\s*分/u, 'severity', 0, 10],
    [/\b(one|two|three|four|five|six|seven|eight|nine|ten) (?:out of|over) (?:10|ten)\b/u, 'severity', 0, 10],
    [/(?:疼痛?|痛)(?:程度)?(?:评分)?(?:有|大概|约)?\s*(\d{1,2})\s*(?:级|分)/u, 'severity', 0, 10],
  ];
  for (const [pattern, field, from, to] of single) {
    const value = readNumber(first(text, pattern)?.[1] ?? '');
    if (value >= from && value <= to && found[field] === undefined) found[field] = value;
  }
  const sugar = first(text, /(?:血糖|\b(?:blood |my |his |her |fasting |random )sugars?|\bsugars?(?= (?:is|was|are|reads?|reading|level|of|at|up to)\b)|glucose|\bbg\b)[^\d;]{0,14}?(\d{1,3}(?:[.,]\d+)?)\s*(mg)?/u);
  if (sugar !== null) {
    const value = readNumber(sugar[1] ?? '');
    const milligrams = sugar[2] !== undefined || value > 40;
    found.glucose = round(milligrams ? value / 18 : value);
  }
}

const UNIT_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^(?:分钟|分|minutes?|mins?)/u, 1 / 1440],
  [/^(?:小时|钟头|点钟|hours?|hrs?|h\b)/u, 1 / 24],
  [/^(?:天|日|晚上?|宿|days?|nights?|d\b)/u, 1],
  [/^(?:周|星期|礼拜|weeks?|wks?)/u, 7],
  [/^(?:月|months?|mos?\b)/u, 30],
  [/^(?:年|years?|yrs?|y\b)/u, 365],
];
const UNIT_SOURCE =
  '(?:分钟|小时|钟头|天|日|晚上?|宿|周|星期|礼拜|月|年|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|wks?|months?|years?|yrs?)(?![a-z])';

const SINCE: readonly (readonly [RegExp, number])[] = [
  [/大前天/u, 3],
  [/前天|前晚|the day before yesterday/u, 2],
  [/昨天|昨晚|昨夜|昨儿|since yesterday|yesterday|last night/u, 1],
  [/今天|今早|今晨|今儿|早上起来|刚才|刚刚|this morning|today|just now|tonight/u, 0.5],
  [/上周|上星期|上礼拜|last week/u, 7],
  [/上个?月|last month/u, 30],
  [/去年|last year/u, 365],
  [/好几天|several days/u, 5],
  [/(?:这|有)?几天|a few days|few days|couple of days|past few days/u, 3],
  [/几个?(?:小时|钟头)|a few hours|few hours/u, 4 / 24],
  [/几(?:周|个?星期|个?礼拜)|a few weeks|few weeks/u, 21],
  [/几个月|a few months|few months/u, 90],
  [/几年|好多年|多年|a few years|for years|many years/u, 1095],
];

/** Having been tested, and tests. */
const TESTED_ZH = '做|拍|查|体检|化验|复查|照';
const TEST_EN = String.raw`\b(?:mri|ct|scan|x-?ray|ultrasound|bloods|blood tests?|tests?|check(?:-?up)?|colonoscopy|endoscopy|e[ck]g)\b`;
/** Once in several days, what every morning brings: 大便好几天一次, 早上起来最明显. */
const HOW_OFTEN = /(?:好?几天|好几个?小时)(?:才)?(?:一|解|拉)(?:次|回|趟)|早上起来(?=[^,;。]{0,8}(?:最|更|明显|重|就|会|都|总|老|手|口|嘴|干))/gu;
/** When a test was made: 去年体检, had a scan last month; before "3 days ago" a test that it belongs to. */
const WHEN_TESTED = new RegExp(String.raw`(?:去年|上个?月|上周|上星期|前天|昨天|今天)[^,;。]{0,4}(?:${TESTED_ZH})|last (?:year|month|week)[^.;,]{0,24}${TEST_EN}|${TEST_EN}[^.;,]{0,24}(?:last (?:year|month|week)|yesterday)`, 'gu');
const TESTED_BEFORE = new RegExp(String.raw`${TEST_EN}[^.;,]*$`, 'u');
/** Not a complaint's duration: an age, a pregnancy, a missed period, how often something happens, the future. */
const NOT_DURATION = /(?:每|隔|干|晒|忙|周期|\/|孕|怀孕|停经|月经|晚了|迟了|推迟了?|周岁|满|第|(?:宝宝|宝贝|婴儿|毛毛|\bbaby|\bbub)(?:才|刚|is)?)\s*$|(?:every|once|per|each|aged?)\s*(?:\w+\s)?$/u;
const NOT_DURATION_AFTER = new RegExp(String.raw`^\s*(?:大|龄|后|以后|之后|[- ]old|of age|pregnant|gestation|later|late\b|[一二两三四五六七八九十几好多来\d\s]+(?:次|回|趟|片|杯|瓶|包|顿)|(?:能|要|得)?(?:喝|吃|抽|拉|尿|吐|跑|换|上)(?:[一二两三四五六七八九十几好多来\d\s]|厕所)|from now|前[^,;。]{0,6}(?:${TESTED_ZH}))|^\s*(?:s)?\s*old`, 'u');

/** How long an old illness or a habit has lasted says nothing of the complaint: 高血压20年，胸痛半小时. */
const OF_OLD_ILLNESS = /(?:高血压|血压高|糖尿病|血糖高|冠心病|心脏病|哮喘|房颤|慢阻肺|肺气肿|肾病|尿毒症|透析|肝炎|乙肝|肝硬化|甲亢|甲减|痛风|癌|瘤|癫痫|羊癫疯|羊角风|帕金森|狼疮|类风湿|抑郁症|精神分裂症?|[烟酒]|史)(?:[有都快了,、的]|已经?|差不多|大概|将近)*\s*$|\b(?:diabet\w*|high blood pressure|hypertensi\w*|asthma\w*|copd|emphysema|epilep\w*|heart (?:failure|disease)|kidney (?:disease|failure)|dialysis|smok\w*|drinker|drinking|lupus|arthritis|af|atrial fibrillation|cancer|hepatitis|cirrhosis|parkinson'?s|schizophreni\w*|bipolar)(?: for)?(?: (?:about|over|nearly|almost|the last|the past|some))*\s*$/u;

const DURATION = new RegExp(`(${N})(?:\\s*(?:-|~|到|至|to|or)\\s*(${N}))?\\s*(?:个)?(多|来|几)?\\s*(?:个|-)?\\s*(半| and a half)?\\s*(?:or so |or more |whole |full |of |a )?(${UNIT_SOURCE})(半|多| and a half)?`, 'gu');

/** How long the complaint has lasted, days; the longest that is said. */
function readDuration(text: string): number | undefined {
  let longest: number | undefined;
  const keep = (days: number): void => {
    if (Number.isFinite(days) && days > 0 && days < 36_500) longest = Math.max(longest ?? 0, days);
  };
  for (const shorthand of text.matchAll(/(?:\bx|×)\s*(\d+)\s*(?:\/)?([dwmh])(?![a-z])|(\d+)\/(7|52|12)\b/gu)) {
    const days = { d: 1, w: 7, m: 30, h: 1 / 24, 7: 1, 52: 7, 12: 30 }[shorthand[2] ?? shorthand[4] ?? ''] ?? Number.NaN;
    keep(Number(shorthand[1] ?? shorthand[3]) * days);
  }
  if (/\bfortnight\b/u.test(text)) keep(14);
  for (const match of text.matchAll(DURATION)) {
    const before = text.slice(Math.max(0, match.index - 12), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 14);
    if (NOT_DURATION.test(before) || NOT_DURATION_AFTER.test(after) || OF_OLD_ILLNESS.test(text.slice(Math.max(0, match.index - 48), match.index))) continue;
    const from = readNumber(match[1] ?? '');
    const to = match[2] === undefined ? from : readNumber(match[2]);
    let count = (from + to) / 2;
    if (match[4] !== undefined || match[6] === '半' || match[6] === ' and a half') count += from === 0.5 ? 0 : 0.5;
    const unit = match[5] ?? '';
    // A few minutes are how long a spell lasts (意识不清一两分钟), unless they are counted from its beginning.
    if (/^(?:分|min)/u.test(unit) && count < 10 && !/^\s*(?:了|前|以来|ago\b)/u.test(after) && !/(?:last|past|近|已经?|有)\s*$/u.test(before)) continue;
    if (unit === '日' && /月\s*$/u.test(before)) continue;
    // When a test was made: I had a chest x-ray 3 days ago.
    if (/^\s*ago\b/u.test(after) && TESTED_BEFORE.test(text.slice(Math.max(0, match.index - 40), match.index))) continue;
    if (unit === '月' && !/个/u.test(match[0]) && (/[年去今]\s*$/u.test(before) || !/^\s*(?:[,.;。]|$|伴|加重|余)/u.test(after))) continue;
    keep(count * (UNIT_DAYS.find(([form]) => form.test(unit))?.[1] ?? Number.NaN));
  }
  if (longest === undefined) {
    const sinceText = text.replaceAll(HOW_OFTEN, ' ').replaceAll(WHEN_TESTED, ' ');
    for (const [form, days] of SINCE) {
      if (form.test(sinceText)) {
        keep(days);
        break;
      }
    }
  }
  return longest === undefined ? undefined : round(longest, 3);
}

const PREGNANCY = new RegExp(`(?:孕|怀孕|妊娠)(?:已经|了|第|有|大概)*\\s*(${N})\\s*(\\+)?\\s*个?(?:多)?\\s*(周|星期|月)|(${N})\\s*\\+?\\s*[- ]?(weeks?|months?)(?:'|s)?\\s*(?:pregnant|gestation)|(?:pregnant|gestation)[^.;]{0,12}?(${N})\\s*(weeks?|months?)|(${N})\\s*个?(周|月)的?身孕|\\bg\\d\\s*p\\d[^.;]{0,16}?(${N})\\s*(weeks?)`, 'u');

/** A number of weeks alone means the pregnancy where one is spoken of. */
const OF_PREGNANCY = /胎动|怀孕|孕妇|宫缩|羊水|水破了?|破水|见红|预产|产检|踢得|踢我|肚子里的宝宝|\b(?:pregnan\w*|bump|trimester|contractions?|waters|baby (?:is|has|hasn't|isn't|moving|kick\w*)|midwife|kicks?|kicking|(?:am|i'm|im|i am) \d{1,2} ?(?:wks?|weeks)(?! (?:into|late|out|in\b|post|sober|clean|old))|in my (?:tummy|belly|bump)|(?:weeks?|wks?) gone|(?:s?he|it|bub|little one) (?:has not|hasn't|hasnt|has|is not|isn't|isnt|not)(?: \w+){0,2} (?:mov\w*|kick\w*))\b/u;
const BARE_WEEKS = new RegExp(`(?<!(?:for|last|past|about|了)\\s*)(${N})\\s*(?:周|weeks?\\b|wks?\\b)(?!\\s*(?:ago|前|old|大|of))`, 'u');

function readPregnancy(text: string): number | undefined {
  const weeks = first(text, PREGNANCY);
  if (weeks === null) {
    const bare = OF_PREGNANCY.test(text) ? first(text, BARE_WEEKS) : null;
    const count = bare === null ? Number.NaN : readNumber(bare[1] ?? '');
    return count >= 4 && count <= 43 ? count : undefined;
  }
  const count = readNumber(weeks[1] ?? weeks[4] ?? weeks[6] ?? weeks[8] ?? weeks[10] ?? '');
  const unit = weeks[3] ?? weeks[5] ?? weeks[7] ?? weeks[9] ?? weeks[11] ?? '';
  const value = /月|month/u.test(unit) ? count * 4.345 : count;
  return value > 0 && value <= 45 ? round(value) : undefined;
}

const TAKEN_ZH = new RegExp(`(?:吃|吞|服|喝|咽|嗑)(?:下|掉|进)?(?:去)?了?(?:大概|大约|约|差不多|有|整整|快)*\\s*(${N})\\s*(?:多|来|几)?\\s*(片|粒|颗)(?!.{0,2}(?:瓜|面包|饼|姜|火腿|肉|橙|柠檬|苹果|叶|糖(?!尿)|枣|豆|花生|葡萄|草莓|樱桃|瓜子|巧克力|荔枝|龙眼|饺|丸子|米|牙|维生素|钙))`, 'u');
const MEDICINE_ZH = /药|片|胶囊|安定|西泮|唑仑|洛芬|扑热息痛|对乙酰|阿司匹林|褪黑素|地高辛|二甲双胍|避孕/u;
const TAKEN_EN = new RegExp(`\\b(?:took|taken|taking|swallowed|popped|downed|necked|had|ate|eaten)\\s+(?:(?:about|around|like|maybe|some|nearly|almost|over|up|to|all|his|her|my|their|of|another)\\s+){0,3}(${N})\\s*(?:ish|odd|\\+)?\\s*(?:or so |of )?(?:(?!mg|mcg|ml|g\\b|iu)[a-z']+\\s){0,2}?(?:paracetamol|tablets?|tabs|pills?|tylenol|panadol|acetaminophen|ibuprofen|aspirin|capsules?|caps|co-?codamol|codeine|tramadol|antidepressants?|sertraline|citalopram|benadryl|nurofen|advil|xanax|valium|diazepam|zopiclone|amitriptyline|propranolol|metformin|crocin|dolo|disprin)\\b`, 'u');
/** Counted over days, not at once. */
const COURSE_ZH = /每天|每日|一天|一日|天天|每次|疗程|总共|一共|这些天|几天|天了|周了|个月/u;
const COURSE_EN = /\b(?:a day|daily|per day|each day|every|over the|so far|altogether|in total|course|this week|since last)\b/u;

function readTablets(text: string): number | undefined {
  const zh = first(text, TAKEN_ZH);
  if (zh !== null) {
    const before = text.slice(Math.max(0, zh.index - 14), zh.index);
    const after = text.slice(zh.index + zh[0].length, zh.index + zh[0].length + 10);
    if ((zh[2] === '片' || MEDICINE_ZH.test(before + after)) && !COURSE_ZH.test(before + zh[0] + after)) return readNumber(zh[1] ?? '');
  }
  const en = first(text, TAKEN_EN);
  if (en !== null && !COURSE_EN.test(text.slice(en.index, en.index + en[0].length + 24))) return readNumber(en[1] ?? '');
  return undefined;
}

const AGE_OF_BABY = new RegExp(`(?:(?:宝宝|宝贝|婴儿|毛毛|\\bbaby|\\bbub)\\s*(?:才|刚|刚满|is|only|just)?\\s*(${N})\\s*个?(月|天|周|days?|weeks?|months?)|(?:孩子|娃娃?|女儿|儿子|闺女|小孩|\\bdaughter|\\bson)\\s*(?:才|刚|刚满|is|only|just)?\\s*(${N})\\s*个?(月|months?))(?=\\s*(?:[,，。.!！?？;；]|$))`, 'u');
const AGE_MONTHS = new RegExp(`(${N})\\s*(?:个(半)?|-)?\\s*(月|months?|mo|周|weeks?|wk|天|days?)\\s*(?:-\\s*)?(?:大(?!概|约)|龄|的?(?:宝|婴儿|孩子|娃|毛毛|小家伙|女儿|儿子|闺女|丫头)|old)`, 'u');
const AGE_YEARS = new RegExp(`(${N})\\s*(?:多)?\\s*(?:周岁|岁)(半)?|(${N})\\s*[- ]?(?:years?|yrs?|y)\\s*[-/ ]?\\s*(?:old|o\\b)|(?:\\baged?|i am|i'm)\\s*(\\d{1,3})(?=\\s*(?:[,.;)]|$|and|years|yo\\b|female|male|f\\b|m\\b|with))|\\b(\\d{1,3})\\s*(?:yo|y\\/o|yr old|f\\b(?=,)|m\\b(?=,))`, 'u');

/** @param unit months, weeks or days, in either language */
function inYears(count: number, unit: string): number {
  return round(count / (/^(?:月|mo)/u.test(unit) ? 12 : /^(?:周|w)/u.test(unit) ? 52 : 365), 3);
}

function readAge(text: string): number | undefined {
  if (/新生儿|刚出生|newborn|neonate/u.test(text)) return 0.04;
  const months = first(text, AGE_MONTHS);
  if (months !== null) {
    return inYears(readNumber(months[1] ?? '') + (months[2] === undefined ? 0 : 0.5), months[3] ?? '');
  }
  const baby = first(text, AGE_OF_BABY);
  if (baby !== null) return inYears(readNumber(baby[1] ?? baby[3] ?? ''), baby[2] ?? baby[4] ?? '');
  const years = first(text, AGE_YEARS);
  if (years === null) return undefined;
  const value = readNumber(years[1] ?? years[3] ?? years[4] ?? years[5] ?? '') + (years[2] === undefined ? 0 : 0.5);
  return value >= 0 && value <= 130 ? value : undefined;
}

function readSex(text: string): 'female' | 'male' | undefined {
  const female = /(?:^|[,;。、\s岁])女(?:性|$|[,;。、\s])|女[,，]|性别:?女|\b(?:female|woman|girl|lady|pregnant|y\/o f|yo f)\b|我是女/u.test(text);
  const male = /(?:^|[,;。、\s岁])男(?:性|$|[,;。、\s])|男[,，]|性别:?男|\b(?:male|man|boy|gentleman|y\/o m|yo m)\b|我是男/u.test(text);
  if (female === male) return undefined;
  return female ? 'female' : 'male';
}
