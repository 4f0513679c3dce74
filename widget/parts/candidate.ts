import { html, nothing, type TemplateResult } from 'lit';
import type { Evidence, ResultCandidate } from '../../src/index.js';
import type { View } from '../view.js';
import { icon } from './icons.js';

/** Pieces of evidence shown at most, each way. */
const EVIDENCE = 6;
/** Names of findings in the short line. */
const SHORT = 3;
const ALIASES = 3;

/** What is absent speaks only where the knowledge has words for it; else it is noise to a visitor. */
const isTelling = (evidence: Evidence): boolean => evidence.state === 'present' || evidence.words !== '';

/** One candidate: name, how well it fits in a word, a number and a bar, and everything that this rests on. */
export function renderCandidate(view: View, candidate: ResultCandidate, isFirst: boolean): TemplateResult {
  const { t, contentTag } = view;
  const speaksFor = candidate.evidenceFor.filter(isTelling);
  const names = speaksFor.filter((one) => one.state === 'present').slice(0, SHORT);
  return html`<article class="candidate" part="candidate">
    <header>
      <div>
        <h4 lang=${contentTag}>${candidate.name}</h4>
        ${candidate.aliases.length === 0 ? nothing : html`<p class="hint">${t.alsoCalled} <span lang=${contentTag}>${candidate.aliases.slice(0, ALIASES).join(t.listSeparator)}</span></p>`}
      </div>
      <p class="fit"><strong>${t.strength[candidate.strength]}</strong><span>${t.percent(candidate.probability)}</span></p>
    </header>
    <svg class="bar" aria-hidden="true"><rect class="bar-fill ${candidate.strength}" width="${Math.max(1, Math.round(candidate.probability * 100))}%" height="100%" rx="2" /></svg>
    ${isFirst
      ? renderEvidenceList(view, t.speaksFor, speaksFor)
      : names.length === 0
        ? nothing
        : html`<p class="fits">${icon('check')}<span><span class="hint">${t.speaksFor}:</span> <span lang=${contentTag}>${names.map((one) => one.name).join(t.listSeparator)}</span></span></p>`}
    <details class="why" ?open=${isFirst}>
      <summary>${t.details}<span class="unseen" lang=${contentTag}>: ${candidate.name}</span>${icon('chevron')}</summary>
      <div class="stack">
        ${isFirst ? nothing : renderEvidenceList(view, t.speaksFor, speaksFor)} ${renderEvidenceList(view, t.speaksAgainst, candidate.evidenceAgainst.filter(isTelling))} ${renderText(view, t.overview, candidate.overview === '' ? [] : [candidate.overview])}
        ${renderText(view, t.seekCare, candidate.seekCare)} ${renderText(view, t.usualCare, candidate.care)}
        ${candidate.sources.length === 0
          ? nothing
          : html`<div class="small"><h5>${t.sources}</h5><ul class="sources" lang=${contentTag}>${candidate.sources.map((source) => html`<li>${source}</li>`)}</ul></div>`}
      </div>
    </details>
    <p class="mark">${icon('review')}${candidate.review === 'none' ? t.notReviewed : `${t.reviewed}: ${candidate.review}`}</p>
  </article>`;
}

function renderText({ contentTag }: View, title: string, texts: readonly string[]): TemplateResult | typeof nothing {
  if (texts.length === 0) return nothing;
  return html`<div><h5>${title}</h5>${texts.map((text) => html`<p lang=${contentTag}>${text}</p>`)}</div>`;
}

function renderEvidenceList(view: View, title: string, evidence: readonly Evidence[]): TemplateResult | typeof nothing {
  if (evidence.length === 0) return nothing;
  return html`<div><h5>${title}</h5><ul class="evidence">${evidence.slice(0, EVIDENCE).map((one) => renderEvidence(view, one))}</ul></div>`;
}

function renderEvidence({ t, contentTag }: View, evidence: Evidence): TemplateResult {
  return html`<li class=${evidence.weight > 0 ? 'for' : 'against'}>
    ${icon(evidence.weight > 0 ? 'check' : 'cross')}
    <div lang=${contentTag}>
      <p class="finding">${evidence.state === 'present' ? evidence.name : t.absentAs(evidence.name)}</p>
      ${evidence.words === '' ? nothing : html`<blockquote>${evidence.words}<cite>${evidence.path.join(' › ')}</cite></blockquote>`}
    </div>
  </li>`;
}
