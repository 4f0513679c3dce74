import { html, nothing, type TemplateResult } from 'lit';
import type { ModelState } from '../../src/index.js';
import { forTheEye, inMegabytes, timeLeft } from '../amounts.js';
import type { ModelActions } from '../model-actions.js';
import type { View } from '../view.js';
import { icon } from './icons.js';
import { allowWords, isOfFiles, renderOffer, serverWords } from './model-offer.js';

const SCREENS: readonly string[] = ['profile', 'complaint', 'question', 'result'];

/** What the language model is doing, quietly at the foot of a screen; opens by itself only where the visitor is asked something. */
export function renderModelPanel(view: View): TemplateResult | typeof nothing {
  const { t, model, controller } = view;
  if (model === null || !SCREENS.includes(controller.screen)) return nothing;
  const { phase, reason } = model.state;
  if (phase === 'none' && reason === null) return nothing;
  const isOneLine = phase === 'none' || phase === 'checking';
  const said = phase === 'failed' ? reasonWords(view, reason) : isOneLine ? '' : t.model.phases[phase];
  // The spoken line changes with the phase alone, never with progress.
  return html`${phase === 'none' ? renderNone(view, reason) : phase === 'checking' ? html`<p class="hint" part="model-panel">${t.model.checking}</p>` : renderPanel(view, model, t.model.phases[phase])}
    <p class="unseen" role="status">${said === '' ? nothing : `${t.model.title}: ${said}`}</p>`;
}

/** Why there is none, for who wants to know: a visitor has no need of it. */
function renderNone(view: View, reason: ModelState['reason']): TemplateResult {
  return html`<details class="why" part="model-panel"><summary>${view.t.model.none}${icon('chevron')}</summary><p>${reasonWords(view, reason)}</p></details>`;
}

function renderPanel(view: View, model: ModelActions, doing: string): TemplateResult {
  const { t, screen, controller } = view;
  const { phase, loadedBytes, totalBytes } = model.state;
  // Beside an emergency nothing else asks for attention.
  const asks = (phase === 'offered' || phase === 'failed') && controller.state?.redFlags.length === 0;
  const isOpen = screen.modelPanel === 'opened' || (screen.modelPanel === 'watched' && phase !== 'ready') || (screen.modelPanel === null && asks);
  // Before the browser itself opens or closes it.
  const toggle = (event: Event): void => {
    screen.modelPanel = ((event.currentTarget as HTMLElement).parentElement as HTMLDetailsElement).open ? 'closed' : 'opened';
  };
  const share = phase === 'downloading' && totalBytes > 0 ? ` ${t.percent(shareOf(loadedBytes, totalBytes))}` : '';
  return html`<details class="fold model" part="model-panel" ?open=${isOpen}>
    <summary data-focus="model" @click=${toggle}><span>${t.model.title}</span><span class="doing">${doing}${share}</span>${icon('chevron')}</summary>
    <div class="stack">
      <p class="hint">${t.model.what}</p>
      ${renderPhase(view, model)}
    </div>
  </details>`;
}

function renderPhase(view: View, model: ModelActions): TemplateResult | typeof nothing {
  const { t } = view;
  const m = t.model;
  const { phase, reason, offer, loadedBytes, totalBytes, secondsLeft, runs, tokensPerSecond } = model.state;
  const arrived = t.megabytes(inMegabytes(loadedBytes), inMegabytes(totalBytes));
  const cancel = renderAction(view, t.cancel, () => model.cancel());
  const remove = hasFiles(model.state) ? renderAction(view, m.remove, () => model.remove()) : nothing;
  switch (phase) {
    case 'offered':
      return html`${offer === null ? nothing : renderOffer(view, offer)}
        <div class="row">${renderMainAction(view, allowWords(view, offer), () => model.allow())} ${renderClosingAction(view, m.notNow, () => model.turnOff())}</div>`;
    case 'sizing':
      return html`<p>${m.sizing(serverWords(view, offer))}</p><div class="row">${cancel}</div>`;
    case 'waiting':
      return html`<p>${m.waiting}</p><div class="row">${cancel}</div>`;
    case 'downloading':
      return html`${renderProgress(m.phases.downloading, shareOf(loadedBytes, totalBytes))}
        <p class="numbers">${arrived}${secondsLeft === null ? nothing : html`<span class="hint">${timeLeft(t, secondsLeft)}</span>`}</p>
        <div class="row">${renderAction(view, m.pause, () => model.pause())} ${cancel}</div>`;
    case 'paused':
      return html`<p class="numbers">${arrived}</p>
        <div class="row">${renderMainAction(view, m.resume, () => model.resume())} ${renderAction(view, m.removePart, () => model.remove())}</div>`;
    case 'loading':
      return html`${renderProgress(m.phases.loading, null)}
        <p>${m.loading}</p>
        <div class="row">${cancel}</div>`;
    case 'ready':
      return html`<p>${m.runs[offer?.runtime === 'built-in' ? 'browser' : runs]}</p>
        ${offer === null || !isOfFiles(offer) || offer.keeps ? nothing : html`<p class="hint">${m.afterwards}: ${m.notKept}</p>`}
        ${tokensPerSecond === null ? nothing : html`<p class="hint">${m.speed(forTheEye(tokensPerSecond))}</p>`}
        <div class="row">${renderClosingAction(view, m.turnOff, () => model.turnOff())} ${remove}</div>`;
    case 'failed':
      return html`<p>${reasonWords(view, reason)}</p><div class="row">${renderMainAction(view, t.retry, () => model.retry())} ${remove}</div>`;
    case 'off':
      return html`<p>${reason === null ? m.off : reasonWords(view, reason)}</p><div class="row">${renderAction(view, m.turnOn, () => model.turnOn())} ${remove}</div>`;
    default:
      return nothing;
  }
}

/** A bar that fills, or one that only moves where the share is not known. */
function renderProgress(label: string, share: number | null): TemplateResult {
  return html`<div role="progressbar" part="model-progress" aria-label=${label} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${share === null ? nothing : String(Math.floor(share * 100))}>
    <svg class="bar" aria-hidden="true"><rect class="bar-fill ${share === null ? 'running' : ''}" width="${share === null ? 30 : Math.floor(share * 100)}%" height="100%" rx="2" /></svg>
  </div>`;
}

function renderMainAction(view: View, text: string, run: () => void): TemplateResult {
  return html`<button class="button primary" part="button primary-button" type="button" @click=${() => act(view, run, 'watched')}>${text}</button>`;
}

function renderAction(view: View, text: string, run: () => void): TemplateResult {
  return html`<button class="button" part="button" type="button" @click=${() => act(view, run, 'watched')}>${text}</button>`;
}

/** After this one there is nothing more to see in the panel. */
function renderClosingAction(view: View, text: string, run: () => void): TemplateResult {
  return html`<button class="button" part="button" type="button" @click=${() => act(view, run, null)}>${text}</button>`;
}

/** The button that was pressed may be gone at once, so focus goes to the panel's own heading. */
function act(view: View, run: () => void, after: 'watched' | null): void {
  view.screen.modelPanel = after;
  view.focusOn('model');
  run();
  view.refresh();
}

const shareOf = (loadedBytes: number, totalBytes: number): number => (totalBytes === 0 ? 0 : Math.min(1, loadedBytes / totalBytes));

/** Whether there is something of the model on this device that can be deleted. */
function hasFiles({ offer, phase, loadedBytes }: ModelState): boolean {
  return offer !== null && isOfFiles(offer) && (offer.storedBytes > 0 || (offer.keeps && (loadedBytes > 0 || phase === 'ready')));
}

function reasonWords({ t }: View, reason: ModelState['reason']): string {
  return reason === null ? t.unexpected : t.errors[reason];
}
