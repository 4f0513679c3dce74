import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Embedder } from '../embedding/embedder.js';
import { createTransformersEmbedder, encoderByName, type TransformersLibrary } from '../embedding/transformers-embedder.js';
import { type Arguments, CommandError, type CommandIo, UsageError } from './usage.js';

/** Flags by which a command is given an encoder. */
export const ENCODER_FLAGS = { encoder: { type: 'string' }, 'encoder-files': { type: 'string' }, library: { type: 'string' } } as const;
export const ENCODER_USAGE = `  --encoder NAME       a transformer encoder, in place of the bundle's own
  --encoder-files DIR  directory that holds a directory NAME with its files
  --library DIR        where @huggingface/transformers is installed; default here`;

/** What the library's own loader lets be put in its place. */
interface NodeLibrary extends TransformersLibrary {
  readonly env: TransformersLibrary['env'] & { useCustomCache: boolean; customCache: unknown; fetch: () => Promise<Response> };
}

/**
 * Opens the encoder of a name with the files and the library that a command line gives.
 * @throws {UsageError} without `--encoder-files`
 * @throws {CommandError} install-incomplete without the library, file-unreadable without the directory
 * @throws {StoreError} encoder-unknown, encoder-failed
 */
export async function openEncoder(name: string, given: Arguments, io: CommandIo): Promise<Embedder> {
  const encoder = encoderByName(name);
  const named = given.text('encoder-files');
  if (named === undefined) throw new UsageError('--encoder-files is missing');
  const files = resolve(io.cwd, named);
  if (!existsSync(join(files, encoder.id))) throw new CommandError('file-unreadable', `${named} holds no directory ${encoder.id}; copy the files of ${encoder.repository} into it.`);
  const { library, wasm } = locateLibrary(resolve(io.cwd, given.text('library') ?? '.'));
  return createTransformersEmbedder({ encoder, files: pathToFileURL(files), wasm, library: () => importForNode(library, wasm, join(files, encoder.id)) });
}

/** The library's build for pages, which needs no native code, and the WebAssembly that it brings. */
function locateLibrary(directory: string): { library: string; wasm: URL } {
  try {
    const main = createRequire(join(directory, 'package.json')).resolve('@huggingface/transformers');
    const runtime = createRequire(main).resolve('onnxruntime-web');
    return { library: join(dirname(main), 'transformers.web.js'), wasm: pathToFileURL(dirname(runtime) + sep) };
  } catch {
    throw new CommandError('install-incomplete', '@huggingface/transformers is not installed; run "npm install @huggingface/transformers", or name its place with --library.');
  }
}

/**
 * Imports the library with the runtime of pages and with files in place of fetches. In Node it would look for native code
 * and for paths; it takes both from outside (a global symbol, a cache of one's own).
 */
async function importForNode(library: string, wasm: URL, files: string): Promise<TransformersLibrary> {
  const runtime: unknown = await import(new URL('ort.node.min.mjs', wasm).href);
  Object.assign(globalThis, { [Symbol.for('onnxruntime')]: runtime });
  const { env, pipeline } = (await import(pathToFileURL(library).href)) as NodeLibrary;
  env.useCustomCache = true;
  env.customCache = {
    // Keys are addresses below the directory of the files.
    match: (key: string) => {
      const path = /\/((?:onnx\/)?[\w.-]+)$/.exec(key)?.[1];
      return Promise.resolve(path !== undefined && existsSync(join(files, path)) ? new Response(readFileSync(join(files, path))) : undefined);
    },
    put: () => Promise.resolve(),
  };
  env.fetch = () => Promise.resolve(new Response(null, { status: 404 }));
  return { env, pipeline: (task, model, options) => pipeline(task, model, { ...options, device: 'auto' }) };
}
