import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Question } from '../differential/differential.js';
import { isAnamnesisError } from '../errors/anamnesis-error.js';
import { ModelError } from '../errors/model-error.js';
import type { FindingExtractor } from '../findings/extract.js';
import { JsonStringStream } from '../llm/json-string-stream.js';
import type { ChatMessage } from '../llm/language-model.js';
import { SentenceStream } from '../llm/sentences.js';
import { buildPrompt, type PromptPart } from './build-prompt.js';
import { doctorSchema, type DoctorTask, readDoctorReply } from './doctor-reply.js';
import type { ModelCalls } from './model-calls.js';
import type { ModelStrategySettings } from './model-options.js';
import { namedDiseases } from './named-diseases.js';
import { fill, type PromptTexts } from './prompts/prompt-texts.js';
import { ReplyChecker } from './reply-checker.js';
import type { TurnEvent, TurnInput } from './strategy.js';

/** What the doctor is given in a round. */
export interface DoctorInput {
  readonly input: TurnInput;
  /** Disease indices of the notes, in their order; empty: it works without notes. */
  readonly candidates: readonly number[];
  /** Questions of the list, in its order; empty: it asks in words of its own. */
  readonly questions: readonly Question[];
  /** It must conclude. */
  readonly isLast: boolean;
  /** It may conclude before that. */
  readonly mayConclude: boolean;
  readonly parts: readonly PromptPart[];
}

/** What the doctor decided. */
export interface DoctorOutcome {
  readonly action: 'ask' | 'conclude';
  /** To be asked, first one first. */
  readonly questions: readonly Question[];
  /** Places in the notes, likeliest first. */
  readonly candidates: readonly number[];
  /** Names in the model's words, where there were no notes. */
  readonly conditions: readonly string[];
}

/** One repair of a reply that cannot be used, then the turn is `guided`'s. */
const ATTEMPTS = 2;

/** The doctor module: one call that asks or concludes, read strictly, its words checked sentence by sentence. */
export class Doctor {
  readonly #bundle: KnowledgeBundle;
  readonly #settings: ModelStrategySettings;
  readonly #texts: PromptTexts;
  readonly #calls: ModelCalls;
  readonly #extractor: FindingExtractor;

  constructor(bundle: KnowledgeBundle, settings: ModelStrategySettings, texts: PromptTexts, calls: ModelCalls, extractor: FindingExtractor) {
    this.#bundle = bundle;
    this.#settings = settings;
    this.#texts = texts;
    this.#calls = calls;
    this.#extractor = extractor;
  }

  /** @throws {ModelError} reply-unreadable after one repair */
  async *reply(round: DoctorInput): AsyncGenerator<TurnEvent, DoctorOutcome, undefined> {
    const isOwn = round.candidates.length === 0;
    const task: DoctorTask = { mayAsk: !round.isLast, mayConclude: round.isLast || round.mayConclude, listedQuestions: round.questions.length, notes: round.candidates.length, mostQuestions: this.#settings.questionsPerRound };
    const account = round.input.transcript.filter((line) => line.speaker === 'patient').map((line) => line.text).join('\n');
    const checker = new ReplyChecker(this.#bundle, round.candidates, account, this.#extractor);
    let faults: readonly string[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      yield { type: 'reply-start' };
      const tally = { shown: 0, language: 0 };
      const { text, isStopped } = yield* this.#write(round, task, faults, isOwn ? null : checker, tally);
      if (isStopped) yield { type: 'reply-start' };
      const read = readDoctorReply(text, task, this.#texts.noJson);
      if ('faults' in read) {
        faults = read.faults;
        continue;
      }
      const { reply } = read;
      if (isOwn && !isStopped) yield* this.#showOwn(text, new ReplyChecker(this.#bundle, namedDiseases(this.#bundle, reply.conditions), account, this.#extractor), tally);
      if (tally.shown === 0 && tally.language > 0 && attempt === 0) {
        faults = [this.#texts.otherLanguage];
        continue;
      }
      const questions = reply.action === 'conclude' ? [] : reply.question === '' ? reply.questions.flatMap((at) => round.questions[at] ?? []) : this.#ownQuestion(reply.question, checker, round.input);
      if (reply.action === 'ask' && questions.length === 0) {
        faults = [this.#texts.nothingLeft];
        continue;
      }
      yield { type: 'reply-end' };
      return { action: reply.action, questions, candidates: reply.candidates, conditions: reply.conditions };
    }
    throw new ModelError('reply-unreadable', `The reply of ${this.#settings.model.id} could not be read as a decision, twice.`, { modelId: this.#settings.model.id });
  }

  /**
   * Calls the model; sentences of its reply are shown as they pass. Returns the whole text; where it was stopped because it
   * loops, what came before: the decision in it may stand, its words do not.
   */
  async *#write(round: DoctorInput, task: DoctorTask, faults: readonly string[], checker: ReplyChecker | null, tally: Tally): AsyncGenerator<TurnEvent, { text: string; isStopped: boolean }, undefined> {
    const chat = this.#calls.stream('doctor', this.#messages(round, task, faults), { maxTokens: this.#settings.replyTokens, schema: doctorSchema(task), signal: round.input.signal });
    const words = new JsonStringStream('reply');
    const sentences = new SentenceStream(this.#bundle.language);
    let text = '';
    try {
      for (;;) {
        const next = await chat.next();
        if (next.done !== true) {
          text += next.value;
          if (checker !== null) for (const sentence of sentences.push(words.push(next.value))) yield* show(sentence, checker, tally);
          continue;
        }
        yield next.value.event;
        // A reply that was cut ends in half a sentence, which is not shown.
        if (checker !== null && words.isClosed) for (const sentence of sentences.end()) yield* show(sentence, checker, tally);
        return { text, isStopped: false };
      }
    } catch (error) {
      if (!isAnamnesisError(error) || error.code !== 'reply-refused') throw error;
      return { text, isStopped: true };
    }
  }

  *#showOwn(text: string, checker: ReplyChecker, tally: Tally): Generator<TurnEvent, void, undefined> {
    const words = new JsonStringStream('reply');
    const sentences = new SentenceStream(this.#bundle.language);
    for (const sentence of [...sentences.push(words.push(text)), ...sentences.end()]) yield* show(sentence, checker, tally);
  }

  #messages(round: DoctorInput, task: DoctorTask, faults: readonly string[]): ChatMessage[] {
    const { ask, conclude, concludeOwn, askOrConclude, askOwnOrConclude, repair } = this.#texts;
    const most = String(task.mostQuestions);
    const words = !task.mayAsk
      ? task.notes > 0
        ? conclude
        : concludeOwn
      : task.listedQuestions > 0
        ? fill(task.mayConclude ? askOrConclude : ask, { most })
        : `${askOwnOrConclude}${task.notes > 0 ? '' : ` ${concludeOwn}`}`;
    const again = faults.length === 0 ? '' : `\n${fill(repair, { faults: faults.join(' ') })}`;
    return buildPrompt(this.#texts, this.#bundle.school, round.parts, words + again);
  }

  /** A question in the model's words: the vocabulary's where it means exactly one finding, else an open one; none where it fails the checks. */
  #ownQuestion(text: string, checker: ReplyChecker, input: TurnInput): Question[] {
    const checked = checker.check(text);
    if ('refused' in checked) return [];
    const findings = [...new Set(this.#extractor.read(text).mentions.map((mention) => mention.findingIndex))];
    const finding = findings.length === 1 ? this.#bundle.findings[findings[0] ?? -1] : undefined;
    const base = { text, why: '', options: [], unit: '', min: 0, max: 0 };
    if (finding !== undefined && finding.ask[this.#bundle.language] !== '' && !input.asked.has(finding.id)) return [{ ...base, id: finding.id, type: 'yes-no' }];
    return [{ ...base, id: `open:${String(input.transcript.length)}`, type: 'open' }];
  }
}

interface Tally {
  shown: number;
  language: number;
}

function* show(text: string, checker: ReplyChecker, tally: Tally): Generator<TurnEvent, void, undefined> {
  const checked = checker.check(text);
  if ('sentence' in checked) {
    tally.shown++;
    yield { type: 'reply-delta', sentence: checked.sentence };
  } else if (checked.refused === 'language') tally.language++;
}
