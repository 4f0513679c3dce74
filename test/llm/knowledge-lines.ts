import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../src/bundle/bundle.js';
import { ROOT } from '../bundles.js';

/** Every line of the diseases' trees, as samples of good medical text; records among the histories are full of abbreviations. */
export function knowledgeLines(language: Language): string[] {
  const files = language === 'zh' ? [['mm', '.zh.md'], ['tcm', '.md']] as const : [['mm', '.en.md']] as const;
  return files.flatMap(([directory, ending]) => {
    const folder = join(ROOT, 'kb-bundles', directory);
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').replace(/^---\n[^]*?\n---\n/, '').replace(/^## (?:病史|Histories)$[^]*/m, '').split('\n'))
      .filter((line) => !line.startsWith('# '))
      .map((line) => line.replace(/^[-#\s]+/, '').replace(/\{[^}]*\}/g, '').trim())
      .filter((line) => line !== '');
  });
}
