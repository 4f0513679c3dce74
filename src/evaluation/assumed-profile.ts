import type { KnowledgeBundle, Sex } from '../bundle/bundle.js';
import type { Reading } from '../findings/extract.js';
import type { Profile } from '../findings/finding-state.js';
import { normalizeText } from '../text/normalize.js';

/**
 * Age taken where a text gives none: an adult below the ages at which rules and priors for the middle-aged begin.
 * Sex taken where nothing gives it; one of two that had to be chosen: more diseases of the knowledge are women's.
 */
export const ASSUMED_PROFILE: Profile = { ageYears: 35, sex: 'female' };

/** Ages meant by words for children, where no number is given; the youngest first. */
const CHILD_WORDS: readonly (readonly [RegExp, number])[] = [
  [/婴儿|宝宝|婴幼儿|吃奶|\b(?:baby|infant|newborn)\b/u, 0.75],
  [/患儿|小儿|幼儿|孩子|小孩|娃|\b(?:toddler|child|my kid|little (?:boy|girl|one))\b/u, 5],
];

/** Age and sex, with whether they were in the text or had to be assumed. */
export interface TextProfile {
  readonly profile: Profile;
  readonly ageFound: boolean;
  readonly sexFound: boolean;
}

/**
 * Age and sex as a record states them: in numbers and words; a sex also by a present finding that only one sex can
 * have (its `ask-if` names the sex), an age also by a word for a child.
 */
export function profileOfText(text: string, reading: Reading, bundle: Pick<KnowledgeBundle, 'findings'>): TextProfile {
  const normalized = normalizeText(text);
  const ageYears = reading.quantities.ageYears ?? CHILD_WORDS.find(([words]) => words.test(normalized))?.[1];
  const sex = reading.quantities.sex ?? sexOfFindings(reading, bundle);
  return {
    profile: { ageYears: ageYears ?? ASSUMED_PROFILE.ageYears, sex: sex ?? ASSUMED_PROFILE.sex },
    ageFound: ageYears !== undefined,
    sexFound: sex !== undefined,
  };
}

function sexOfFindings(reading: Reading, bundle: Pick<KnowledgeBundle, 'findings'>): Sex | undefined {
  const sexes = new Set<Sex>();
  for (const mention of reading.mentions) {
    if (mention.aside === 'other-person' || mention.aside === 'quoted' || mention.state !== 'present') continue;
    const named = /\bsex = (female|male)\b/.exec(bundle.findings[mention.findingIndex]?.askIf ?? '')?.[1];
    if (named === 'female' || named === 'male') sexes.add(named);
  }
  return sexes.size === 1 ? [...sexes][0] : undefined;
}
