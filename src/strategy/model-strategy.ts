import type { KnowledgeBundle } from '../bundle/bundle.js';
import type { Candidate, Question } from '../differential/differential.js';
import { CHECK_PREFIX } from '../differential/question-words.js';
import { questionLine } from '../differential/question-words.js';
import { isAnamnesisError } from '../errors/anamnesis-error.js';
import type { ErrorCode } from '../errors/codes.js';
import { ModelError } from '../errors/model-error.js';
import { StrategyError } from '../errors/strategy-error.js';
import type { FindingExtractor } from '../findings/extract.js';
import { LinkedAbort } from '../llm/linked-abort.js';
import type { CandidateDisease } from '../retriever/retriever.js';
import { analyzeByKnowledge } from './analysis.js';
import { buildPrompt, fitAccount } from './build-prompt.js';
import { Doctor, type DoctorOutcome } from './doctor.js';
import { fitKnowledge, knowledgeText } from './fit-knowledge.js';
import { type GuidedStrategy, RETRIEVED } from './guided.js';
import type { Method } from './methods.js';
import { ModelCalls } from './model-calls.js';
import type { ModelStrategySettings } from './model-options.js';
import { namedDiseases } from './named-diseases.js';
import type { PromptTexts } from './prompts/prompt-texts.js';
import type { KnowledgeReasoning, Weighed } from './reasoning.js';
import type { Decision, DialogueStrategy, TurnEvent, TurnInput } from './strategy.js';

/** Questions of the knowledge that the model may choose from. */
const LISTED = 6;
/** Posterior from which a small model may conclude before its last round. */
const STRONG_LEADER = 0.6;
const GATE_TOKENS = 16;
const KEYWORD_TOKENS = 80;
/** Shares of the prompt that account and comparison may take. */
const ACCOUNT_SHARE = 0.35;
const COMPARISON_SHARE = 0.2;
/** Share of a prompt up to which tick lists are written with their options. */
const QUESTIONS_SHARE = 0.25;

/** What is kept of a round in which the model was asked. */
interface ModelRound {
  /** Lines of the transcript when it began. */
  readonly lines: number;
  readonly utterances: number;
  readonly query: string;
  readonly retrieved: readonly CandidateDisease[];
  readonly analysis: string;
  /** Questions chosen and not yet asked. */
  readonly queue: readonly Question[];
  readonly concluded: boolean;
}

interface Parts {
  readonly method: Method;
  readonly settings: ModelStrategySettings;
  readonly texts: PromptTexts;
  readonly reasoning: KnowledgeReasoning;
  readonly guided: GuidedStrategy;
  readonly extractor: FindingExtractor;
}

/**
 * MRD-RAG (§4.2) and its baselines with a language model: gate, retriever, analyzer, doctor. Departures from the paper:
 * what is retrieved is ordered by the posterior over all that is known; the doctor chooses up to three typed questions of
 * the knowledge a round; it ends each round in a decision that is checked. Urgency and red flags are not asked of it.
 * Whatever fails, `guided` answers the turn.
 */
export class ModelStrategy implements DialogueStrategy {
  readonly name: string;
  readonly #parts: Parts;
  readonly #calls: ModelCalls;
  readonly #doctor: Doctor;
  #rounds: ModelRound[] = [];
  /** The visitor asked for more after the model had concluded, or the model is too slow: `guided` goes on. */
  #handedOver = false;
  #skip: LinkedAbort | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.name = parts.method.name;
    this.#calls = new ModelCalls(parts.settings);
    this.#doctor = new Doctor(parts.reasoning.bundle, parts.settings, parts.texts, this.#calls, parts.extractor);
  }

  get #bundle(): KnowledgeBundle {
    return this.#parts.reasoning.bundle;
  }

  async *turn(input: TurnInput): AsyncGenerator<TurnEvent, void, undefined> {
    const same = this.#rounds.find((round) => round.lines === input.transcript.length);
    const shrunk = this.#rounds.some((round) => round.lines > input.transcript.length);
    if (shrunk) this.#handedOver = false;
    if (same?.concluded === true && input.questionsLeft > 0) this.#handedOver = true;
    this.#rounds = this.#rounds.filter((round) => round.lines < input.transcript.length);
    if (this.#handedOver) return yield* this.#parts.guided.turn(input);
    const next = this.#nextOfQueue(input);
    if (next !== undefined) return yield next;
    const skip = new LinkedAbort(input.signal);
    this.#skip = skip;
    try {
      yield* this.#modelTurn({ ...input, signal: skip.signal });
    } catch (error) {
      input.signal.throwIfAborted();
      const code: ErrorCode = isAnamnesisError(error) ? error.code : 'generation-failed';
      if (code === 'too-slow') this.#handedOver = true;
      yield { type: 'fallback', code };
      yield* this.#parts.guided.turn(input);
    } finally {
      skip.release();
      this.#skip = null;
    }
  }

  skip(): void {
    this.#skip?.abort(new ModelError('reply-stopped', 'The visitor went on without waiting for the model.', { modelId: this.#parts.settings.model.id }));
  }

  /** The next question that the last round chose, while the patient only answers. */
  #nextOfQueue(input: TurnInput): TurnEvent | undefined {
    const last = this.#rounds.at(-1);
    if (last === undefined || input.questionsLeft === 0 || last.utterances !== input.utterances.length) return undefined;
    const at = last.queue.findIndex((question) => !input.asked.has(question.id) && !this.#isKnown(question, input));
    const question = last.queue[at];
    if (question === undefined) return undefined;
    this.#rounds = [...this.#rounds.slice(0, -1), { ...last, queue: last.queue.slice(at + 1) }];
    return { type: 'decision', decision: { type: 'ask', question }, differential: this.#parts.reasoning.weigh(input.patient, last.retrieved).differential };
  }

  #isKnown(question: Question, input: TurnInput): boolean {
    const index = question.type === 'yes-no' ? this.#bundle.findingIndex(question.id) : undefined;
    return index !== undefined && input.patient.findings.has(index);
  }

  async *#modelTurn(input: TurnInput): AsyncGenerator<TurnEvent, void, undefined> {
    const { method, settings, reasoning, guided } = this.#parts;
    const last = this.#rounds.at(-1);
    const retrieval = yield* this.#retrieve(input, last);
    input.signal.throwIfAborted();
    const weighed = reasoning.weigh(input.patient, retrieval.retrieved);
    if (method.retrieves !== 'never' && !reasoning.isEnough(weighed, retrieval.retrieved)) {
      yield guided.decide(input, retrieval.retrieved, weighed);
      return;
    }
    const candidates = method.retrieves === 'never' ? [] : this.#candidates(weighed, retrieval.retrieved);
    const questions = settings.asks === 'listed' ? reasoning.questions(input.patient, weighed.probabilities, input.asked, LISTED).map((one) => one.question) : [];
    const isLast = input.questionsLeft === 0 || this.#rounds.length >= settings.maxRounds - 1 || (settings.asks === 'listed' && questions.length === 0);
    const analysis = yield* this.#analyze(input, candidates, questions, last, retrieval.isFresh);
    const parts = await this.#promptParts(input, candidates, questions, analysis);
    const outcome = yield* this.#doctor.reply({ input, candidates: candidates.map((one) => one.diseaseIndex), questions, isLast, mayConclude: this.#mayConclude(input, weighed, retrieval.retrieved), parts });
    const { decision, queue, differential } = this.#decide(input, { ...outcome, questions: withDangerCheck(outcome, questions) }, weighed, candidates, isLast);
    this.#rounds.push({ lines: input.transcript.length, utterances: input.utterances.length, query: retrieval.query, retrieved: retrieval.retrieved, analysis, queue, concluded: decision.type === 'conclude' });
    yield { type: 'decision', decision, differential, alsoNamed: weighed.alsoNamed };
  }

  /** A small model concludes far too readily: it may only where the knowledge would, or has a strong leader after round 1. */
  #mayConclude(input: TurnInput, weighed: Weighed, retrieved: readonly CandidateDisease[]): boolean {
    const { settings, guided } = this.#parts;
    if (settings.analysis === 'model' || settings.asks === 'own') return true;
    return guided.decide(input, retrieved, weighed).decision.type === 'conclude' || (this.#rounds.length > 0 && (weighed.differential[0]?.probability ?? 0) >= STRONG_LEADER);
  }

  /** The retriever, behind its gate after round 1. */
  async *#retrieve(input: TurnInput, last: ModelRound | undefined): AsyncGenerator<TurnEvent, { retrieved: readonly CandidateDisease[]; query: string; isFresh: boolean }, undefined> {
    const { method, settings, reasoning } = this.#parts;
    const query = queryOf(input, this.#bundle);
    const kept = { retrieved: last?.retrieved ?? [], query: last?.query ?? '', isFresh: false };
    let retrieve = method.retrieves !== 'never' && (last === undefined || method.retrieves === 'each-round');
    // The same query finds the same: no need to ask the model.
    if (retrieve && last !== undefined && method.gated) retrieve = last.query !== query.join('\n') && (yield* this.#gate(last.query, query.join('\n'), input.signal));
    yield { type: 'gate-end', retrieve };
    if (!retrieve) return kept;
    yield { type: 'retrieval-start' };
    const words = method.query === 'keywords' ? yield* this.#keywords(input, query) : query;
    const retrieved = await reasoning.retrieve(words, settings.index);
    yield { type: 'retrieval-end', candidates: retrieved.slice(0, RETRIEVED) };
    return { retrieved, query: query.join('\n'), isFresh: true };
  }

  /** `need_retrieval`: whether the new words tell something new. What cannot be read counts as yes. */
  async *#gate(before: string, now: string, signal: AbortSignal): AsyncGenerator<TurnEvent, boolean, undefined> {
    const { texts } = this.#parts;
    const half = Math.floor(this.#calls.promptBudget(GATE_TOKENS) / 3);
    const fit = (text: string): Promise<string> => fitAccount(texts, [{ speaker: 'patient', text }], half, this.#calls.countTokens);
    const fresh = now.startsWith(before) ? now.slice(before.length) : now;
    const messages = buildPrompt(texts, this.#bundle.school, [{ heading: texts.headings.earlier, text: await fit(before) }, { heading: texts.headings.now, text: await fit(fresh) }], texts.gate);
    const { value, event } = await this.#calls.json('gate', messages, { type: 'object', properties: { retrieve: { type: 'boolean' } }, required: ['retrieve'] }, GATE_TOKENS, signal);
    yield event;
    return (value as { retrieve?: unknown } | undefined)?.retrieve !== false;
  }

  /** RagPULSE: the model writes the query. What cannot be read is searched by the patient's own words. */
  async *#keywords(input: TurnInput, query: readonly string[]): AsyncGenerator<TurnEvent, readonly string[], undefined> {
    const { texts } = this.#parts;
    const account = await fitAccount(texts, input.transcript, Math.floor(this.#calls.promptBudget(KEYWORD_TOKENS) / 2), this.#calls.countTokens);
    const messages = buildPrompt(texts, this.#bundle.school, [{ heading: texts.headings.account, text: account }], texts.keywords);
    const { value, event } = await this.#calls.json('keywords', messages, { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }, KEYWORD_TOKENS, input.signal);
    yield event;
    const words = (value as { query?: unknown } | undefined)?.query;
    return typeof words === 'string' && words.trim() !== '' ? [words] : query;
  }

  #candidates(weighed: Weighed, retrieved: readonly CandidateDisease[]): Candidate[] {
    const { settings, reasoning } = this.#parts;
    const found = retrieved.map((one) => one.diseaseIndex).filter((index) => this.#bundle.diseases[index]?.type === reasoning.namedType);
    const order = settings.rerank ? [...found].sort((a, b) => (weighed.probabilities[b] ?? 0) - (weighed.probabilities[a] ?? 0)) : found;
    const leading = order.length > 0 ? order : weighed.differential.map((candidate) => candidate.diseaseIndex);
    return reasoning.describe(leading.slice(0, settings.topK), weighed);
  }

  /** The analyzer: by the model where that was chosen and something new was retrieved, else from the knowledge. */
  async *#analyze(input: TurnInput, candidates: readonly Candidate[], questions: readonly Question[], last: ModelRound | undefined, isFresh: boolean): AsyncGenerator<TurnEvent, string, undefined> {
    const { method, settings, texts, reasoning } = this.#parts;
    if (!method.analyzes || candidates.length === 0) return '';
    if (settings.analysis === 'knowledge') {
      const analysis = analyzeByKnowledge(this.#bundle, reasoning.likelihood, input.patient, candidates, questions, texts.analysis);
      yield { type: 'analysis-delta', text: analysis };
      return analysis;
    }
    if (!isFresh && last !== undefined && last.analysis !== '') return last.analysis;
    const parts = await this.#promptParts(input, candidates, questions, '');
    const { text, event } = await this.#calls.whole('analyze', buildPrompt(texts, this.#bundle.school, parts, texts.analyze), { maxTokens: settings.replyTokens, signal: input.signal });
    yield event;
    const analysis = text.trim();
    if (analysis === '') throw new StrategyError('reply-refused', 'The analyzer wrote nothing.', { round: this.#rounds.length });
    yield { type: 'analysis-delta', text: analysis };
    return analysis;
  }

  /** Notes, account, comparison and questions, fitted into the model's context together. */
  async #promptParts(input: TurnInput, candidates: readonly Candidate[], questions: readonly Question[], analysis: string): Promise<{ heading: string; text: string }[]> {
    const { settings, texts, reasoning } = this.#parts;
    const { countTokens } = this.#calls;
    const { headings } = texts;
    const budget = this.#calls.promptBudget(settings.replyTokens);
    const frame = buildPrompt(texts, this.#bundle.school, Object.values(headings).map((heading) => ({ heading, text: '.' })), texts.askOrConclude);
    const numbered = (words: (question: Question) => string): string => questions.map((question, at) => `${String(at + 1)}. ${words(question)}`).join('\n');
    const whole = numbered((question) => questionLine(question, this.#bundle.language));
    const list = (await countTokens(whole)) <= budget * QUESTIONS_SHARE ? whole : numbered((question) => question.text);
    let left = budget - (await countTokens(frame.map((message) => message.content).join('\n'))) - (await countTokens(list));
    const account = await fitAccount(texts, input.transcript, Math.max(32, Math.floor(left * ACCOUNT_SHARE)), countTokens);
    left -= await countTokens(account);
    const comparison = analysis === '' ? '' : await cutLines(analysis, Math.floor(budget * COMPARISON_SHARE), countTokens);
    left -= await countTokens(comparison);
    const fitted = await fitKnowledge({ bundle: this.#bundle, likelihood: reasoning.likelihood, patient: input.patient, candidates: candidates.map((one) => one.diseaseIndex), budgetTokens: left, countTokens });
    return [
      { heading: headings.notes, text: knowledgeText(this.#bundle, fitted) },
      { heading: headings.account, text: account },
      { heading: headings.comparison, text: comparison },
      { heading: headings.questions, text: list },
    ];
  }

  #decide(input: TurnInput, outcome: DoctorOutcome, weighed: Weighed, candidates: readonly Candidate[], isLast: boolean): { decision: Decision; queue: readonly Question[]; differential: readonly Candidate[] } {
    const { settings, reasoning, method } = this.#parts;
    const [question, ...queue] = outcome.questions;
    if (outcome.action === 'ask' && question !== undefined && !isLast) return { decision: { type: 'ask', question }, queue, differential: weighed.differential };
    const reason = input.questionsLeft === 0 || isLast ? 'question-limit' : 'clear-leader';
    if (method.retrieves === 'never') {
      const named = namedDiseases(this.#bundle, outcome.conditions);
      return { decision: { type: 'conclude', enough: named.length > 0, reason: named.length > 0 ? reason : 'not-enough', named: named.length }, queue: [], differential: reasoning.describe(named, weighed) };
    }
    if (settings.ranking === 'knowledge') return { decision: { type: 'conclude', enough: true, reason }, queue: [], differential: weighed.differential };
    const chosen = outcome.candidates.flatMap((at) => candidates[at] ?? []);
    const ids = new Set(chosen.map((candidate) => candidate.diseaseIndex));
    return { decision: { type: 'conclude', enough: true, reason, named: Math.max(1, chosen.length) }, queue: [], differential: [...chosen, ...weighed.differential.filter((candidate) => !ids.has(candidate.diseaseIndex))] };
  }

  close(): void {
    this.#rounds = [];
    this.#parts.guided.close();
  }
}

/** The danger signs are asked first where the knowledge puts them first, whatever the model chose. */
function withDangerCheck(outcome: DoctorOutcome, listed: readonly Question[]): readonly Question[] {
  const [first] = listed;
  if (outcome.action === 'conclude' || first === undefined || !first.id.startsWith(CHECK_PREFIX)) return outcome.questions;
  return [first, ...outcome.questions.filter((question) => question !== first)];
}

/** The patient's words, and what a typed answer said in the vocabulary's words: nothing the system said. */
function queryOf(input: TurnInput, bundle: KnowledgeBundle): string[] {
  const answered = [...input.patient.findings.values()].filter((known) => known.origin === 'answered' && known.state === 'present').map((known) => bundle.findings[known.findingIndex]?.names[bundle.language] ?? '');
  return [...input.utterances, ...answered];
}

/** Whole lines from the start, as many as fit. */
async function cutLines(text: string, budgetTokens: number, countTokens: (text: string) => Promise<number>): Promise<string> {
  const kept: string[] = [];
  let left = budgetTokens;
  for (const line of text.split('\n')) {
    left -= await countTokens(`${line}\n`);
    if (left < 0) break;
    kept.push(line);
  }
  return kept.join('\n');
}
