import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from '../../src/index.js';
import type { View } from '../view.js';
import { renderAnswers } from './answers.js';
import { renderComposer } from './composer.js';
import { icon } from './icons.js';
import { renderReply } from './reply.js';
import { renderTranscript } from './transcript.js';
import { renderUnderstood } from './understood.js';
import { renderWaiting } from './waiting.js';

/** One open question, with everything that can be done instead of answering it; while a model is at work, that. */
export function renderQuestion(view: View): TemplateResult {
  const question = view.controller.state?.question ?? null;
  // The answers so far stay the same nodes, so that what is typed into one of them outlasts the model's turn.
  return html`<div class="stack loose">
    ${question === null ? renderWaiting(view) : renderAsked(view, question)} ${renderTranscript(view)} ${question === null ? nothing : renderUnderstood(view, false)}
  </div>`;
}

function renderAsked(view: View, question: Question): TemplateResult {
  const { t, controller, contentTag } = view;
  const { questionsAsked = 0, maxQuestions = 0 } = controller.state ?? {};
  const isOpen = question.type === 'open';
  const number = Math.min(questionsAsked + 1, maxQuestions);
  const conclude = (): void => {
    view.focusOn('screen');
    void controller.conclude();
  };
  const answers = renderAnswers(view, question, {
    name: 'open',
    labelledBy: 'question',
    onAnswer: (value) => {
      view.focusOn('screen');
      void controller.answer(value);
    },
  });
  return html`<div class="stack loose" part="question">
    <div class="progress">
      <span id="progress">${t.questionOf(number, maxQuestions)}</span>
      <svg class="bar" aria-hidden="true"><rect class="bar-fill" width="${Math.round((100 * number) / Math.max(1, maxQuestions))}%" height="100%" rx="2" /></svg>
    </div>
    ${renderReply(view)}
    <div class="stack tight">
      <h2 id="question" tabindex="-1" data-focus="screen" aria-describedby="progress" lang=${contentTag}>${question.text}</h2>
      ${question.why === '' ? nothing : html`<details class="why"><summary>${t.why}${icon('chevron')}</summary><p lang=${contentTag}>${question.why}</p></details>`}
    </div>
    ${isOpen ? html`${renderComposer(view, { label: question.text, isLarge: true, labelledBy: 'question' })}${answers}` : html`${answers}<div class="rule"></div>${renderComposer(view, { label: t.addWords, isLarge: false })}`}
    <button class="button wide" part="button" type="button" @click=${conclude}>${t.showResult}</button>
  </div>`;
}
