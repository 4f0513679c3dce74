import type { Language, Localized, Sex, Urgency } from '../bundle/bundle.js';
import type { ConsultationParts } from '../consultation/consultation.js';
import { learnInput } from '../consultation/learn-input.js';
import type { UrgencyAssessment } from '../consultation/state.js';
import { assessUrgency } from '../consultation/urgency.js';
import type { Candidate } from '../differential/differential.js';
import { type ASSUMED_PROFILE, profileOfText } from '../evaluation/assumed-profile.js';
import { EMPTY_PATIENT, type KnownFinding, type PatientState } from '../findings/finding-state.js';
import type { RedFlag } from '../safety/red-flags.js';
import { URGENCY_LEVELS } from '../bundle/bundle.js';

/** One finding of `anamnesis read`. */
export interface ReadFinding {
  readonly id: string;
  readonly names: Localized;
  /** `~` stands for a gap. */
  readonly synonyms: Readonly<Record<Language, readonly string[]>>;
  readonly kind: string;
  /** Of the patient, now. `unknown` where the words have an `aside`. */
  readonly state: 'present' | 'absent' | 'unknown';
  readonly origin: KnownFinding['origin'];
  /** The words that say so; empty where it follows from others. */
  readonly quote: string;
  /** Why the words say nothing about the patient now: another person's, past, supposed, quoted. */
  readonly aside?: string;
  readonly side?: 'left' | 'right' | 'both';
  readonly severity?: 'mild' | 'severe';
  /** Read through a spelling guess. */
  readonly guessed: boolean;
}

/** What the system understands of one text. */
export interface Understanding {
  readonly findings: readonly ReadFinding[];
  /** Measured and said values; age and sex as they stand in the text. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly redFlags: readonly { readonly id: string; readonly level: RedFlag['level']; readonly because: readonly string[] }[];
  readonly urgency: Urgency;
  /** What makes it as urgent as this, with where it is from; empty where nothing was understood. */
  readonly reasons: readonly { readonly text: string; readonly source: string }[];
  /** Who the text was read for. `sex` is null where it is not known. */
  readonly profile: { readonly ageYears: number; readonly ageFrom: 'given' | 'text' | 'assumed'; readonly sex: Sex | null };
}

export interface KnownOfPatient {
  readonly ageYears?: number | undefined;
  readonly sex?: Sex | undefined;
}

/**
 * Reads one text as the first words of a consultation. An age that is neither given nor in the text is `ASSUMED_PROFILE`'s;
 * where the sex is unknown, only what holds for either is said: red flags that fire for both, the milder urgency.
 */
export async function understand(text: string, known: KnownOfPatient, parts: ConsultationParts): Promise<Understanding> {
  const { bundle, extractor } = parts;
  const reading = extractor.read(text);
  const inText = profileOfText(text, reading, bundle);
  const ageYears = known.ageYears ?? inText.profile.ageYears;
  const sex = known.sex ?? (inText.sexFound ? inText.profile.sex : null);
  const views = await Promise.all((sex === null ? (['female', 'male'] as const) : [sex]).map((one) => view(text, { ageYears, sex: one }, parts)));
  const first = views[0]!;
  const redFlags = first.redFlags.filter((flag) => views.every((other) => other.redFlags.some((one) => one.id === flag.id)));
  const { level: urgency, reasons } = views.map((one) => one.urgency).reduce((mildest, other) => (URGENCY_LEVELS.indexOf(other.level) > URGENCY_LEVELS.indexOf(mildest.level) ? other : mildest));
  return {
    findings: [...knownFindings(first.patient, parts), ...asides(reading.mentions, first.patient, parts)],
    facts: { ...reading.quantities },
    redFlags: redFlags.map(({ id, level, because }) => ({ id, level, because: because.map((index) => bundle.findings[index]?.id ?? '') })),
    urgency,
    reasons,
    profile: { ageYears, ageFrom: known.ageYears !== undefined ? 'given' : inText.ageFound ? 'text' : 'assumed', sex },
  };
}

interface View {
  readonly patient: PatientState;
  readonly redFlags: readonly RedFlag[];
  readonly urgency: UrgencyAssessment;
}

/** The text as said by one person: what is known, the rules that fire, and the urgency with the strategy's differential. */
async function view(text: string, profile: typeof ASSUMED_PROFILE, parts: ConsultationParts): Promise<View> {
  const learnt = learnInput({ type: 'utterance', text }, null, 0, parts);
  const patient = parts.reasoner.learn({ ...EMPTY_PATIENT, profile }, learnt.findings, learnt.facts);
  const redFlags = parts.redFlags.check(patient);
  let differential: readonly Candidate[] = [];
  for await (const event of parts.strategy.turn({ patient, utterances: [text], transcript: [{ speaker: 'patient', text }], asked: new Set(), questionsLeft: 0, redFlags, signal: new AbortController().signal })) {
    if (event.type === 'decision') differential = event.differential;
  }
  return { patient, redFlags, urgency: assessUrgency(parts.bundle, patient, redFlags, differential) };
}

/** Direct findings in the order of the text, then what follows from them as present. */
function knownFindings(patient: PatientState, { bundle }: ConsultationParts): ReadFinding[] {
  return [...patient.findings.values()]
    .filter((known) => known.origin !== 'implied' || known.state === 'present')
    .sort((a, b) => Number(a.origin === 'implied') - Number(b.origin === 'implied'))
    .flatMap((known) => describe(bundle.findings[known.findingIndex], { state: known.state, origin: known.origin, quote: known.quote ?? '', guessed: known.guessed ?? false, ...optional(known) }));
}

/** Findings spoken of only as another's, past, supposed or quoted. */
function asides(mentions: ReturnType<ConsultationParts['extractor']['read']>['mentions'], patient: PatientState, { bundle }: ConsultationParts): ReadFinding[] {
  const seen = new Set([...patient.findings.values()].filter((known) => known.origin !== 'implied').map((known) => known.findingIndex));
  return mentions.flatMap((mention) => {
    if (mention.aside === undefined || seen.has(mention.findingIndex)) return [];
    seen.add(mention.findingIndex);
    return describe(bundle.findings[mention.findingIndex], { state: 'unknown', origin: 'said', quote: mention.quote, aside: mention.aside, guessed: mention.guessed, ...optional(mention) });
  });
}

type Said = Omit<ReadFinding, 'id' | 'names' | 'synonyms' | 'kind'>;

function describe(finding: ConsultationParts['bundle']['findings'][number] | undefined, said: Said): ReadFinding[] {
  return finding === undefined ? [] : [{ id: finding.id, names: finding.names, synonyms: finding.synonyms, kind: finding.kind, ...said }];
}

function optional({ side, severity }: { readonly side?: Said['side']; readonly severity?: Said['severity'] }): Pick<Said, 'side' | 'severity'> {
  return { ...(side === undefined ? {} : { side }), ...(severity === undefined ? {} : { severity }) };
}
