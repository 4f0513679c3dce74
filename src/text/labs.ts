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
}

const PER_DECILITRE = /^mg\/?dl/u;
const PER_LITRE = /^(?:ng|pg)\/l|^pg\/ml/u;
const PERCENT = /^%/u;
const MILLIMOLES = /^mmol/u;

const TESTS = {
  /** 10⁹/L */
  wbc: { names: 'wbc|白细胞(?:计数|总数)?|white (?:blood )?(?:cell )?count', from: 0.05, to: 500 },
  /** % of the white cells */
  neutrophils: { names: 'n|ne|neut|neu|gr|中性粒细胞(?:比例|百分[比率]|分类)?|中性|neutrophils', from: 1, to: 99, unit: PERCENT },
  /** g/L */
  haemoglobin: { names: 'hb|hgb|(?<!糖化)血红蛋白|血色素|ha?emoglobin', from: 15, to: 260, unit: /^(?:g\/|$)/u, other: [/^g\/?dl/u, 10], otherBelow: 22 },
  /** 10⁹/L */
  platelets: { names: 'plt|血小板(?:计数)?|platelets?(?: count)?', from: 1, to: 3000 },
  /** mg/L */
  crp: { names: 'crp|hs-crp|c反应蛋白|c reactive protein', from: 0.1, to: 600 },
  /** mm/h */
  esr: { names: 'esr|血沉', from: 1, to: 160 },
  /** ng/mL */
  procalcitonin: { names: 'pct|降钙素原|procalcitonin', from: 0.01, to: 300, unit: /^(?:ng|μg|ug|$)/u },
  /** U/L */
  alt: { names: 'alt|谷丙转氨酶', from: 2, to: 20_000 },
  /** U/L */
  ast: { names: 'ast|谷草转氨酶', from: 2, to: 20_000 },
  /** µmol/L */
  bilirubin: { names: 't-?bil|总胆红素|total bilirubin', from: 1, to: 1000, other: [PER_DECILITRE, 17.1] },
  /** g/L */
  albumin: { names: 'alb|白蛋白|albumin', from: 8, to: 65, unit: /^g\/l/u },
  /** µmol/L */
  creatinine: { names: 's?cr|血肌酐|肌酐|creatinine', from: 10, to: 3000, other: [PER_DECILITRE, 88.4], otherBelow: 16 },
  /** mmol/L */
  urea: { names: 'bun|尿素氮|血尿素', from: 0.5, to: 80, unit: MILLIMOLES },
  /** mmol/L */
  potassium: { names: 'k\\+?|血钾|potassium', from: 1, to: 10, unit: MILLIMOLES },
  /** mmol/L */
  sodium: { names: 'na\\+?|血钠|sodium', from: 90, to: 200, unit: MILLIMOLES },
  /** mmol/L */
  calcium: { names: 'ca(?:2\\+)?|血钙', from: 0.8, to: 5, unit: MILLIMOLES },
  /** ng/mL */
  troponin: { names: 'c?tn[it]|hs-ctn[it]|肌钙蛋白[it]?', from: 0.001, to: 100_000, other: [PER_LITRE, 0.001] },
  /** pg/mL */
  bnp: { names: '(?<!pro)bnp', from: 1, to: 50_000 },
  /** pg/mL */
  ntProBnp: { names: '(?:nt-?)?pro-?bnp', from: 1, to: 70_000 },
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
  hba1c: { names: 'hba1c|糖化血红蛋白', from: 3, to: 20, unit: PERCENT },
  /** mIU/L */
  tsh: { names: 'tsh|促甲状腺激素', from: 0.001, to: 500 },
  /** µmol/L */
  urate: { names: '血?尿酸|ua|uric acid', from: 50, to: 2000, unit: /^(?:u|μ)mol/u },
  /** mmol/L */
  lactate: { names: '血?乳酸|lac|lactate', from: 0.2, to: 30, unit: MILLIMOLES },
  /** U/L */
  ck: { names: 'ck|肌酸激酶', from: 5, to: 500_000 },
  /** U/L */
  ldh: { names: 'ldh|乳酸脱氢酶', from: 20, to: 50_000 },
  /** of the blood */
  acidity: { names: 'ph', from: 6.7, to: 7.9, unit: /^$/u },
  /** mmHg */
  arterialOxygen: { names: 'pao2|po2|氧分压', from: 15, to: 300, unit: /^mmhg/u },
  /** mmHg */
  arterialCarbonDioxide: { names: 'paco2|pco2|二氧化碳分压', from: 8, to: 150, unit: /^mmhg/u },
} as const satisfies Readonly<Record<string, LabTest>>;

/** Tests whose results are read; conditions of the vocabulary compare them by these names, in the units beside them. */
export type LabName = keyof typeof TESTS;

/** Not of the blood: what stands so shortly before is another test. */
const ELSEWHERE = /(?:尿|脑脊液|腰穿|胸水|胸腔积液|腹水|积液|穿刺液|引流液|关节液|粪|便|白带|分泌物|urine|csf)[^,;。\n]{0,14}$/u;
/** What may stand between a name and its number: no other name. */
const BETWEEN = String.raw`(?:\([a-z0-9-]+\)|[\s:=()↑↓]|为|是|约|达|升|降|高|低|至|到|值|结果|计数|水平|浓度|定量|is|was|of|at){0,6}`;
/** A number, and none of what counts cells in a field of a microscope. */
const RESULT = String.raw`(?![a-z])${BETWEEN}[<>]?\s*(\d{1,6}(?:\.\d+)?)(?!\d|\.\d|(?:[-~]\d+)?\s*个?\/?\s*(?:hp|lp))\s*([a-zμ%][a-z0-9/μ]*)?`;
const READERS = (Object.keys(TESTS) as LabName[]).map((name) => [name, new RegExp(`(?<![a-z0-9-])(?:${TESTS[name].names})${RESULT}`, 'gu')] as const);

/** Results in normalised text; of several of one test the first. */
export function readLabs(text: string): Partial<Record<LabName, number>> {
  const found: Partial<Record<LabName, number>> = {};
  if (!/\d/u.test(text)) return found;
  for (const [name, reader] of READERS) {
    const test: LabTest = TESTS[name];
    for (const match of text.matchAll(reader)) {
      const value = Number(match[1]);
      const unit = match[2] ?? '';
      if (ELSEWHERE.test(text.slice(Math.max(0, match.index - 24), match.index))) continue;
      const isOther = test.other !== undefined && (test.other[0].test(unit) || (!unit.includes('/l') && value < (test.otherBelow ?? 0)));
      if (!isOther && test.unit !== undefined && !test.unit.test(unit)) continue;
      const result = isOther ? value * (test.other?.[1] ?? 1) : value;
      if (result < test.from || result > test.to) continue;
      found[name] = Number(result.toPrecision(4));
      break;
    }
  }
  return found;
}
