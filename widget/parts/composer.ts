import { html, nothing, type TemplateResult } from 'lit';
import { suggestFindings } from '../suggest.js';
import type { View } from '../view.js';
import { icon } from './icons.js';

/** From this length on the visitor is told the length. Nothing is ever cut. */
const LONG_TEXT = 4_000;

/** Whether this key press sends: Enter, unless it picks a candidate of an input method. */
export function isSendKey(event: KeyboardEvent): boolean {
  // Safari ends the composition before the key press; it marks such a press with 229.
  return event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

interface ComposerOptions {
  readonly label: string;
  readonly isLarge: boolean;
  /** Id of an element that says the label already. */
  readonly labelledBy?: string;
}

/** The box for the visitor's own words, with suggestions from the vocabulary. */
export function renderComposer(view: View, options: ComposerOptions): TemplateResult {
  const { t, screen, controller } = view;
  const send = (): void => {
    if (screen.draft.trim() === '') {
      screen.draftError = true;
      view.focusOn('draft');
      view.refresh();
      return;
    }
    const text = screen.draft;
    screen.draft = '';
    screen.draftError = false;
    view.focusOn('screen');
    view.refresh();
    void controller.send(text);
  };
  const type = (event: Event): void => {
    screen.draft = (event.target as HTMLTextAreaElement).value;
    screen.draftError = false;
    view.refresh();
  };
  const key = (event: KeyboardEvent): void => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  const isLong = screen.draft.length > LONG_TEXT;
  return html`<form
    class="composer ${options.isLarge ? 'large' : ''}"
    part="composer"
    novalidate
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      send();
    }}
  >
    ${options.labelledBy === undefined ? html`<label class=${options.isLarge ? 'unseen' : ''} for="draft">${options.label}</label>` : nothing}
    <div class="box">
      <textarea id="draft" part="textarea" data-focus="draft" dir="auto" rows=${options.isLarge ? 4 : 1} autocomplete="off" .value=${screen.draft} aria-labelledby=${options.labelledBy ?? nothing} aria-describedby="draft-hint draft-error" aria-invalid=${screen.draftError ? 'true' : 'false'} @input=${type} @keydown=${key}></textarea>
      <button class="button primary send" part="button primary-button" type="submit">${icon('send')}<span>${t.send}</span></button>
    </div>
    <p class="error" id="draft-error">${screen.draftError ? t.emptyText : nothing}</p>
    <p class="hint ${isLong ? '' : options.isLarge ? 'keys-hint' : 'unseen'}" id="draft-hint">${isLong ? t.longText(screen.draft.length) : t.enterHint}</p>
    ${renderSuggestions(view)}
  </form>`;
}

function renderSuggestions(view: View): TemplateResult | typeof nothing {
  const { t, screen, controller, contentTag } = view;
  const bundle = controller.consultation?.bundle;
  const suggestions = bundle === undefined || screen.draft.length > LONG_TEXT ? [] : suggestFindings(bundle, screen.draft);
  if (suggestions.length === 0) return nothing;
  const add = (text: string): void => {
    screen.draft = text;
    view.focusOn('draft');
    view.refresh();
  };
  return html`<div class="suggestions" part="suggestions" role="group" aria-label=${t.suggestions}>
    ${suggestions.map((one) => html`<button class="chip" part="chip" type="button" lang=${contentTag} @click=${() => add(one.text)}>+ ${one.name}</button>`)}
  </div>`;
}

/** The complaint: the first words. */
export function renderComplaint(view: View): TemplateResult {
  const { t, screen } = view;
  const use = (text: string): void => {
    screen.draft = text;
    view.focusOn('draft');
    view.refresh();
  };
  return html`<div class="stack loose" part="complaint">
    <div class="stack tight">
      <h2 tabindex="-1" data-focus="screen">${screen.isForOther ? t.complaintTitleOther : t.complaintTitle}</h2>
      <p class="hint">${t.complaintHint}</p>
    </div>
    ${renderComposer(view, { label: t.complaintLabel, isLarge: true })}
    ${screen.draft === ''
      ? html`<div class="stack tight">
          <p class="hint" id="examples">${t.examples}</p>
          <div class="suggestions wrap" role="group" aria-labelledby="examples">${t.exampleList.map((text) => html`<button class="chip example" part="chip" type="button" @click=${() => use(text)}>${text}</button>`)}</div>
        </div>`
      : nothing}
  </div>`;
}
