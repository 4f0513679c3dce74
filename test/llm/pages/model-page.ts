import { isAnamnesisError } from '../../../src/errors/anamnesis-error.js';
import type { ChatRequest, LanguageModel, ModelProgress } from '../../../src/llm/language-model.js';
import { loadWebLlm } from '../../../src/llm/web-llm.js';
import { loadWllama } from '../../../src/llm/wllama.js';

/** What went wrong, in a form that crosses to the test. */
export interface PageFailure {
  readonly kind: 'model' | 'range' | 'abort' | 'other';
  readonly code: string;
  readonly message: string;
}

/** From the page to the test. */
export type PageMessage =
  | ({ readonly type: 'progress'; readonly model: number } & ModelProgress)
  | { readonly type: 'restart'; readonly model: number; readonly code: string }
  | { readonly type: 'lost'; readonly model: number; readonly code: string }
  | { readonly type: 'event'; readonly chat: number; readonly event: unknown }
  | { readonly type: 'done'; readonly chat: number; readonly failure: PageFailure | null };

export interface PageLoad {
  readonly runtime: 'web-llm' | 'wllama';
  /** Path in the model and where it is served. */
  readonly files: Readonly<Record<string, string>>;
  readonly library?: string;
  readonly contextTokens: number;
  readonly thinks?: boolean;
  readonly gpu?: boolean;
  readonly workerBase: string;
  readonly silenceMs?: { readonly load?: number; readonly firstToken?: number; readonly token?: number };
  readonly drainMs?: { readonly reply?: number; readonly prompt?: number };
}

export type PageRequest = Omit<ChatRequest, 'signal'> & { readonly isAborted: boolean };

const models = new Map<number, LanguageModel>();
const chats = new Map<number, { readonly abort: AbortController; readonly leave: () => void }>();
const blobs = new Map<string, Promise<Blob>>();
const workers = { created: 0, terminated: 0 };

function countWorkers(): void {
  const Original = globalThis.Worker;
  globalThis.Worker = class extends Original {
    constructor(...parameters: ConstructorParameters<typeof Worker>) {
      super(...parameters);
      workers.created++;
    }

    override terminate(): void {
      workers.terminated++;
      super.terminate();
    }
  };
}

const tell = (message: PageMessage): void => void (globalThis as unknown as { toTest: (message: PageMessage) => Promise<void> }).toTest(message);

function failureOf(error: unknown): PageFailure {
  if (isAnamnesisError(error)) return { kind: 'model', code: error.code, message: error.message };
  if (error instanceof RangeError) return { kind: 'range', code: '', message: error.message };
  if (error instanceof DOMException && error.name === 'AbortError') return { kind: 'abort', code: '', message: error.message };
  return { kind: 'other', code: '', message: String(error) };
}

async function tried<T>(promise: Promise<T>): Promise<{ readonly value: T } | { readonly failure: PageFailure }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function blobOf(address: string): Promise<Blob> {
  let blob = blobs.get(address);
  if (blob === undefined) {
    blob = fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${String(response.status)} for ${address}`);
      return response.blob();
    });
    blobs.set(address, blob);
  }
  return blob;
}

async function open(id: number, { runtime, files, library = '', gpu = false, workerBase, contextTokens, ...rest }: PageLoad): Promise<Pick<LanguageModel, 'id' | 'runtime' | 'device' | 'contextTokens' | 'parameters' | 'languages'>> {
  const loaded = new Map<string, Blob>();
  for (const [path, address] of Object.entries(files)) loaded.set(path, await blobOf(address));
  const options = {
    id: `model-${String(id)}`,
    files: loaded,
    contextTokens,
    parameters: null,
    languages: ['en'] as const,
    workerBase: new URL(workerBase, location.href),
    onProgress: (progress: ModelProgress) => tell({ type: 'progress', model: id, ...progress }),
    onRestart: (reason: { readonly code: string }) => tell({ type: 'restart', model: id, code: reason.code }),
    ...rest,
  };
  const model = await (runtime === 'web-llm' ? loadWebLlm({ ...options, library }) : loadWllama({ ...options, gpu }));
  models.set(id, model);
  void model.lost.then(({ code }) => tell({ type: 'lost', model: id, code }));
  return { id: model.id, runtime: model.runtime, device: model.device, contextTokens: model.contextTokens, parameters: model.parameters, languages: model.languages };
}

async function run(id: number, model: LanguageModel, { isAborted, ...request }: PageRequest): Promise<void> {
  const abort = new AbortController();
  if (isAborted) abort.abort();
  const reply = model.chat({ ...request, signal: abort.signal });
  let isLeft = false;
  chats.set(id, { abort, leave: () => void (isLeft = true) });
  try {
    for await (const event of reply) {
      // As a reader does who stops reading.
      if (isLeft) break;
      tell({ type: 'event', chat: id, event });
    }
    tell({ type: 'done', chat: id, failure: null });
  } catch (error) {
    tell({ type: 'done', chat: id, failure: failureOf(error) });
  }
}

countWorkers();
/** What the test calls by `page.evaluate`. */
const api = {
  workers,
  open: (id: number, load: PageLoad) => tried(open(id, load)),
  chat: (id: number, model: number, request: PageRequest) => void run(id, models.get(model)!, request),
  abort: (id: number) => chats.get(id)?.abort.abort(),
  leave: (id: number) => chats.get(id)?.leave(),
  count: (model: number, text: string) => tried(models.get(model)!.countTokens(text)),
  dispose: (model: number) => tried(models.get(model)!.dispose()),
};
export type PageApi = typeof api;
Object.assign(globalThis, { models: api });
