import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { AnswerValue, ConsultationState, Language, ModelState, Profile, School } from '../src/index.js';
import { Controller, type Screen } from './controller.js';
import { elementStyles } from './element.styles.js';
import type { AnamnesisEventDetails, AnamnesisEventName } from './events.js';
import type { KeepStatus } from './keeper.js';
import { IdleWatch } from './idle.js';
import { LANGUAGE_TAGS, localeFor, urgencyTitle } from './localize.js';
import { renderComplaint } from './parts/composer.js';
import { renderConsent } from './parts/consent.js';
import { renderEmergency } from './parts/emergency.js';
import { renderFooter, renderHeader, renderLoading, renderNotes, renderUnavailable } from './parts/frame.js';
import { renderModelPanel } from './parts/model-panel.js';
import { printSummary } from './parts/print.js';
import { renderProfile } from './parts/profile.js';
import { renderQuestion } from './parts/question.js';
import { renderResult } from './parts/result.js';
import { DEFAULT_QUESTIONS, readSettings, type Settings } from './settings.js';
import { VERSION } from './version.js';
import { freshScreen, type ScreenState, type View } from './view.js';

/** Directory of the script; bundles are looked for beside it. */
const SCRIPT_BASE = new URL(/* @vite-ignore */ './', import.meta.url);

/** A snapshot of what the element shows. Holds the visitor's words; the host page must not send them anywhere. */
export interface AnamnesisChatState {
  readonly screen: Screen;
  readonly language: Language;
  readonly keeping: KeepStatus;
  readonly consultation: ConsultationState | null;
  /** Of the language model; null where none is or can be set up. */
  readonly model: ModelState | null;
}

/**
 * @summary A symptom check that runs wholly in the visitor's browser.
 * @status experimental
 * @since 0.1
 *
 * @slot header - Beside the title, for example a logo.
 * @slot disclaimer - Text of your own on the first screen, before the start button.
 * @slot emergency - A further action in the emergency card, for example the way to your emergency department.
 * @slot footer - Below everything.
 *
 * @event anamnesis-ready - The knowledge is loaded. `{bundleId, version, origin, resumed}`
 * @event anamnesis-progress - More of the knowledge has arrived. `{loadedBytes, totalBytes}`
 * @event anamnesis-consent - The visitor agreed to start. `{keep}`
 * @event anamnesis-round-start - A round is being answered. `{round}`
 * @event anamnesis-round-end - A round was answered. `{round, status, urgency, redFlags}`
 * @event anamnesis-red-flag - A rule fired that had not before. `{id, level}`
 * @event anamnesis-result - A result is shown. `{urgency, candidateIds}`
 * @event anamnesis-model - The language model does something else now. `{phase, reason, id}`
 * @event anamnesis-error - Something failed. `{code, directive?}`
 * @event anamnesis-erase - Everything was erased.
 *
 * @csspart base - The whole widget.
 * @csspart header - Title and language switch.
 * @csspart body - The present screen.
 * @csspart footer - Privacy and maker.
 * @csspart note - A note above the screen.
 * @csspart language-hint - The offer of the language that the visitor writes.
 * @csspart emergency-hint - The line on the first screen for those who should call for help instead.
 * @csspart emergency - The card for red flags.
 * @csspart emergency-call - A link that dials.
 * @csspart loading - The screen while the knowledge loads.
 * @csspart unavailable - The screen where no knowledge could be had.
 * @csspart profile - The form for age and sex.
 * @csspart complaint - The screen for the first words.
 * @csspart composer - The form for the visitor's own words.
 * @csspart textarea - Its text field.
 * @csspart suggestions - The row of suggested symptoms.
 * @csspart chip - A suggestion or an example.
 * @csspart question - The screen with a question.
 * @csspart answer-button - Yes, no and don't know.
 * @csspart choice - A card to choose.
 * @csspart transcript - The answers so far.
 * @csspart waiting - The screen while a language model is at work.
 * @csspart understood - What was understood.
 * @csspart result - The result.
 * @csspart urgency - How urgent it is.
 * @csspart candidate - A condition of the result.
 * @csspart not-enough - The result where there was not enough to go on.
 * @csspart reply - What a language model wrote, above the question or below the urgency.
 * @csspart reply-source - The knowledge that a sentence of it rests on.
 * @csspart analysis - How the model compared the candidates, closed at first.
 * @csspart model-panel - What the language model is doing, with what can be done about it.
 * @csspart model-progress - The bar while the model is fetched or read into memory.
 * @csspart actions - Print, save, start over, erase.
 * @csspart button - Every button.
 * @csspart primary-button - The main button of a screen.
 * @csspart language-button - A button of the language switch.
 *
 * @cssproperty [--anamnesis-color-accent=#0b6468] - Buttons, bars, links.
 * @cssproperty [--anamnesis-color-on-accent=#ffffff] - Text on the accent.
 * @cssproperty [--anamnesis-color-surface=#ffffff] - Background.
 * @cssproperty [--anamnesis-color-sunken=#f3f7f7] - Background of quiet areas.
 * @cssproperty [--anamnesis-color-text=#14272d] - Text.
 * @cssproperty [--anamnesis-color-muted=#4c6067] - Secondary text.
 * @cssproperty [--anamnesis-color-border=#d3dfe0] - Lines.
 * @cssproperty [--anamnesis-color-danger=#b3261e] - Emergency.
 * @cssproperty [--anamnesis-font-family] - Typeface. The system's by default.
 * @cssproperty [--anamnesis-font-size=16px] - Base size; everything scales with it. Not below 16px, or iOS zooms on fields.
 * @cssproperty [--anamnesis-radius=14px] - Corners.
 * @cssproperty [--anamnesis-max-width=720px] - Widest it grows.
 */
export class AnamnesisChat extends LitElement {
  static readonly version = VERSION;
  static override styles = elementStyles;
  static override properties = {
    lang: { type: String, reflect: true },
    knowledge: { type: String },
    assetBase: { type: String, attribute: 'asset-base' },
    emergencyNumber: { type: String, attribute: 'emergency-number' },
    crisisLine: { type: String, attribute: 'crisis-line' },
    maxQuestions: { type: Number, attribute: 'max-questions' },
    theme: { type: String },
    storage: { type: String },
    idleMinutes: { type: Number, attribute: 'idle-minutes' },
    noPrint: { type: Boolean, attribute: 'no-print' },
    noExport: { type: Boolean, attribute: 'no-export' },
    strategy: { type: String },
    strategyOptions: { attribute: false },
    modelSource: { type: String, attribute: 'model-source' },
    modelBase: { type: String, attribute: 'model-base' },
    model: { type: String },
    modelCatalogue: { attribute: false },
    languageModel: { attribute: false },
    embedder: { attribute: false },
    modelTesting: { attribute: false },
  };

  /** `zh` or `en`. @default that of the nearest ancestor with a `lang`, then of the browser, then `en` */
  declare lang: string;
  /** `mm` modern medicine, or `tcm` Chinese medicine (in Chinese only). @default 'mm' */
  declare knowledge: School;
  /** Directory that holds `bundles/`. @default the directory of the script */
  declare assetBase: string;
  /** Number that the emergency card dials. @default '120' in Chinese; none in English */
  declare emergencyNumber: string;
  /** Number of a crisis line. @default '12356' in Chinese; none in English */
  declare crisisLine: string;
  /** Questions asked at most, 0 to 50; more find more and tire people. @default 10 */
  declare maxQuestions: number;
  /** `auto` follows the device; `light`; `dark`. @default 'auto' */
  declare theme: 'auto' | 'light' | 'dark';
  /** `ask` offers to keep the consultation on the device; `none` keeps nothing, for shared devices. @default 'ask' */
  declare storage: 'ask' | 'none';
  /** Minutes without use after which everything is erased; 0: never. @default 0 */
  declare idleMinutes: number;
  /** Takes the print button away. @default false */
  declare noPrint: boolean;
  /** Takes the button that saves a file away. @default false */
  declare noExport: boolean;
  /** How turns are answered once a language model is ready: `mrd-rag`, a baseline of its paper, or `guided` for no model at all. @default 'mrd-rag' */
  declare strategy: Settings['strategy'];
  /** Options of that strategy, for example `{maxRounds: 2}`. @default {} */
  declare strategyOptions: Settings['strategyOptions'];
  /** Where a model may come from: `host` the page's own model base, `hub` a public server that the visitor is told of, `none`. @default 'host' */
  declare modelSource: Settings['modelSource'];
  /** Directory that holds the models mirrored by `anamnesis models pull`. @default `models/` in the asset base */
  declare modelBase: string;
  /** Id of the only model to offer, or `built-in` for the browser's own. @default the first of the catalogue that fits the device */
  declare model: string;
  /** A catalogue of your own, as plain data. @default the one that travels along */
  declare modelCatalogue: unknown;
  /** A language model that your page brings: an object of the shape of `LanguageModel`. */
  declare languageModel: unknown;
  /** An encoder that your page opens (`createTransformersEmbedder`); the bundle must hold its rows. @default the one that travels in the bundle */
  declare embedder: unknown;
  /** @internal */
  declare modelTesting: Settings['modelTesting'];

  readonly #controller = new Controller(this);
  readonly #idle = new IdleWatch(
    (isOn) => {
      this.#screen.idleWarning = isOn;
      this.requestUpdate();
    },
    () => void this.erase(),
  );
  #screen: ScreenState = freshScreen();
  #focusTarget: string | null = null;
  #shown = '';
  #alarm = '';
  readonly #use = (): void => this.#idle.use();
  readonly #onPageHide = (): void => this.#controller.keeper.release();

  constructor() {
    super();
    this.lang = '';
    this.knowledge = 'mm';
    this.assetBase = '';
    this.emergencyNumber = '';
    this.crisisLine = '';
    this.maxQuestions = DEFAULT_QUESTIONS;
    this.theme = 'auto';
    this.storage = 'ask';
    this.idleMinutes = 0;
    this.noPrint = false;
    this.noExport = false;
    this.strategy = 'mrd-rag';
    this.strategyOptions = {};
    this.modelSource = 'host';
    this.modelBase = '';
    this.model = '';
    this.modelCatalogue = undefined;
    this.languageModel = undefined;
    this.embedder = undefined;
    this.modelTesting = {};
  }

  /** What the element shows now. */
  get state(): AnamnesisChatState {
    return { screen: this.#controller.screen, language: this.settings.language, keeping: this.#controller.keeper.status, consultation: this.#controller.state, model: this.#controller.models.actions?.state ?? null };
  }

  /** @internal */
  get settings(): Settings {
    return readSettings(this, SCRIPT_BASE);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('pagehide', this.#onPageHide);
    this.#idle.watch(this.settings.idleMinutes);
    this.#controller.reconnect();
    void this.updateComplete.then(() => (this.isConnected ? this.#controller.resumeKept() : undefined));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('pagehide', this.#onPageHide);
    // A move within the page takes the element out and puts it back at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#idle.stop();
      this.#controller.release();
    });
  }

  /**
   * Goes on from the first screen as if the visitor had agreed; call it only where your page has asked for that.
   * @param options `keep`: the visitor wants the consultation kept on this device. `profile`: age and sex, where known.
   */
  async start(options: { readonly keep?: boolean; readonly profile?: Profile } = {}): Promise<void> {
    await this.#controller.start(options.keep ?? false);
    if (options.profile !== undefined) await this.#controller.setProfile(options.profile);
  }

  /** Sends words as if the visitor had typed them; resolves when the round is answered. */
  send(text: string): Promise<void> {
    return this.#controller.send(text);
  }

  /** Answers the open question. */
  answer(value: AnswerValue): Promise<void> {
    return this.#controller.answer(value);
  }

  /** Shows the result now. */
  conclude(): Promise<void> {
    return this.#controller.conclude();
  }

  /** Starts over; consent stays. */
  reset(): Promise<void> {
    return this.#controller.reset();
  }

  /** Erases screen, memory, database and cache; consent is asked again. */
  erase(): Promise<void> {
    return this.#controller.erase();
  }

  /** The consultation as JSON; undefined before it has begun. */
  exportJson(): string | undefined {
    return this.#controller.exportJson();
  }

  /** Moves focus to what is to be done next. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('[data-focus=draft], [data-focus=screen]')?.focus(options);
  }

  /** @internal */
  changed(): void {
    this.requestUpdate();
  }

  /** @internal */
  cleared(): void {
    this.#screen = freshScreen();
    this.#idle.watch(this.settings.idleMinutes);
  }

  /** @internal */
  emit<Name extends AnamnesisEventName>(name: Name, detail: AnamnesisEventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.hasUpdated) return;
    if (changed.has('lang') || changed.has('knowledge') || changed.has('embedder')) void this.#controller.settingsChanged();
    if (changed.has('idleMinutes')) this.#idle.watch(this.settings.idleMinutes);
  }

  protected override render(): TemplateResult {
    const view = this.#view();
    const { language } = view.settings;
    const theme = this.theme === 'dark' || this.theme === 'light' ? this.theme : 'auto';
    const isEditing = this.#screen.isEditingProfile && this.#controller.phase === 'ready';
    return html`<div
      class="shell ${theme}"
      part="base"
      lang=${LANGUAGE_TAGS[language]}
      dir="ltr"
      role="region"
      aria-label=${view.t.title}
      aria-busy=${this.#controller.isBusy ? 'true' : 'false'}
      @keydown=${keepPlainKeys}
      @keypress=${keepPlainKeys}
      @keyup=${keepPlainKeys}
      @click=${this.#use}
      @pointerdown=${this.#use}
      @input=${this.#use}
    >
      ${renderHeader(view)}
      <div class="body" part="body">${renderEmergency(view)} ${renderNotes(view)} ${isEditing ? renderProfile(view) : renderScreen(view)} ${renderModelPanel(view)}</div>
      ${renderFooter(view)}
      <div class="unseen" role="status" aria-live="polite" data-live></div>
    </div>`;
  }

  protected override updated(): void {
    this.#announce();
    if (this.#controller.isBusy) return;
    const alarm = (this.#controller.state?.redFlags ?? []).map((flag) => flag.id).join(' ');
    // What brought the alarm may have taken the focus with it: then a new screen is about to be focused.
    const isNewAlarm = alarm !== '' && alarm !== this.#alarm && (this.#focusTarget !== null || this.matches(':focus-within'));
    this.#alarm = alarm;
    if (this.#focusTarget !== null) {
      const target = this.renderRoot.querySelector<HTMLElement>(`[data-focus=${this.#focusTarget}]`);
      this.#focusTarget = null;
      if (target !== null) moveFocus(target);
    }
    if (isNewAlarm) this.renderRoot.querySelector('[data-focus=emergency]')?.scrollIntoView({ block: 'start' });
  }

  /** Tells a screen reader of a new screen, once and as a whole: what a model wrote comes before the question, and after the headline of a result. */
  #announce(): void {
    const { screen, state, isBusy } = this.#controller;
    if (isBusy) return;
    const hasCrisis = state?.redFlags.some((flag) => flag.level === 'crisis') ?? false;
    // Beside a crisis a result shows no words of a model.
    const reply = screen === 'result' && hasCrisis ? '' : (state?.reply?.sentences ?? []).map((sentence) => sentence.text).join(' ');
    const shown = `${screen}/${state?.question?.id ?? ''}/${state?.question?.text ?? ''}/${state?.result?.urgency.level ?? ''}/${reply}`;
    if (shown === this.#shown) return;
    const isFirst = this.#shown === '';
    this.#shown = shown;
    const live = this.renderRoot.querySelector('[data-live]');
    if (live === null || isFirst) return;
    const { t } = this.#view();
    const result = state?.result;
    const headline = result === null || result === undefined ? '' : hasCrisis ? t.crisisUrgency : result.enough ? `${t.resultTitle}: ${urgencyTitle(t, result.urgency)}` : t.notEnoughTitle;
    const said = screen === 'question' ? [reply, state?.question?.text ?? ''] : screen === 'result' ? [headline, reply] : [];
    live.textContent = said.filter((words) => words !== '').join(' ');
  }

  #view(): View {
    const { settings } = this;
    const contentLanguage = this.#controller.consultation?.bundle.language ?? settings.language;
    return {
      t: localeFor(settings.language),
      settings,
      contentLanguage,
      contentTag: LANGUAGE_TAGS[contentLanguage],
      controller: this.#controller,
      model: this.#controller.models.actions,
      screen: this.#screen,
      refresh: () => this.requestUpdate(),
      focusOn: (name) => {
        this.#focusTarget = name;
      },
      print: () => this.#print(),
      exportFile: () => this.#exportFile(),
      switchLanguage: (language) => {
        this.lang = language;
      },
    };
  }

  #print(): void {
    const { state } = this.#controller;
    const { t, contentTag } = this.#view();
    if (state !== null && this.shadowRoot !== null) printSummary(this.shadowRoot, { t, state, tag: contentTag, when: new Date() });
  }

  #exportFile(): void {
    const json = this.exportJson();
    if (json === undefined) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
    link.download = 'anamnesis.json';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.#controller.notes.add('exported');
    this.requestUpdate();
  }
}

function renderScreen(view: View): TemplateResult {
  switch (view.controller.screen) {
    case 'consent':
      return renderConsent(view);
    case 'looking':
    case 'loading':
      return renderLoading(view);
    case 'unavailable':
      return renderUnavailable(view);
    case 'profile':
      return renderProfile(view);
    case 'complaint':
      return renderComplaint(view);
    case 'question':
      return renderQuestion(view);
    case 'result':
      return renderResult(view);
  }
}

/** Keys typed into our fields are no shortcuts of the host page, which sees them come from the element itself. */
function keepPlainKeys(event: KeyboardEvent): void {
  const isField = event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.target.type === 'text');
  if (isField && (event.key.length === 1 || event.key === 'Enter' || event.key === 'Backspace') && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
}

/** Focuses without jumping where it is on the screen already. */
function moveFocus(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  const { top, bottom } = target.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) target.scrollIntoView({ block: target instanceof HTMLHeadingElement ? 'start' : 'nearest' });
}
