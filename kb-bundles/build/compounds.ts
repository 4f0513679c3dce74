import type { Finding, Language } from '../../src/bundle/bundle.js';
import { toPattern } from '../../src/findings/lexicon.js';
import { isTold } from '../../src/findings/told-diagnosis.js';

/** Words that join two findings in one synonym. */
const JOINERS = new Set(['和', '伴', '与', '及', '、', '或', '又', ',', '/', 'and', 'or', 'with', '加']);

/**
 * Synonyms that merely name two findings one after the other (恶心呕吐, rash and itch): kept, they would hide the second
 * finding, so the lexicon leaves them out and reads both.
 */
export function compoundSynonyms(findings: readonly Finding[]): Set<string> {
  const owners = new Map<string, Set<number>>();
  const plain: { language: Language; text: string; parts: readonly string[][]; findingIndex: number }[] = [];
  for (const finding of findings) {
    if (isTold(finding.id)) continue;
    for (const language of ['zh', 'en'] as const) {
      for (const text of [finding.names[language], ...finding.synonyms[language]]) {
        const pattern = toPattern(text, language, finding.index, 'present')?.pattern;
        if (pattern === undefined || pattern.contextual || pattern.parts.some((part) => part.includes(null))) continue;
        const parts = pattern.parts as readonly string[][];
        plain.push({ language, text, parts, findingIndex: finding.index });
        // A complaint without a place says less alone: 产后出血 is more than what is said by 产后 and by 出血.
        if (parts.length > 1 || finding.kind === 'general') continue;
        const key = parts[0]?.join(' ') ?? '';
        owners.set(key, (owners.get(key) ?? new Set()).add(finding.index));
      }
    }
  }
  const canonical = new Set(findings.flatMap((finding) => [finding.names.zh, finding.names.en]));
  const compounds = new Set<string>();
  const isOthers = (part: readonly string[], findingIndex: number): boolean => {
    const owner = owners.get(part.join(' '));
    return owner !== undefined && ![...owner].some((index) => index === findingIndex || findings[findingIndex]?.parents.includes(index) === true);
  };
  for (const { language, text, parts, findingIndex } of plain) {
    const [first = []] = parts;
    const isCompound = parts.length === 1 ? first.length >= 2 && splitsInto(first, owners) : parts.every((part) => isOthers(part, findingIndex));
    if (!canonical.has(text) && isCompound) compounds.add(`${language} ${text}`);
  }
  return compounds;
}

/** Whether forms fall into the words of two or more different findings, with joiners between. */
function splitsInto(forms: readonly string[], owners: ReadonlyMap<string, ReadonlySet<number>>): boolean {
  const walk = (from: number, found: readonly (ReadonlySet<number>)[]): boolean => {
    if (from === forms.length) return found.length >= 2 && !found.every((one) => [...one].some((index) => found[0]?.has(index) === true));
    if (found.length > 0 && JOINERS.has(forms[from] ?? '') && walk(from + 1, found)) return true;
    for (let to = forms.length; to > from; to--) {
      if (to - from === forms.length) continue;
      const owner = owners.get(forms.slice(from, to).join(' '));
      if (owner !== undefined && walk(to, [...found, owner])) return true;
    }
    return false;
  };
  return walk(0, []);
}
