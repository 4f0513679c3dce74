import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../src/bundle/bundle.js';
import { ROOT } from '../bundles.js';

/** Every line that people read in the sources of the diseases, as samples of good medical text. */
export function knowledgeLines(language: Language): string[] {
  const files = language === 'zh' ? [['mm', '.zh.md'], ['tcm', '.md']] as const : [['mm', '.en.md']] as const;
  return files.flatMap(([directory, ending]) => {
    const folder = join(ROOT, 'kb-bundles', directory);
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').replace(/^---\n[^]*?\n---\n/, '').split('\n'))
      .map((line) => line.replace(/^[-#\s]+/, '').replace(/\{[^}]*\}/g, '').trim())
      .filter((line) => line !== '');
  });
}
