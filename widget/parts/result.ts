import { html, nothing, type TemplateResult } from 'lit';
import type { Result, Urgency } from '../../src/index.js';
import { urgencyTitle } from '../localize.js';
import { telephoneLink } from '../settings.js';
import { emergencyWords, type View } from '../view.js';
import { renderCandidate } from './candidate.js';
import { renderComposer } from './composer.js';
import { icon, type IconName } from './icons.js';
import { renderReply } from './reply.js';
import { renderTranscript } from './transcript.js';
import { renderUnderstood } from './understood.js';

const URGENCY_ICON: Readonly<Record<Urgency, IconName>> = { emergency: 'alert', urgent: 'clock', routine: 'calendar', 'self-care': 'home' };

/** The result: how urgent first, then what it may be and why. */
export function renderResult(view: View): TemplateResult {
  const { t, controller } = view;
  const { state } = controller;
  const result = state?.result;
  if (state === null || result === null || result === undefined) return html``;
  const mayAskMore = result.reason === 'asked-to' && state.questionsAsked < state.maxQuestions;
  const askMore = (): void => {
    view.focusOn('screen');
    void controller.askMore();
  };
  return html`<div class="stack loose" part="result">
    <h2 class="unseen">${t.resultTitle}</h2>
    ${result.enough ? renderUrgency(view, result) : renderNotEnough(view, result, state.redFlags.length > 0)} ${isCrisis(view) ? nothing : renderReply(view)}
    ${!result.enough ? nothing : isCrisis(view) ? html`<details class="fold"><summary><span>${t.otherPossibilities}</span>${icon('chevron')}</summary>${renderCandidates(view, result)}</details>` : renderCandidates(view, result)}
    <div class="stack tight">
      ${renderComposer(view, { label: result.enough ? t.moreTitle : t.complaintLabel, isLarge: !result.enough })} ${mayAskMore ? html`<button class="button wide" part="button" type="button" @click=${askMore}>${t.continueAsking}</button>` : nothing}
    </div>
    ${renderUnderstood(view, true)} ${renderTranscript(view)} ${renderActions(view)}
  </div>`;
}

/** In a crisis the card above says what to do; a list of illnesses, a model's words and a loud banner would only be in its way. */
function isCrisis(view: View): boolean {
  return view.controller.state?.redFlags.some((flag) => flag.level === 'crisis') ?? false;
}

function renderUrgency(view: View, { urgency }: Result): TemplateResult {
  const { t, settings, contentTag, controller } = view;
  if (isCrisis(view)) {
    return html`<section class="banner crisis" part="urgency" aria-labelledby="urgency">
      <h3 id="urgency" class="banner-title" tabindex="-1" data-focus="screen">${icon('heart')}<span>${t.crisisUrgency}</span></h3>
    </section>`;
  }
  const hasCard = controller.state?.redFlags.some((flag) => flag.level === 'emergency') ?? false;
  const link = urgency.level === 'emergency' && !hasCard && settings.emergencyNumber !== undefined ? telephoneLink(settings.emergencyNumber) : undefined;
  return html`<section class="banner ${urgency.level}" part="urgency" aria-labelledby="urgency">
    <h3 id="urgency" class="banner-title" tabindex="-1" data-focus="screen">${icon(URGENCY_ICON[urgency.level])}<span>${urgencyTitle(t, urgency)}</span></h3>
    <p lang=${contentTag}>${urgency.advice}</p>
    ${link === undefined ? nothing : html`<a class="button danger" part="button emergency-call" href=${link}>${icon('phone')}${t.call(settings.emergencyNumber ?? '')}</a>`}
    ${urgency.reasons.length === 0
      ? nothing
      : html`<details class="why"><summary>${t.reasons}${icon('chevron')}</summary>
          <ul class="reasons">${urgency.reasons.map((reason) => html`<li lang=${contentTag}>${reason.text}<cite>${t.source}: ${reason.source}</cite></li>`)}</ul>
        </details>`}
  </section>`;
}

function renderCandidates(view: View, { candidates, alsoNamed }: Result): TemplateResult {
  const { t } = view;
  return html`<section class="stack" aria-labelledby="candidates">
    <div class="stack tight">
      <h3 id="candidates">${t.candidatesTitle}</h3>
      <p class="hint">${t.candidatesLead}</p>
    </div>
    <ol class="candidates">
      ${candidates.map((candidate, rank) => html`<li>${renderCandidate(view, candidate, rank === 0)}</li>`)}
    </ol>
    ${alsoNamed.length === 0 ? nothing : html`<p class="hint also-named">${t.alsoNamed}<span lang=${view.contentTag}>${alsoNamed.map((one) => one.name).join(t.listSeparator)}</span></p>`}
  </section>`;
}

function renderNotEnough(view: View, result: Result, hasFlags: boolean): TemplateResult {
  const { t } = view;
  return html`${hasFlags ? renderUrgency(view, result) : nothing}
    <section class="stack tight" part="not-enough">
      <h3 class="title" tabindex="-1" data-focus=${hasFlags ? nothing : 'screen'}>${t.notEnoughTitle}</h3>
      <p>${t.notEnoughText}</p>
      <ul class="bullets">${t.notEnoughHints.map((hint) => html`<li>${hint}</li>`)}</ul>
      <p class="callout">${t.notEnoughSafety(emergencyWords(view))}</p>
    </section>`;
}

function renderActions(view: View): TemplateResult {
  const { t, settings, screen, controller } = view;
  const confirm = (what: 'erase' | 'startOver'): void => {
    screen.confirming = what;
    view.focusOn('confirm');
    view.refresh();
  };
  return html`<div class="actions" part="actions">
    ${settings.mayPrint ? html`<button class="button" part="button" type="button" @click=${() => view.print()}>${t.print}</button>` : nothing}
    ${settings.mayExport ? html`<button class="button" part="button" type="button" @click=${() => view.exportFile()}>${t.exportJson}</button>` : nothing}
    <button class="button" part="button" type="button" @click=${() => confirm('startOver')}>${t.startOver}</button>
    <button class="button plain-danger" part="button" type="button" @click=${() => confirm('erase')}>${t.erase}</button>
    ${screen.confirming === null ? nothing : renderConfirm(view, screen.confirming === 'erase' ? { question: t.eraseConfirm, yes: t.eraseYes, act: () => controller.erase() } : { question: t.startOverConfirm, yes: t.startOverYes, act: () => controller.reset() })}
  </div>`;
}

function renderConfirm(view: View, options: { readonly question: string; readonly yes: string; readonly act: () => Promise<void> }): TemplateResult {
  const { t, screen } = view;
  const close = (): void => {
    screen.confirming = null;
    view.refresh();
  };
  const yes = (): void => {
    close();
    view.focusOn('screen');
    void options.act();
  };
  return html`<div class="confirm" role="alertdialog" aria-labelledby="confirm">
    <p id="confirm" tabindex="-1" data-focus="confirm">${options.question}</p>
    <div class="row">
      <button class="button danger" part="button" type="button" @click=${yes}>${options.yes}</button>
      <button class="button" part="button" type="button" @click=${close}>${t.cancel}</button>
    </div>
  </div>`;
}
