import { html, type TemplateResult } from 'lit';
import type { View } from '../view.js';
import { renderReply } from './reply.js';

/** While a language model is at work on the round; the visitor need not wait for it. */
export function renderWaiting(view: View): TemplateResult {
  const { t, controller } = view;
  const skip = (): void => {
    view.focusOn('screen');
    controller.skipModel();
  };
  return html`<div class="stack loose" part="waiting">
    <p class="thinking" role="status"><span class="dots" aria-hidden="true"></span>${t.waiting}</p>
    ${renderReply(view)}
    <button class="button wide" part="button" type="button" @click=${skip}>${t.skipModel}</button>
  </div>`;
}
