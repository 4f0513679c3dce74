import type { Finding, KnowledgeBundle, Language } from '../src/index.js';

/** Suggestions shown at most. */
const MOST = 6;
/** Fragments shorter than this suggest nothing, by language. */
const LEAST_LENGTH: Readonly<Record<Language, number>> = { zh: 1, en: 3 };
/** Words of a fragment at most, English. */
const MOST_WORDS = 4;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly words: readonly string[];
}

/** A finding that what is being typed may mean. */
export interface Suggestion {
  readonly id: string;
  readonly name: string;
  /** The text with the fragment replaced by the name. */
  readonly text: string;
}

const entriesOf = new WeakMap<KnowledgeBundle, readonly Entry[]>();

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What a visitor can notice without a doctor. */
function isNoticed(finding: Finding): boolean {
  return finding.kind === 'symptom';
}

function entries(bundle: KnowledgeBundle): readonly Entry[] {
  let all = entriesOf.get(bundle);
  if (all === undefined) {
    all = bundle.findings.filter(isNoticed).map((finding) => ({
      id: finding.id,
      name: finding.names[bundle.language],
      words: [finding.names[bundle.language], ...finding.synonyms[bundle.language]].map((word) => plain(word).replaceAll('~', '')),
    }));
    entriesOf.set(bundle, all);
  }
  return all;
}

/** The ends of the text that may be the start of a symptom, longest first. */
function fragments(text: string, language: Language): string[] {
  const clause = /[^\s,.;:!?，。；：！？、\n][^,.;:!?，。；：！？、\n]*$/u.exec(text)?.[0] ?? '';
  if (language === 'zh') return [clause, clause.slice(-4), clause.slice(-3), clause.slice(-2)].filter((part, at, all) => part !== '' && all.indexOf(part) === at);
  const words = clause.split(/\s+/);
  return Array.from({ length: Math.min(MOST_WORDS, words.length) }, (_, at) => words.slice(Math.max(0, words.length - MOST_WORDS) + at).join(' '));
}

/** Findings of the vocabulary that fit the end of what is typed, best first. */
export function suggestFindings(bundle: KnowledgeBundle, text: string): Suggestion[] {
  const { language } = bundle;
  for (const fragment of fragments(text, language)) {
    const typed = plain(fragment).trim();
    if ([...typed].length < LEAST_LENGTH[language]) continue;
    const scored = entries(bundle)
      .map((entry) => ({ entry, score: scoreOf(entry, typed) }))
      .filter(({ entry, score }) => score > 0 && plain(entry.name) !== typed)
      .sort((a, b) => b.score - a.score || a.entry.name.length - b.entry.name.length || (a.entry.id < b.entry.id ? -1 : 1))
      .slice(0, MOST);
    if (scored.length > 0) {
      const start = text.slice(0, text.length - fragment.length);
      const end = language === 'zh' ? '，' : ', ';
      return scored.map(({ entry }) => ({ id: entry.id, name: entry.name, text: start + (language === 'en' && start.trim() !== '' ? entry.name.toLowerCase() : entry.name) + end }));
    }
  }
  return [];
}

/** The name begins with it, a synonym does, a word of the name does, it is somewhere in the name. */
function scoreOf(entry: Entry, typed: string): number {
  const name = entry.words[0] ?? '';
  if (name.startsWith(typed)) return 4;
  if (entry.words.some((word) => word.startsWith(typed))) return 3;
  if (name.includes(` ${typed}`)) return 2;
  return [...typed].length > 1 && name.includes(typed) ? 1 : 0;
}
