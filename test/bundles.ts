import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KnowledgeBundle, PartName } from '../src/bundle/bundle.js';
import { decodeBundle } from '../src/bundle/decode.js';
import { parseManifest } from '../src/bundle/manifest.js';

/** Top of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const loaded = new Map<string, KnowledgeBundle>();

/** A bundle as `npm run build` left it in `dist/bundles`. */
export function builtBundle(id: 'mm-zh' | 'mm-en' | 'tcm-zh'): KnowledgeBundle {
  const known = loaded.get(id);
  if (known !== undefined) return known;
  const directory = join(ROOT, 'dist/bundles', id);
  const manifest = parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  const parts = Object.fromEntries(manifest.parts.map((part) => [part.name, new Uint8Array(readFileSync(join(directory, part.file)))])) as Record<PartName, Uint8Array>;
  const bundle = decodeBundle(manifest, parts);
  loaded.set(id, bundle);
  return bundle;
}
