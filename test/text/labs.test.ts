import { describe, expect, it } from 'vitest';
import { createParts } from '../../src/anamnesis.js';
import { learnInput } from '../../src/consultation/learn-input.js';
import { EMPTY_PATIENT } from '../../src/findings/finding-state.js';
import { readLabs } from '../../src/text/labs.js';
import { normalizeText } from '../../src/text/normalize.js';
import { builtBundle } from '../bundles.js';

describe('readLabs', () => {
  it.each([
    ['WBC 18.2×10^9/L，N 92%', { wbc: 18.2, neutrophils: 92 }],
    ['WBC：23×109／L', { wbc: 23 }],
    ['血常规：白细胞5.86×10⁹/L，血红蛋白（Hb）56g/L，血小板198×10⁹/L', { wbc: 5.86, haemoglobin: 56, platelets: 198 }],
    ['white count 18.3, hemoglobin 7.2, creatinine 2.1 mg/dl', { wbc: 18.3, haemoglobin: 72, creatinine: 185.6 }],
    ['TBil 60μmol/L, ALT 860U/L', { bilirubin: 60, alt: 860 }],
    ['K+ 6.8mmol/L，Na+ 116mmol/L', { potassium: 6.8, sodium: 116 }],
    ['hs-cTnT 5ng/L', { troponin: 0.005 }],
    ['AFP＞1000ng/ml，CA19-9 860U/ml', { afp: 1000, ca199: 860 }],
    ['pH 7.18，PaO2 48mmHg', { acidity: 7.18, arterialOxygen: 48 }],
    ['糖化血红蛋白10.2%', { hba1c: 10.2 }],
    ['血小板20万，白细胞1.56万', { platelets: 200, wbc: 15.6 }],
    ['platelet count 1.5 lakh', { platelets: 150 }],
    ['ALT 2,500 and AST 3,100, WBC 18,000', { alt: 2500, ast: 3100, wbc: 18 }],
    ['超敏肌钙蛋白T 9.5，正常', { troponin: 0.0095 }],
    ['入院肌钙蛋白0.01，3小时后复查肌钙蛋白8.5', { troponin: 8.5 }],
    ['血红蛋白才56，血小板掉到8了，血钾 7.5', { haemoglobin: 56, platelets: 8, potassium: 7.5 }],
    ['Hb 45g/L 很累', { haemoglobin: 45 }],
    ['中性粒细胞绝对值0.08 体温38.6', { neutrophilCount: 0.08 }],
    ['WBC 4.0, ANC 0.3, neutrophils 65%', { wbc: 4, neutrophils: 65, neutrophilCount: 0.3 }],
    ['INR 6.5，吃华法林', { inr: 6.5 }],
    ['血钙3.1，口渴', { calcium: 3.1 }],
    ['右眼眼压58，IOP 40 mmHg', { eyePressure: 40 }],
    // Not of the blood, no result, or another test.
    ['血红蛋白5天后再查，输血小板2次，血小板20块钱', {}],
    ['WBC at 20 weeks pregnant, CRP 30 days ago, TSH 12/3/2024', {}],
    ['I use an HB 2 pencil, CK 500 shows, watched TNT 5 hours, N 95%的口罩', {}],
    ['vaginal pH 6.8', {}],
    ['If WBC 20 then I need antibiotics? 如果血小板低于20会不会出血', {}],
    ['前白蛋白 25g/L', {}],
    ['尿WBC 15/HP，前列腺液：WBC 3~5/HP', {}],
    ['脑脊液白细胞 500', {}],
    ['中性粒细胞 78%，CA 3期', {}],
    ['肿瘤标志物（CEA、AFP、CA125、CA153）全套正常', {}],
    ['CK-MB 86U/L', {}],
    ['ph 7 days ago, no 3 k 5', {}],
    ['I got 100 bites, TB 2 years ago, Amy 12 has a rash', {}],
    ['PCT 0.22%', {}],
    ['体温36.5℃，40岁，血压126/70', {}],
  ])('%s', (text, expected) => {
    expect(readLabs(normalizeText(text))).toEqual(expected);
  });
});

describe('findings that follow from results', () => {
  const parts = createParts(builtBundle('mm-zh'));
  const statesOf = (text: string): Record<string, string> => {
    const learnt = learnInput({ type: 'utterance', text }, null, 0, parts);
    const patient = parts.reasoner.learn({ ...EMPTY_PATIENT, profile: { ageYears: 40, sex: 'male' } }, learnt.findings, learnt.facts);
    return Object.fromEntries([...patient.findings.values()].map((known) => [parts.bundle.findings[known.findingIndex]!.id, known.state]));
  };

  it('are there where the number is out of range', () => {
    expect(statesOf('WBC 18.2×10^9/L，Hb 56g/L，血钾6.8mmol/L，TBil 60μmol/L')).toMatchObject({ 'white-cells-high': 'present', 'haemoglobin-low': 'present', 'haemoglobin-very-low': 'present', 'potassium-high': 'present', 'bilirubin-raised': 'present' });
  });

  it('are denied where it is not, whatever its name', () => {
    const states = statesOf('WBC 6.2×10^9/L，谷丙转氨酶18 U/L，谷草转氨酶21 U/L，总胆红素9.8umol/L');
    expect(states).toMatchObject({ 'white-cells-high': 'absent', 'liver-enzymes-raised': 'absent', 'bilirubin-raised': 'absent' });
  });

  it('are named in short, and without a unit where it is plain', () => {
    expect(statesOf('肝功能转氨酶120，糖化7.8，尿酸580')).toMatchObject({ 'liver-enzymes-raised': 'present' });
    expect(learnInput({ type: 'utterance', text: '糖化7.8，尿酸580，谷草转氨酶80' }, null, 0, parts).facts).toEqual({ hba1c: 7.8, urate: 580, ast: 80 });
  });

  it('are read from a report line by line, and where the next test follows', () => {
    const factsOf = (text: string): object => learnInput({ type: 'utterance', text }, null, 0, parts).facts;
    expect(factsOf('血钾 7.2\n血钠 140\n肌酐 900')).toEqual({ potassium: 7.2, sodium: 140, creatinine: 900 });
    expect(factsOf('血红蛋白 52 血小板 210')).toEqual({ haemoglobin: 52, platelets: 210 });
    expect(factsOf('Potassium 7.2 H 3.5-5.3')).toEqual({ potassium: 7.2 });
    expect(factsOf('BP 120/80 HR 72')).toEqual({ systolic: 120, diastolic: 80, pulse: 72 });
  });

  it('keep what was measured before', () => {
    const first = learnInput({ type: 'utterance', text: 'WBC 18.2×10^9/L' }, null, 0, parts);
    const then = learnInput({ type: 'utterance', text: 'CRP 186mg/L' }, null, 1, parts);
    const patient = parts.reasoner.learn(parts.reasoner.learn(EMPTY_PATIENT, first.findings, first.facts), then.findings, then.facts);
    expect(patient.facts).toMatchObject({ wbc: 18.2, crp: 186 });
  });
});
