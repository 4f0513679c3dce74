import type { ConsultationState, Evidence, Result, ResultCandidate } from '../../src/index.js';
import { type Locale, urgencyTitle } from '../localize.js';
import { answerText } from '../view.js';
import { PRINT_STYLES } from './print.styles.js';

/** What the printed page is made from. */
export interface PrintInput {
  readonly t: Locale;
  readonly state: ConsultationState;
  /** `lang` of the page. */
  readonly tag: string;
  readonly when: Date;
}

/**
 * Prints a page of its own from a hidden frame, so that nothing of the host page is on it. The frame is empty and of the
 * same origin: it is filled with nodes and a constructed style sheet, which the strictest CSP allows.
 */
export function printSummary(root: ShadowRoot, input: PrintInput): void {
  root.querySelector('iframe')?.remove();
  const frame = document.createElement('iframe');
  frame.className = 'print-frame';
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  root.append(frame);
  const view = frame.contentWindow;
  const page = frame.contentDocument;
  if (view === null || page === null) return;
  const sheet = new (view as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(PRINT_STYLES);
  page.adoptedStyleSheets = [sheet];
  page.documentElement.lang = input.tag;
  page.title = input.t.printTitle;
  page.body.replaceChildren(...buildSummary(page, input));
  view.addEventListener('afterprint', () => frame.remove(), { once: true });
  view.focus();
  view.print();
}

type Child = Node | string;

/** The nodes of the printed page. */
export function buildSummary(page: Document, { t, state, tag, when }: PrintInput): Node[] {
  const make = (name: string, ...children: readonly Child[]): HTMLElement => {
    const element = page.createElement(name);
    element.append(...children);
    return element;
  };
  const list = (items: readonly Child[]): HTMLElement => make('ul', ...items.map((item) => make('li', item)));
  const section = (title: string, ...children: readonly Child[]): HTMLElement => make('section', make('h2', title), ...children);
  const nodes: Node[] = [make('h1', t.printTitle), make('p', t.printMade(when.toLocaleString(tag)))];
  nodes.push(make('p', make('strong', `${t.consentNotDiagnosis}. ${t.notReviewed}.`)));
  if (state.profile !== null) nodes.push(make('p', t.profileLine(state.profile.sex, state.profile.ageYears)));
  if (state.redFlags.length > 0) nodes.push(section(t.emergencyTitle, list(state.redFlags.map((flag) => `${flag.what} ${flag.action} (${flag.source})`))));
  const urgency = state.result?.urgency ?? state.urgency;
  if (urgency !== null) nodes.push(section(urgencyTitle(t, urgency), make('p', urgency.advice), list(urgency.reasons.map((reason) => `${reason.text} (${t.source}: ${reason.source})`))));
  if (state.result !== null) {
    nodes.push(state.result.enough ? section(t.candidatesTitle, ...state.result.candidates.map((candidate) => buildCandidate(make, list, t, candidate)), ...buildAlsoNamed(make, t, state.result.alsoNamed)) : section(t.notEnoughTitle, make('p', t.notEnoughText)));
  }
  const understood = state.understood.filter((one) => one.origin !== 'implied' && one.state !== 'unknown');
  if (understood.length > 0) nodes.push(section(t.understoodTitle, list(understood.map((one) => `${one.state === 'present' ? one.name : t.absentAs(one.name)}${one.quote === '' ? '' : ` (“${one.quote}”)`}`))));
  const words = state.rounds.flatMap((round) => (round.input.type === 'utterance' && round.question === null ? [round.input.text] : []));
  if (words.length > 0) nodes.push(section(t.printSaid, list(words)));
  const answers = state.rounds.flatMap(({ question, input }) => (question === null ? [] : [`${question.text} ${input.type === 'utterance' ? input.text : answerText(t, question, input.value)}`]));
  if (answers.length > 0) nodes.push(section(t.printAnswers, list(answers)));
  return nodes;
}

function buildAlsoNamed(make: (name: string, ...children: readonly Child[]) => HTMLElement, t: Locale, alsoNamed: Result['alsoNamed']): readonly HTMLElement[] {
  return alsoNamed.length === 0 ? [] : [make('p', `${t.alsoNamed}${alsoNamed.map((one) => one.name).join(t.listSeparator)}`)];
}

function buildCandidate(make: (name: string, ...children: readonly Child[]) => HTMLElement, list: (items: readonly Child[]) => HTMLElement, t: Locale, candidate: ResultCandidate): HTMLElement {
  const evidence = (one: Evidence): string => `${one.state === 'present' ? one.name : t.absentAs(one.name)}${one.words === '' ? '' : `: ${one.words} (${one.path.join(' › ')})`}`;
  const parts: Child[] = [make('h3', `${candidate.name} – ${t.strength[candidate.strength]}, ${t.percent(candidate.probability)}`)];
  if (candidate.evidenceFor.length > 0) parts.push(make('h4', t.speaksFor), list(candidate.evidenceFor.map(evidence)));
  if (candidate.evidenceAgainst.length > 0) parts.push(make('h4', t.speaksAgainst), list(candidate.evidenceAgainst.map(evidence)));
  if (candidate.seekCare.length > 0) parts.push(make('h4', t.seekCare), ...candidate.seekCare.map((text) => make('p', text)));
  if (candidate.sources.length > 0) parts.push(make('p', `${t.sources}: ${candidate.sources.join('; ')}`));
  return make('article', ...parts);
}
