import { ModelError } from '../errors/model-error.js';
import { stripControlTokens } from './control-tokens.js';
import type { ChatRequest, LanguageModel } from './language-model.js';
import { LinkedAbort } from './linked-abort.js';
import { LoopDetector } from './loop-detector.js';
import { ThinkFilter } from './think-filter.js';

/** What one reply may cost. Time is counted in ticks, so that a frozen page or a sleeping phone costs none. */
export interface ChatBudget {
  /** Seconds for the whole reply, prompt included. @default 60 */
  readonly seconds?: number;
  /** Slower than this after the first tokens, the model is given up. @default 1 */
  readonly leastTokensPerSecond?: number;
}

export interface ChatOutcome {
  readonly reason: 'stop' | 'length';
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Of the reply, the prompt's reading left out; null where it was too short to tell. */
  readonly tokensPerSecond: number | null;
}

const DEFAULT_SECONDS = 60;
const DEFAULT_LEAST_SPEED = 1;
/** Tokens after which the speed is judged, and seconds that must have passed. */
const JUDGED_TOKENS = 10;
const JUDGED_SECONDS = 8;
const TICK_MS = 250;
/** Longest marker that `stripControlTokens` takes out. */
const MARKER_REACH = 24;

/**
 * A chat whose reply is fit to be read: thinking and control tokens taken out, stopped when it loops, drags or takes too
 * long. Yields clean text.
 * @throws {ModelError} too-slow, reply-refused (a loop), and what `LanguageModel.chat` throws
 */
export async function* guardedChat(model: LanguageModel, request: ChatRequest, budget: ChatBudget = {}): AsyncGenerator<string, ChatOutcome, undefined> {
  const { seconds = DEFAULT_SECONDS, leastTokensPerSecond = DEFAULT_LEAST_SPEED } = budget;
  const abort = new LinkedAbort(request.signal);
  let ticks = 0;
  let firstTick = 0;
  let tokens = 0;
  const tooSlow = (): ModelError => new ModelError('too-slow', `The model ${model.id} gave ${String(tokens)} tokens in ${((ticks * TICK_MS) / 1000).toFixed(0)} s; it is given up for this turn.`, { modelId: model.id });
  const timer = setInterval(() => {
    ticks++;
    const sinceFirst = ((ticks - firstTick) * TICK_MS) / 1000;
    const drags = tokens > 0 && tokens < JUDGED_TOKENS && sinceFirst >= JUDGED_SECONDS && tokens / sinceFirst < leastTokensPerSecond;
    if (drags || (ticks * TICK_MS) / 1000 >= seconds) abort.abort(tooSlow());
  }, TICK_MS);
  const filter = new ThinkFilter();
  const loops = new LoopDetector();
  let raw = '';
  let shown = '';
  let firstAt = performance.now();
  try {
    for await (const event of model.chat({ ...request, signal: abort.signal })) {
      if (event.type === 'end') {
        raw += filter.end(event.reason);
        if (filter.leaked) throw new ModelError('reply-refused', `The model ${model.id} thought aloud; its reply is not used.`, { modelId: model.id });
        const rest = stripControlTokens(raw).slice(shown.length);
        if (rest !== '') yield rest;
        const elapsed = (performance.now() - firstAt) / 1000;
        return { reason: event.reason, promptTokens: event.promptTokens, replyTokens: event.replyTokens, tokensPerSecond: event.replyTokens < JUDGED_TOKENS || elapsed <= 0 ? null : event.replyTokens / elapsed };
      }
      if (tokens === 0) {
        firstTick = ticks;
        firstAt = performance.now();
      }
      tokens++;
      if (loops.push(event.text)) throw new ModelError('reply-refused', `The model ${model.id} repeats itself; its reply was stopped.`, { modelId: model.id });
      raw += filter.push(event.text);
      const clean = stripControlTokens(raw);
      // The last characters may be the start of a marker.
      const safe = clean.slice(0, Math.max(shown.length, clean.length - MARKER_REACH));
      if (safe.length > shown.length) {
        const delta = safe.slice(shown.length);
        shown = safe;
        yield delta;
      }
    }
    throw new ModelError('generation-failed', `The model ${model.id} ended without an end.`, { modelId: model.id });
  } finally {
    clearInterval(timer);
    abort.release();
  }
}
