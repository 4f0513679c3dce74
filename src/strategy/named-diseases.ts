import type { KnowledgeBundle } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import { wordsOf } from './bundle-words.js';

/** Diseases of the bundle that a list of names means, in its order: by name or alias, else by the longest name within it. */
export function namedDiseases(bundle: KnowledgeBundle, names: readonly string[]): number[] {
  const words = wordsOf(bundle);
  const found = new Set<number>();
  for (const name of names) {
    const wanted = normalizeText(name).trim();
    if (wanted === '') continue;
    let best: { index: number; length: number } | undefined;
    for (const disease of bundle.diseases) {
      for (const known of words.names[disease.index]?.all ?? []) {
        const isSame = known === wanted;
        const isWithin = known.length > (bundle.language === 'zh' ? 1 : 4) && wanted.includes(known);
        const length = isSame ? Infinity : isWithin ? known.length : 0;
        if (length > (best?.length ?? 0)) best = { index: disease.index, length };
      }
    }
    if (best !== undefined) found.add(best.index);
  }
  return [...found];
}
