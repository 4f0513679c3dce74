import { type CSSResult, html, render } from 'lit';
import type { ConsultationState, Language, ModelOffer, ModelState, Question, RedFlag, Result, Round } from '../../../src/index.js';
import { NO_MODEL } from '../../../src/llm/model-state.js';
import type { Controller, Screen } from '../../../widget/controller.js';
import { elementStyles } from '../../../widget/element.styles.js';
import { LANGUAGE_TAGS, localeFor } from '../../../widget/localize.js';
import type { ModelActions } from '../../../widget/model-actions.js';
import { renderModelPanel } from '../../../widget/parts/model-panel.js';
import { renderQuestion } from '../../../widget/parts/question.js';
import { renderResult } from '../../../widget/parts/result.js';
import { freshScreen, type View } from '../../../widget/view.js';

/** What a test wants to see; everything left out is ordinary. */
export interface Shown {
  readonly language?: Language;
  readonly theme?: 'light' | 'dark';
  readonly screen?: Screen;
  /** Null: no model is set up. */
  readonly model?: Partial<ModelState> | null;
  readonly offer?: Partial<ModelOffer>;
  readonly reply?: ConsultationState['reply'];
  readonly question?: Partial<Question>;
  readonly result?: Partial<Result>;
  readonly redFlags?: readonly RedFlag[];
  readonly rounds?: readonly Round[];
}

export interface ModelPartsPage {
  /** Renders; screen state and the shadow tree stay from call to call. */
  show(shown: Shown): void;
  /** Names of the actions that were called, in order; words that were sent as `send:…`, answers as `answer:…`. */
  readonly calls: string[];
}

const OFFER: ModelOffer = {
  id: 'qwen3-0.6b/q4f16',
  name: 'Qwen3 0.6B',
  licence: 'Apache-2.0',
  licenceUrl: 'https://example.org/licence',
  runtime: 'web-llm',
  device: 'gpu',
  downloadBytes: 945_000_000,
  storedBytes: 0,
  memoryBytes: 1_403_000_000,
  servers: ['models.example.org'],
  keeps: true,
};
const QUESTION: Question = { id: 'fever', type: 'yes-no', text: 'Do you have a fever?', why: 'Fever points to an infection.', options: [], unit: '', min: 0, max: 0 };
const RESULT: Result = { enough: true, reason: 'clear-leader', urgency: { level: 'routine', within: null, advice: 'See a doctor.', reasons: [] }, candidates: [], alsoNamed: [] };

const root = document.querySelector('#host')!.attachShadow({ mode: 'open' });
root.adoptedStyleSheets = elementStyles.flatMap((style: CSSResult) => style.styleSheet ?? []);
const screen = freshScreen();
const calls: string[] = [];
let shown: Shown = {};
let focusTarget: string | null = null;

const called =
  (name: string) =>
  (): void =>
    void calls.push(name);

function stateOf({ reply = null, question, result, redFlags = [], rounds = [] }: Shown, on: Screen): ConsultationState {
  return {
    status: on === 'result' ? 'concluded' : 'asking',
    profile: { ageYears: 46, sex: 'male' },
    otherAge: null,
    rounds,
    question: on === 'question' ? { ...QUESTION, ...question } : null,
    questionsAsked: 1,
    maxQuestions: 10,
    understood: [],
    facts: {},
    redFlags,
    urgency: null,
    differential: [],
    result: on === 'result' ? { ...RESULT, ...result } : null,
    reply,
  };
}

function viewOf(): View {
  const { language = 'en', model = {}, offer } = shown;
  const on = shown.screen ?? 'question';
  const state: ModelState = { ...NO_MODEL, offer: { ...OFFER, ...offer }, ...model };
  const actions: ModelActions = { state, allow: called('allow'), pause: called('pause'), resume: called('resume'), cancel: called('cancel'), remove: called('remove'), retry: called('retry'), turnOff: called('turnOff'), turnOn: called('turnOn') };
  const controller = {
    screen: on,
    state: stateOf(shown, on),
    consultation: null,
    send: (text: string) => {
      calls.push(`send:${text}`);
      return Promise.resolve();
    },
    answer: (value: unknown) => {
      calls.push(`answer:${JSON.stringify(value)}`);
      return Promise.resolve();
    },
  };
  return {
    t: localeFor(language),
    settings: { language, mayPrint: true, mayExport: true } as View['settings'],
    contentTag: LANGUAGE_TAGS[language],
    contentLanguage: language,
    controller: controller as unknown as Controller,
    model: model === null ? null : actions,
    screen,
    refresh: draw,
    focusOn: (name) => {
      focusTarget = name;
    },
    print: () => undefined,
    exportFile: () => undefined,
    switchLanguage: () => undefined,
  };
}

function draw(): void {
  const view = viewOf();
  const body = view.controller.screen === 'question' ? renderQuestion(view) : view.controller.screen === 'result' ? renderResult(view) : html``;
  render(html`<div class="shell ${shown.theme ?? 'light'}" lang=${view.contentTag} role="region" aria-label="Symptom check"><div class="body">${body} ${renderModelPanel(view)}</div></div>`, root);
  if (focusTarget !== null) root.querySelector<HTMLElement>(`[data-focus=${focusTarget}]`)?.focus();
  focusTarget = null;
}

const page: ModelPartsPage = {
  calls,
  show: (next) => {
    shown = next;
    draw();
  },
};
Object.assign(globalThis, { modelParts: page });
