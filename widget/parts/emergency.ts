import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { RedFlag } from '../../src/index.js';
import { telephoneLink } from '../settings.js';
import { emergencyWords, type View } from '../view.js';
import { icon } from './icons.js';

/**
 * The card for red flags. It stays as long as what is known holds them; only a correction of what was understood can
 * take it away.
 */
export function renderEmergency(view: View): TemplateResult | typeof nothing {
  const flags = view.controller.state?.redFlags ?? [];
  const first = flags[0];
  if (first === undefined) return nothing;
  const { level } = first;
  // A result that is an emergency says so itself; a card above it must not say that it can wait a day.
  if (level === 'urgent' && view.controller.state?.result?.urgency.level === 'emergency') return nothing;
  const shown = flags.filter((flag) => flag.level === level);
  // Who took something wants an ambulance beside somebody to talk to.
  const alsoNow = level === 'crisis' ? flags.filter((flag) => flag.level === 'emergency') : [];
  // A new alert where the rules change, so that it is announced as a whole.
  return html`${keyed([...shown, ...alsoNow].map((flag) => flag.id).join(' '), html`<section class="alarm ${level}" part="emergency" role="alert" data-focus="emergency" tabindex="-1">${renderAlarm(view, level, shown)}${alsoNow.map((flag) => renderFlag(view, flag))}</section>`)}`;
}

function renderAlarm(view: View, level: RedFlag['level'], flags: readonly RedFlag[]): TemplateResult {
  const { t } = view;
  if (level === 'crisis') {
    return html`<h2>${icon('heart')}${t.crisisTitle}</h2>
      <p>${t.crisisText}</p>
      ${renderActions(flags, view)} ${renderCalls(view, true)}`;
  }
  const [first, ...others] = flags;
  return html`<h2>${icon('alert')}${level === 'emergency' ? t.emergencyTitle : t.emergencyTitleUrgent}</h2>
    ${first === undefined ? nothing : renderFlag(view, first)} ${level === 'emergency' ? renderCalls(view, false) : html`<slot name="emergency"></slot>`}
    ${others.length === 0 ? nothing : html`<details class="why more-flags"><summary>${t.moreSigns(others.length)}${icon('chevron')}</summary>${others.map((flag) => renderFlag(view, flag))}</details>`}`;
}

function renderFlag({ t, controller, contentTag, contentLanguage }: View, flag: RedFlag): TemplateResult {
  const findings = controller.consultation?.bundle.findings ?? [];
  // A diagnosis that was told is named as the visitor named it.
  const toldAs = (id: string): string => (id.startsWith('told-') ? (controller.state?.understood.find((one) => one.id === id)?.quote ?? '') : '');
  const names = flag.because.map((index) => toldAs(findings[index]?.id ?? '') || (findings[index]?.names[contentLanguage] ?? '')).filter((name) => name !== '');
  return html`<div class="flag">
    <p class="flag-what" lang=${contentTag}>${flag.what}</p>
    <p lang=${contentTag}>${flag.action}</p>
    ${names.length === 0 ? nothing : html`<p class="small">${t.because}: <span lang=${contentTag}>${[...new Set(names)].join(t.listSeparator)}</span></p>`}
  </div>`;
}

function renderActions(flags: readonly RedFlag[], { contentTag }: View): TemplateResult[] {
  return [...new Set(flags.map((flag) => flag.action))].map((action) => html`<p lang=${contentTag}>${action}</p>`);
}

function renderCalls(view: View, isCrisis: boolean): TemplateResult {
  const { t, settings } = view;
  const call = (number: string | undefined, words: string, kind: string): TemplateResult => {
    const link = number === undefined ? undefined : telephoneLink(number);
    return link === undefined ? html`<p class="call-words">${t.call(words)}</p>` : html`<a class="button ${kind}" part="button emergency-call" href=${link}>${icon('phone')}${t.call(number ?? '')}</a>`;
  };
  return html`<div class="calls">
    ${isCrisis ? call(settings.crisisLine, settings.crisisLine ?? t.crisisUnnamed, 'primary') : nothing} ${call(settings.emergencyNumber, emergencyWords(view), isCrisis ? '' : 'danger')}
    <slot name="emergency"></slot>
  </div>`;
}
