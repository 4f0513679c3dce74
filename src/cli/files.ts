import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, type CommandIo } from './usage.js';

/** Why the system refused, without its stack: `ENOENT` and the like. */
function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'it failed';
}

/** Reads a text file named on the command line. @throws {CommandError} file-unreadable */
export function readText(file: string, io: CommandIo): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new CommandError('file-unreadable', `${file} cannot be read (${reason(error)}).`);
  }
}

/** Writes objects as JSON lines. @throws {CommandError} file-unwritable */
export function writeLines(file: string, objects: readonly unknown[], io: CommandIo): void {
  try {
    writeFileSync(resolve(io.cwd, file), objects.map((one) => `${JSON.stringify(one)}\n`).join(''));
  } catch (error) {
    throw new CommandError('file-unwritable', `${file} cannot be written (${reason(error)}).`);
  }
}

/** Directory of this package: the nearest above that holds its package.json, whether compiled or not. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const manifest = join(directory, 'package.json');
    if (existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'anamnesis') return directory;
    const above = dirname(directory);
    if (above === directory) throw new CommandError('install-incomplete', 'package.json of anamnesis was not found; install the package again.');
    directory = above;
  }
}

/** Directory of the knowledge sources: the one named, else `kb-bundles` here, else the package's. */
export function sourcesDirectory(named: string | undefined, io: CommandIo): string {
  if (named !== undefined) {
    const directory = resolve(io.cwd, named);
    if (!existsSync(join(directory, 'bundles.yaml'))) throw new CommandError('file-unreadable', `${named} holds no bundles.yaml; name a directory of knowledge sources.`);
    return directory;
  }
  const here = join(io.cwd, 'kb-bundles');
  return existsSync(join(here, 'bundles.yaml')) ? here : join(packageRoot(), 'kb-bundles');
}
