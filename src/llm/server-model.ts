import { ModelError } from '../errors/model-error.js';
import { plainText } from './chat-markers.js';
import { streamReply } from './chat-reply.js';
import type { ChatEvent, ChatMessage, ChatRequest, LanguageModel } from './language-model.js';
import { OpenRequests } from './open-requests.js';
import { checkPromptFits, estimateTokens } from './prompt-size.js';
import { type ServerAddress, ServerConnection } from './server-connection.js';
import { contextOverflow, readReply, saysOverflow } from './server-reply.js';

export interface ServerModelOptions extends ServerAddress {
  /** As the server names it. @default the first of its list that is no embedding model */
  readonly model?: string;
  /** Never more than the server states; needed where it states nothing (Ollama, LM Studio) and holds more. @default what it states, else 4096 */
  readonly contextTokens?: number;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
}

/** One entry of `/v1/models`; what it tells beside the id depends on the server. */
interface ListedModel {
  readonly id: string;
  readonly meta?: { readonly n_ctx?: unknown; readonly n_params?: unknown } | null;
  readonly max_model_len?: unknown;
}

/** How a request is put, from the most that a server may know to the least. */
interface RequestForm {
  readonly schema: 'json_schema' | 'json_object' | 'none';
  readonly withExtras: boolean;
}

/**
 * Fields beyond OpenAI's: no thinking (llama.cpp, vLLM, SGLang), and no use of what was read for an earlier prompt, which
 * would let a reply depend on the requests before it (llama.cpp).
 */
const EXTRAS = { chat_template_kwargs: { enable_thinking: false }, cache_prompt: false };
const SCHEMA_FORMS = ['json_schema', 'json_object', 'none'] as const;
const DEFAULT_CONTEXT_TOKENS = 4_096;
/** What servers answer to a field they do not know or cannot honour. */
const REFUSALS: readonly number[] = [400, 422];
const NOT_FOUND = 404;
const NOT_FOR_CHAT = /embed|rerank/i;
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 1;

/**
 * A model on a server with OpenAI's interface: llama.cpp, vLLM, SGLang, Ollama, LM Studio. For the command line: what is
 * asked leaves the process. Requests run side by side; the server queues them, and a caller keeps their number low.
 * @throws {ModelError} endpoint-failed: not reached, or its list of models cannot be read; model-unknown: not on that list
 * @throws {RangeError} an address that is not http or https
 */
export async function openServerModel(options: ServerModelOptions): Promise<LanguageModel> {
  const connection = new ServerConnection(options);
  const found = await new OpenRequests().run(options.signal, (signal) => findModel(connection, options.model, signal));
  return new ServerModel(connection, found, options.contextTokens);
}

async function findModel(connection: ServerConnection, wanted: string | undefined, signal: AbortSignal): Promise<ListedModel> {
  const answer = await connection.send('v1/models', undefined, signal);
  // A few proxies have no list; they take any name.
  if (answer.status === NOT_FOUND && wanted !== undefined) return { id: wanted };
  if (!answer.ok) throw connection.failed(answer.status);
  const list = (await connection.inTime(answer.json(), signal).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  })) as { readonly data?: unknown } | null | undefined;
  const models = Array.isArray(list?.data) ? (list.data as readonly ListedModel[]).filter((one) => typeof one?.id === 'string') : undefined;
  if (models === undefined) throw new ModelError('endpoint-failed', 'The model server’s list of models (v1/models) cannot be read; check the address.');
  const found = wanted === undefined ? models.find(({ id }) => !NOT_FOR_CHAT.test(id)) : models.find(({ id }) => id === wanted);
  if (found === undefined) throw new ModelError('model-unknown', wanted === undefined ? 'The model server has no model loaded.' : `The model server has no model ${wanted}; it lists ${models.map(({ id }) => id).join(', ') || 'none'}.`, { modelId: wanted ?? '' });
  return found;
}

class ServerModel implements LanguageModel {
  readonly id: string;
  readonly runtime = 'server';
  readonly device = 'elsewhere';
  readonly contextTokens: number;
  readonly parameters: number | null;
  readonly languages = ['zh', 'en'] as const;
  /** Never: a server that is gone may come back, and each request tells. */
  readonly lost = new Promise<ModelError>(() => undefined);
  readonly #connection: ServerConnection;
  /** By which the server knows it; `id` leaves out the folders of a file's path. */
  readonly #name: string;
  readonly #requests = new OpenRequests();
  /** What the server took last, so that it is not asked twice for what it refuses. */
  #form: RequestForm = { schema: 'json_schema', withExtras: true };
  /** Undefined until a text was counted; null: the server has no tokenizer to ask. */
  #tokenizer: 'llama.cpp' | 'vllm' | null | undefined;

  constructor(connection: ServerConnection, { id, meta, max_model_len: modelLength }: ListedModel, contextTokens = Infinity) {
    this.#connection = connection;
    this.#name = id;
    this.id = /^(?:\/|[A-Za-z]:[\\/])/.test(id) ? (id.split(/[\\/]/).at(-1) ?? id) : id;
    const stated = [meta?.n_ctx, modelLength].find(isCount);
    this.contextTokens = Number.isFinite(contextTokens) ? Math.min(contextTokens, stated ?? contextTokens) : (stated ?? DEFAULT_CONTEXT_TOKENS);
    this.parameters = isCount(meta?.n_params) ? meta.n_params : null;
  }

  chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    return streamReply(request, (push, signal) => this.#requests.run(signal, (inner) => this.#write(request, push, inner)));
  }

  /** By the server's tokenizer (`/tokenize` of llama.cpp, vLLM and SGLang); elsewhere an estimate, see `estimateTokens`. */
  countTokens(text: string): Promise<number> {
    return this.#requests.run(undefined, (signal) => this.#count(plainText(text), signal));
  }

  dispose(): Promise<void> {
    this.#requests.close();
    return Promise.resolve();
  }

  async #write(request: ChatRequest, push: (event: ChatEvent) => void, signal: AbortSignal): Promise<void> {
    const messages = request.messages.map(({ role, content }): ChatMessage => ({ role, content: plainText(content) }));
    const count = (text: string): Promise<number> => this.#count(text, signal);
    await checkPromptFits(messages, this.contextTokens, count);
    const answer = await this.#ask(request, messages, signal);
    const reply = await this.#reading(() => readReply(answer, this.contextTokens, (wait) => this.#connection.inTime(wait, signal), (text) => push({ type: 'delta', text })), signal);
    const promptTokens = reply.promptTokens ?? (await count(messages.map(({ content }) => content).join('\n')));
    push({ type: 'end', reason: reply.reason, promptTokens, replyTokens: reply.replyTokens ?? (await count(reply.text)) });
  }

  /** Sends a request in the best form that the server takes. */
  async #ask(request: ChatRequest, messages: readonly ChatMessage[], signal: AbortSignal): Promise<Response> {
    let refusal = REFUSALS[0];
    for (const form of this.#forms(request.schema !== undefined)) {
      const answer = await this.#connection.send('v1/chat/completions', this.#body(request, messages, form), signal);
      if (answer.ok) {
        this.#form = request.schema === undefined ? { ...this.#form, withExtras: form.withExtras } : form;
        return answer;
      }
      const said = await this.#connection.inTime(answer.text(), signal).catch(() => '');
      signal.throwIfAborted();
      if (saysOverflow(said)) throw contextOverflow(this.contextTokens);
      refusal = answer.status;
      if (!REFUSALS.includes(refusal)) break;
    }
    throw this.#connection.failed(refusal);
  }

  *#forms(hasSchema: boolean): Generator<RequestForm, void, undefined> {
    const schemas = hasSchema ? SCHEMA_FORMS.slice(SCHEMA_FORMS.indexOf(this.#form.schema)) : (['none'] as const);
    for (const schema of schemas) {
      if (this.#form.withExtras) yield { schema, withExtras: true };
      yield { schema, withExtras: false };
    }
  }

  #body({ maxTokens, temperature = 0, seed = 0, schema }: ChatRequest, messages: readonly ChatMessage[], form: RequestForm): Record<string, unknown> {
    const format = form.schema === 'json_schema' ? { type: 'json_schema', json_schema: { name: 'reply', schema, strict: true } } : { type: 'json_object' };
    return {
      model: this.#name,
      messages,
      max_tokens: maxTokens,
      temperature,
      seed,
      stream: true,
      stream_options: { include_usage: true },
      ...(form.withExtras ? EXTRAS : {}),
      ...(form.schema === 'none' ? {} : { response_format: format }),
    };
  }

  async #count(text: string, signal: AbortSignal): Promise<number> {
    let isAbsent = true;
    for (const kind of this.#tokenizer === undefined ? (['llama.cpp', 'vllm'] as const) : [this.#tokenizer]) {
      if (kind === null) break;
      const body = kind === 'llama.cpp' ? { content: text, add_special: false } : { model: this.#name, prompt: text, add_special_tokens: false };
      const answer = await this.#connection.send('tokenize', body, signal);
      const said = (await this.#connection.inTime(answer.json(), signal).catch(() => undefined)) as { readonly tokens?: unknown; readonly count?: unknown } | null | undefined;
      signal.throwIfAborted();
      const tokens = kind === 'vllm' ? said?.count : Array.isArray(said?.tokens) ? said.tokens.length : undefined;
      if (answer.ok && typeof tokens === 'number') {
        this.#tokenizer = kind;
        return tokens;
      }
      // A server in trouble may have one all the same.
      if (answer.status >= 500) isAbsent = false;
    }
    if (isAbsent) this.#tokenizer ??= null;
    return estimateTokens(text);
  }

  /** What breaks while a reply is read, other than by our own hand, is the connection. */
  async #reading<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || error instanceof ModelError) throw error;
      throw new ModelError('generation-failed', 'The connection to the model server broke in the middle of a reply.', { modelId: this.id, retryable: true });
    }
  }
}
