import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Catalogue, ModelManifest, ModelVariant } from '../../src/llm/catalogue.js';

/** A site's own mirror of one test model, in the layout that `anamnesis models pull` makes, and the catalogue for it. */
export interface Mirror {
  /** To be served; holds `models/`. */
  readonly root: string;
  readonly catalogue: Catalogue;
  /** Bytes of all its files. */
  readonly bytes: number;
}

const PARAMETERS = 134_515_008;

/** @param files path in the mirror to the file it comes from */
export function makeMirror(variant: Pick<ModelVariant, 'id' | 'runtime' | 'device' | 'contextTokens'>, files: Readonly<Record<string, string>>, library = ''): Mirror {
  const root = mkdtempSync(join(tmpdir(), 'anamnesis-mirror-'));
  const id = `smollm2-135m/${variant.id}`;
  const directory = join(root, 'models', id);
  let bytes = 0;
  const listed = Object.entries(files).map(([path, from]) => {
    const to = join(directory, path);
    mkdirSync(dirname(to), { recursive: true });
    const content = readFileSync(from);
    if (content.length > 1_000_000) symlinkSync(from, to);
    else copyFileSync(from, to);
    bytes += content.length;
    return { path, bytes: content.length, digest: `sha256:${createHash('sha256').update(content).digest('hex')}` };
  });
  const manifest: ModelManifest = { kind: 'anamnesis-model', formatVersion: 1, id, files: listed, library, source: null };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'models/index.json'), JSON.stringify({ kind: 'anamnesis-models', formatVersion: 1, variants: [id] }));
  return {
    root,
    bytes,
    catalogue: {
      kind: 'anamnesis-catalogue',
      formatVersion: 1,
      models: [
        {
          id: 'smollm2-135m',
          name: 'SmolLM2 135M',
          parameters: PARAMETERS,
          languages: ['en'],
          licence: 'Apache-2.0',
          licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
          note: 'For tests: far too small for use.',
          thinks: false,
          variants: [{ ...variant, features: [], downloadBytes: bytes, memoryBytes: 2e8, bufferBytes: 0, hub: null }],
        },
      ],
    },
  };
}

/** A GGUF file, for wllama. */
export function mirrorGguf(file: string, device: 'gpu' | 'cpu', contextTokens: number): Mirror {
  return makeMirror({ id: 'gguf-q4', runtime: 'wllama', device, contextTokens }, { 'model.gguf': file });
}

/** A folder of MLC artifacts with its library beside it, for WebLLM. */
export function mirrorMlc(directory: string, name: string, contextTokens: number): Mirror {
  const artifacts = join(directory, name, 'resolve/main');
  const files = Object.fromEntries(readdirSync(artifacts).map((file) => [file, join(artifacts, file)]));
  return makeMirror({ id: 'q4f32', runtime: 'web-llm', device: 'gpu', contextTokens }, { ...files, [`${name}.wasm`]: join(directory, `${name}.wasm`) }, `${name}.wasm`);
}
