/**
 * Blood test results in numbers, as records and reports give them (WBC 18.2×10^9/L, 血红蛋白 56g/L). The units are those
 * of Chinese reports (SI); what is in others is converted where the unit or the size of the number says so.
 */

/** How a result is written: its names, the values that can be, and other units. */
interface LabTest {
  readonly names: string;
  /** Values that can be, in the unit of the name's comment; others are no result of this test. */
  readonly from: number;
  readonly to: number;
  /** Another unit, with the factor into this one. */
  readonly other?: readonly [unit: RegExp, factor: number];
  /** A number below this is in the other unit, though none is written. */
  readonly otherBelow?: number;
  /** What must follow the number. */
  readonly unit?: RegExp;
  /** What must stand somewhere in the text. */
  readonly beside?: RegExp;
  /** Counted in 10⁹/L; also written in the thousands of a microlitre, 万 and lakh. */
  readonly isCells?: true;
  /** A name that by itself means the other unit. */
  readonly sensitive?: RegExp;
}

const PER_DECILITRE = /^mg\/?dl/u;
const PER_LITRE = /^(?:ng|pg)\/l|^pg\/ml/u;
const PERCENT = /^%/u;
const MILLIMOLES = /^mmol/u;
const MILLIMOLES_OR_NONE = /^(?:mmol|meq|$)/u;

const TESTS = {
  /** 10⁹/L */
  wbc: { names: 'wbc|白细胞(?:计数|总数)?|white (?:blood )?(?:cell )?count', from: 0.05, to: 500, isCells: true },
  /** % of the white cells */
  neutrophils: { names: 'n|neut|中性粒细胞(?:比例|百分[比率]|分类)?|中性|neutrophils', from: 1, to: 99, unit: PERCENT, beside: /wbc|白细胞|血常规|blood count/u },
  /** 10⁹/L */
  neutrophilCount: { names: '中性粒细胞(?:绝对[值数]|计数|数)?|neut#|\\banc|(?:absolute )?neutrophil(?: count|s)', from: 0, to: 100, isCells: true, unit: /^(?!%)/u },
  /** g/L */
  haemoglobin: { names: 'hb|hgb|(?<!糖化)血红蛋白|血色素|ha?emoglobin', from: 15, to: 260, unit: /^(?:g\/|$)/u, other: [/^g\/?dl/u, 10], otherBelow: 22 },
  /** 10⁹/L */
  platelets: { names: 'plt|血小板(?:计数)?|platelets?(?: count)?', from: 1, to: 3000, isCells: true },
  /** mg/L */
  crp: { names: 'crp|hs-crp|c反应蛋白|c reactive protein', from: 0.1, to: 600 },
  /** mm/h */
  esr: { names: 'esr|血沉', from: 1, to: 160 },
  /** ng/mL */
  procalcitonin: { names: 'pct|降钙素原|procalcitonin', from: 0.01, to: 300, unit: /^(?:ng|μg|ug|$)/u },
  /** U/L */
  alt: { names: 'alt|谷丙转氨酶|(?<!草)转氨酶', from: 2, to: 20_000 },
  /** U/L */
  ast: { names: 'ast|谷草转氨酶', from: 2, to: 20_000 },
  /** µmol/L */
  bilirubin: { names: 't-?bil|总胆红素|total bilirubin', from: 1, to: 1000, other: [PER_DECILITRE, 17.1] },
  /** g/L */
  albumin: { names: 'alb|(?<![前量尿])白蛋白|(?<!pre)albumin', from: 8, to: 65, unit: /^g\/l/u },
  /** µmol/L */
  creatinine: { names: 's?cr|血肌酐|肌酐|creatinine', from: 10, to: 3000, other: [PER_DECILITRE, 88.4], otherBelow: 16 },
  /** mmol/L */
  urea: { names: 'bun|尿素氮|血尿素', from: 0.5, to: 80, unit: MILLIMOLES },
  /** mmol/L */
  potassium: { names: 'k\\+?(?=[\\s:]*[\\d.]+\\s*m)|k(?=[\\s:]*\\d\\.\\d(?!\\d)[^.;\\n]{0,30}(?:blood|labs?\\b|water tablet|diuretic))|k\\+(?=[\\s:]*\\d)|血钾|钾(?=\\(k\\+?\\))|potassium', from: 1, to: 10, unit: MILLIMOLES_OR_NONE },
  /** mmol/L */
  sodium: { names: 'na\\+?(?=[\\s:]*[\\d.]+\\s*m)|血钠|sodium', from: 90, to: 200, unit: MILLIMOLES_OR_NONE },
  /** mmol/L */
  calcium: { names: 'ca(?:2\\+)?(?=[\\s:]*[\\d.]+\\s*m)|血钙|calcium', from: 0.8, to: 5, unit: MILLIMOLES_OR_NONE },
  /** ng/mL */
  troponin: { names: '(?:hs-?|[超高]敏)?(?:ctn[it]|肌钙蛋白[it]?|troponin(?: [it])?)', from: 0.001, to: 100_000, other: [PER_LITRE, 0.001], sensitive: /^(?:hs|[超高]敏)/u },
  /** pg/mL */
  bnp: { names: '(?<!pro)bnp', from: 1, to: 50_000 },
  /** pg/mL */
  ntProBnp: { names: '(?:nt-?)?pro-?bnp', from: 1, to: 70_000 },
  /** a ratio */
  inr: { names: 'inr|国际标准化比值', from: 0.5, to: 20, unit: /^$/u },
  /** mg/L */
  dDimer: { names: 'd-?二聚体|d-?dimer|dd2?', from: 0.01, to: 200, unit: /^(?:mg\/l|ug\/ml|μg\/ml)/u },
  /** U/L, of the blood */
  amylase: { names: '血淀粉酶|血清淀粉酶|amy', from: 5, to: 20_000, unit: /^i?u\/l/u },
  /** U/L */
  lipase: { names: '血?脂肪酶|lipase', from: 1, to: 20_000 },
  /** ng/mL */
  afp: { names: 'afp|甲胎蛋白', from: 0.1, to: 1_000_000 },
  /** ng/mL */
  cea: { names: 'cea|癌胚抗原', from: 0.1, to: 100_000 },
  /** U/mL */
  ca199: { names: 'ca-?19-?9', from: 0.1, to: 100_000 },
  /** U/mL */
  ca125: { names: 'ca-?125', from: 0.1, to: 100_000 },
  /** ng/mL */
  psa: { names: 't?-?psa|前列腺特异性?抗原', from: 0.01, to: 10_000 },
  /** % */
  hba1c: { names: 'hba1c|a1c|糖化血红蛋白|糖化', from: 3, to: 20, unit: /^%?$/u },
  /** mIU/L */
  tsh: { names: 'tsh|促甲状腺激素', from: 0.001, to: 500 },
  /** µmol/L */
  urate: { names: '血?尿酸|ua|uric acid', from: 50, to: 2000, unit: /^(?:(?:u|μ)mol|$)/u },
  /** mmol/L */
  lactate: { names: '血?乳酸|lac|lactate', from: 0.2, to: 30, unit: MILLIMOLES },
  /** mmol/L, of the blood */
  ketones: { names: '(?:血|β-?)酮体?|β-羟丁酸|(?<!urine )ketones?(?![\\s:]*\\d\\s*\\+)', from: 0, to: 20, unit: MILLIMOLES_OR_NONE },
  /** U/L */
  ck: { names: 'ck|肌酸激酶', from: 5, to: 500_000 },
  /** U/L */
  ldh: { names: 'ldh|乳酸脱氢酶', from: 20, to: 50_000 },
  /** of the blood */
  acidity: { names: 'ph', from: 6.7, to: 7.9, unit: /^$/u, beside: /血气|动脉血|pa?co2|pa?o2|hco3|\babg|blood gas|venous|ketone|酮/u },
  /** mmHg, in the eye */
  eyePressure: { names: '眼内?压|iop|intraocular pressure|eye pressures?', from: 3, to: 90, unit: /^(?:mmhg|$)/u },
  /** mmHg */
  arterialOxygen: { names: 'pao2|po2|氧分压', from: 15, to: 300, unit: /^mmhg/u },
  /** mmHg */
  arterialCarbonDioxide: { names: 'paco2|pco2|二氧化碳分压', from: 8, to: 150, unit: /^mmhg/u },
} as const satisfies Readonly<Record<string, LabTest>>;

/** Tests whose results are read; conditions of the vocabulary compare them by these names, in the units beside them. */
export type LabName = keyof typeof TESTS;

/** Not of the blood: what stands so shortly before is another test. */
const ELSEWHERE = /(?:尿|脑脊液|腰穿|胸水|胸腔积液|腹水|积液|穿刺液|引流液|关节液|粪|便|白带|分泌物|urine|csf)(?![^,;。\n]*(?:验血|抽血|血常规|查血|化验血))[^,;。\n]{0,14}$/u;
/** Nor does it say what the patient's is: a limit, a range, a supposition. */
const NO_RESULT = /(?:如果|要是|假如|低于|高于|超过|大于|小于|正常值|参考|\bif|\bwhen|above|below|over|under|normal|range)[^,;。\n]{0,16}$/u;
/** What may stand between a name and its number: no other name. */
const BETWEEN = String.raw`(?:\([a-z0-9-]+\)|[\s:=()↑↓]|为|是|约|达|升|降|掉|高|低|至|到|了|才|只有|已经|值|结果|报告|计数|水平|浓度|定量|查出来|is|was|are|were|of|at|measured|only|now|came back|down to){0,8}`;
/** After the number a unit of a laboratory. */
const UNIT = String.raw`(?:\s*(×?x?10|万|lakh|k\b|(?:g|mg|ug|μg|ng|pg|u|iu|miu|μiu|uiu|mmol|μmol|umol|nmol|meq|mmhg|mm)(?![a-z])[a-z0-9/μ.]*|%))?`;
const RESULT = String.raw`(?![a-z])${BETWEEN}[<>]?\s*(\d{1,3}(?:,\d{3})+|\d{1,6}(?:\.\d+)?)(?!\d|\.\d|[:/]\d)${UNIT}`;
const READERS = (Object.keys(TESTS) as LabName[]).map((name) => [name, new RegExp(`(?<![a-z0-9-])(${TESTS[name].names})${RESULT}`, 'gu')] as const);

const NAMES = Object.values(TESTS).map(({ names }) => names).join('|');
/** Most texts name no test at all. */
const ANY_TEST = new RegExp(NAMES, 'u');
/** The next line, the laboratory's own mark, or the next test of the report. */
const NEXT = String.raw`[^\S\n]*\n|\s*[hl]\b|\s+(?:[数总直间尿球]|${NAMES}|neut|lymph|mcv|rdw|hct|aptt|ck-mb|creat|ggt|alp|ldl|hdl|ft[34]|na|cl)(?![a-z])`;
/** What may follow a number without a unit: nothing that would make it a count of something else (5天后, 20块钱, 12 hours). */
const ENDS = new RegExp(String.raw`(?!\s*[-~]?\d)(?:${NEXT}|\s*(?:$|[^\w\s\u3400-\u9fff]|(?:and|but|so|today|now|high|low|which|i|in|on|with|from|my)\b|[偏升高低正异增减、和与及,了]))`, 'uy');

/** Behind a number without a unit another word may stand (血小板只有5 牙龈出血, hgb 6.8 heavy periods): no unit of a count. In English only behind a fraction, which counts nothing. */
const NEXT_WORD = /^\s+(?!天|小时|分钟|秒|周|星期|礼拜|个|月|年|岁|日|号|次|回|遍|块|元|斤|袋|单位|支|瓶|片|粒|楼|床|层|人|位)[\u3400-\u9fff]/u;
const NEXT_WORD_EN = /^\s+(?!(?:days?|hours?|hrs?|mins?|minutes?|weeks?|months?|years?|times|per|a|x)\b)[a-z]/u;

/** Results in normalised text; of several of one test the last. */
export function readLabs(text: string): Partial<Record<LabName, number>> {
  const found: Partial<Record<LabName, number>> = {};
  if (!/\d/u.test(text) || !ANY_TEST.test(text)) return found;
  for (const [name, reader] of READERS) {
    const test: LabTest = TESTS[name];
    if (test.beside !== undefined && !test.beside.test(text)) continue;
    for (const match of text.matchAll(reader)) {
      const [{ length }, called = '', number = '', unit = ''] = match;
      ENDS.lastIndex = match.index + length;
      const after = text.slice(match.index + length, match.index + length + 12);
      if (unit === '' && !ENDS.test(text) && !NEXT_WORD.test(after) && !(number.includes('.') && NEXT_WORD_EN.test(after))) continue;
      const before = text.slice(Math.max(0, match.index - 24), match.index);
      if (ELSEWHERE.test(before) || NO_RESULT.test(before)) continue;
      const value = inOwnUnit(test, called, Number(number.replaceAll(',', '')), unit);
      if (value !== undefined && value >= test.from && value <= test.to) found[name] = Number(value.toPrecision(4));
    }
  }
  return found;
}

/** The number in the test's unit; undefined where what follows it belongs to another. */
function inOwnUnit(test: LabTest, called: string, value: number, unit: string): number | undefined {
  if (test.isCells === true && test.unit?.test(unit) === false) return undefined;
  if (test.isCells === true) return value * (unit === '万' ? 10 : unit === 'lakh' ? 100 : 1) * (value >= test.to ? 0.001 : 1);
  if (unit === '万' || unit === 'lakh') return undefined;
  const { other, otherBelow = 0, sensitive } = test;
  if (other !== undefined && (other[0].test(unit) || (!unit.includes('/l') && value < otherBelow) || (unit === '' && sensitive?.test(called) === true))) return value * other[1];
  return test.unit === undefined || test.unit.test(unit) ? value : undefined;
}
