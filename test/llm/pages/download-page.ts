import { isAnamnesisError } from '../../../src/errors/anamnesis-error.js';
import type { ModelManifest } from '../../../src/llm/catalogue.js';
import { digestOf } from '../../../src/llm/digest.js';
import { deleteModel, deleteModels, downloadModel, type DownloadProgress, listStored, openStored, type StoredModel, storedBytes } from '../../../src/llm/download.js';
import { piecesOf } from '../../../src/llm/file-store.js';
import { openOriginStore } from '../../../src/llm/opfs-store.js';

/** How a download ended, in a form that crosses to the test. */
export type PageOutcome = { readonly digests: Readonly<Record<string, string>>; readonly kept: boolean } | { readonly failed: string; readonly file: string; readonly requiredBytes: number };

export interface PageDownload {
  readonly base: string;
  readonly keep: boolean;
  readonly workerBase?: string;
  /** Stops by itself once so many bytes are there. */
  readonly stopAt?: number;
}

interface Running {
  readonly stop: AbortController;
  readonly progress: DownloadProgress[];
  readonly outcome: Promise<PageOutcome>;
}

const running = new Map<string, Running>();

async function outcomeOf(model: Promise<StoredModel>): Promise<PageOutcome> {
  try {
    const { files, kept } = await model;
    const digests: Record<string, string> = {};
    for (const [path, blob] of files) digests[path] = await digestOf(blob, `sha256:${'0'.repeat(64)}`);
    return { digests, kept };
  } catch (error) {
    if (isAnamnesisError(error)) {
      const { file = '', requiredBytes = 0 } = error as { readonly file?: string; readonly requiredBytes?: number };
      return { failed: error.code, file, requiredBytes };
    }
    return { failed: error instanceof Error ? error.name : 'unknown', file: '', requiredBytes: 0 };
  }
}

/** Begins a download under a name. */
function start(name: string, manifest: ModelManifest, { base, keep, workerBase = '/chunks/', stopAt }: PageDownload): void {
  const stop = new AbortController();
  const progress: DownloadProgress[] = [];
  const model = downloadModel({
    manifest,
    base: new URL(base),
    keep,
    workerBase: new URL(workerBase, location.href),
    signal: stop.signal,
    onProgress: (one) => {
      progress.push(one);
      if (stopAt !== undefined && one.loadedBytes >= stopAt) stop.abort();
    },
  });
  running.set(name, { stop, progress, outcome: outcomeOf(model) });
}

async function folder(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle('anamnesis-models-1');
}

/** Names in the folder of models, sorted; none where there is no folder. */
async function names(): Promise<string[]> {
  try {
    const found: string[] = [];
    for await (const name of (await folder()).keys()) found.push(name);
    return found.sort();
  } catch {
    return [];
  }
}

/** Writes a file in two goes with the page's own means, which are not those of a worker. */
async function writeInPage(digest: string): Promise<{ readonly between: number; readonly readBack: number[]; readonly whole: string | undefined }> {
  const store = (await openOriginStore({ create: true }))!;
  const first = await store.append(digest);
  await first.write(new Uint8Array([1, 2, 3]));
  await first.close();
  const between = await store.storedBytes(digest);
  const second = await store.append(digest);
  const readBack: number[] = [];
  for await (const piece of second.read()) readBack.push(...piece);
  await second.write(new Uint8Array([4, 5]));
  await second.finish();
  const blob = await store.open(digest, 5);
  const bytes: number[] = [];
  if (blob !== undefined) for await (const piece of piecesOf(blob)) bytes.push(...piece);
  return { between, readBack, whole: bytes.join() };
}

const api = {
  start,
  stop: (name: string) => running.get(name)!.stop.abort(),
  progress: (name: string) => running.get(name)!.progress,
  outcome: (name: string) => running.get(name)!.outcome,
  stored: storedBytes,
  open: async (manifest: ModelManifest) => {
    const model = await openStored(manifest);
    return model === undefined ? null : outcomeOf(Promise.resolve(model));
  },
  list: async () => (await listStored()).map((one) => one.id),
  remove: deleteModel,
  removeAll: deleteModels,
  names,
  removeFile: async (name: string) => (await folder()).removeEntry(name),
  truncateFile: async (name: string, bytes: number) => {
    const stream = await (await (await folder()).getFileHandle(name)).createWritable({ keepExistingData: true });
    await stream.truncate(bytes);
    await stream.close();
  },
  writeInPage,
};
export type DownloadApi = typeof api;
Object.assign(globalThis, { downloads: api });
