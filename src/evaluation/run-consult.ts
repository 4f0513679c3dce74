import type { Urgency } from '../bundle/bundle.js';
import type { Consultation } from '../consultation/consultation.js';
import type { ConsultationState } from '../consultation/state.js';
import type { EvaluationCase } from './cases.js';
import type { GoldMap } from './gold-map.js';
import { GoldMatcher } from './match-gold.js';
import { hitsAt, mean, type Rank, urgencyMetrics, type UrgencyMetrics } from './metrics.js';
import { type PatientReaders, SimulatedPatient, type SimulatedPatientOptions } from './simulated-patient.js';

export interface ConsultRun extends SimulatedPatientOptions {
  readonly readers: PatientReaders;
  readonly cases: readonly EvaluationCase[];
  readonly goldMap?: GoldMap | undefined;
  /** Opens a fresh consultation for a case. */
  open(id: string): Consultation;
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
}

/** One consultation's outcome, without the case's words. */
export interface ConsultOutcome {
  readonly id: string;
  readonly gold: string | null;
  readonly inKnowledge: boolean;
  /** Rank among the diseases that the result names. */
  readonly rank: Rank;
  /** Disease ids as the result names them, best first. */
  readonly named: readonly string[];
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
  for (const one of run.cases) {
    const patient = new SimulatedPatient(one, run.readers, run);
    const state = await talk(run.open(one.id), patient);
    const right = matcher.diseasesOf(one);
    const candidates = state.result?.candidates ?? [];
    const at = candidates.findIndex((candidate) => right.has(candidate.diseaseIndex));
    outcomes.push({
      id: one.id,
      gold: one.gold,
      inKnowledge: right.size > 0,
      rank: at < 0 ? null : at + 1,
      named: candidates.map((candidate) => candidate.id),
      urgency: state.urgency?.level ?? 'routine',
      accepted: one.urgency,
      redFlags: state.redFlags.map((flag) => flag.id),
      questions: state.questionsAsked,
      reason: state.result?.reason ?? '',
    });
  }
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
  };
  return { report, outcomes };
}

async function talk(consultation: Consultation, patient: SimulatedPatient): Promise<ConsultationState> {
  await consultation.setProfile(patient.profile);
  for await (const event of consultation.send({ type: 'utterance', text: patient.opening })) void event;
  for (let question = consultation.state.question; question !== null; question = consultation.state.question) {
    for await (const event of consultation.send({ type: 'answer', questionId: question.id, value: patient.answer(question) })) void event;
  }
  return consultation.state;
}
