import type { KnowledgeBundle } from '../bundle/bundle.js';
import { holds, parseCondition } from './condition.js';
import { conditionScope, type PatientState } from './finding-state.js';

/** Begins the id of a sweep; the findings it lists follow, joined by `+`. */
export const SWEEP_PREFIX = 'sweep:';

/** Signs that need care at once whatever the illness, in the order they are shown. */
const SIGNS = [
  'unresponsive', 'confusion', 'seizure', 'breathlessness-at-rest', 'chest-pain', 'weakness-one-side', 'clammy-skin',
  'bleeding-wound-heavy', 'vaginal-bleeding-heavy', 'burn-severe', 'poison-swallowed', 'medicine-overdose', 'suicidal-thoughts',
];
/** A vocabulary with fewer of them is no vocabulary of complaints. */
const LEAST_SIGNS = 8;
/** First words of which less than this share was understood are hardly read; found on the first sentences of the knowledge, of which a third stays under it. */
const HARDLY_READ = 0.3;
/** From this many findings on there is enough to go by, however long the story. */
const ENOUGH_FINDINGS = 5;
/** A greeting is too short to hide anything. In characters; an English word counts as some. */
const LEAST_LENGTH = 8;
const WORD_LENGTH = 1.6;

function lengthOf(text: string): number {
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) + WORD_LENGTH * (text.match(/[a-z]+/giu)?.length ?? 0);
}

/** Whether most of what somebody said was not understood, so that a danger may stand in it unread. */
export function isHardlyRead(text: string, patient: PatientState): boolean {
  const whole = lengthOf(text);
  if (whole < LEAST_LENGTH) return false;
  const said = [...patient.findings.values()].filter((known) => known.origin === 'said');
  if (said.filter((known) => known.state === 'present').length >= ENOUGH_FINDINGS) return false;
  const quotes = new Set(said.flatMap((known) => (known.quote === undefined ? [] : [known.quote])));
  return [...quotes].reduce((sum, quote) => sum + lengthOf(quote), 0) < HARDLY_READ * whole;
}

/** Id of the tick list of signs that are not known yet and fit age and sex; undefined where the vocabulary lacks them. */
export function sweepId(bundle: Pick<KnowledgeBundle, 'findings' | 'findingIndex'>, patient: PatientState): string | undefined {
  const scope = conditionScope(patient, bundle);
  const fitting = SIGNS.filter((id) => {
    const index = bundle.findingIndex(id);
    const askIf = index === undefined ? '' : (bundle.findings[index]?.askIf ?? '');
    return index !== undefined && !patient.findings.has(index) && (askIf === '' || holds(parseCondition(askIf), scope));
  });
  return fitting.length < LEAST_SIGNS ? undefined : SWEEP_PREFIX + fitting.join('+');
}
