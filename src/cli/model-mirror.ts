import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from '../errors/model-error.js';
import type { Catalogue, CatalogueModel, ModelIndex, ModelVariant } from '../llm/catalogue.js';
import { CATALOGUE } from '../llm/catalogue-data.js';
import { parseCatalogue, parseModelIndex } from '../llm/model-manifest.js';
import { readText } from './files.js';
import { type Arguments, CommandError, type CommandIo } from './usage.js';

/** One variant with its model. */
export interface Choice {
  /** `<model id>/<variant id>`. */
  readonly id: string;
  readonly model: CatalogueModel;
  readonly variant: ModelVariant;
}

/** The catalogue in `--catalogue`, else the built-in one. */
export function readCatalogue(given: Arguments, io: CommandIo): Catalogue {
  const file = given.text('catalogue');
  if (file === undefined) return CATALOGUE;
  const text = readText(file, io);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ModelError('catalogue-invalid', `${file} is not JSON.`);
  }
  return parseCatalogue(value);
}

/** Every variant of a catalogue, in its order. */
export function variantsOf(catalogue: Catalogue): readonly Choice[] {
  return catalogue.models.flatMap((model) => model.variants.map((variant) => ({ id: `${model.id}/${variant.id}`, model, variant })));
}

/** What has been mirrored into a directory; nothing where there is no index. */
export function readIndex(directory: string, io: CommandIo): readonly string[] {
  const file = join(directory, 'index.json');
  return existsSync(file) ? parseModelIndex(readText(file, io)).variants : [];
}

/** Adds a variant to the index of a directory. */
export function addToIndex(directory: string, id: string, io: CommandIo): void {
  const index: ModelIndex = { kind: 'anamnesis-models', formatVersion: 1, variants: [...new Set([...readIndex(directory, io), id])].sort() };
  writeJson(join(directory, 'index.json'), index);
}

/** Writes a whole file or none, since a host may be serving the directory. @throws {CommandError} file-unwritable */
export function writeJson(path: string, value: object): void {
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new CommandError('file-unwritable', `${path} cannot be written (${error instanceof Error && 'code' in error ? String(error.code) : 'it failed'}).`);
  }
}

/** `1,234.5 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
}
