import { createParts, createStrategy } from '../../src/anamnesis.js';
import type { KnowledgeBundle } from '../../src/bundle/bundle.js';
import { Consultation, type ConsultationEvent } from '../../src/consultation/consultation.js';
import type { PatientInput } from '../../src/consultation/state.js';
import type { ModelStrategyName } from '../../src/strategy/methods.js';
import type { ModelStrategyOptions } from '../../src/strategy/model-options.js';
import { builtBundle } from '../bundles.js';
import { FakeLanguageModel, type FakeModelOptions } from '../fakes/fake-language-model.js';

/** A consultation with a scripted model. */
export interface Talk {
  readonly bundle: KnowledgeBundle;
  readonly model: FakeLanguageModel;
  readonly consultation: Consultation;
  /** Sends words, or an answer to the open question; the events of the round. */
  say(input: string | PatientInput): Promise<ConsultationEvent[]>;
  /** Answers the open question with no, whatever its type. */
  deny(): Promise<ConsultationEvent[]>;
}

/** @param knowledge a built bundle by its id, or a bundle */
export async function openTalk(knowledge: 'mm-zh' | 'mm-en' | 'tcm-zh' | KnowledgeBundle, model: FakeModelOptions, options: Partial<ModelStrategyOptions> & { readonly strategy?: ModelStrategyName } = {}): Promise<Talk> {
  const bundle = typeof knowledge === 'string' ? builtBundle(knowledge) : knowledge;
  const { strategy = 'mrd-rag', ...rest } = options;
  const fake = new FakeLanguageModel(model);
  const made = await createStrategy(bundle, strategy, { ...rest, model: fake });
  const consultation = new Consultation({ ...createParts(bundle), strategy: made }, { id: 'test', maxQuestions: 10 });
  await consultation.setProfile({ ageYears: 34, sex: 'female' });
  const say = async (input: string | PatientInput): Promise<ConsultationEvent[]> => {
    const events: ConsultationEvent[] = [];
    for await (const event of consultation.send(typeof input === 'string' ? { type: 'utterance', text: input } : input)) events.push(event);
    return events;
  };
  return {
    bundle,
    model: fake,
    consultation,
    say,
    deny: () => {
      const { question } = consultation.state;
      if (question === null) throw new Error('no question is open');
      const value = question.type === 'yes-no' ? 'no' : question.type === 'number' ? 'unknown' : [];
      return say({ type: 'answer', questionId: question.id, value });
    },
  };
}

/** Types of the events, those that repeat once. */
export function typesOf(events: readonly ConsultationEvent[]): string[] {
  return events.map((event) => event.type).filter((type, at, all) => type !== all[at - 1]);
}

export const HEADACHE = { en: 'I have had a throbbing headache on one side since this morning and I feel sick. Light hurts my eyes.', zh: '今天早上开始一侧头痛，一跳一跳的，还恶心，怕光。' } as const;

/** A reply of the doctor as JSON. */
export function doctorSays(reply: { readonly action: 'ask' | 'conclude'; readonly questions?: readonly number[]; readonly candidates?: readonly number[]; readonly reply?: string; readonly question?: string; readonly conditions?: readonly string[] }): string {
  return JSON.stringify({ action: reply.action, ...(reply.question === undefined ? { questions: reply.questions ?? [] } : { question: reply.question }), ...(reply.conditions === undefined ? { candidates: reply.candidates ?? [1] } : { conditions: reply.conditions }), reply: reply.reply ?? '' });
}
