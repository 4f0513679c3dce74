import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeadingRole, KnowledgeBundle, ManifestEncoder } from '../../src/bundle/bundle.js';
import { encodeVectors } from '../../src/bundle/encode.js';
import { sha256 } from '../../src/bundle/sha256.js';
import type { Embedder } from '../../src/embedding/embedder.js';
import { BundleError } from '../../src/errors/bundle-error.js';
import { entriesOf } from './compile.js';
import type { DiseaseWords } from './disease.js';
import { middle } from './encoder.js';
import { readSources } from './read-sources.js';

export interface EmbedOptions {
  /** Directory of the sources that the bundle was built from. */
  readonly sources: string;
  /** The built bundle, and its directory. */
  readonly bundle: KnowledgeBundle;
  readonly directory: string;
  readonly embedder: Embedder;
  /** Rows made so far and in all. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** What of the knowledge a patient's words may resemble; each role is a passage of its own, since encoders read only so far. */
const PASSAGES: readonly (readonly HeadingRole[])[] = [['overview', 'causes'], ['symptoms'], ['tongue-pulse', 'tests']];

/** The texts of an entry's two rows, in the bundle's order: pseudo histories with first sentences, then the DI-Tree. */
function passagesOf(words: DiseaseWords): [pmh: string[], di: string[]] {
  const written = PASSAGES.map((roles) => words.leaves.filter((leaf) => roles.includes(leaf.role)).map((leaf) => leaf.text).join('\n'));
  return [[...words.histories, ...words.firstSentences].map((one) => one.text), written.filter((text) => text !== '').map((text) => `${words.name}\n${text}`)];
}

/**
 * Makes rows with another encoder for a built bundle, in a file of their own, and lists them in its manifest. A row is
 * the middle of its passages, unit length, as the bundle's own rows are.
 * @throws {BundleError} malformed where the bundle was built from other sources
 */
export async function embedBundle({ sources: sourcesDirectory, bundle, directory, embedder, onProgress }: EmbedOptions): Promise<ManifestEncoder> {
  const sources = readSources(sourcesDirectory);
  const { manifest } = bundle;
  const plan = sources.plans.find((one) => one.id === manifest.id);
  const entries = plan === undefined ? [] : entriesOf(plan, sources);
  // Pseudo histories do not travel as text, so that an edited one alone goes unnoticed; every other word is compared.
  const textOf = ({ leaves }: { readonly leaves: readonly { readonly text: string }[] }): string => leaves.map((leaf) => leaf.text).join('\n');
  const isBuiltFrom = ({ facts, words }: (typeof entries)[number], index: number): boolean => bundle.diseases[index]?.id === facts.id && textOf(bundle.diTree(index)) === textOf(words);
  if (entries.length !== bundle.diseases.length || !entries.every(isBuiltFrom)) {
    throw new BundleError('malformed', `${manifest.id} was built from other sources than ${sourcesDirectory}; build it again.`, { file: 'manifest.json' });
  }
  const texts = entries.flatMap(({ words }) => passagesOf(words));
  const vectors = new Float32Array(texts.length * embedder.dimension);
  for (const [row, own] of texts.entries()) {
    vectors.set(middle(await embedder.embed(own, 'passage'), embedder.dimension), row * embedder.dimension);
    onProgress?.(row + 1, texts.length);
  }
  const bytes = encodeVectors(vectors, embedder.dimension);
  const hash = await sha256(bytes);
  const made: ManifestEncoder = { id: embedder.id, dimension: embedder.dimension, file: `rows-${hash.slice(0, 12)}.bin`, bytes: bytes.length, sha256: hash };
  const others = (manifest.encoders ?? []).filter((one) => one.id !== made.id);
  const kept = new Set([made, ...others].map((one) => one.file));
  for (const file of readdirSync(directory)) if (file.startsWith('rows-') && !kept.has(file)) rmSync(join(directory, file));
  writeFileSync(join(directory, made.file), bytes);
  writeFileSync(join(directory, 'manifest.json'), `${JSON.stringify({ ...manifest, encoders: [...others, made] }, null, 1)}\n`);
  return made;
}
