import { html, nothing, type TemplateResult } from 'lit';
import type { ModelOffer } from '../../src/index.js';
import { inMegabytes } from '../amounts.js';
import type { View } from '../view.js';

/** Whether the model is files that this page fetches and keeps; others are brought by the browser or the site. */
export function isOfFiles({ runtime }: ModelOffer): boolean {
  return runtime === 'web-llm' || runtime === 'wllama';
}

/** The servers an offer names, in words. */
export function serverWords({ t }: View, offer: ModelOffer | null): string {
  return offer === null || offer.servers.length === 0 ? t.model.thisSite : offer.servers.join(t.listSeparator);
}

/** What the button says that accepts an offer. */
export function allowWords(view: View, offer: ModelOffer | null): string {
  const { t } = view;
  if (offer === null || !isOfFiles(offer)) return t.model.use;
  if (offer.downloadBytes === null) return t.model.askSize(offer.servers.length > 1 ? t.model.theseServers : serverWords(view, offer));
  const missingBytes = offer.downloadBytes - offer.storedBytes;
  return missingBytes > 0 ? t.model.fetch(inMegabytes(missingBytes)) : t.model.use;
}

/** Everything a visitor may want to know before anything is fetched. Addresses are text: no link leaves the page. */
export function renderOffer(view: View, offer: ModelOffer): TemplateResult {
  const { t } = view;
  const m = t.model;
  const fact = (name: string, value: unknown): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
    ${offer.runtime === 'built-in' ? nothing : fact(m.name, offer.name)} ${isOfFiles(offer) ? fact(m.size, sizeWords(view, offer)) : nothing} ${offer.memoryBytes === 0 ? nothing : fact(m.memory, `${inMegabytes(offer.memoryBytes)} MB`)}
    ${fact(m.from, originWords(view, offer))} ${isOfFiles(offer) ? fact(m.afterwards, offer.keeps ? m.kept : m.notKept) : nothing}
    ${offer.licence === '' ? nothing : fact(m.licence, html`${offer.licence} <span class="address">${offer.licenceUrl}</span>`)}
  </dl>`;
}

function sizeWords({ t }: View, { downloadBytes, storedBytes }: ModelOffer): string {
  if (downloadBytes === null) return t.model.sizeUnknown;
  const size = `${inMegabytes(downloadBytes)} MB`;
  if (storedBytes === 0) return size;
  return storedBytes < downloadBytes ? t.model.partlyHere(size, inMegabytes(storedBytes)) : t.model.allHere(size);
}

function originWords(view: View, offer: ModelOffer): string {
  const m = view.t.model;
  if (offer.runtime === 'built-in') return m.thisBrowser;
  return offer.servers.length === 0 ? m.thisSite : m.otherServers(serverWords(view, offer));
}
