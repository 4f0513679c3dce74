import { extractJson } from '../llm/json-reply.js';
import { guardedChat } from '../llm/guarded-chat.js';
import type { ChatMessage, JsonSchema } from '../llm/language-model.js';
import type { ModelStrategySettings } from './model-options.js';
import type { ModelTask, TurnEvent } from './strategy.js';

/** Tokens of the chat template around system and user message; none of the known ones takes more. */
const TEMPLATE_TOKENS = 48;
/** Kept free for the words of a repair. */
const REPAIR_TOKENS = 64;

interface CallOptions {
  readonly maxTokens: number;
  readonly schema?: JsonSchema;
  readonly signal: AbortSignal;
}

interface WholeReply {
  readonly text: string;
  readonly event: TurnEvent;
}

/** Calls of the model within one strategy: budgets, token counts that are asked for once, and the events they leave. */
export class ModelCalls {
  readonly #settings: ModelStrategySettings;
  readonly #counts = new Map<string, number>();

  constructor(settings: ModelStrategySettings) {
    this.#settings = settings;
  }

  /** Tokens that a prompt may have beside a reply. */
  promptBudget(replyTokens: number): number {
    return Math.max(64, Math.min(this.#settings.promptTokens, this.#settings.model.contextTokens - replyTokens) - TEMPLATE_TOKENS - REPAIR_TOKENS);
  }

  readonly countTokens = async (text: string): Promise<number> => {
    if (text === '') return 0;
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const count = await this.#settings.model.countTokens(text);
    if (this.#counts.size > 5_000) this.#counts.clear();
    this.#counts.set(text, count);
    return count;
  };

  /** Streams the text of a reply; returns it whole with the event of the call. */
  async *stream(task: ModelTask, messages: readonly ChatMessage[], options: CallOptions): AsyncGenerator<string, WholeReply, undefined> {
    const { model, replySeconds, leastTokensPerSecond } = this.#settings;
    const chat = guardedChat(model, { messages, temperature: 0, ...options }, { seconds: replySeconds, leastTokensPerSecond });
    let text = '';
    for (;;) {
      const next = await chat.next();
      if (next.done === true) {
        const { promptTokens, replyTokens, tokensPerSecond } = next.value;
        return { text, event: { type: 'model-call', task, promptTokens, replyTokens, tokensPerSecond } };
      }
      text += next.value;
      yield next.value;
    }
  }

  /** A reply that is of use only when it is whole. */
  async whole(task: ModelTask, messages: readonly ChatMessage[], options: CallOptions): Promise<WholeReply> {
    const stream = this.stream(task, messages, options);
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return next.value;
    }
  }

  /** A whole reply as JSON; undefined where it cannot be read. */
  async json(task: ModelTask, messages: readonly ChatMessage[], schema: JsonSchema, maxTokens: number, signal: AbortSignal): Promise<{ value: unknown; event: TurnEvent }> {
    const { text, event } = await this.whole(task, messages, { maxTokens, schema, signal });
    return { value: extractJson(text), event };
  }
}
