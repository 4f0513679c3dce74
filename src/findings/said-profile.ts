import type { KnowledgeBundle, Sex } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import type { Reading } from './extract.js';
import type { PatientState, Profile, SaidProfile } from './finding-state.js';

/** Ages meant by words for children and the old, where no number is given; the youngest first. */
const AGE_WORDS: readonly (readonly [RegExp, number])[] = [
  [/新生儿|刚出生|未满月|\bnewborn\b/u, 0.05],
  [/婴儿|宝宝|婴幼儿|吃奶|\b(?:baby|infant)\b/u, 0.75],
  [/幼儿(?!园)|刚会走|\btoddler\b/u, 2],
  [/患儿|小儿|孩子|小孩|娃|\b(?:child|my kid|little (?:boy|girl|one))\b/u, 5],
];

/** The baby of somebody who is pregnant is not the patient. */
const EXPECTING = /怀孕|孕[期周妇]|胎动|羊水|\b(?:pregnan|trimester|antenatal)/u;

/** Organs and states that one sex has. */
const SEX_WORDS: readonly (readonly [RegExp, Sex])[] = [
  [/月经|经期|停经|闭经|痛经|白带|带下|怀孕|妊娠|孕期|孕周|产后|产褥|分娩|哺乳|子宫|宫颈|卵巢|输卵管|阴道|外阴|阴唇|盆腔积液|绝经|\b(?:my period|pregnan|vagina|uterus|ovar)/u, 'female'],
  [/阴茎|龟头|包皮|睾丸|附睾|阴囊|前列腺|精囊|精索|遗精|早泄|阳痿|射精|勃起|\b(?:penis|testic|scrot|prostat|erection)/u, 'male'],
];

/**
 * Age and sex in numbers and words; a sex also by an organ or a present finding that only one sex can have (its `ask-if`
 * names the sex), an age also by a word for a child.
 */
export function saidProfile(text: string, reading: Reading, bundle: Pick<KnowledgeBundle, 'findings'>): SaidProfile {
  const normalized = normalizeText(text);
  const isExpecting = reading.quantities.weeksPregnant !== undefined || EXPECTING.test(normalized);
  const ageYears = reading.quantities.ageYears ?? (isExpecting ? undefined : AGE_WORDS.find(([words]) => words.test(normalized))?.[1]);
  const sex = reading.quantities.sex ?? only([...sexesOfFindings(reading, bundle)]) ?? only(SEX_WORDS.filter(([words]) => words.test(normalized)).map(([, is]) => is));
  return { ...(ageYears === undefined ? {} : { ageYears }), ...(sex === undefined ? {} : { sex }) };
}

function sexesOfFindings(reading: Reading, bundle: Pick<KnowledgeBundle, 'findings'>): Set<Sex> {
  const sexes = new Set<Sex>();
  for (const mention of reading.mentions) {
    if (mention.aside === 'other-person' || mention.aside === 'quoted' || mention.state !== 'present') continue;
    const named = /\bsex = (female|male)\b/.exec(bundle.findings[mention.findingIndex]?.askIf ?? '')?.[1];
    if (named === 'female' || named === 'male') sexes.add(named);
  }
  return sexes;
}

const only = (sexes: readonly Sex[]): Sex | undefined => (sexes.length === 1 ? sexes[0] : undefined);

/** Years from which an age is an adult's. */
const ADULT = 18;
/** Ages of adults that are this many years apart are two persons'. */
const FAR = 25;

/** The age that words state where it cannot be that of the profile's person: a child and an adult, or a generation apart. */
export function otherAge(profile: Profile | null, { ageYears }: SaidProfile): number | null {
  const given = profile?.ageYears ?? null;
  if (given === null || ageYears === undefined) return null;
  const areBothAdult = given >= ADULT && ageYears >= ADULT;
  const isFar = areBothAdult ? Math.abs(given - ageYears) >= FAR : Math.abs(given - ageYears) > Math.max(1, 0.3 * Math.max(given, ageYears));
  return isFar ? ageYears : null;
}

/** Below this age, years, rules of danger hold for a baby that the words speak of, whoever's age was given. */
const BABY = 1;

/** A patient; and the baby whose age the words give beside an age that cannot be its own, so that no danger of either is missed. */
export function asEither(patient: PatientState): PatientState[] {
  const { profile, said } = patient;
  const other = otherAge(profile, said);
  return other === null || other >= BABY || profile === null ? [patient] : [patient, { ...patient, profile: { ...profile, ageYears: other } }];
}
