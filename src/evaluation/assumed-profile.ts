import type { KnowledgeBundle, Sex } from '../bundle/bundle.js';
import type { Reading } from '../findings/extract.js';
import type { Profile } from '../findings/finding-state.js';
import { saidProfile } from '../findings/said-profile.js';

/**
 * Age taken where a text gives none: an adult below the ages at which rules and priors for the middle-aged begin.
 * Sex taken where nothing gives it; one of two that had to be chosen: more diseases of the knowledge are women's.
 */
export const ASSUMED_PROFILE: { readonly ageYears: number; readonly sex: Sex } = { ageYears: 35, sex: 'female' };

/** Age and sex, with whether they were in the text or had to be assumed. */
export interface TextProfile {
  readonly profile: typeof ASSUMED_PROFILE;
  readonly ageFound: boolean;
  readonly sexFound: boolean;
}

/** Age and sex as a record states them (`saidProfile`), else null: a guess would count as evidence. */
export function statedProfile(text: string, reading: Reading, bundle: Pick<KnowledgeBundle, 'findings'>): Profile {
  const { ageYears = null, sex = null } = saidProfile(text, reading, bundle);
  return { ageYears, sex };
}

/** Age and sex as a text states them (`saidProfile`), else as assumed. */
export function profileOfText(text: string, reading: Reading, bundle: Pick<KnowledgeBundle, 'findings'>): TextProfile {
  const said = saidProfile(text, reading, bundle);
  return { profile: { ...ASSUMED_PROFILE, ...said }, ageFound: said.ageYears !== undefined, sexFound: said.sex !== undefined };
}
