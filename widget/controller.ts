import type { AnswerValue, Consultation, ConsultationRecord, ConsultationState, Correction, LoadedBundle, PatientInput, Profile } from '../src/index.js';
import { encoderFor } from './encoder.js';
import { type Engine, forgetKnowledge, loadEngine, loadKnowledge, type LoadProgress } from './engine.js';
import type { AnamnesisEventDetails, AnamnesisEventName } from './events.js';
import { type Failure, failureOf, PolicyWatch } from './failure.js';
import { Keeper, somethingIsKept } from './keeper.js';
import { localeFor } from './localize.js';
import { Models } from './models.js';
import type { Settings } from './settings.js';
import { warmUpWhenIdle } from './warm-up.js';

/** What the visitor sees. */
export type Screen = 'consent' | 'looking' | 'loading' | 'unavailable' | 'profile' | 'complaint' | 'question' | 'result';

/** Notes that can be closed; each names its text. */
export type Note = 'lastGood' | 'resumed' | 'languageFailed' | 'erased' | 'exported';

/** What the controller needs of its element. */
export interface ControllerHost {
  readonly settings: Settings;
  changed(): void;
  emit<Name extends AnamnesisEventName>(name: Name, detail: AnamnesisEventDetails[Name]): void;
  /** Everything was erased; drafts on the screen must go too. */
  cleared(): void;
}

/**
 * Runs a consultation for one element: loads what is needed after consent, sends what the visitor gives, keeps it where
 * that was asked for. Actions run one after the other; those begun before a reset or an erasure have no effect after it.
 */
export class Controller {
  phase: 'consent' | 'looking' | 'loading' | 'ready' | 'failed' = 'consent';
  progress: LoadProgress | null = null;
  failure: Failure | null = null;
  #waiting = 0;
  readonly notes = new Set<Note>();
  readonly keeper: Keeper;
  readonly models: Models;
  consultation: Consultation | null = null;
  #engine: Engine | null = null;
  /** The encoder that the page had given when the knowledge was loaded. */
  #embedder: Settings['embedder'] = null;
  #keep = false;
  #epoch = 0;
  #queue: Promise<void> = Promise.resolve();
  #firedFlags = new Set<string>();
  #failedAction: (() => Promise<void>) | null = null;
  readonly #host: ControllerHost;

  constructor(host: ControllerHost) {
    this.#host = host;
    this.models = new Models(host);
    this.keeper = new Keeper(() => {
      this.keeper.forget();
      this.#clear();
    });
  }

  /** An action runs or waits. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** A language model is at work on the round. */
  get isWaitingForModel(): boolean {
    return this.state?.status === 'answering' && this.models.answers(this.consultation);
  }

  get state(): ConsultationState | null {
    return this.consultation?.state ?? null;
  }

  get screen(): Screen {
    if (this.phase === 'failed') return 'unavailable';
    if (this.phase !== 'ready' || this.state === null) return this.phase === 'ready' ? 'loading' : this.phase;
    if (this.state.profile === null) return 'profile';
    if (this.state.result !== null) return 'result';
    return this.state.question === null && !this.isWaitingForModel ? 'complaint' : 'question';
  }

  /** Shows a consultation that an earlier visit kept; consent was given then. Asks no server before one is found. */
  async resumeKept(): Promise<void> {
    if (this.phase !== 'consent' || !this.#host.settings.mayStore) return;
    const epoch = this.#epoch;
    if (!(await somethingIsKept()) || epoch !== this.#epoch) return;
    this.#go('looking');
    try {
      const engine = await loadEngine();
      const record = await this.keeper.find(engine, this.#host.settings.knowledge);
      if (epoch !== this.#epoch) return;
      this.#go('consent');
      if (record === undefined) return;
      this.#keep = true;
      await this.#open(record);
    } catch {
      if (epoch === this.#epoch) this.#go('consent');
    }
  }

  /** Goes on after consent. @param keep the visitor wants the consultation kept on this device */
  async start(keep: boolean): Promise<void> {
    if (this.phase === 'loading' || this.phase === 'ready') return;
    this.#keep = keep && this.#host.settings.mayStore;
    this.notes.clear();
    this.#host.emit('anamnesis-consent', { keep: this.#keep });
    await this.#open();
  }

  /** Tries again what failed: the load, or the last action. */
  async retry(): Promise<void> {
    const action = this.#failedAction;
    this.#failedAction = null;
    this.failure = null;
    if (this.phase === 'failed') await this.#open();
    else await action?.();
    this.#host.changed();
  }

  setProfile(profile: Profile): Promise<void> {
    return this.#act(async (consultation) => void (await consultation.setProfile(profile)));
  }

  send(text: string): Promise<void> {
    return this.#act((consultation) => this.#answerRound(consultation, { type: 'utterance', text }));
  }

  /** Answers the question that is open now; dropped where another one is open by then, as after a double tap. */
  answer(value: AnswerValue): Promise<void> {
    const questionId = this.state?.question?.id;
    return this.#act(async (consultation) => {
      if (questionId === undefined || consultation.state.question?.id !== questionId) return;
      await this.#answerRound(consultation, { type: 'answer', questionId, value });
    });
  }

  change(round: number, input: PatientInput): Promise<void> {
    return this.#act(async (consultation) => void (await consultation.change(round, input)));
  }

  correct(correction: Correction): Promise<void> {
    return this.#act(async (consultation) => void (await consultation.correct(correction)));
  }

  conclude(): Promise<void> {
    return this.#act(async (consultation) => void (await consultation.conclude()));
  }

  askMore(): Promise<void> {
    return this.#act(async (consultation) => void (await consultation.resume()));
  }

  /** Answers the present round without waiting for the language model. */
  skipModel(): void {
    this.consultation?.skipModel();
  }

  /** Lets go of what the element holds while it is out of the page; `reconnect` takes the model up again. */
  release(): void {
    this.keeper.release();
    this.models.release();
  }

  reconnect(): void {
    if (this.phase === 'ready' && this.#engine !== null) this.models.open(this.#engine);
  }

  /** Starts over: the consultation is forgotten, here and where it was kept; consent stays. */
  async reset(): Promise<void> {
    const { consultation } = this;
    this.#epoch++;
    this.#queue = Promise.resolve();
    this.#waiting = 0;
    this.failure = null;
    this.notes.clear();
    this.#firedFlags.clear();
    this.consultation = null;
    consultation?.close();
    this.#host.cleared();
    if (consultation !== null && this.keeper.keeps) await this.keeper.remove(consultation.id);
    if (this.phase === 'ready' || this.phase === 'failed') await this.#open();
  }

  /** Erases screen, memory, the kept consultations and the kept knowledge; consent is asked again. */
  async erase(): Promise<void> {
    this.#clear();
    try {
      const engine = this.#engine ?? (await loadEngine());
      await this.keeper.erase(engine);
      await this.models.erase(engine);
      await forgetKnowledge(engine);
      this.notes.add('erased');
    } catch (error) {
      this.#report(failureOf(error, this.#texts));
    }
    this.#host.emit('anamnesis-erase', {});
    this.#host.changed();
  }

  /** The consultation as JSON; undefined before it has begun. */
  exportJson(): string | undefined {
    if (this.#engine === null || this.consultation === null) return undefined;
    return JSON.stringify(this.#engine.exportConsultation(this.consultation), null, 2);
  }

  /** Takes up a changed language, knowledge or encoder. */
  async settingsChanged(): Promise<void> {
    const bundle = this.consultation?.bundle;
    const { embedder } = this.#host.settings;
    if (this.phase !== 'ready' || bundle === undefined || (bundle.id === this.#bundleId && embedder === this.#embedder)) return;
    if (bundle.school !== this.#host.settings.knowledge) return this.reset();
    const epoch = this.#epoch;
    const wanted = this.#bundleId;
    try {
      const engine = await loadEngine();
      const loaded = await this.#load(engine);
      if (epoch !== this.#epoch || wanted !== this.#bundleId) return;
      this.notes.delete('languageFailed');
      const options = this.#takeEncoder(loaded);
      await this.#act(async (consultation) => void (await consultation.useParts(engine.createParts(loaded.bundle, options))));
      this.models.open(engine);
    } catch (error) {
      if (epoch !== this.#epoch || wanted !== this.#bundleId) return;
      const { code } = failureOf(error, this.#texts);
      this.notes.add('languageFailed');
      this.#host.emit('anamnesis-error', { code });
      this.#host.changed();
    }
  }

  get #texts() {
    return localeFor(this.#host.settings.language);
  }

  /** Chinese medicine exists in Chinese only. */
  get #bundleId(): string {
    const { knowledge, language } = this.#host.settings;
    return knowledge === 'tcm' ? 'tcm-zh' : `mm-${language}`;
  }

  #load(engine: Engine): Promise<LoadedBundle> {
    const { assetBase, mayStore, embedder } = this.#host.settings;
    return loadKnowledge(engine, new URL(`bundles/${this.#bundleId}/`, assetBase), mayStore, embedder === null ? [] : [embedder.id], (progress) => {
      this.progress = progress;
      this.#host.emit('anamnesis-progress', { loadedBytes: progress.loadedBytes, totalBytes: progress.totalBytes });
      this.#host.changed();
    });
  }

  /** Takes the page's encoder up with the knowledge; says so where its rows did not come. */
  #takeEncoder({ bundle, encoderFailure }: LoadedBundle): ReturnType<typeof encoderFor> {
    const { settings } = this.#host;
    this.#embedder = settings.embedder;
    const options = encoderFor(settings, bundle);
    if (settings.embedder !== options.embedder && settings.embedder !== null) this.#host.emit('anamnesis-error', { code: encoderFailure?.code ?? 'embedder-mismatch' });
    return options;
  }

  async #open(record?: ConsultationRecord): Promise<void> {
    const epoch = ++this.#epoch;
    this.failure = null;
    this.progress = null;
    this.#go('loading');
    const watch = new PolicyWatch(this.#host.settings.assetBase);
    try {
      const engine = await loadEngine();
      const loaded = await this.#load(engine);
      const { bundle, origin } = loaded;
      if (epoch !== this.#epoch) return;
      this.#engine = engine;
      if (this.#keep) await this.keeper.open(engine);
      const consultation = await this.#begin(engine, bundle, record, this.#takeEncoder(loaded));
      if (epoch !== this.#epoch) return consultation.close();
      this.consultation = consultation;
      consultation.subscribe(() => this.#stateChanged());
      if (origin === 'last-good') this.notes.add('lastGood');
      this.#go('ready');
      this.#host.emit('anamnesis-ready', { bundleId: bundle.id, version: bundle.manifest.version, origin, resumed: this.notes.has('resumed') });
      this.#stateChanged();
      this.models.open(engine);
      void warmUpWhenIdle(engine, bundle);
      await this.settingsChanged();
    } catch (error) {
      const directive = await watch.end(true);
      if (epoch !== this.#epoch) return;
      this.phase = 'failed';
      this.#report(failureOf(error, this.#texts, directive));
    } finally {
      await watch.end(false);
    }
  }

  async #begin(engine: Engine, bundle: LoadedBundle['bundle'], record: ConsultationRecord | undefined, options: ReturnType<typeof encoderFor>): Promise<Consultation> {
    if (record !== undefined) {
      try {
        const restored = await engine.restoreConsultation(bundle, record, options);
        this.notes.add('resumed');
        this.keeper.status = 'saved';
        return restored;
      } catch {
        this.#report({ code: 'saved-state-invalid', directive: '' });
      }
    }
    return engine.createConsultation(bundle, { ...options, maxQuestions: this.#host.settings.maxQuestions });
  }

  /** Runs an action on the consultation after those before it. Failures are shown and reported, never thrown. */
  #act(action: (consultation: Consultation) => Promise<void>): Promise<void> {
    const epoch = this.#epoch;
    const run = async (): Promise<void> => {
      const { consultation } = this;
      if (epoch !== this.#epoch) return;
      if (consultation === null) {
        this.#waiting--;
        return;
      }
      this.failure = null;
      this.notes.delete('resumed');
      const before = consultation.state.result;
      try {
        await this.#adoptModel(consultation);
        await action(consultation);
        if (epoch !== this.#epoch) return;
        const { result } = consultation.state;
        if (result !== null && result !== before) this.#host.emit('anamnesis-result', { urgency: result.urgency.level, candidateIds: result.candidates.map((one) => one.id) });
      } catch (error) {
        if (epoch !== this.#epoch || (error instanceof DOMException && error.name === 'AbortError')) return;
        this.#failedAction = () => this.#act(action);
        this.#report(failureOf(error, this.#texts));
      } finally {
        if (epoch === this.#epoch) {
          this.#waiting--;
          this.#host.changed();
        }
      }
      if (epoch === this.#epoch && this.#keep && consultation.state.rounds.length > 0) await this.keeper.save(consultation.toRecord(), () => this.#host.changed());
    };
    // At once, not when it runs: what is on the screen now is not what focus waits for.
    this.#waiting++;
    this.#host.changed();
    this.#queue = this.#queue.then(run);
    return this.#queue;
  }

  /** The round is answered with the model where one is ready; where it cannot be taken up, without. */
  async #adoptModel(consultation: Consultation): Promise<void> {
    if (this.#engine === null) return;
    try {
      await this.models.adopt(this.#engine, consultation);
    } catch (error) {
      if (consultation === this.consultation) this.#host.emit('anamnesis-error', { code: failureOf(error, this.#texts).code });
    }
  }

  async #answerRound(consultation: Consultation, input: PatientInput): Promise<void> {
    const epoch = this.#epoch;
    const round = consultation.state.rounds.length;
    this.#host.emit('anamnesis-round-start', { round });
    for await (const event of consultation.send(input)) {
      if (epoch !== this.#epoch) return;
      this.models.note(event);
    }
    if (epoch !== this.#epoch) return;
    const { status, urgency, redFlags } = consultation.state;
    this.#host.emit('anamnesis-round-end', { round, status, urgency: urgency?.level ?? null, redFlags: redFlags.map((flag) => flag.id) });
  }

  #stateChanged(): void {
    const flags = this.state?.redFlags ?? [];
    for (const flag of flags) if (!this.#firedFlags.has(flag.id)) this.#host.emit('anamnesis-red-flag', { id: flag.id, level: flag.level });
    this.#firedFlags = new Set(flags.map((flag) => flag.id));
    this.#host.changed();
  }

  #clear(): void {
    this.#epoch++;
    this.#queue = Promise.resolve();
    this.consultation?.close();
    this.consultation = null;
    this.#waiting = 0;
    this.failure = null;
    this.#failedAction = null;
    this.progress = null;
    this.#keep = false;
    this.#firedFlags.clear();
    this.notes.clear();
    this.models.close();
    this.#host.cleared();
    this.#go('consent');
  }

  #report(failure: Failure): void {
    this.failure = failure;
    this.#host.emit('anamnesis-error', failure.directive === '' ? { code: failure.code } : failure);
    this.#host.changed();
  }

  #go(phase: Controller['phase']): void {
    this.phase = phase;
    this.#host.changed();
  }
}
