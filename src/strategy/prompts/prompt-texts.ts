/**
 * The words of every prompt, in one language. `{name}` stands for what is put in. Small models do worse when told to play
 * a doctor (MRD-RAG's prompts do), so the task is asked for plainly; the gate, analyzer and doctor remain the paper's.
 */
export interface PromptTexts {
  /** `{subject}`. Before every task. */
  readonly system: string;
  /** What the knowledge is about, by school. */
  readonly subject: { readonly mm: string; readonly tcm: string };
  /** Headings of the parts of a prompt. */
  readonly headings: { readonly notes: string; readonly account: string; readonly comparison: string; readonly questions: string; readonly task: string; readonly earlier: string; readonly now: string };
  readonly speaker: { readonly patient: string; readonly doctor: string };
  /** `need_retrieval` of MRD-RAG. */
  readonly gate: string;
  /** The analyzer. */
  readonly analyze: string;
  /** `{most}`: questions at most. Asks, questions from the list. */
  readonly ask: string;
  /** Asks or concludes, questions from the list. */
  readonly askOrConclude: string;
  /** The same, with a question in words of its own. */
  readonly askOwnOrConclude: string;
  readonly conclude: string;
  /** Concludes without notes, with names of its own. */
  readonly concludeOwn: string;
  /** RagPULSE: keywords for the search. */
  readonly keywords: string;
  /** After a reply that could not be used. `{faults}`. */
  readonly repair: string;
  /** Fault: the reply was in another language. */
  readonly otherLanguage: string;
  /** Fault: the reply was no JSON at all. */
  readonly noJson: string;
  /** Fault: nothing of the reply rests on the notes. */
  readonly nothingLeft: string;
  /** Comparison made from the knowledge. */
  readonly analysis: {
    /** `{names}`, `{findings}`. */
    readonly shared: string;
    /** `{name}`, `{findings}`. */
    readonly usually: string;
    readonly fits: string;
    readonly against: string;
    /** `{name}`. */
    readonly nothing: string;
    /** `{questions}`. */
    readonly ask: string;
    readonly separator: string;
  };
}

/** Puts values into a text; a name without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}
