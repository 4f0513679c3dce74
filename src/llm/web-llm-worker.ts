import { ModelError } from '../errors/model-error.js';
import type { ErrorCode } from '../errors/codes.js';
import { jsonGrammar } from './json-grammar.js';
import type { WireRequest } from './model-protocol.js';
import { OFFLINE_ORIGIN, serveOffline } from './offline-files.js';
import { hushWorker, type ReplyHost, type Runtime, type RuntimeHost, serveModel } from './serve-model.js';
import { watchDevices } from './watch-devices.js';
import type { WebLlmLoad } from './web-llm-load.js';

/** What WebLLM 0.2.86 puts before the reply of a model that is told not to think; it counts to the reply there. */
const EMPTY_THINKING = '<think>\n\n</think>\n\n';

/** WebLLM's errors by name, where the name tells more than that something failed. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ContextWindowSizeExceededError: 'context-overflow',
  DeviceLostError: 'device-lost',
  FeatureSupportError: 'feature-missing',
  ShaderF16SupportError: 'feature-missing',
  WebGPUNotAvailableError: 'no-adapter',
};

/** What is used of WebLLM's engine; its own types cannot be resolved by a compiler that wants file endings. */
interface Engine {
  reload(modelId: string, config: { readonly context_window_size: number; readonly sliding_window_size: number }): Promise<void>;
  resetChat(): Promise<void>;
  interruptGenerate(): Promise<void>;
  unload(): Promise<void>;
  readonly chat: { readonly completions: { create(request: object): Promise<AsyncIterable<Chunk>> } };
  /** Private there. */
  readonly loadedModelIdToPipeline?: ReadonlyMap<string, { readonly tokenizer?: { readonly encode?: (text: string) => Int32Array } }>;
}

type EngineClass = new (config: { readonly logLevel: 'SILENT'; readonly appConfig: { readonly model_list: readonly object[] } }) => Engine;

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string | null }; readonly finish_reason: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** WebLLM, which gets its files from memory and no network. */
class WebLlm implements Runtime<WebLlmLoad> {
  #engine: Engine | undefined;
  #modelId = '';
  #thinks = false;
  #hasRoleTemplates = true;
  #isDisposing = false;

  async load({ modelId, files, library, contextTokens, thinks }: WebLlmLoad, host: RuntimeHost): Promise<{ device: 'gpu'; contextTokens: number }> {
    this.#modelId = modelId;
    this.#thinks = thinks;
    watchDevices((error) => {
      if (!this.#isDisposing) host.lost(error);
    });
    // Fetched while there still is a network: the worker's own code.
    const { MLCEngine } = (await import('@mlc-ai/web-llm')) as unknown as { readonly MLCEngine: EngineClass };
    const root = `${OFFLINE_ORIGIN}${encodeURIComponent(modelId)}/resolve/main/`;
    const unread = new Map(files);
    let readBytes = 0;
    serveOffline(files, root, (path) => {
      readBytes += unread.get(path)?.size ?? 0;
      unread.delete(path);
      host.read(readBytes);
    });
    supplyRandomUuid();
    this.#hasRoleTemplates = await hasRoleTemplates(files.get('mlc-chat-config.json'));
    const engine = new MLCEngine({ logLevel: 'SILENT', appConfig: { model_list: [{ model: root, model_id: modelId, model_lib: new URL(library, root).href }] } });
    try {
      await engine.reload(modelId, { context_window_size: contextTokens, sliding_window_size: -1 });
    } catch (error) {
      throw coded(error);
    }
    this.#engine = engine;
    return { device: 'gpu', contextTokens };
  }

  async chat(request: WireRequest, { write, signal }: ReplyHost): Promise<{ reason: 'stop' | 'length'; promptTokens: number; replyTokens: number }> {
    const engine = this.#loaded();
    // WebLLM reads only what is new where a request continues the last one, and then counts only that.
    await engine.resetChat();
    const begun = this.#thinks ? this.countTokens(EMPTY_THINKING) : 0;
    const { messages, maxTokens, temperature, seed, schema } = request;
    const interrupt = (): void => void engine.interruptGenerate();
    signal.addEventListener('abort', interrupt);
    const strip = this.#thinks ? stripPrefix(EMPTY_THINKING) : (text: string): string => text;
    try {
      const chunks = await engine.chat.completions.create({
        messages: messages.map(({ role, content }) => ({ role, content: this.#escaped(role, content) })),
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: maxTokens + begun,
        temperature,
        seed,
        ...(schema === undefined ? {} : { response_format: { type: 'grammar', grammar: jsonGrammar(schema) } }),
        ...(this.#thinks ? { extra_body: { enable_thinking: false } } : {}),
      });
      let reason: string | null = null;
      let usage = { prompt_tokens: 0, completion_tokens: 0 };
      // Read to the end in every case: until then the engine is locked.
      for await (const chunk of chunks) {
        // The engine forgets an interrupt that comes before it has begun.
        if (signal.aborted) interrupt();
        const choice = chunk.choices[0];
        const text = strip(choice?.delta.content ?? '');
        if (text !== '') write(text);
        reason = choice?.finish_reason ?? reason;
        if (chunk.usage !== undefined) usage = chunk.usage;
      }
      signal.throwIfAborted();
      return { reason: reason === 'length' ? 'length' : 'stop', promptTokens: usage.prompt_tokens, replyTokens: usage.completion_tokens };
    } catch (error) {
      throw coded(error);
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  /**
   * WebLLM 0.2.86 offers no way to count tokens, so the tokenizer of its pipeline is used. Replace this once it does; where
   * the tokenizer is not found, three bytes count as a token, which is on the safe side for all tokenizers known.
   */
  countTokens(text: string): number {
    const tokens = this.#loaded().loadedModelIdToPipeline?.get(this.#modelId)?.tokenizer?.encode?.(text).length;
    return tokens ?? Math.ceil(new TextEncoder().encode(text).length / 3);
  }

  async dispose(): Promise<void> {
    this.#isDisposing = true;
    await this.#engine?.unload();
  }

  #loaded(): Engine {
    if (this.#engine === undefined) throw new ModelError('runtime-failed', 'The model is not loaded.');
    return this.#engine;
  }

  /** WebLLM puts a message into its template by `String.replace`, where `$` has a meaning: `` $` `` would be the template's own markers. */
  #escaped(role: string, content: string): string {
    return role === 'system' || this.#hasRoleTemplates ? content.replaceAll('$', '$$$$') : content;
  }
}

/** Whether the template of user and assistant is filled in by `String.replace`. */
async function hasRoleTemplates(config: Blob | undefined): Promise<boolean> {
  if (config === undefined) throw new ModelError('runtime-failed', 'The model has no mlc-chat-config.json.');
  const { conv_template: template } = JSON.parse(await config.text()) as { conv_template?: { role_templates?: unknown } };
  return template?.role_templates !== undefined;
}

/** Takes the prefix off the start of a text that comes in pieces. */
function stripPrefix(prefix: string): (piece: string) => string {
  let start: string | undefined = '';
  return (piece) => {
    if (start === undefined) return piece;
    const text: string = start + piece;
    if (text.length < prefix.length && prefix.startsWith(text)) {
      start = text;
      return '';
    }
    start = undefined;
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  };
}

/** Pages without TLS have none, and WebLLM asks for one a request; it need not be a secret. */
function supplyRandomUuid(): void {
  const { crypto } = globalThis as { crypto: { randomUUID?: () => string } };
  crypto.randomUUID ??= () => `00000000-0000-4000-8000-${String(performance.now()).replace('.', '').padStart(12, '0').slice(-12)}`;
}

function coded(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = CODES[error.name] ?? (error.message.startsWith('Unable to find a compatible GPU') ? 'no-adapter' : error.message.startsWith('Cannot initialize runtime because of requested') ? 'feature-missing' : undefined);
  return code === undefined ? error : new ModelError(code, `WebLLM: ${error.name}.`);
}

hushWorker();
serveModel(new WebLlm());
