import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, School } from '../../src/bundle/bundle.js';
import { type CompiledVocabulary, compileBundle, compileVocabulary } from './compile.js';
import { readSources, type Sources } from './read-sources.js';
import type { SourceIssue } from './source-file.js';

export interface BuildOptions {
  /** Directory of the sources, such as `kb-bundles`. */
  readonly sources: string;
  /** Each bundle is written into a directory of its id below this one. */
  readonly out: string;
  /** Bundle ids; all where left out. */
  readonly only?: readonly string[];
  /** Called as each bundle is written. */
  readonly onBundle?: (manifest: Manifest, elapsedMs: number) => void;
}

/** Mistakes in sources are returned, not thrown, and a bundle is written only where none is an error. */
export interface BuildOutcome {
  readonly issues: readonly SourceIssue[];
  readonly manifests: readonly Manifest[];
}

/** Builds bundles from sources. Same sources, same bytes. */
export async function buildBundles(options: BuildOptions): Promise<BuildOutcome> {
  const sources: Sources = readSources(options.sources);
  const { issues } = sources.log;
  if (issues.some((issue) => issue.level === 'error')) return { issues, manifests: [] };
  const vocabularies = new Map<School, CompiledVocabulary>();
  const manifests: Manifest[] = [];
  for (const plan of sources.plans) {
    if (options.only !== undefined && !options.only.includes(plan.id)) continue;
    const started = performance.now();
    const vocabulary = vocabularies.get(plan.school) ?? compileVocabulary(sources, plan.school);
    vocabularies.set(plan.school, vocabulary);
    const built = await compileBundle(plan, sources, vocabulary);
    const directory = join(options.out, plan.id);
    mkdirSync(directory, { recursive: true });
    for (const name of readdirSync(directory)) if (!built.files.has(name)) rmSync(join(directory, name), { recursive: true });
    for (const [name, bytes] of built.files) writeFileSync(join(directory, name), bytes);
    manifests.push(built.manifest);
    options.onBundle?.(built.manifest, performance.now() - started);
  }
  return { issues, manifests };
}
