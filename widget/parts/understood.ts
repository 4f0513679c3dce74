import { html, nothing, type TemplateResult } from 'lit';
import type { Correction, UnderstoodFinding } from '../../src/index.js';
import type { View } from '../view.js';
import { icon } from './icons.js';

const ORIGIN = { said: 'fromWords', answered: 'fromAnswer', measured: 'fromMeasure', implied: 'fromImplied', corrected: 'fromCorrection' } as const;

/** Whether a line is worth the visitor's time: what was said or answered, and what measured values show. */
function isShown(finding: UnderstoodFinding): boolean {
  if (finding.origin === 'implied') return false;
  if (finding.origin === 'measured') return finding.state === 'present';
  return finding.state !== 'unknown' || finding.origin === 'corrected';
}

/** What was understood of the visitor's words, with a correction beside each. */
export function renderUnderstood(view: View, isOpen: boolean): TemplateResult | typeof nothing {
  const { t, controller, contentTag } = view;
  const all = controller.state?.understood ?? [];
  const shown = all.filter(isShown);
  if (shown.length === 0) return nothing;
  const denied = shown.filter((one) => one.state === 'absent');
  const implied = all.filter((one) => one.origin === 'implied' && one.state === 'present');
  const list = (findings: readonly UnderstoodFinding[]): TemplateResult => html`<ul class="understood">
    ${findings.map((one) => renderFinding(view, one))}
  </ul>`;
  return html`<details class="fold" part="understood" ?open=${isOpen}>
    <summary><span>${t.understoodTitle}</span><span class="count">${String(shown.length)}</span>${icon('chevron')}</summary>
    <p class="hint">${t.understoodLead}</p>
    ${list(shown.filter((one) => one.state !== 'absent'))}
    ${denied.length === 0 ? nothing : html`<details class="why denied" ?open=${denied.some((one) => one.id === view.screen.correcting)}><summary>${t.deniedMore(denied.length)}${icon('chevron')}</summary>${list(denied)}</details>`}
    ${implied.length === 0 ? nothing : html`<p class="hint">${t.impliedMore(implied.length)}: <span lang=${contentTag}>${implied.map((one) => one.name).join(t.listSeparator)}</span></p>`}
  </details>`;
}

/** How long it has lasted is a number, but one that was said. */
function originOf({ id, origin }: UnderstoodFinding): UnderstoodFinding['origin'] {
  return origin === 'measured' && id.startsWith('duration-') ? 'said' : origin;
}

function renderFinding(view: View, finding: UnderstoodFinding): TemplateResult {
  const { t, screen, contentTag } = view;
  const correct = (): void => {
    screen.correcting = finding.id;
    view.focusOn('correction');
    view.refresh();
  };
  return html`<li>
    <div>
      <p class="finding" lang=${contentTag}>${finding.state === 'absent' ? t.absentAs(finding.name) : finding.name}${finding.state === 'unknown' ? html` <span class="hint">(${t.unsure})</span>` : nothing}</p>
      <p class="hint">${t[ORIGIN[originOf(finding)]]}${finding.quote === '' ? nothing : html`: <q dir="auto">${finding.quote}</q>`}</p>
    </div>
    ${screen.correcting === finding.id ? renderCorrection(view, finding) : html`<button class="link" part="button" type="button" aria-label=${t.correctionFor(finding.name)} @click=${correct}>${t.correct}</button>`}
  </li>`;
}

function renderCorrection(view: View, finding: UnderstoodFinding): TemplateResult {
  const { t, screen, controller } = view;
  const set = (state: Correction['state']): void => {
    screen.correcting = null;
    view.refresh();
    void controller.correct({ findingId: finding.id, state });
  };
  const choice = (state: Correction['state'], text: string): TemplateResult =>
    html`<button class="segment" part="button" type="button" data-focus=${finding.state === (state ?? 'unknown') ? 'correction' : nothing} aria-pressed=${finding.state === (state ?? 'unknown') ? 'true' : 'false'} @click=${() => set(state)}>${text}</button>`;
  return html`<div class="segmented" role="group" aria-label=${t.correctionFor(finding.name)}>${choice('present', t.present)} ${choice('absent', t.absent)} ${choice(null, t.forget)}</div>`;
}
