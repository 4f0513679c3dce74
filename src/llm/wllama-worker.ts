import { ModelError } from '../errors/model-error.js';
import { jsonGrammar } from './json-grammar.js';
import { isOutOfMemory } from './model-failure.js';
import type { WireRequest } from './model-protocol.js';
import { hushWorker, type ReplyHost, type Runtime, type RuntimeHost, serveModel } from './serve-model.js';
import { checkWasm, ReadFile } from './wllama-files.js';
import type { WllamaLoad } from './wllama-load.js';

/** Tokens of a prompt that are read between two looks at whether to stop. */
const BATCH_TOKENS = { cpu: 64, gpu: 256 };
const EVERY_LAYER = 999;
/** Log lines of llama.cpp from here on are wanted; they tell what computes. */
const LOG_INFO = 2;
const ON_GPU = /offloaded [1-9]\d*\/\d+ layers to GPU|WebGPU\S* model buffer size/;

/** Special tokens, of which at least one is in the vocabulary of every model known. */
const SPECIAL_TOKENS = ['<|im_end|>', '<|eot_id|>', '<end_of_turn>', '<|endoftext|>', '<|end|>', '</s>'];

/** What is used of wllama; its own types cannot be resolved by a compiler that wants file endings. */
interface Wllama {
  setCompat(compat: null): void;
  loadModel(files: readonly Blob[], parameters: object): Promise<void>;
  createChatCompletion(request: object): Promise<unknown>;
  createCompletion(request: object): Promise<unknown>;
  createEmbedding(request: object): Promise<unknown>;
  getLoadedContextInfo(): { readonly n_vocab: number };
  exit(): Promise<void>;
  /** Private there: whether `createEmbedding` may be called. */
  useEmbeddings: boolean;
}
type WllamaClass = new (paths: { readonly default: string }, config: { readonly suppressNativeLog: boolean; readonly logger: Record<'debug' | 'log' | 'warn' | 'error', (...said: unknown[]) => void> }) => Wllama;

/** What llama.cpp's server says of an error. */
interface ServerError {
  readonly type?: unknown;
  readonly n_prompt_tokens?: number;
}

interface Chunk {
  readonly choices?: readonly { readonly delta: { readonly content?: string | null }; readonly finish_reason: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

/** wllama, which runs llama.cpp in a worker of its own. */
class WllamaRuntime implements Runtime<WllamaLoad> {
  #wllama: Wllama | undefined;
  #host: RuntimeHost | undefined;
  #contextTokens = 0;
  #thinks = false;
  #filling: { readonly text: string; readonly tokens: number } | undefined;
  /** What the server said of the last request that failed; wllama passes on its message only. */
  #serverError: ServerError = {};
  /** Done when nothing of the last prompt is kept. */
  #emptied: Promise<void> = Promise.resolve();
  #failInnerWorker: ((error: ModelError) => void) | undefined;

  async load({ files, contextTokens, thinks, gpu, threads, wasm }: WllamaLoad, host: RuntimeHost): Promise<{ device: 'gpu' | 'cpu'; contextTokens: number }> {
    this.#host = host;
    this.#thinks = thinks;
    this.#contextTokens = contextTokens;
    if (gpu) await checkGpu();
    await checkWasm(wasm);
    const { Wllama } = (await import('@wllama/wllama/esm/index.js')) as unknown as { readonly Wllama: WllamaClass };
    const quiet = (): void => undefined;
    let usesGpu = false;
    const hear = (said: unknown): void => {
      if (typeof said === 'string' && ON_GPU.test(said)) usesGpu = true;
    };
    const wllama = new Wllama({ default: wasm }, { suppressNativeLog: false, logger: { debug: hear, log: hear, warn: quiet, error: (...said) => this.#hear(said) } });
    // By default older browsers would be sent to a public server for another build.
    wllama.setCompat(null);
    let readBytes = 0;
    const parts = [...files].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, blob]) => new ReadFile(blob, path, (bytes) => host.read((readBytes += bytes))));
    const innerFailure = new Promise<never>((_resolve, reject) => (this.#failInnerWorker = reject));
    await Promise.race([
      innerFailure,
      wllama.loadModel(parts, {
        log_level: LOG_INFO,
        n_ctx: contextTokens,
        n_batch: gpu ? BATCH_TOKENS.gpu : BATCH_TOKENS.cpu,
        n_gpu_layers: gpu ? EVERY_LAYER : 0,
        n_threads: threads,
        n_parallel: 1,
        // What is written is passed on as it is, also where it looks like a call of a tool.
        skip_chat_parsing: true,
        reasoning_format: 'none',
        ...(thinks ? { reasoning: false } : {}),
      }),
    ]);
    // wllama takes a model that could not be read for an empty one.
    if (!(wllama.getLoadedContextInfo().n_vocab > 0)) throw new ModelError('runtime-failed', 'llama.cpp could not read the model’s file.');
    // It would go on with the CPU, many times slower, and say nothing.
    if (gpu && !usesGpu) throw new ModelError('feature-missing', 'llama.cpp cannot use this GPU.');
    this.#failInnerWorker = (error) => host.lost(error);
    wllama.useEmbeddings = true;
    this.#wllama = wllama;
    return { device: gpu ? 'gpu' : 'cpu', contextTokens };
  }

  async chat({ messages, maxTokens, temperature, seed, schema }: WireRequest, { write, alive, signal }: ReplyHost): Promise<{ reason: 'stop' | 'length'; promptTokens: number; replyTokens: number }> {
    let reason: string | null = null;
    let usage = { prompt_tokens: 0, completion_tokens: 0 };
    const read = ({ choices = [], usage: counted }: Chunk): void => {
      const text = choices[0]?.delta.content ?? '';
      if (text === '') alive();
      else write(text);
      reason = choices[0]?.finish_reason ?? reason;
      usage = counted ?? usage;
    };
    const request = {
      messages: messages.map(({ role, content }) => ({ role, content })),
      stream: true as const,
      stream_options: { include_usage: true },
      return_progress: true,
      // A prompt that is read in other portions gives slightly other numbers, and so now and then another reply.
      cache_prompt: false,
      max_tokens: maxTokens,
      temperature,
      // The largest means: at random.
      seed: (seed >>> 0) % 0xffffffff,
      abortSignal: signal,
      ...(schema === undefined ? {} : { grammar: jsonGrammar(schema) }),
      ...(this.#thinks ? { chat_template_kwargs: { enable_thinking: false } } : {}),
    };
    await this.#emptied;
    try {
      await this.#asked(() => this.#loaded().createChatCompletion({ ...request, onData: read }));
    } finally {
      this.#emptied = this.#empty();
    }
    return { reason: reason === 'length' ? 'length' : 'stop', promptTokens: usage.prompt_tokens, replyTokens: usage.completion_tokens };
  }

  /**
   * wllama 3 has no call for its tokenizer. But a prompt that is too long is refused before anything is computed, with the
   * number of its tokens: so the text goes with as many special tokens as fill the context, which do not grow together
   * with it. Replace this once there is a call.
   */
  async countTokens(text: string): Promise<number> {
    await this.#emptied;
    this.#filling ??= await this.#findFilling();
    return text === '' ? 0 : (await this.#tokensRefused(text + this.#filling.text)) - this.#filling.tokens;
  }

  /**
   * llama.cpp's server keeps the state of every prompt that another one follows, up to 8 GiB, and wllama 3 has no switch
   * for that. It does not where a request for an embedding comes in between, which leaves one token behind. Remove this
   * once `cache_ram` can be set.
   */
  async #empty(): Promise<void> {
    await this.#wllama?.createEmbedding({ input: 'a' }).catch(() => undefined);
  }

  async #findFilling(): Promise<{ readonly text: string; readonly tokens: number }> {
    for (const special of SPECIAL_TOKENS) {
      const text = special.repeat(this.#contextTokens);
      const tokens = await this.#tokensRefused(text);
      // One more where the model wants a token at the start.
      if (tokens <= this.#contextTokens + 1) return { text, tokens };
    }
    const text = ' a'.repeat(this.#contextTokens);
    return { text, tokens: await this.#tokensRefused(text) };
  }

  /** How many tokens a prompt has that does not fit. */
  async #tokensRefused(prompt: string): Promise<number> {
    try {
      await this.#asked(() => this.#loaded().createCompletion({ prompt, max_tokens: 1 }));
    } catch (error) {
      const { n_prompt_tokens: tokens } = this.#serverError;
      if (tokens === undefined) throw error;
      return tokens;
    }
    throw new ModelError('generation-failed', 'The runtime did not refuse too long a prompt.');
  }

  async dispose(): Promise<void> {
    this.#failInnerWorker = undefined;
    await this.#wllama?.exit();
  }

  #loaded(): Wllama {
    if (this.#wllama === undefined) throw new ModelError('runtime-failed', 'The model is not loaded.');
    return this.#wllama;
  }

  async #asked(request: () => Promise<unknown>): Promise<void> {
    this.#serverError = {};
    try {
      await request();
    } catch (error) {
      if (this.#serverError.type === 'exceed_context_size_error') throw new ModelError('context-overflow', `The prompt has ${String(this.#serverError.n_prompt_tokens ?? 'too many')} tokens, the model takes ${String(this.#contextTokens)}.`);
      if (isDead(error)) this.#host?.lost(isOutOfMemory(error) ? new ModelError('out-of-memory', 'Memory ran out while the model answered.') : new ModelError('device-lost', 'The runtime of the model broke down.'));
      throw error;
    }
  }

  /** wllama tells errors to its logger only: those of the server, and those of its inner worker, which it then waits for in vain. */
  #hear(said: readonly unknown[]): void {
    for (const one of said) {
      if (one instanceof Event) this.#failInnerWorker?.(new ModelError('runtime-failed', 'The inner worker of wllama failed; check that the page’s worker-src allows blob:.'));
      else if (typeof one === 'object' && one !== null && 'type' in one) this.#serverError = one;
    }
  }
}

/** llama.cpp takes no GPU without 16-bit floats; better told before the model is loaded. */
async function checkGpu(): Promise<void> {
  const adapter = await (navigator as { gpu?: GPU }).gpu?.requestAdapter();
  if (adapter == null) throw new ModelError('no-adapter', 'There is no GPU adapter to run the model on.');
  if (!adapter.features.has('shader-f16')) throw new ModelError('feature-missing', 'The GPU lacks shader-f16, which llama.cpp needs.');
}

/** After a trap or an abort nothing in llama.cpp answers any more; an error that it caught itself shows as a length that makes no sense. */
function isDead(error: unknown): boolean {
  if (typeof error === 'string') return error.includes('crashed');
  return error instanceof Error && error.name === 'RuntimeError' && !error.message.startsWith('Invalid typed array length');
}

hushWorker();
serveModel(new WllamaRuntime());
