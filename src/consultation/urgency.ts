import { type KnowledgeBundle, type Language, type Urgency, URGENCY_LEVELS, type Within } from '../bundle/bundle.js';
import type { Candidate } from '../differential/differential.js';
import type { PatientState } from '../findings/finding-state.js';
import { type RedFlag, urgencyOfRedFlag } from '../safety/red-flags.js';
import type { UrgencyAssessment } from './state.js';

/** An emergency is assumed when the candidates that are one hold this much probability together. */
const EMERGENCY_MASS = 0.3;
/** Likewise for urgent or worse. */
const URGENT_MASS = 0.4;
/** Self-care is advised only when what needs no more holds at least this of the whole posterior. */
const SELF_CARE_MASS = 0.5;
/** A candidate this probable makes its own red flags count. */
const FLAG_CANDIDATE = 0.1;

/** What to do, by level. */
const ADVICE: Readonly<Record<Language, Readonly<Record<Urgency, string>>>> = {
  zh: {
    emergency: '请立即拨打急救电话或前往最近的急诊，不要自己开车。',
    urgent: '请在24至48小时内就诊；如果加重，请立即去急诊。',
    routine: '请在几天到几周内预约门诊；如果加重或出现新的症状，请提前就诊。',
    'self-care': '多数情况下可以先在家观察；如果加重、几天内不见好或您不放心，请就诊。',
  },
  en: {
    emergency: 'Call the emergency number or go to the nearest emergency department now. Do not drive yourself.',
    urgent: 'See a doctor within 24 to 48 hours. If it gets worse, go to an emergency department.',
    routine: 'Make an appointment within days to weeks. Go sooner if it gets worse or something new appears.',
    'self-care': 'You can usually look after this at home for now. See a doctor if it gets worse, does not improve in a few days, or you are worried.',
  },
};

/** What to do where a rule for urgent care asks for more. */
const SOONER: Readonly<Record<Language, Readonly<Record<Exclude<Within, 'two-days'>, string>>>> = {
  zh: { now: '请现在就按上面的提示去做；如果加重，请立即去急诊。', 'a-day': '请在24小时内就诊，能今天就今天；如果加重，请立即去急诊。' },
  en: { now: 'Do what the warning above says now. If it gets worse, go to an emergency department.', 'a-day': 'See a doctor within 24 hours, today if you can. If it gets worse, go to an emergency department.' },
};

const WORDS = {
  zh: { candidate: (name: string) => `可能的情况里有“${name}”，它的紧急程度通常是这样。`, flag: (name: string, finding: string) => `可能是“${name}”，而且有“${finding}”。` },
  en: { candidate: (name: string) => `One possibility is ${name}; this is the usual urgency for it.`, flag: (name: string, finding: string) => `It may be ${name}, and there is ${finding}.` },
} as const;

const worse = (a: Urgency, b: Urgency): Urgency => (URGENCY_LEVELS.indexOf(a) <= URGENCY_LEVELS.indexOf(b) ? a : b);

/**
 * How urgent it is: the worst of what red flags demand and what the candidates add up to. A strategy's words have no
 * part in it.
 */
export function assessUrgency(bundle: KnowledgeBundle, patient: PatientState, redFlags: readonly RedFlag[], differential: readonly Candidate[]): UrgencyAssessment {
  const words = WORDS[bundle.language];
  const ruled: { level: Urgency; text: string; source: string }[] = redFlags.map((flag) => ({ level: urgencyOfRedFlag(flag), text: flag.what, source: flag.source }));
  const reasons = [...ruled];
  for (const candidate of differential) {
    if (candidate.probability < FLAG_CANDIDATE) continue;
    const disease = bundle.diseases[candidate.diseaseIndex];
    const flag = disease?.redFlags.find((finding) => patient.findings.get(finding)?.state === 'present');
    if (disease === undefined || flag === undefined) continue;
    reasons.push({ level: 'emergency', text: words.flag(disease.name, bundle.findings[flag]?.names[bundle.language] ?? ''), source: disease.sources[0] ?? disease.name });
  }
  const byCandidates = differential.length === 0 ? undefined : levelOfCandidates(differential);
  if (byCandidates !== undefined) {
    const leading = differential.find((candidate) => candidate.urgency === byCandidates);
    const disease = leading === undefined ? undefined : bundle.diseases[leading.diseaseIndex];
    if (disease !== undefined) reasons.push({ level: byCandidates, text: words.candidate(disease.name), source: disease.sources[0] ?? disease.name });
  }
  const level = reasons.reduce<Urgency>((worst, reason) => worse(worst, reason.level), byCandidates ?? 'self-care');
  const named = differential.length === 0 && redFlags.length === 0 ? 'routine' : level;
  // Where rules ask for as much by themselves, what it may be adds nothing but worry.
  const told = ruled.some((reason) => reason.level === named) ? ruled : reasons;
  // Fired rules come with the soonest first.
  const within = redFlags.find((flag) => urgencyOfRedFlag(flag) === named)?.within ?? null;
  const advice = named !== 'urgent' || within === null || within === 'two-days' ? ADVICE[bundle.language][named] : SOONER[bundle.language][within];
  return { level: named, within, advice, reasons: told.filter((reason) => reason.level === named).map(({ text, source }) => ({ text, source })) };
}

function levelOfCandidates(differential: readonly Candidate[]): Urgency {
  const mass = { emergency: 0, urgent: 0, routine: 0, 'self-care': 0 };
  let total = 0;
  for (const candidate of differential) {
    mass[candidate.urgency] += candidate.probability;
    total += candidate.probability;
  }
  const share = (value: number): number => (total === 0 ? 0 : value / total);
  if (share(mass.emergency) >= EMERGENCY_MASS) return 'emergency';
  if (share(mass.emergency + mass.urgent) >= URGENT_MASS) return 'urgent';
  return mass['self-care'] >= SELF_CARE_MASS && differential[0]?.urgency === 'self-care' ? 'self-care' : 'routine';
}
