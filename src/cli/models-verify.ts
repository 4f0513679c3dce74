import { join, resolve } from 'node:path';
import { isAnamnesisError } from '../errors/anamnesis-error.js';
import type { ModelManifest } from '../llm/catalogue.js';
import { parseModelIndex, parseModelManifest } from '../llm/model-manifest.js';
import { readText } from './files.js';
import { digestOfFile, ModelDirectory, sizeOf } from './model-directory.js';
import { Arguments, type Command, CommandError, type CommandIo } from './usage.js';

export const modelsVerify: Command = {
  words: ['models', 'verify'],
  summary: 'checks mirrored language models byte by byte',
  usage: `anamnesis models verify DIR
  DIR  what "models pull" wrote: holds index.json
Reads every file. Prints a line for each that is missing or differs from its manifest, and ends with 1 where there is one.`,
  async run(args, io) {
    const given = new Arguments(args, {}, { least: 1, most: 1, names: 'DIR' });
    const named = given.positionals[0] ?? '';
    const { variants } = parseModelIndex(readText(join(named, 'index.json'), io));
    let [fileCount, faultCount] = [0, 0];
    for (const id of variants) {
      const directory = join(named, ...id.split('/'));
      const { files, faults } = await verify(id, directory, io);
      for (const fault of faults) io.out(fault);
      fileCount += files;
      faultCount += faults.length;
    }
    io.out(`${String(variants.length)} variants, ${String(fileCount)} files, ${String(faultCount)} faults`);
    return faultCount > 0 ? 1 : 0;
  },
};

async function verify(id: string, named: string, io: CommandIo): Promise<{ readonly files: number; readonly faults: readonly string[] }> {
  let manifest: ModelManifest;
  try {
    manifest = parseModelManifest(readText(join(named, 'manifest.json'), io));
  } catch (error) {
    if (!isAnamnesisError(error) && !(error instanceof CommandError)) throw error;
    return { files: 0, faults: [`${named}: ${error.message}`] };
  }
  const faults: string[] = [];
  if (manifest.id !== id) faults.push(`${named}/manifest.json: is of ${manifest.id}`);
  const store = new ModelDirectory(resolve(io.cwd, named), manifest);
  for (const file of manifest.files) {
    const path = store.at(file);
    const bytes = sizeOf(path);
    const shown = join(named, file.path);
    if (bytes === undefined) faults.push(`${shown}: is missing`);
    else if (bytes !== file.bytes) faults.push(`${shown}: has ${String(bytes)} bytes, not ${String(file.bytes)}`);
    else if ((await digestOfFile(path, file.digest)) !== file.digest) faults.push(`${shown}: differs from what is listed`);
  }
  return { files: manifest.files.length, faults };
}
