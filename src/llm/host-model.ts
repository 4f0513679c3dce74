import type { Language } from '../bundle/bundle.js';
import { isAnamnesisError } from '../errors/anamnesis-error.js';
import type { ErrorCode } from '../errors/codes.js';
import { ModelError } from '../errors/model-error.js';
import { plainText } from './chat-markers.js';
import { streamReply } from './chat-reply.js';
import { CodePoints } from './code-points.js';
import type { ChatEvent, ChatMessage, ChatRequest, LanguageModel } from './language-model.js';
import { OpenRequests, untilAborted } from './open-requests.js';
import { checkPromptFits } from './prompt-size.js';
import { TurnQueue } from './turn-queue.js';

/** What a page must bring as a language model; the rest of `LanguageModel` is optional. */
export type HostModel = Pick<LanguageModel, 'id' | 'contextTokens' | 'countTokens'> & {
  chat(request: ChatRequest): AsyncIterable<ChatEvent>;
} & Partial<Pick<LanguageModel, 'parameters' | 'languages' | 'device' | 'lost' | 'dispose'>>;

const DEVICES: readonly unknown[] = ['gpu', 'cpu', 'elsewhere'];
const LANGUAGES: readonly unknown[] = ['zh', 'en'];
/** A host that goes on after an abort holds up the next request for so long at most. */
const DRAIN_MS = 5_000;
/** Codes that a host may give of its own; their messages are ours all the same. */
const PASSED: Readonly<Partial<Record<ErrorCode, string>>> = {
  'context-overflow': 'The prompt is too long for the page’s model.',
  'device-lost': 'The page’s model lost its device.',
  'out-of-memory': 'The page’s model ran out of memory.',
  'model-closed': 'The page closed its model.',
};

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** Members with what each must be. */
const REQUIRED: readonly (readonly [keyof HostModel, string, (value: unknown) => boolean])[] = [
  ['id', 'a name', (value) => typeof value === 'string' && value !== ''],
  ['contextTokens', 'a whole number above 0', isCount],
  ['chat', 'a function', isFunction],
  ['countTokens', 'a function', isFunction],
];
const OPTIONAL: typeof REQUIRED = [
  ['parameters', 'a number or null', (value) => value === null || isCount(value)],
  ['languages', 'a list of zh, en', (value) => Array.isArray(value) && value.length > 0 && value.every((one) => LANGUAGES.includes(one))],
  ['device', 'gpu, cpu or elsewhere', (value) => DEVICES.includes(value)],
  ['lost', 'a promise', (value) => isFunction((value as { readonly then?: unknown } | null)?.then)],
  ['dispose', 'a function', isFunction],
];

/**
 * A model of the page's own behind the port: what the page forgot is filled in, what it gets wrong is put right. Requests
 * wait for one another, an abort settles though the page ignores it, chat markers in messages are broken, and no error of
 * the page's gets through with its message.
 * @throws {ModelError} model-invalid, naming the member that is missing or wrong
 */
export function wrapHostModel(candidate: unknown): LanguageModel {
  const invalid = (why: string): ModelError => new ModelError('model-invalid', `What the page brought is no language model: ${why}.`);
  if ((typeof candidate !== 'object' && typeof candidate !== 'function') || candidate === null) throw invalid('it is no object');
  for (const [member, wanted, isRight] of [...REQUIRED, ...OPTIONAL]) {
    let value: unknown;
    try {
      value = (candidate as Readonly<Record<string, unknown>>)[member];
    } catch {
      throw invalid(`${member} cannot be read`);
    }
    if (value === undefined && OPTIONAL.some(([name]) => name === member)) continue;
    if (!isRight(value)) throw invalid(`${member} must be ${wanted}`);
  }
  return new WrappedModel(candidate as HostModel);
}

class WrappedModel implements LanguageModel {
  readonly id: string;
  readonly runtime = 'host';
  readonly device: LanguageModel['device'];
  readonly contextTokens: number;
  readonly parameters: number | null;
  readonly languages: readonly Language[];
  readonly lost: Promise<ModelError>;
  readonly #host: HostModel;
  readonly #requests = new OpenRequests();
  readonly #queue = new TurnQueue();
  #disposed: Promise<void> | undefined;

  constructor(host: HostModel) {
    this.#host = host;
    this.id = host.id;
    this.device = host.device ?? 'elsewhere';
    this.contextTokens = host.contextTokens;
    this.parameters = host.parameters ?? null;
    this.languages = [...(host.languages ?? (['zh', 'en'] as const))];
    this.lost = new Promise((resolve) => {
      const settle = (reason: unknown): void => {
        if (this.#disposed === undefined) resolve(this.#failure(reason, 'device-lost'));
      };
      host.lost?.then(settle, settle);
    });
  }

  chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    return streamReply(request, (push, outer) =>
      this.#requests.run(outer, async (signal) => {
        const release = await this.#queue.enter(signal);
        try {
          const messages = request.messages.map(({ role, content }): ChatMessage => ({ role, content: plainText(content) }));
          await untilAborted(checkPromptFits(messages, this.contextTokens, (text) => this.#count(text)), signal);
          await this.#read({ ...request, messages, signal }, push, signal);
        } finally {
          release();
        }
      }),
    );
  }

  countTokens(text: string): Promise<number> {
    return this.#requests.run(undefined, () => this.#count(plainText(text)));
  }

  dispose(): Promise<void> {
    this.#requests.close();
    // Its failure is the page's own affair: nothing is asked of it any more.
    this.#disposed ??= Promise.resolve()
      .then(() => this.#host.dispose?.())
      .catch(() => undefined);
    return this.#disposed;
  }

  async #count(text: string): Promise<number> {
    try {
      const tokens = await this.#host.countTokens(text);
      if (Number.isFinite(tokens) && tokens >= 0) return Math.ceil(tokens);
    } catch (error) {
      throw this.#failure(error, 'generation-failed');
    }
    throw new ModelError('generation-failed', 'The page’s model counts tokens by something that is no number.', { modelId: this.id });
  }

  /** Passes on what the host writes, put into the port's form. */
  async #read(request: ChatRequest, push: (event: ChatEvent) => void, signal: AbortSignal): Promise<void> {
    let iterator: AsyncIterator<ChatEvent> | undefined;
    let isOver = false;
    try {
      iterator = this.#host.chat(request)[Symbol.asyncIterator]();
      const points = new CodePoints();
      const add = (text: string): void => {
        if (text !== '') push({ type: 'delta', text });
      };
      for (;;) {
        const step = await untilAborted(iterator.next(), signal);
        const event = (step.done === true ? undefined : step.value) as Partial<Record<'type' | 'text' | 'reason' | 'promptTokens' | 'replyTokens', unknown>> | null | undefined;
        isOver = step.done === true;
        if (event?.type === 'delta' && typeof event.text === 'string') add(points.push(event.text));
        if (event?.type !== 'end' && !isOver) continue;
        add(points.end());
        push({ type: 'end', reason: event?.reason === 'length' ? 'length' : 'stop', promptTokens: countOf(event?.promptTokens), replyTokens: countOf(event?.replyTokens) });
        return;
      }
    } catch (error) {
      isOver = !signal.aborted;
      throw signal.aborted ? signal.reason : this.#failure(error, 'generation-failed');
    } finally {
      if (!isOver && iterator !== undefined) await drain(iterator);
    }
  }

  /** The host's error without its words, which may be the patient's. */
  #failure(error: unknown, otherwise: 'generation-failed' | 'device-lost'): ModelError {
    const given = isAnamnesisError(error) ? PASSED[error.code] : undefined;
    if (isAnamnesisError(error) && given !== undefined) return new ModelError(error.code, given, { modelId: this.id, retryable: error.retryable });
    return new ModelError(otherwise, otherwise === 'device-lost' ? PASSED['device-lost']! : 'The page’s model failed while it answered.', { modelId: this.id });
  }
}

const countOf = (value: unknown): number => (Number.isFinite(value) && (value as number) >= 0 ? Math.round(value as number) : 0);

/** Waits until the host has stopped, or no longer. */
async function drain(iterator: AsyncIterator<ChatEvent>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  try {
    await Promise.race([iterator.return?.(), patience]);
  } catch {
    // A host that fails while it stops has stopped.
  } finally {
    clearTimeout(timer);
  }
}
