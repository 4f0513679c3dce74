import { existsSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { KnowledgeBundle } from '../bundle/bundle.js';
import { loadBundle } from '../bundle/load.js';
import { packageRoot } from './files.js';
import { CommandError, type CommandIo } from './usage.js';

/** The loader's `fetch` over files; a missing file is a 404, as a server would answer. */
const fetchFile = ((input: URL) => {
  const path = fileURLToPath(input);
  if (!existsSync(path)) return Promise.resolve(new Response(null, { status: 404 }));
  return Promise.resolve(new Response(readFileSync(path)));
}) as typeof globalThis.fetch;

/**
 * Directory of a bundle: a directory that holds a manifest, or the id of one in `dist/bundles`, here or in the package.
 * @throws {CommandError} bundle-missing
 */
export function bundleDirectory(idOrDirectory: string, io: CommandIo): string {
  const isName = /^[\w.-]+$/.test(idOrDirectory);
  const places = [
    resolve(io.cwd, idOrDirectory),
    ...(isName ? [join(io.cwd, 'dist', 'bundles', idOrDirectory), join(packageRoot(), 'dist', 'bundles', idOrDirectory)] : []),
  ];
  const found = places.find((place) => existsSync(join(place, 'manifest.json')));
  if (found !== undefined) return found;
  throw new CommandError('bundle-missing', `no bundle "${idOrDirectory}"; build it with "anamnesis bundle build", or name a directory that holds a manifest.json.`);
}

/**
 * Loads a bundle as the browser does: every part verified by size and SHA-256.
 * @param encoders whose rows are loaded too, where the bundle has them
 * @throws {BundleError} as `loadBundle`
 */
export async function openBundle(idOrDirectory: string, io: CommandIo, encoders: readonly string[] = []): Promise<KnowledgeBundle> {
  return openDirectory(bundleDirectory(idOrDirectory, io), encoders);
}

export async function openDirectory(directory: string, encoders: readonly string[] = []): Promise<KnowledgeBundle> {
  const { bundle, encoderFailure } = await loadBundle(pathToFileURL(directory + sep), { fetch: fetchFile, encoders });
  if (encoderFailure !== undefined) throw encoderFailure;
  return bundle;
}
