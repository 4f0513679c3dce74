import { html, nothing, type TemplateResult } from 'lit';
import { telephoneLink } from '../settings.js';
import { emergencyWords, type View } from '../view.js';
import { icon, type IconName } from './icons.js';

/** The first screen: what this is and is not, and the emergency number before all else. */
export function renderConsent(view: View): TemplateResult {
  const { t, settings, controller } = view;
  const start = (event: SubmitEvent): void => {
    event.preventDefault();
    const keep = new FormData(event.target as HTMLFormElement).get('keep') !== null;
    view.focusOn('screen');
    void controller.start(keep);
  };
  const point = (name: IconName, title: string, text: string): TemplateResult => html`<li class="point">${icon(name)}<div><strong>${title}</strong><span>${text}</span></div></li>`;
  return html`
    ${renderEmergencyFirst(view)}
    <div class="intro">
      <h2 class="display" tabindex="-1" data-focus="screen">${t.consentTitle}</h2>
      <p class="lead">${t.consentLead}</p>
    </div>
    <ul class="points">
      ${point('lock', t.consentDevice, t.consentDeviceText)} ${point('info', t.consentNotDiagnosis, t.consentNotDiagnosisText)} ${point('review', t.consentReview, t.consentReviewText)}
    </ul>
    <slot name="disclaimer"></slot>
    ${settings.knowledge === 'tcm' && settings.language !== 'zh' ? html`<p class="hint">${t.tcmChineseOnly}</p>` : nothing}
    <form class="stack" @submit=${start}>
      ${settings.mayStore
        ? html`<label class="tick"><input type="checkbox" name="keep" aria-describedby="keep-hint" /><span>${t.keep}<small id="keep-hint">${t.keepHint}</small></span></label>`
        : nothing}
      <button class="button primary wide" part="button primary-button" type="submit">${t.start}</button>
    </form>
  `;
}

/** The line for those who should not be reading on. */
function renderEmergencyFirst(view: View): TemplateResult {
  const { t, settings } = view;
  const link = settings.emergencyNumber === undefined ? undefined : telephoneLink(settings.emergencyNumber);
  return html`<div class="first-aid" part="emergency-hint">
    ${icon('phone')}
    <p><strong>${t.emergencyFirst}</strong> ${t.emergencyFirstDo(emergencyWords(view))}</p>
    ${link === undefined ? nothing : html`<a class="button danger" part="button emergency-call" href=${link}>${t.call(settings.emergencyNumber ?? '')}</a>`}
  </div>`;
}
