import type { Language } from '../bundle/bundle.js';
import { isAnamnesisError } from '../errors/anamnesis-error.js';
import type { ErrorCode } from '../errors/codes.js';
import { ModelError } from '../errors/model-error.js';
import type { Catalogue, ModelManifest } from './catalogue.js';
import { chooseModel, type ModelChoice } from './choose.js';
import { deleteModel, deleteModels, downloadModel, listStored, openStored, type StoredModel, storedBytes } from './download.js';
import { serversOf } from './hub.js';
import type { LanguageModel } from './language-model.js';
import { ModelFlags } from './model-flags.js';
import { type ModelOffer, type ModelState, NO_MODEL } from './model-state.js';
import { readIndex, readManifest, type SourceOptions, variantBase } from './model-source.js';
import { type OpenOptions, openRuntime } from './open-runtime.js';
import { probeDevice } from './probe.js';

export interface ModelSessionOptions {
  readonly language: Language;
  /** `host`: from the page's own model base; `hub`: from a public server, named before anything is asked of it. */
  readonly source: 'host' | 'hub';
  /** Directory of the host's mirror, ending in a slash. */
  readonly base: URL;
  readonly catalogue: Catalogue;
  /** Id of the only model to consider, or `built-in`. */
  readonly wanted?: string;
  /** Files may stay on the device. */
  readonly keeps: boolean;
  /** For tests: takes an imitated GPU. @default false */
  readonly allowSoftware?: boolean;
  readonly workerBase?: URL;
  /** For tests: silence of the runtime allowed, as in `WorkerModelOptions`. */
  readonly silenceMs?: OpenOptions['silenceMs'];
  /** In place of the public servers. */
  readonly hub?: URL;
  readonly github?: URL;
}

/** One tab at a time holds a model in memory. */
const LOCK = 'anamnesis-model';

/**
 * The way of one element to a model: looks at the device, chooses, offers, fetches with the visitor's leave, loads, and
 * lets go. Nothing is asked of another server, and no weights are fetched, before `allow`. Never rejects: what went wrong
 * is in the state, and the consultation goes on without a model.
 */
export class ModelSession {
  readonly #options: ModelSessionOptions;
  readonly #flags: ModelFlags;
  readonly #onChange: () => void;
  #state: ModelState = NO_MODEL;
  #model: LanguageModel | null = null;
  #choice: ModelChoice | null = null;
  #manifest: ModelManifest | null = null;
  #hasGpu = false;
  #abort = new AbortController();
  #unlock: (() => void) | null = null;
  readonly #onPageHide = (): void => this.#flags.clearLoading();

  constructor(options: ModelSessionOptions, onChange: () => void) {
    this.#options = options;
    this.#onChange = onChange;
    this.#flags = new ModelFlags(options.keeps);
  }

  get state(): ModelState {
    return this.#state;
  }

  /** The model that answers turns now; null where there is none. */
  get model(): LanguageModel | null {
    return this.#model;
  }

  /** Whether the model that was chosen writes a language; false where none is. */
  writes(language: Language): boolean {
    return (this.#model?.languages ?? this.#choice?.model.languages)?.includes(language) ?? false;
  }

  /** Looks for a model that this device can run. One that is whole on the device already is loaded at once. */
  async start(): Promise<void> {
    await this.#run(async (signal) => {
      this.#set({ ...NO_MODEL, phase: 'checking' });
      if (this.#flags.brokeOff && !(await isHeld())) return this.#set({ ...NO_MODEL, phase: 'off', reason: 'safe-mode' });
      if (this.#flags.isOff) return this.#set({ ...NO_MODEL, phase: 'off' });
      await this.#look(signal);
    });
  }

  /** The visitor allows the next step: asking the server for the size, or fetching. */
  async allow(): Promise<void> {
    await this.#run(async (signal) => {
      if (this.#state.offer?.runtime === 'built-in') return this.#loadBuiltIn(signal);
      if (this.#choice === null) return;
      if (this.#manifest === null) {
        this.#set({ ...this.#state, phase: 'sizing', reason: null });
        this.#manifest = await readManifest(this.#choice, this.#source(signal));
        return this.#offer(this.#choice, this.#manifest);
      }
      await this.#fetch(this.#choice, this.#manifest, signal);
    });
  }

  /** Stops fetching; what was fetched stays. */
  pause(): void {
    this.#stop();
    this.#set({ ...this.#state, phase: 'paused', secondsLeft: null });
  }

  resume(): Promise<void> {
    return this.allow();
  }

  /** Gives up what is going on and offers the model anew; what was fetched stays. */
  async cancel(): Promise<void> {
    await this.#unload();
    await this.#run(() => this.#offerAgain());
  }

  /** Deletes the model from the device and offers it anew. */
  async remove(): Promise<void> {
    await this.#unload();
    await this.#run(async () => {
      if (this.#manifest !== null) await deleteModel(this.#manifest);
      this.#flags.clear();
      await this.#offerAgain();
    });
  }

  /** Tries again what failed. */
  retry(): Promise<void> {
    return this.#choice !== null && this.#manifest !== null ? this.allow() : this.start();
  }

  async turnOff(): Promise<void> {
    this.#flags.setOff(true);
    await this.#unload();
    this.#set({ ...this.#state, phase: 'off', reason: null, runs: 'none' });
  }

  async turnOn(): Promise<void> {
    this.#flags.clear();
    await this.start();
  }

  /** Speed of the last reply, for the panel. */
  noteSpeed(tokensPerSecond: number): void {
    this.#set({ ...this.#state, tokensPerSecond });
  }

  /** The model gave no answer in time: it is let go for this visit. */
  async giveUp(reason: ErrorCode): Promise<void> {
    await this.#unload();
    this.#fail(reason);
  }

  /** Deletes every model and mark of this origin from the device. */
  async erase(): Promise<void> {
    await this.#unload();
    this.#flags.clear();
    this.#choice = null;
    this.#manifest = null;
    this.#set(NO_MODEL);
    await deleteModels();
  }

  /** Stops everything and frees the model; files stay. */
  async close(): Promise<void> {
    await this.#unload();
    this.#set(NO_MODEL);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { source, language, catalogue, wanted, allowSoftware } = this.#options;
    if (wanted === 'built-in') return this.#offerBuiltIn();
    const stored = await listStored().catch((): ModelManifest[] => []);
    const index = source === 'host' ? await readIndex(this.#source(signal)) : null;
    // What the host has withdrawn is not used any more; without an answer of the host, what is here is.
    const kept = index === null ? stored : stored.filter((one) => index.variants.includes(one.id));
    const mirrored = index?.variants ?? kept.map((one) => one.id);
    if (source === 'host' && mirrored.length === 0) return (await this.#hasBuiltIn()) ? this.#offerBuiltIn() : this.#set(NO_MODEL);
    const report = await probeDevice({ signal, ...this.#workers() });
    const { choice, reason } = chooseModel(report, catalogue, { language, source, mirrored, stored: kept.map((one) => one.id), ...(wanted === undefined ? {} : { wanted }), ...(allowSoftware === undefined ? {} : { allowSoftware }) });
    signal.throwIfAborted();
    this.#hasGpu = report.gpu !== null && !report.gpu.isSoftware;
    this.#choice = choice;
    if (choice === null) return (await this.#hasBuiltIn()) ? this.#offerBuiltIn() : this.#set({ ...NO_MODEL, reason });
    const id = `${choice.model.id}/${choice.variant.id}`;
    const own = kept.find((one) => one.id === id);
    this.#manifest = await this.#manifestOf(choice, own, index !== null, signal);
    const whole = this.#manifest === null || own === undefined ? undefined : await openStored(this.#manifest);
    await this.#offer(choice, this.#manifest);
    if (this.#manifest !== null && whole !== undefined) await this.#load(choice, this.#manifest, whole, signal);
  }

  /** The host's present list of files; the one that is kept, where the host cannot be asked; null: the hub is asked first. */
  async #manifestOf(choice: ModelChoice, own: ModelManifest | undefined, isHostThere: boolean, signal: AbortSignal): Promise<ModelManifest | null> {
    if (this.#options.source === 'hub' || !isHostThere) return own ?? null;
    try {
      return await readManifest(choice, this.#source(signal));
    } catch (error) {
      signal.throwIfAborted();
      if (own === undefined) throw error;
      return own;
    }
  }

  async #offerAgain(): Promise<void> {
    if (this.#choice !== null) await this.#offer(this.#choice, this.#manifest);
    else if (this.#state.offer?.runtime === 'built-in') this.#offerBuiltIn();
    else this.#set(NO_MODEL);
  }

  async #offer({ model, variant }: ModelChoice, manifest: ModelManifest | null): Promise<void> {
    const here = manifest === null ? 0 : await storedBytes(manifest).catch(() => 0);
    const total = manifest === null ? variant.downloadBytes : manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const offer: ModelOffer = {
      id: `${model.id}/${variant.id}`,
      name: model.name,
      licence: model.licence,
      licenceUrl: model.licenceUrl,
      runtime: variant.runtime,
      device: variant.device,
      downloadBytes: manifest === null ? null : total,
      storedBytes: here,
      memoryBytes: variant.memoryBytes,
      servers: this.#options.source === 'hub' ? serversOf(variant) : [],
      keeps: this.#options.keeps,
    };
    this.#set({ ...NO_MODEL, phase: 'offered', offer, loadedBytes: here, totalBytes: total ?? 0 });
  }

  async #fetch(choice: ModelChoice, manifest: ModelManifest, signal: AbortSignal): Promise<void> {
    this.#set({ ...this.#state, phase: 'downloading', reason: null, secondsLeft: null });
    const stored = await downloadModel({
      manifest,
      base: variantBase(choice, this.#options.base),
      keep: this.#options.keeps,
      signal,
      ...this.#workers(),
      onProgress: ({ loadedBytes, totalBytes, secondsLeft, waiting }) => {
        if (!signal.aborted) this.#set({ ...this.#state, phase: waiting ? 'waiting' : 'downloading', loadedBytes, totalBytes, secondsLeft });
      },
    });
    await this.#load(choice, manifest, stored, signal);
  }

  async #load(choice: ModelChoice, manifest: ModelManifest, stored: StoredModel, signal: AbortSignal): Promise<void> {
    if (!(await this.#lock(signal))) throw new ModelError('in-use-elsewhere', 'Another tab of this origin runs a model; this one goes on without.', { modelId: manifest.id, retryable: true });
    // Without room on the device the files are here for this visit only.
    const offer = this.#state.offer === null ? null : { ...this.#state.offer, keeps: stored.kept };
    this.#set({ ...this.#state, phase: 'loading', reason: null, offer, secondsLeft: null });
    await this.#hold(signal, () => openRuntime(choice, manifest, stored, { signal, hasGpu: this.#hasGpu, silenceMs: this.#options.silenceMs, ...this.#workers(), onProgress: () => undefined }));
  }

  async #loadBuiltIn(signal: AbortSignal): Promise<void> {
    const { loadBuiltIn } = await import('./built-in.js');
    this.#set({ ...this.#state, phase: 'loading', reason: null });
    await this.#hold(signal, () => loadBuiltIn({ language: this.#options.language, signal, onProgress: ({ loadedBytes, totalBytes }) => this.#set({ ...this.#state, loadedBytes, totalBytes }) }));
  }

  /** The heavy part, between two marks: what never comes to the second broke the page off. */
  async #hold(signal: AbortSignal, open: () => Promise<LanguageModel>): Promise<void> {
    this.#flags.markLoading();
    globalThis.addEventListener('pagehide', this.#onPageHide);
    try {
      const model = await open();
      if (signal.aborted) return await model.dispose();
      this.#model = model;
      void model.lost.then((error) => {
        if (this.#model === model) void this.giveUp(error.code);
      });
      this.#set({ ...this.#state, phase: 'ready', reason: null, runs: model.device });
    } finally {
      globalThis.removeEventListener('pagehide', this.#onPageHide);
      this.#flags.clearLoading();
    }
  }

  /** The browser's own model lies on the device already, so that it costs nothing to offer where there is no other. */
  async #hasBuiltIn(): Promise<boolean> {
    if (this.#options.wanted !== undefined || !('LanguageModel' in globalThis)) return false;
    const { isBuiltInHere } = await import('./built-in.js');
    return isBuiltInHere(this.#options.language);
  }

  #offerBuiltIn(): void {
    const offer: ModelOffer = { id: 'built-in', name: 'built-in', licence: '', licenceUrl: '', runtime: 'built-in', device: 'gpu', downloadBytes: 0, storedBytes: 0, memoryBytes: 0, servers: [], keeps: false };
    this.#set({ ...NO_MODEL, phase: 'offered', offer });
  }

  /** Runs one step; a later step stops it. */
  async #run(step: (signal: AbortSignal) => Promise<void> | void): Promise<void> {
    this.#stop();
    const { signal } = this.#abort;
    try {
      await step(signal);
    } catch (error) {
      if (signal.aborted) return;
      await this.#unload();
      this.#fail(isAnamnesisError(error) ? error.code : 'runtime-failed');
    }
  }

  #fail(reason: ErrorCode): void {
    this.#set({ ...this.#state, phase: 'failed', reason, runs: 'none', secondsLeft: null });
  }

  #stop(): void {
    this.#abort.abort(new DOMException('The step was stopped.', 'AbortError'));
    this.#abort = new AbortController();
  }

  async #unload(): Promise<void> {
    this.#stop();
    const model = this.#model;
    this.#model = null;
    this.#unlock?.();
    this.#unlock = null;
    await model?.dispose().catch(() => undefined);
  }

  /** True where the lock is ours, or where the browser has none. A step that was stopped takes none. */
  #lock(signal: AbortSignal): Promise<boolean> {
    const locks = (navigator as { locks?: LockManager }).locks;
    if (locks === undefined || this.#unlock !== null) return Promise.resolve(true);
    return new Promise((resolve) => {
      locks
        .request(LOCK, { ifAvailable: true }, (lock) => {
          const isOurs = lock !== null && !signal.aborted;
          resolve(isOurs);
          return isOurs ? new Promise<void>((free) => (this.#unlock = free)) : undefined;
        })
        .catch(() => resolve(true));
    });
  }

  #source(signal: AbortSignal): SourceOptions {
    const { source, base, hub, github } = this.#options;
    return { source, base, signal, ...(hub === undefined ? {} : { hub }), ...(github === undefined ? {} : { github }) };
  }

  #workers(): { workerBase?: URL } {
    return this.#options.workerBase === undefined ? {} : { workerBase: this.#options.workerBase };
  }

  #set(state: ModelState): void {
    this.#state = state;
    this.#onChange();
  }
}

/** A tab holds or loads a model now: a mark of loading may be that tab's. */
async function isHeld(): Promise<boolean> {
  const locks = (navigator as { locks?: LockManager }).locks;
  const { held } = (await locks?.query().catch(() => undefined)) ?? {};
  return held?.some(({ name }) => name === LOCK) ?? false;
}
