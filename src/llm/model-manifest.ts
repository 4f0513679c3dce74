import type { Language } from '../bundle/bundle.js';
import type { Catalogue, CatalogueModel, ModelFile, ModelIndex, ModelManifest, ModelVariant } from './catalogue.js';
import { isDigest } from './digest.js';
import { Fields, invalid, refuseRepeated } from './fields.js';

/** Of models and variants: they become names of directories. */
const ID = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
const VARIANT_ID = new RegExp(`${ID.source.slice(0, -1)}/${ID.source.slice(1)}`);
const VARIANT_ID_FORM = 'is not <model id>/<variant id>';
const LONGEST_PATH = 300;

/**
 * Parses and checks `manifest.json` of a mirrored model.
 * @throws {ModelError} catalogue-invalid, naming the field
 */
export function parseModelManifest(text: string): ModelManifest {
  const fields = document(text, 'manifest.json', 'anamnesis-model');
  const id = fields.text('id', VARIANT_ID, VARIANT_ID_FORM);
  const files = fields.list('files', 1, readFile);
  refuseRepeated(files.map((file) => file.path), fields.at('files'));
  for (const [at, file] of files.entries()) {
    const same = files.find((other) => other.digest === file.digest);
    if (same?.bytes !== file.bytes) throw invalid(fields.at(`files[${String(at)}].bytes`), 'differs from that of another file with the same digest');
  }
  if (!Number.isSafeInteger(files.reduce((sum, file) => sum + file.bytes, 0))) throw invalid(fields.at('files'), 'are too large');
  const library = fields.text('library', /^/);
  if (library !== '' && !files.some((file) => file.path === library)) throw invalid(fields.at('library'), 'is not among the files');
  return { kind: 'anamnesis-model', formatVersion: 1, id, files, library, source: fields.lacks('source') ? null : readSource(new Fields(fields.value('source'), fields.at('source'))) };
}

/**
 * Parses and checks `index.json` of a model base.
 * @throws {ModelError} catalogue-invalid, naming the field
 */
export function parseModelIndex(text: string): ModelIndex {
  const fields = document(text, 'index.json', 'anamnesis-models');
  return { kind: 'anamnesis-models', formatVersion: 1, variants: fields.texts('variants', 0, VARIANT_ID, VARIANT_ID_FORM) };
}

/**
 * Checks a catalogue, for example one that a host brings.
 * @param value parsed JSON
 * @throws {ModelError} catalogue-invalid, naming the field
 */
export function parseCatalogue(value: unknown): Catalogue {
  const fields = new Fields(value, 'catalogue');
  checkKind(fields, 'anamnesis-catalogue');
  const models = fields.list('models', 0, readModel);
  refuseRepeated(models.map((model) => model.id), fields.at('models'));
  return { kind: 'anamnesis-catalogue', formatVersion: 1, models };
}

/** Files that a store has to hold: one of each digest. */
export function distinctFiles(manifest: ModelManifest): readonly ModelFile[] {
  return manifest.files.filter((file, at) => manifest.files.findIndex((other) => other.digest === file.digest) === at);
}

/** A file's path as part of an address. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function document(text: string, name: string, kind: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(name, 'is not JSON; check what the server answers at its address');
  }
  const fields = new Fields(value, name);
  checkKind(fields, kind);
  return fields;
}

function checkKind(fields: Fields, kind: string): void {
  fields.oneOf('kind', [kind]);
  fields.oneOf('formatVersion', [1]);
}

function readFile(fields: Fields): ModelFile {
  const path = fields.text('path');
  const isPlain = path.length <= LONGEST_PATH && /^[^\\:*?"<>|\p{Cc}]+$/u.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  // The manifest itself lies there under this name.
  if (!isPlain || path === 'manifest.json') throw invalid(fields.at('path'), 'is no relative path of a model’s file');
  const digest = fields.text('digest');
  if (!isDigest(digest)) throw invalid(fields.at('digest'), 'is neither sha256:<64 hex digits> nor git-sha1:<40 hex digits>');
  const file = { path, bytes: fields.whole('bytes', 0), digest };
  return fields.lacks('url') ? file : { ...file, url: fields.address('url') };
}

function readSource(fields: Fields): NonNullable<ModelManifest['source']> {
  return {
    server: fields.text('server'),
    repository: fields.text('repository'),
    revision: fields.text('revision'),
    date: fields.text('date', /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/, 'is no ISO date'),
  };
}

function readModel(fields: Fields): CatalogueModel {
  const variants = fields.list('variants', 1, readVariant);
  refuseRepeated(variants.map((variant) => variant.id), fields.at('variants'));
  return {
    id: fields.text('id', ID, 'is no id'),
    name: fields.text('name'),
    parameters: fields.whole('parameters', 1),
    languages: fields.texts('languages', 1, /^(?:zh|en)$/, 'is neither zh nor en') as Language[],
    licence: fields.text('licence'),
    licenceUrl: fields.address('licenceUrl'),
    note: fields.text('note', /^/),
    thinks: fields.boolean('thinks'),
    variants,
  };
}

function readVariant(fields: Fields): ModelVariant {
  const runtime = fields.oneOf('runtime', ['web-llm', 'wllama']);
  const device = fields.oneOf('device', ['gpu', 'cpu']);
  if (runtime === 'web-llm' && device === 'cpu') throw invalid(fields.at('device'), 'is cpu, where WebLLM runs on a GPU alone');
  return {
    id: fields.text('id', ID, 'is no id'),
    runtime,
    device,
    features: fields.texts('features', 0, /\S/, 'is no text'),
    downloadBytes: fields.lacks('downloadBytes') ? null : fields.whole('downloadBytes', 1),
    memoryBytes: fields.whole('memoryBytes', 1),
    bufferBytes: fields.whole('bufferBytes', 0),
    contextTokens: fields.whole('contextTokens', 1),
    hub: fields.lacks('hub') ? null : readHub(new Fields(fields.value('hub'), fields.at('hub')), runtime),
  };
}

function readHub(fields: Fields, runtime: ModelVariant['runtime']): ModelVariant['hub'] {
  const hub = {
    repository: fields.text('repository', VARIANT_ID, 'is not <owner>/<name>'),
    revision: fields.text('revision', /^\w[\w.-]*(?:\/\w[\w.-]*)*$/, 'is no revision'),
    files: fields.texts('files', 1, /^[^\\]+$/, 'is no pattern'),
  };
  // A library that WebLLM lacks would be noticed only after the whole download.
  return runtime === 'web-llm' || !fields.lacks('library') ? { ...hub, library: fields.address('library') } : hub;
}
