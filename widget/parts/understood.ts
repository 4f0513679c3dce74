import { html, nothing, type TemplateResult } from 'lit';
import type { Correction, UnderstoodFinding } from '../../src/index.js';
import type { View } from '../view.js';
import { icon } from './icons.js';

const ORIGIN = { said: 'fromWords', answered: 'fromAnswer', measured: 'fromMeasure', implied: 'fromImplied', corrected: 'fromCorrection' } as const;

/** What was understood of the visitor's words, with a correction beside each. */
export function renderUnderstood(view: View, isOpen: boolean): TemplateResult | typeof nothing {
  const { t, controller, contentTag } = view;
  const all = controller.state?.understood ?? [];
  const direct = all.filter((one) => one.origin !== 'implied' && (one.state !== 'unknown' || one.origin === 'corrected'));
  const implied = all.filter((one) => one.origin === 'implied' && one.state === 'present');
  if (direct.length === 0) return nothing;
  return html`<details class="fold" part="understood" ?open=${isOpen}>
    <summary><span>${t.understoodTitle}</span><span class="count">${String(direct.length)}</span>${icon('chevron')}</summary>
    <p class="hint">${t.understoodLead}</p>
    <ul class="understood">
      ${direct.map((one) => renderFinding(view, one))}
    </ul>
    ${implied.length === 0 ? nothing : html`<p class="hint">${t.impliedMore(implied.length)} <span lang=${contentTag}>${implied.map((one) => one.name).join(t.listSeparator)}</span></p>`}
  </details>`;
}

function renderFinding(view: View, finding: UnderstoodFinding): TemplateResult {
  const { t, controller, contentTag } = view;
  const set = (state: Correction['state']): void => void controller.correct({ findingId: finding.id, state });
  const choice = (state: Correction['state'], text: string): TemplateResult => {
    const isOn = finding.state === (state ?? 'unknown');
    return html`<button class="segment ${state ?? 'forget'}" part="button" type="button" aria-pressed=${isOn ? 'true' : 'false'} ?disabled=${isOn && state === null} @click=${() => set(state)}>${text}</button>`;
  };
  return html`<li>
    <div>
      <p class="finding" lang=${contentTag}>${finding.name}</p>
      <p class="hint">${t[ORIGIN[finding.origin]]}${finding.quote === '' ? nothing : html`: <q dir="auto">${finding.quote}</q>`}</p>
    </div>
    <div class="segmented" role="group" aria-label=${t.correctionFor(finding.name)}>${choice('present', t.present)} ${choice('absent', t.absent)} ${choice(null, finding.state === 'unknown' ? t.unsure : t.forget)}</div>
  </li>`;
}
