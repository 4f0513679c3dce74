import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../../src/index.js';
import { failureText } from '../failure.js';
import { LANGUAGE_NAMES, LANGUAGE_TAGS, localeFor, writtenIn } from '../localize.js';
import { emergencyWords, type View } from '../view.js';
import { icon } from './icons.js';
import { renderChange } from './profile.js';

const BYTES_PER_MEGABYTE = 1_000_000;

/** Name and language switch. */
export function renderHeader(view: View): TemplateResult {
  const { t, settings } = view;
  const other: Language = settings.language === 'zh' ? 'en' : 'zh';
  return html`<header class="header" part="header">
    <span class="brand">${icon('mark')}<span>${t.title}</span></span>
    <slot name="header"></slot>
    <button class="language" type="button" part="button language-button" lang=${LANGUAGE_TAGS[other]} @click=${() => view.switchLanguage(other)}>${icon('globe')}${LANGUAGE_NAMES[other]}</button>
  </header>`;
}

/** What the visitor should know beside the screen itself. */
export function renderNotes(view: View): TemplateResult | typeof nothing {
  const { t, controller, screen, settings } = view;
  const notes: TemplateResult[] = [];
  const { failure, keeper } = controller;
  if (failure !== null && controller.phase !== 'failed') {
    notes.push(html`<div class="note error-note" part="note" role="alert"><p>${failureText(failure, t)}</p><button class="link" part="button" type="button" @click=${() => void controller.retry()}>${t.retry}</button></div>`);
  }
  if (screen.idleWarning) notes.push(html`<div class="note warn" part="note" role="alert"><p>${t.idleWarning}</p><button class="link" part="button" type="button">${t.idleStay}</button></div>`);
  if (keeper.status === 'refused') notes.push(html`<div class="note warn" part="note"><p>${t.storageRefused}</p></div>`);
  if (keeper.status === 'failed') notes.push(html`<div class="note warn" part="note"><p>${t.saveFailed}</p></div>`);
  if (controller.phase === 'ready' && settings.knowledge === 'tcm' && settings.language !== 'zh') notes.push(html`<div class="note" part="note"><p>${t.tcmChineseOnly}</p></div>`);
  const otherAge = renderOtherAge(view);
  if (otherAge !== null) notes.push(otherAge);
  const written = otherLanguageOf(view);
  if (written !== null) notes.push(renderLanguageHint(view, written));
  for (const note of controller.notes) {
    const close = (): void => {
      controller.notes.delete(note);
      view.refresh();
    };
    notes.push(html`<div class="note" part="note"><p>${t[note]}</p>${renderCross(view, close)}</div>`);
  }
  return notes.length === 0 ? nothing : html`<div class="notes">${notes}</div>`;
}

/** The words speak of an age far from the one given: perhaps a parent gave their own. */
function renderOtherAge(view: View): TemplateResult | null {
  const { t, screen, controller } = view;
  const written = controller.state?.otherAge ?? null;
  const given = controller.state?.profile?.ageYears ?? null;
  if (written === null || given === null || written === screen.dismissedAge || screen.isEditingProfile) return null;
  const close = (): void => {
    screen.dismissedAge = written;
    view.refresh();
  };
  return html`<div class="note warn" part="note" role="alert"><p>${t.otherAge(written, given)} ${renderChange(view, t.profileTitle)}</p>${renderCross(view, close)}</div>`;
}

/** The language of the visitor's last words where the page is in another one and could be in this. */
function otherLanguageOf({ controller, settings, screen }: View): Language | null {
  if (screen.staysInLanguage || controller.phase !== 'ready') return null;
  const said = (controller.state?.rounds ?? []).flatMap(({ input }) => (input.type === 'utterance' ? [input.text] : []));
  const written = writtenIn(said.at(-1) ?? '');
  // Chinese medicine is in Chinese alone.
  return written === settings.language || (settings.knowledge === 'tcm' && written === 'en') ? null : written;
}

function renderLanguageHint(view: View, language: Language): TemplateResult {
  const close = (): void => {
    view.screen.staysInLanguage = true;
    view.refresh();
  };
  const words = html`<p lang=${LANGUAGE_TAGS[language]}>${localeFor(language).languageHint} <button class="link" part="button" type="button" @click=${() => view.switchLanguage(language)}>${LANGUAGE_NAMES[language]}</button></p>`;
  return html`<div class="note" part="note language-hint">${words}${renderCross(view, close)}</div>`;
}

/** What closes a note. */
function renderCross({ t }: View, close: () => void): TemplateResult {
  return html`<button class="icon-button" part="button" type="button" aria-label=${t.dismiss} @click=${close}>${icon('cross')}</button>`;
}

/** While the knowledge loads. */
export function renderLoading({ t, controller }: View): TemplateResult {
  const { progress, phase } = controller;
  const share = progress === null || progress.totalBytes === 0 ? 0 : Math.min(1, progress.loadedBytes / progress.totalBytes);
  const inMegabytes = (bytes: number): string => (bytes / BYTES_PER_MEGABYTE).toFixed(1);
  return html`<div class="stack loading" part="loading">
    <h2 tabindex="-1" data-focus="screen">${phase === 'looking' ? t.looking : t.loading}</h2>
    ${phase === 'looking'
      ? nothing
      : html`<div role="progressbar" aria-label=${t.loading} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${String(Math.round(share * 100))}><svg class="bar" aria-hidden="true"><rect class="bar-fill" width="${Math.round(share * 100)}%" height="100%" rx="2" /></svg></div>
          <p class="hint">${progress === null ? nothing : t.megabytes(inMegabytes(progress.loadedBytes), inMegabytes(progress.totalBytes))}</p>`}
  </div>`;
}

/** Where no knowledge could be had: never an empty result. */
export function renderUnavailable(view: View): TemplateResult {
  const { t, controller } = view;
  const { failure } = controller;
  return html`<div class="stack loose" part="unavailable" role="alert">
    <h2 tabindex="-1" data-focus="screen">${t.unavailableTitle}</h2>
    <p>${failure === null ? t.unexpected : failureText(failure, t)}</p>
    <p class="callout">${t.unavailableAdvice(emergencyWords(view))}</p>
    <button class="button primary" part="button primary-button" type="button" @click=${() => void controller.retry()}>${t.retry}</button>
  </div>`;
}

/** The promise of privacy with what it means, and who made this. */
export function renderFooter({ t, controller }: View): TemplateResult {
  const { status } = controller.keeper;
  const isKept = status === 'saved' || status === 'saving';
  // What the page brings runs where the page says, or nobody knows where.
  const isElsewhere = controller.models.actions?.state.runs === 'elsewhere';
  return html`<footer class="footer" part="footer">
    <details class="privacy">
      <summary>${icon('lock')}<span>${isElsewhere ? t.privacyElsewhere : t.privacyBadge}</span>${icon('chevron')}</summary>
      <p>${isElsewhere ? t.privacyElsewhereDetails : t.privacyDetails}</p>
      <p>${isKept ? t.privacyKept : t.privacyNotKept}</p>
    </details>
    ${isKept ? html`<p class="saved">${status === 'saved' ? t.saved : t.saving}</p>` : nothing}
    <p class="small">${t.privacyMaker}</p>
    <slot name="footer"></slot>
  </footer>`;
}
