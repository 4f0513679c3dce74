import { describe, expect, it } from 'vitest';
import { isAnamnesisError } from '../../src/errors/anamnesis-error.js';
import type { Catalogue, ModelManifest } from '../../src/llm/catalogue.js';
import { parseCatalogue, parseModelIndex, parseModelManifest } from '../../src/llm/model-manifest.js';

const A = `sha256:${'a'.repeat(64)}`;
const B = `git-sha1:${'b'.repeat(40)}`;
const MANIFEST: ModelManifest = {
  kind: 'anamnesis-model',
  formatVersion: 1,
  id: 'tiny-0.1b/q4f16',
  files: [
    { path: 'params_shard_0.bin', bytes: 10, digest: A },
    { path: 'lib/tiny.wasm', bytes: 0, digest: B, url: 'https://files.test/tiny.wasm' },
  ],
  library: 'lib/tiny.wasm',
  source: { server: 'huggingface.co', repository: 'makers/tiny', revision: 'c0ffee', date: '2026-11-29' },
};
const CATALOGUE: Catalogue = {
  kind: 'anamnesis-catalogue',
  formatVersion: 1,
  models: [
    {
      id: 'tiny-0.1b',
      name: 'Tiny',
      parameters: 100,
      languages: ['zh', 'en'],
      licence: 'Apache-2.0',
      licenceUrl: 'https://licences.test/apache',
      note: '',
      thinks: false,
      variants: [
        { id: 'q4f16', runtime: 'web-llm', device: 'gpu', features: ['shader-f16'], downloadBytes: null, memoryBytes: 100, bufferBytes: 0, contextTokens: 4096, hub: { repository: 'makers/tiny', revision: 'main', files: ['*'], library: 'https://files.test/tiny.wasm' } },
        { id: 'gguf', runtime: 'wllama', device: 'cpu', features: [], downloadBytes: 12, memoryBytes: 100, bufferBytes: 0, contextTokens: 4096, hub: null },
      ],
    },
  ],
};

/** The document with one field, named by its path, replaced. */
function changed(document: object, path: string, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce((at, key) => at[key] as Record<string, unknown>, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** The message with which a document is refused. */
function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isAnamnesisError(error) && error.code === 'catalogue-invalid') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('parseModelManifest', () => {
  it('reads what it wrote, and leaves out fields that it does not know', () => {
    const extended = { ...MANIFEST, colour: 'blue', files: MANIFEST.files.map((file) => ({ ...file, mirror: 1 })) };
    expect(parseModelManifest(JSON.stringify(extended))).toEqual(MANIFEST);
    expect(parseModelManifest(JSON.stringify({ ...MANIFEST, source: null, library: '' }))).toEqual({ ...MANIFEST, source: null, library: '' });
  });

  it.each([
    ['kind', 'anamnesis-bundle', 'manifest.json.kind'],
    ['formatVersion', 2, 'manifest.json.formatVersion'],
    ['id', 'tiny', 'manifest.json.id'],
    ['id', '../etc/passwd', 'manifest.json.id'],
    ['id', 'tiny/..', 'manifest.json.id'],
    ['id', '/tiny', 'manifest.json.id'],
    ['id', 'tiny/q4/f16', 'manifest.json.id'],
    ['files', [], 'manifest.json.files is empty'],
    ['files', {}, 'manifest.json.files is no list'],
    ['files.0', 7, 'manifest.json.files[0] is no object'],
    ['files.1.path', '../outside', 'manifest.json.files[1].path'],
    ['files.1.path', 'a/../../b', 'manifest.json.files[1].path'],
    ['files.1.path', './a', 'manifest.json.files[1].path'],
    ['files.1.path', 'a//b', 'manifest.json.files[1].path'],
    ['files.1.path', '/etc/passwd', 'manifest.json.files[1].path'],
    ['files.1.path', 'a\\b', 'manifest.json.files[1].path'],
    ['files.1.path', 'C:/a', 'manifest.json.files[1].path'],
    ['files.1.path', 'https://files.test/a', 'manifest.json.files[1].path'],
    ['files.1.path', 'a\u0000b', 'manifest.json.files[1].path'],
    ['files.1.path', 'a'.repeat(301), 'manifest.json.files[1].path'],
    ['files.1.path', 'manifest.json', 'manifest.json.files[1].path'],
    ['files.1.path', 'params_shard_0.bin', 'names "params_shard_0.bin" twice'],
    ['files.1.bytes', -1, 'manifest.json.files[1].bytes'],
    ['files.1.bytes', 1.5, 'manifest.json.files[1].bytes'],
    ['files.1.bytes', '10', 'manifest.json.files[1].bytes'],
    ['files.1.bytes', 2 ** 60, 'manifest.json.files[1].bytes'],
    ['files.1.digest', 'sha256:abc', 'manifest.json.files[1].digest'],
    ['files.1.digest', A.toUpperCase(), 'manifest.json.files[1].digest'],
    ['files.1.digest', A.slice(7), 'manifest.json.files[1].digest'],
    ['files.1.digest', A, 'manifest.json.files[1].bytes'],
    ['files.1.url', 'tiny.wasm', 'manifest.json.files[1].url'],
    ['files.1.url', 'javascript:alert(1)', 'manifest.json.files[1].url'],
    ['files.1.url', 'https://name:word@files.test/', 'manifest.json.files[1].url'],
    ['library', 'other.wasm', 'manifest.json.library'],
    ['library', undefined, 'manifest.json.library'],
    ['source.date', 'yesterday', 'manifest.json.source.date'],
    ['source.revision', undefined, 'manifest.json.source.revision'],
  ])('refuses %s = %j and names the field', (path, value, message) => {
    expect(refusal(() => parseModelManifest(JSON.stringify(changed(MANIFEST, path, value))))).toContain(message);
  });

  it.each(['', '<html>', '[]', 'null'])('refuses %j', (text) => {
    expect(refusal(() => parseModelManifest(text))).toMatch(/^manifest\.json is /);
  });
});

describe('parseModelIndex', () => {
  it('reads the mirrored variants', () => {
    const index = { kind: 'anamnesis-models', formatVersion: 1, variants: ['tiny-0.1b/q4f16'] };
    expect(parseModelIndex(JSON.stringify({ ...index, extra: 1 }))).toEqual(index);
  });

  it.each([
    [['tiny'], 'index.json.variants[0]'],
    [['a/b', 'a/b'], 'names "a/b" twice'],
    [['a/..'], 'index.json.variants[0]'],
    [null, 'index.json.variants is no list'],
  ])('refuses %j', (variants, message) => {
    expect(refusal(() => parseModelIndex(JSON.stringify({ kind: 'anamnesis-models', formatVersion: 1, variants })))).toContain(message);
  });
});

describe('parseCatalogue', () => {
  it('reads a catalogue, and leaves out fields that it does not know', () => {
    expect(parseCatalogue({ ...CATALOGUE, extra: true })).toEqual(CATALOGUE);
  });

  it.each([
    ['kind', undefined, 'catalogue.kind'],
    ['models.0.id', 'a/b', 'catalogue.models[0].id'],
    ['models.0.name', '', 'catalogue.models[0].name'],
    ['models.0.parameters', 0, 'catalogue.models[0].parameters'],
    ['models.0.languages', [], 'catalogue.models[0].languages'],
    ['models.0.languages', ['fr'], 'catalogue.models[0].languages[0]'],
    ['models.0.languages', ['en', 'en'], 'names "en" twice'],
    ['models.0.licenceUrl', 'apache', 'catalogue.models[0].licenceUrl'],
    ['models.0.thinks', 'no', 'catalogue.models[0].thinks'],
    ['models.0.variants', [], 'catalogue.models[0].variants'],
    ['models.0.variants.1.id', 'q4f16', 'names "q4f16" twice'],
    ['models.0.variants.0.runtime', 'ollama', 'catalogue.models[0].variants[0].runtime'],
    ['models.0.variants.0.device', 'cpu', 'catalogue.models[0].variants[0].device'],
    ['models.0.variants.0.features', 'shader-f16', 'catalogue.models[0].variants[0].features'],
    ['models.0.variants.0.downloadBytes', 0, 'catalogue.models[0].variants[0].downloadBytes'],
    ['models.0.variants.0.memoryBytes', -5, 'catalogue.models[0].variants[0].memoryBytes'],
    ['models.0.variants.0.bufferBytes', null, 'catalogue.models[0].variants[0].bufferBytes'],
    ['models.0.variants.0.contextTokens', 0, 'catalogue.models[0].variants[0].contextTokens'],
    ['models.0.variants.0.hub.repository', 'tiny', 'catalogue.models[0].variants[0].hub.repository'],
    ['models.0.variants.0.hub.revision', '../main', 'catalogue.models[0].variants[0].hub.revision'],
    ['models.0.variants.0.hub.files', [], 'catalogue.models[0].variants[0].hub.files'],
    ['models.0.variants.0.hub.library', undefined, 'catalogue.models[0].variants[0].hub.library'],
  ])('refuses %s = %j and names the field', (path, value, message) => {
    expect(refusal(() => parseCatalogue(changed(CATALOGUE, path, value)))).toContain(message);
  });

  it('refuses two models of one id', () => {
    expect(refusal(() => parseCatalogue({ ...CATALOGUE, models: [...CATALOGUE.models, ...CATALOGUE.models] }))).toContain('names "tiny-0.1b" twice');
  });
});
