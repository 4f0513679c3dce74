import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ReplySentence, ReplySource } from '../../src/index.js';
import type { View } from '../view.js';
import { icon } from './icons.js';

/**
 * What a language model wrote in this turn. Each sentence that rests on the knowledge has a number, the others look
 * different and are named as the model's own. No live region: a reader would be interrupted at every sentence.
 */
export function renderReply(view: View): TemplateResult | typeof nothing {
  const { t, controller, contentTag, contentLanguage } = view;
  const { state } = controller;
  const reply = state?.reply;
  if (state === null || reply === null || reply === undefined || reply.sentences.length === 0) return nothing;
  const sources = distinct(reply.sentences.flatMap(({ source }) => (source === null ? [] : [source])));
  const gap = contentLanguage === 'zh' ? '' : ' ';
  const sentence = ({ text, source }: ReplySentence): TemplateResult => (source === null ? html`<span class="own">${text}</span>${gap}` : html`<span>${text}</span>${renderMark(view, sources.findIndex(isSame(source)) + 1)}${gap}`);
  const { title } = t.reply;
  // A fresh part for each round: what was opened for the last reply is closed again.
  return html`${keyed(
    state.rounds.length,
    html`<section class="reply" part="reply" aria-labelledby="reply" aria-busy=${reply.isComplete ? 'false' : 'true'}>
      ${state.result === null ? html`<h2 class="reply-title" id="reply">${title}</h2>` : html`<h3 class="reply-title" id="reply">${title}</h3>`}
      <p dir="auto" lang=${contentTag}>${reply.sentences.map(sentence)}${reply.isComplete ? nothing : html`<span class="caret" aria-hidden="true"></span>`}</p>
      ${reply.sentences.some(({ source }) => source === null) ? html`<p class="hint">${t.reply.own}</p>` : nothing} ${renderSources(view, sources)}
      ${reply.analysis === ''
        ? nothing
        : html`<details class="why" part="analysis">
            <summary>${t.reply.analysis}${icon('chevron')}</summary>
            <p class="hint">${t.reply.analysisHint}</p>
            <p class="analysis" dir="auto" lang=${contentTag}>${reply.analysis}</p>
          </details>`}
    </section>`,
  )}`;
}

/** The number behind a sentence; it leads to the words that the sentence rests on. */
function renderMark({ t }: View, number: number): TemplateResult {
  const id = `reply-source-${String(number)}`;
  const show = (event: Event): void => {
    // In a shadow tree the browser does not follow the address by itself.
    event.preventDefault();
    const item = ((event.currentTarget as HTMLElement).getRootNode() as ShadowRoot).getElementById(id);
    const list = item?.closest('details');
    if (list !== null && list !== undefined) list.open = true;
    item?.focus();
  };
  return html`<sup><a class="ref" href="#${id}" aria-label=${t.reply.sourceNumber(number)} @click=${show}>${String(number)}</a></sup>`;
}

function renderSources({ t, contentTag }: View, sources: readonly ReplySource[]): TemplateResult | typeof nothing {
  if (sources.length === 0) return nothing;
  return html`<details class="why">
    <summary>${t.reply.sources}<span class="count">${String(sources.length)}</span>${icon('chevron')}</summary>
    <ol class="reply-sources" lang=${contentTag}>
      ${sources.map(
        (source, index) => html`<li id="reply-source-${String(index + 1)}" part="reply-source" tabindex="-1"><cite>${[source.diseaseName, ...source.path].join(' › ')}</cite><blockquote dir="auto">${source.words}</blockquote></li>`,
      )}
    </ol>
  </details>`;
}

const isSame =
  (source: ReplySource) =>
  (other: ReplySource): boolean =>
    other.diseaseIndex === source.diseaseIndex && other.leafId === source.leafId;

/** One number for each leaf, however many sentences rest on it. */
function distinct(sources: readonly ReplySource[]): ReplySource[] {
  return sources.filter((source, index) => sources.findIndex(isSame(source)) === index);
}
