import type { Consultation, ConsultationEvent, KnowledgeBundle, LanguageModel, ModelSession, ModelState } from '../src/index.js';
import { encoderFor } from './encoder.js';
import type { Engine } from './engine.js';
import type { AnamnesisEventDetails } from './events.js';
import { codeOf } from './failure.js';
import type { ModelActions } from './model-actions.js';
import type { Settings } from './settings.js';

/** What the models need of their element. */
export interface ModelsHost {
  readonly settings: Settings;
  changed(): void;
  emit(name: 'anamnesis-model', detail: AnamnesisEventDetails['anamnesis-model']): void;
}

/** Models of the page that were disposed of: none of them answers any more. */
const DISPOSED = new WeakSet<object>();

const HOST_STATE = { phase: 'ready', reason: null, loadedBytes: 0, totalBytes: 0, secondsLeft: null, tokensPerSecond: null } as const;

/**
 * The language model of one element: a session that fetches one with the visitor's leave, or one that the page brings.
 * A consultation takes it up at its next turn and goes on by itself where it dies.
 */
export class Models implements ModelActions {
  readonly #host: ModelsHost;
  #session: ModelSession | null = null;
  #brought: { readonly model: LanguageModel; readonly state: ModelState; readonly given: object } | null = null;
  #epoch = 0;
  #adopted: { readonly consultation: Consultation; readonly bundle: KnowledgeBundle; readonly model: LanguageModel } | null = null;
  #announced = '';
  /** The settings that it was opened with. */
  #asked: { readonly language: string; readonly model: unknown } | null = null;

  constructor(host: ModelsHost) {
    this.#host = host;
  }

  /** What the panel shows; null: there is nothing to show. */
  get actions(): ModelActions | null {
    return this.#session === null && this.#brought === null ? null : this;
  }

  get state(): ModelState {
    return this.#brought?.state ?? this.#session!.state;
  }

  /** A model answers the turns of this consultation. */
  answers(consultation: Consultation | null): boolean {
    return consultation !== null && this.#adopted?.consultation === consultation;
  }

  /** Begins to look for a model once the knowledge is there. Returns at once; what happens shows in the state. */
  open(engine: Engine): void {
    const { settings } = this.#host;
    if (settings.strategy === 'guided') return;
    if (settings.languageModel === this.#asked?.model) {
      if (this.#asked?.language === settings.language && this.actions !== null) return;
      if (this.#brought?.model.languages.includes(settings.language) === true || this.#session?.writes(settings.language) === true) return;
      this.close();
    } else this.release();
    void this.#begin(engine, settings, this.#epoch);
  }

  async #begin(engine: Engine, settings: Settings, epoch: number): Promise<void> {
    this.#asked = { language: settings.language, model: settings.languageModel };
    try {
      if (settings.languageModel !== undefined) {
        const given = settings.languageModel as object;
        const model = await engine.wrapHostModel(given);
        if (epoch !== this.#epoch) return;
        if (DISPOSED.has(given)) return this.#tellNone('model-closed');
        this.#brought = { given, model, state: { ...HOST_STATE, runs: model.device, offer: { id: model.id, name: model.id, licence: '', licenceUrl: '', runtime: 'host', device: model.device, downloadBytes: 0, storedBytes: 0, memoryBytes: 0, servers: [], keeps: false } } };
        void model.lost.then((error) => {
          if (epoch === this.#epoch) this.#dropBrought(error.code);
        });
        return this.#changed();
      }
      if (settings.modelSource === 'none') return;
      const session = await engine.createModelSession(
        {
          language: settings.language,
          source: settings.modelSource,
          base: settings.modelBase,
          keeps: settings.mayStore,
          ...(settings.model === '' ? {} : { wanted: settings.model }),
          ...(settings.modelCatalogue === undefined ? {} : { catalogue: settings.modelCatalogue }),
          ...settings.modelTesting,
        },
        () => this.#changed(),
      );
      if (epoch !== this.#epoch) return;
      this.#session = session;
      await session.start();
    } catch (error) {
      if (epoch === this.#epoch) this.#tellNone((codeOf(error) ?? 'runtime-failed') as ModelState['reason']);
    }
  }

  /** Gives the consultation the strategy that fits what there is now: with the model, or without where it is gone. */
  async adopt(engine: Engine, consultation: Consultation): Promise<void> {
    await this.#takeUp(engine);
    const model = this.#brought === null ? (this.#session?.model ?? null) : this.#brought.state.phase === 'ready' ? this.#brought.model : null;
    const adopted = this.#adopted?.consultation === consultation ? this.#adopted : null;
    if (model === null) {
      if (adopted === null) return;
      this.#adopted = null;
      consultation.useStrategy(engine.createParts(consultation.bundle, encoderFor(this.#host.settings, consultation.bundle)).strategy);
      return;
    }
    if (adopted?.model === model && adopted.bundle === consultation.bundle) return;
    const { strategy, strategyOptions } = this.#host.settings;
    if (strategy === 'guided') return;
    const made = await engine.createStrategy(consultation.bundle, strategy, { ...encoderFor(this.#host.settings, consultation.bundle), ...strategyOptions, model });
    consultation.useStrategy(made);
    this.#adopted = { consultation, bundle: consultation.bundle, model };
  }

  /** A model that the page has brought, changed or taken away since. */
  async #takeUp(engine: Engine): Promise<void> {
    const { settings } = this.#host;
    if (this.#asked === null || settings.languageModel === this.#asked.model || settings.strategy === 'guided') return;
    this.release();
    const begun = this.#begin(engine, settings, this.#epoch);
    // One of the page's own is here at once; the way to another one may be long.
    if (settings.languageModel !== undefined) await begun;
  }

  /** Learns from a turn how fast the model is, and lets one go that is too slow. */
  note(event: ConsultationEvent): void {
    if (event.type === 'model-call' && event.tokensPerSecond !== null) {
      this.#session?.noteSpeed(event.tokensPerSecond);
      if (this.#brought !== null) this.#brought = { ...this.#brought, state: { ...this.#brought.state, tokensPerSecond: event.tokensPerSecond } };
    }
    if (event.type === 'fallback' && event.code === 'too-slow') {
      void this.#session?.giveUp('too-slow');
      this.#dropBrought('too-slow');
    }
  }

  allow(): void {
    void this.#session?.allow();
  }

  pause(): void {
    this.#session?.pause();
  }

  resume(): void {
    void this.#session?.resume();
  }

  cancel(): void {
    void this.#session?.cancel();
  }

  remove(): void {
    void this.#session?.remove();
  }

  retry(): void {
    if (this.#brought !== null) this.turnOn();
    void this.#session?.retry();
  }

  turnOff(): void {
    if (this.#brought !== null) {
      this.#brought = { ...this.#brought, state: { ...this.#brought.state, phase: 'off', runs: 'none' } };
      this.#adopted?.consultation.skipModel();
    }
    void this.#session?.turnOff();
    this.#changed();
  }

  turnOn(): void {
    if (this.#brought !== null) this.#brought = { ...this.#brought, state: { ...this.#brought.state, phase: 'ready', reason: null, runs: this.#brought.model.device } };
    this.#changed();
    void this.#session?.turnOn();
  }

  /** Lets the model go; files stay. */
  close(): void {
    this.#epoch++;
    void this.#session?.close();
    this.#session = null;
    this.#brought = null;
    this.#adopted = null;
    this.#announced = '';
    this.#asked = null;
  }

  /** The element left the page: what runs is stopped, and a model of the page's own with a `dispose` is disposed of for good. */
  release(): void {
    const brought = this.#brought;
    this.close();
    if (brought === null) return;
    if (typeof (brought.given as { readonly dispose?: unknown }).dispose === 'function') DISPOSED.add(brought.given);
    void brought.model.dispose();
  }

  /** Deletes every model from the device. */
  async erase(engine: Engine): Promise<void> {
    const { settings } = this.#host;
    const session = this.#session;
    this.#session = null;
    this.close();
    if (session !== null) return session.erase();
    // What an earlier setting of the page left on the device goes too.
    const any = await engine.createModelSession({ language: settings.language, source: 'host', base: settings.modelBase, keeps: settings.mayStore }, () => undefined);
    await any.erase();
  }

  #dropBrought(reason: ModelState['reason']): void {
    if (this.#brought === null) return;
    this.#brought = { ...this.#brought, state: { ...this.#brought.state, phase: 'failed', reason, runs: 'none' } };
    this.#changed();
  }

  #tellNone(reason: ModelState['reason']): void {
    this.#host.emit('anamnesis-model', { phase: 'none', reason, id: '' });
  }

  #changed(): void {
    if (this.actions !== null) {
      const { phase, reason, offer } = this.state;
      const now = `${phase}/${reason ?? ''}/${offer?.id ?? ''}`;
      if (now !== this.#announced) {
        this.#announced = now;
        this.#host.emit('anamnesis-model', { phase, reason, id: offer?.id ?? '' });
      }
    }
    this.#host.changed();
  }
}
