import type { KnowledgeBundle, Urgency } from '../bundle/bundle.js';
import { namedType } from '../bundle/related.js';
import type { Consultation, ConsultationEvent } from '../consultation/consultation.js';
import type { ConsultationState } from '../consultation/state.js';
import type { EvaluationCase } from './cases.js';
import type { GoldMap } from './gold-map.js';
import { GoldMatcher } from './match-gold.js';
import { hitsAt, mean, type Rank, reliability, type ReliabilityBin, type ShownScore, urgencyMetrics, type UrgencyMetrics } from './metrics.js';
import { type PatientReaders, SimulatedPatient, type SimulatedPatientOptions } from './simulated-patient.js';

export interface ConsultRun extends SimulatedPatientOptions {
  readonly readers: PatientReaders;
  readonly cases: readonly EvaluationCase[];
  readonly goldMap?: GoldMap | undefined;
  /** Opens a fresh consultation for a case. */
  open(id: string): Consultation | Promise<Consultation>;
  /** Consultations held at once, for a server that answers several; each then needs a strategy of its own. @default 1 */
  readonly concurrency?: number;
  /** Closes each consultation, and its strategy, when it has ended. @default false */
  readonly closes?: boolean;
}

export interface ConsultReport {
  /** Cases with a diagnosis; every one counts in top1 to top5. */
  readonly cases: number;
  /** Of these, how many have their disease in the knowledge; the others count as misses. */
  readonly inKnowledge: number;
  /** Share of cases whose disease the result names first, 0 to 1. */
  readonly top1: number;
  readonly top3: number;
  readonly top5: number;
  /** Over the cases with an urgency, those without a diagnosis too. */
  readonly urgency: UrgencyMetrics;
  /** Over all consultations held. */
  readonly meanQuestions: number;
  /** How often what is shown with a score is right, over the cases whose disease is in the knowledge. */
  readonly reliability: readonly ReliabilityBin[];
  /** What a language model did in all of them; null where none was asked. */
  readonly model: {
    readonly calls: number;
    /** Turns that `guided` answered because the model gave nothing usable, as a share of all turns, 0 to 1. */
    readonly fallbackShare: number;
    readonly meanPromptTokens: number;
    readonly mostPromptTokens: number;
    readonly meanReplyTokens: number;
  } | null;
}

/** One consultation's outcome, without the case's words. */
export interface ConsultOutcome {
  readonly id: string;
  readonly gold: string | null;
  readonly inKnowledge: boolean;
  /** Rank among the diseases that the result names. */
  readonly rank: Rank;
  /** Disease ids as the result names them, best first; then diseases of Chinese medicine. */
  readonly named: readonly string[];
  /** The score that a visitor sees of each entry of the diagnosis's type, with whether it is right. */
  readonly shown: readonly ShownScore[];
  readonly urgency: Urgency;
  readonly accepted: readonly Urgency[] | null;
  /** Ids of the red flag rules that fired. */
  readonly redFlags: readonly string[];
  readonly questions: number;
  readonly reason: string;
}

/** Lets a simulated patient talk to the strategy, case by case, until it concludes. */
export async function runConsult(run: ConsultRun): Promise<{ report: ConsultReport; outcomes: ConsultOutcome[] }> {
  const matcher = new GoldMatcher(run.readers.bundle, run.goldMap);
  const outcomes: ConsultOutcome[] = [];
  const modelCalls: Extract<ConsultationEvent, { type: 'model-call' }>[] = [];
  let fallbacks = 0;
  let turns = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < run.cases.length; at = next++) {
      const one = run.cases[at];
      if (one === undefined) return;
      const consultation = await run.open(one.id);
      const state = await talk(consultation, new SimulatedPatient(one, run.readers, run), (event) => {
        if (event.type === 'fallback') fallbacks++;
        if (event.type === 'decision') turns++;
        if (event.type === 'model-call') modelCalls.push(event);
      });
      outcomes[at] = outcomeOf(one, state, matcher, run.readers.bundle);
      if (run.closes === true) consultation.close();
    }
  };
  await Promise.all(Array.from({ length: run.concurrency ?? 1 }, work));
  const diagnosed = outcomes.filter((outcome) => outcome.gold !== null);
  const ranks = diagnosed.map((outcome) => outcome.rank);
  const report: ConsultReport = {
    cases: diagnosed.length,
    inKnowledge: diagnosed.filter((outcome) => outcome.inKnowledge).length,
    top1: hitsAt(ranks, 1),
    top3: hitsAt(ranks, 3),
    top5: hitsAt(ranks, 5),
    urgency: urgencyMetrics(outcomes.flatMap(({ urgency, accepted }) => (accepted === null ? [] : [{ assessed: urgency, accepted }]))),
    meanQuestions: mean(outcomes.map((outcome) => outcome.questions)),
    reliability: reliability(diagnosed.filter((outcome) => outcome.inKnowledge).flatMap((outcome) => outcome.shown)),
    model:
      modelCalls.length === 0 && fallbacks === 0
        ? null
        : {
            calls: modelCalls.length,
            fallbackShare: turns === 0 ? 0 : fallbacks / turns,
            meanPromptTokens: mean(modelCalls.map((call) => call.promptTokens)),
            mostPromptTokens: modelCalls.reduce((most, call) => Math.max(most, call.promptTokens), 0),
            meanReplyTokens: mean(modelCalls.map((call) => call.replyTokens)),
          },
  };
  return { report, outcomes };
}

function outcomeOf(one: EvaluationCase, state: ConsultationState, matcher: GoldMatcher, bundle: KnowledgeBundle): ConsultOutcome {
  const right = matcher.diseasesOf(one);
  const candidates = state.result?.candidates ?? [];
  const alsoNamed = state.result?.alsoNamed ?? [];
  const rightIds = new Set([...right].map((index) => bundle.diseases[index]?.id));
  const named = namedType(bundle);
  const rightTypes = new Set([...right].map((index) => bundle.diseases[index]?.type));
  // Syndromes and diseases of Chinese medicine are named in lists of their own; the better place counts.
  const places = [candidates, alsoNamed].map((named) => named.findIndex((candidate) => rightIds.has(candidate.id))).filter((place) => place >= 0);
  const at = places.length === 0 ? -1 : Math.min(...places);
  return {
    id: one.id,
    gold: one.gold,
    inKnowledge: right.size > 0,
    rank: at < 0 ? null : at + 1,
    named: [...candidates, ...alsoNamed].map((candidate) => candidate.id),
    shown: [...(rightTypes.has(named) ? candidates : []), ...(rightTypes.has('disease') ? alsoNamed : [])].map((candidate): ShownScore => ({ probability: candidate.probability, right: rightIds.has(candidate.id) })),
    urgency: state.urgency?.level ?? 'routine',
    accepted: one.urgency,
    redFlags: state.redFlags.map((flag) => flag.id),
    questions: state.questionsAsked,
    reason: state.result?.reason ?? '',
  };
}

async function talk(consultation: Consultation, patient: SimulatedPatient, count: (event: ConsultationEvent) => void): Promise<ConsultationState> {
  await consultation.setProfile(patient.profile);
  for await (const event of consultation.send({ type: 'utterance', text: patient.opening })) count(event);
  for (let question = consultation.state.question; question !== null; question = consultation.state.question) {
    for await (const event of consultation.send(patient.reply(question))) count(event);
  }
  return consultation.state;
}
