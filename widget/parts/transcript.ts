import { html, nothing, type TemplateResult } from 'lit';
import type { PatientInput, Round } from '../../src/index.js';
import { answerText, fieldText, type View } from '../view.js';
import { renderAnswers } from './answers.js';
import { isSendKey } from './composer.js';
import { icon } from './icons.js';
import { renderProfileLine } from './profile.js';

/** All earlier answers, each with the way to change it. */
export function renderTranscript(view: View): TemplateResult | typeof nothing {
  const { t, controller } = view;
  const rounds = controller.state?.rounds ?? [];
  if (rounds.length === 0) return nothing;
  return html`<details class="fold" part="transcript">
    <summary><span>${t.transcriptTitle}</span><span class="count">${String(rounds.length)}</span>${icon('chevron')}</summary>
    ${renderProfileLine(view)}
    <ol class="rounds">
      ${rounds.map((round, index) => html`<li>${view.screen.editing === index ? renderEditing(view, round, index) : renderRound(view, round, index)}</li>`)}
    </ol>
  </details>`;
}

function renderRound(view: View, round: Round, index: number): TemplateResult {
  const { t, screen, contentTag } = view;
  const edit = (): void => {
    screen.editing = index;
    view.focusOn('editing');
    view.refresh();
  };
  const { input, question } = round;
  const asked = question?.text ?? t.youSaid;
  return html`<div class="round">
    <div>
      <p class="asked" lang=${question === null ? nothing : contentTag}>${asked}</p>
      ${input.type === 'utterance' ? html`<p class="given" dir="auto">${input.text}</p>` : html`<p class="given" lang=${contentTag}>${answerText(t, question, input.value)}</p>`}
    </div>
    <button class="link" part="button" type="button" aria-label=${t.changeOf(asked)} @click=${edit}>${t.change}</button>
  </div>`;
}

function renderEditing(view: View, { question, input }: Round, index: number): TemplateResult {
  const { t, screen, controller, contentTag } = view;
  const stop = (): void => {
    screen.editing = null;
    screen.answerError = null;
    view.focusOn('screen');
    view.refresh();
  };
  const change = (next: PatientInput): void => {
    stop();
    void controller.change(index, next);
  };
  const cancel = html`<button class="link" part="button" type="button" @click=${stop}>${t.cancel}</button>`;
  if (input.type === 'answer' && question !== null && question.type !== 'open') {
    return html`<div class="stack editing">
      <p class="asked strong" id="editing-question" tabindex="-1" data-focus="editing" lang=${contentTag}>${question.text}</p>
      ${renderAnswers(view, question, { name: 'editing', labelledBy: 'editing-question', before: input.value, onAnswer: (value) => change({ type: 'answer', questionId: question.id, value }) })} ${cancel}
    </div>`;
  }
  const save = (form: HTMLFormElement): void => {
    const text = fieldText(form, 'words');
    if (text.trim() !== '') change({ type: 'utterance', text });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    save(event.currentTarget as HTMLFormElement);
  };
  const key = (event: KeyboardEvent): void => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    save((event.currentTarget as HTMLTextAreaElement).form!);
  };
  return html`<form class="stack editing" @submit=${submit}>
    <label class="asked strong" for="words" lang=${question === null ? nothing : contentTag}>${question?.text ?? t.youSaid}</label>
    <textarea id="words" name="words" class="input" dir="auto" rows="3" data-focus="editing" .defaultValue=${input.type === 'utterance' ? input.text : ''} @keydown=${key}></textarea>
    <div class="row"><button class="button primary" part="button primary-button" type="submit">${t.save}</button>${cancel}</div>
  </form>`;
}
