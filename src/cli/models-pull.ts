import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ModelError } from '../errors/model-error.js';
import type { ModelFile, ModelManifest } from '../llm/catalogue.js';
import { fetchFiles } from '../llm/fetch-files.js';
import { manifestFromHub } from '../llm/hub.js';
import type { ModelProgress } from '../llm/language-model.js';
import { digestOfFile, ModelDirectory } from './model-directory.js';
import { addToIndex, type Choice, megabytes, readCatalogue, variantsOf, writeJson } from './model-mirror.js';
import { Arguments, type Command, type CommandIo, CommandError, UsageError } from './usage.js';

const STEP_PERCENT = 10;

export const modelsPull: Command = {
  words: ['models', 'pull'],
  summary: 'mirrors a language model into a directory to be served',
  usage: `anamnesis models pull ID[/VARIANT] --dir DIR [--hub URL] [--github URL] [--catalogue FILE]
  ID[/VARIANT]      as "models list" prints it; every variant where VARIANT is left out
  --dir DIR         files go to DIR/<model>/<variant>/, and DIR/index.json lists what is there
  --hub URL         a server that speaks the Hugging Face hub's protocol; default https://huggingface.co
  --github URL      a server in place of GitHub's two
  --catalogue FILE  another catalogue than the built-in one
Every file is verified. Broken off, it goes on where it stopped when it is run again. The models have licences of their
own: read them before you serve their files.`,
  async run(args, io) {
    const given = new Arguments(args, { dir: { type: 'string' }, hub: { type: 'string' }, github: { type: 'string' }, catalogue: { type: 'string' } }, { least: 1, most: 1, names: 'ID[/VARIANT]' });
    const directory = resolve(io.cwd, given.required('dir'));
    const servers = { ...address(given, 'hub'), ...address(given, 'github') };
    const wanted = given.positionals[0] ?? '';
    const choices = variantsOf(readCatalogue(given, io)).filter(({ id, model }) => id === wanted || model.id === wanted);
    if (choices.length === 0) throw new ModelError('model-unknown', `the catalogue has no "${wanted}"; see anamnesis models list.`, { modelId: wanted });
    for (const choice of choices) {
      const manifest = await manifestFromHub(choice.model, choice.variant, servers);
      await pull(choice, manifest, join(directory, choice.model.id, choice.variant.id), io);
      addToIndex(directory, choice.id, io);
      io.out(`${choice.id}: ${String(manifest.files.length)} files, ${megabytes(total(manifest))}, ${choice.model.licence}`);
    }
    io.out(`written below ${relative(io.cwd, directory) || '.'}`);
    return 0;
  },
};

function address(given: Arguments, flag: 'hub' | 'github'): { hub?: URL; github?: URL } {
  const text = given.text(flag);
  if (text === undefined) return {};
  if (!/^https?:/i.test(text) || !URL.canParse(text)) throw new UsageError(`--${flag} is an address that begins with https:// or http://`);
  return { [flag]: new URL(text.endsWith('/') ? text : `${text}/`) };
}

/** Fetches a variant into its directory and writes its manifest last: a directory that has one is whole. */
async function pull({ id }: Choice, manifest: ModelManifest, directory: string, io: CommandIo): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new CommandError('file-unwritable', `${directory} cannot be made (${error instanceof Error && 'code' in error ? String(error.code) : 'it failed'}).`);
  }
  const store = new ModelDirectory(directory, manifest);
  // Every file of a hub has an address of its own.
  await fetchFiles({ manifest, base: new URL('https://mirror.invalid/'), store, onProgress: progressLines(id, io) });
  const files: ModelFile[] = [];
  for (const file of manifest.files) {
    const { path, bytes, digest } = file;
    files.push({ path, bytes, digest: digest.startsWith('sha256:') ? digest : await digestOfFile(store.at(file), 'sha256:') });
  }
  writeJson(join(directory, 'manifest.json'), { ...manifest, files });
}

/** A line to standard error whenever another tenth has come. */
function progressLines(id: string, io: CommandIo): (progress: ModelProgress) => void {
  let told = -1;
  return ({ loadedBytes, totalBytes }) => {
    const step = Math.floor((loadedBytes / totalBytes) * (100 / STEP_PERCENT));
    if (step <= told) return;
    told = step;
    io.err(`${id}: ${String(step * STEP_PERCENT)} % of ${megabytes(totalBytes)}`);
  };
}

const total = (manifest: ModelManifest): number => manifest.files.reduce((sum, file) => sum + file.bytes, 0);
