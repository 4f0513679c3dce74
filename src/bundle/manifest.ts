import { BundleError } from '../errors/bundle-error.js';
import type { Manifest, PartName } from './bundle.js';
import { checkFormat } from './bytes.js';

const PARTS: readonly PartName[] = ['findings', 'lexicon', 'diseases', 'texts', 'lexical', 'encoder', 'vectors'];
const FILE = 'manifest.json';

/**
 * Parses and checks `manifest.json`.
 * @throws {BundleError} not-a-bundle (no JSON, other JSON), format-unsupported, malformed
 */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BundleError('not-a-bundle', 'manifest.json is not JSON; check what the server answers at its address.', { file: FILE });
  }
  if (!isRecord(value) || value.kind !== 'anamnesis-bundle') throw new BundleError('not-a-bundle', 'manifest.json is other JSON than a bundle’s; check its address.', { file: FILE });
  if (typeof value.formatVersion !== 'number') throw malformed('formatVersion is missing');
  checkFormat(value.formatVersion, 'The bundle', FILE);
  if (typeof value.id !== 'string' || typeof value.version !== 'string') throw malformed('id or version is missing');
  if (value.school !== 'mm' && value.school !== 'tcm') throw malformed('school is neither mm nor tcm');
  if (!Array.isArray(value.languages) || !value.languages.every((language) => language === 'zh' || language === 'en') || value.languages.length === 0) throw malformed('languages are missing');
  for (const group of ['counts', 'encoder', 'review', 'name']) if (!isRecord(value[group])) throw malformed(`${group} is missing`);
  const counts = value.counts as Record<string, unknown>;
  for (const count of ['diseases', 'findings', 'rows']) if (!(Number.isInteger(counts[count]) && (counts[count] as number) > 0)) throw malformed(`counts.${count} is not above 0`);
  const encoder = value.encoder as Record<string, unknown>;
  if (typeof encoder.id !== 'string' || !(Number.isInteger(encoder.dimension) && (encoder.dimension as number) > 0)) throw malformed('encoder is incomplete');
  if (!Array.isArray(value.parts)) throw malformed('parts are missing');
  for (const name of PARTS) {
    const part: unknown = value.parts.find((one: unknown) => isRecord(one) && one.name === name);
    if (!isRecord(part) || !isFile(part)) throw malformed(`part ${name} is not listed with file, bytes and sha256`);
  }
  const encoders: unknown = value.encoders ?? [];
  if (!Array.isArray(encoders) || !encoders.every((one: unknown) => isRecord(one) && typeof one.id === 'string' && Number.isInteger(one.dimension) && (one.dimension as number) > 0 && isFile(one))) throw malformed('encoders are not listed with id, dimension, file, bytes and sha256');
  return value as unknown as Manifest;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFile(part: Record<string, unknown>): boolean {
  return typeof part.file === 'string' && /^[\w.-]+$/.test(part.file) && Number.isInteger(part.bytes) && typeof part.sha256 === 'string' && /^[0-9a-f]{64}$/.test(part.sha256);
}

function malformed(what: string): BundleError {
  return new BundleError('malformed', `manifest.json: ${what}; build the bundle again.`, { file: FILE });
}
