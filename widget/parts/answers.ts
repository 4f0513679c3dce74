import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { AnswerValue, Question } from '../../src/index.js';
import { fieldText, type View } from '../view.js';

const NONE = ':none';
const UNKNOWN = ':unknown';

interface AnswerOptions {
  /** Tells two forms of the same question apart. */
  readonly name: string;
  /** Id of the element that holds the question's words. */
  readonly labelledBy: string;
  /** Given before, when an answer is being changed. */
  readonly before?: AnswerValue;
  readonly onAnswer: (value: AnswerValue) => void;
}

/** What answers a question: large buttons, cards or a number; beside words of one's own, that there is nothing to add. */
export function renderAnswers(view: View, question: Question, options: AnswerOptions): TemplateResult {
  const body = question.type === 'open' ? renderNothing(view, options) : question.type === 'yes-no' ? renderYesNo(view, options) : question.type === 'number' ? renderNumber(view, question, options) : renderCards(view, question, options);
  // A fresh form for each question: nothing ticked for the last one may stay ticked.
  return html`${keyed(`${options.name}/${question.id}`, body)}`;
}

function renderNothing({ t }: View, { labelledBy, onAnswer }: AnswerOptions): TemplateResult {
  return html`<div class="answers" role="group" aria-labelledby=${labelledBy}><button class="button answer quiet" part="button answer-button" type="button" @click=${() => onAnswer([])}>${t.nothingToAdd}</button></div>`;
}

function renderYesNo({ t }: View, { labelledBy, before, onAnswer }: AnswerOptions): TemplateResult {
  const choice = (value: 'yes' | 'no' | 'unknown'): TemplateResult =>
    html`<button class="button answer ${value === 'unknown' ? 'quiet' : ''}" part="button answer-button" type="button" aria-pressed=${before === undefined ? nothing : before === value ? 'true' : 'false'} @click=${() => onAnswer(value)}>${t[value]}</button>`;
  return html`<div class="answers yes-no" role="group" aria-labelledby=${labelledBy}>${choice('yes')} ${choice('no')} ${choice('unknown')}</div>`;
}

function renderCards(view: View, question: Question, { name, labelledBy, before, onAnswer }: AnswerOptions): TemplateResult {
  const { t, screen, contentTag } = view;
  const isMany = question.type === 'many-of';
  const chosen = Array.isArray(before) ? (before.length === 0 ? [NONE] : before) : before === 'unknown' ? [UNKNOWN] : [];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const picked = new FormData(event.target as HTMLFormElement).getAll('option').map(String);
    if (picked.length === 0) {
      screen.answerError = `${name}/${question.id}`;
      view.refresh();
      return;
    }
    screen.answerError = null;
    onAnswer(picked.includes(UNKNOWN) ? 'unknown' : picked.filter((id) => id !== NONE));
  };
  const card = (id: string, text: string, tag: string | typeof nothing): TemplateResult =>
    html`<label class="choice ${id === NONE || id === UNKNOWN ? 'quiet' : ''}" part="choice"><input type=${isMany ? 'checkbox' : 'radio'} name="option" value=${id} ?checked=${chosen.includes(id)} /><span lang=${tag}>${text}</span></label>`;
  const hasError = screen.answerError === `${name}/${question.id}`;
  return html`<form class="stack" novalidate @submit=${submit} @change=${isMany ? keepExclusive : nothing}>
    <fieldset class="bare cards" aria-labelledby=${labelledBy} aria-describedby="${name}-how ${name}-error">
      <p class="hint" id="${name}-how">${isMany ? t.chooseMany : t.chooseOne}</p>
      ${question.options.map((option) => card(option.id, option.text, contentTag))} ${card(NONE, t.none, nothing)} ${card(UNKNOWN, t.unknown, nothing)}
    </fieldset>
    <p class="error" id="${name}-error" role="alert">${hasError ? t.chooseSomething : nothing}</p>
    <button class="button primary wide" part="button primary-button" type="submit">${t.next}</button>
  </form>`;
}

/** “None of these” and “I do not know” stand alone. */
function keepExclusive(event: Event): void {
  const changed = event.target;
  if (!(changed instanceof HTMLInputElement) || !changed.checked) return;
  const isAlone = (input: HTMLInputElement): boolean => input.value === NONE || input.value === UNKNOWN;
  for (const input of (event.currentTarget as HTMLFormElement).querySelectorAll('input')) {
    if (input !== changed && (isAlone(changed) || isAlone(input))) input.checked = false;
  }
}

function renderNumber(view: View, question: Question, { name, labelledBy, before, onAnswer }: AnswerOptions): TemplateResult {
  const { t, screen } = view;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const typed = fieldText(event.target as HTMLFormElement, 'number');
    const value = Number(typed.normalize('NFKC').trim().replace(',', '.') || Number.NaN);
    if (!(value >= question.min && value <= question.max)) {
      screen.answerError = `${name}/${question.id}`;
      view.refresh();
      return;
    }
    screen.answerError = null;
    onAnswer(value);
  };
  const hasError = screen.answerError === `${name}/${question.id}`;
  return html`<form class="stack" novalidate @submit=${submit}>
    <div class="joined">
      <input class="input short" name="number" type="text" inputmode="decimal" autocomplete="off" maxlength="12" aria-labelledby=${labelledBy} aria-describedby="${name}-range ${name}-error" aria-invalid=${hasError ? 'true' : 'false'} .defaultValue=${typeof before === 'number' ? String(before) : ''} />
      <span class="unit">${question.unit}</span>
    </div>
    <p class="hint" id="${name}-range">${t.numberRange(question.min, question.max, question.unit)}</p>
    <p class="error" id="${name}-error" role="alert">${hasError ? t.numberInvalid(question.min, question.max) : nothing}</p>
    <div class="row">
      <button class="button primary grow" part="button primary-button" type="submit">${t.next}</button>
      <button class="button" part="button" type="button" @click=${() => onAnswer('unknown')}>${t.unknown}</button>
    </div>
  </form>`;
}
