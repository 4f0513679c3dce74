import { ModelError } from '../errors/model-error.js';
import type { ModelManifest } from './catalogue.js';
import { DownloadJob, type DownloadProgress, type StoredModel } from './download-job.js';
import { MemoryStore } from './file-store.js';
import { forgetModel, isWhole, listWhole } from './kept-models.js';
import { openOriginStore, removeOriginStore } from './opfs-store.js';

export type { DownloadProgress, StoredModel };

export interface DownloadOptions {
  readonly manifest: ModelManifest;
  /** The model's own directory, ending in a slash; not asked for files that have addresses of their own. */
  readonly base: URL;
  /** Keep the files on this device for the next visit, as far as it has room. False: nothing new is stored. */
  readonly keep: boolean;
  /** Directory of the workers' scripts. @default beside this module */
  readonly workerBase?: URL;
  /** Stops (a pause): rejects at once, and what was fetched stays. Call again to go on. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** Tells other tabs that files are being deleted, so that none goes on writing them. */
const CHANNEL = 'anamnesis-models';
interface Deletion {
  /** Of a model; all where left out. */
  readonly id?: string;
}
const LOCKED_TRIES = 30;
const LOCKED_PAUSE_MS = 100;

const jobs = new Map<string, DownloadJob>();
/** Files that could not be, or were not to be, kept on the device: they last as long as the page. */
const memory = new MemoryStore();
let channel: BroadcastChannel | undefined;

/**
 * Fetches what is missing of a model in a worker, verifies it, and keeps it. Two calls for one model share one download:
 * the first one's `base` and `keep` count. Where the device has no room, or the browser refuses storage, the files are held
 * in memory (`kept` is false).
 * @throws {ModelError} download-failed, file-replaced, integrity-mismatch, quota-exceeded, runtime-failed
 */
export async function downloadModel(options: DownloadOptions): Promise<StoredModel> {
  const { manifest, signal } = options;
  signal?.throwIfAborted();
  const name = JSON.stringify([manifest.id, manifest.files.map((file) => file.digest)]);
  for (let before = jobs.get(name); before?.isStopping === true; before = jobs.get(name)) {
    await before.ended;
    signal?.throwIfAborted();
  }
  const job = jobs.get(name) ?? startJob(name, options);
  return job.join(signal, options.onProgress);
}

function startJob(name: string, { manifest, base, keep, workerBase }: DownloadOptions): DownloadJob {
  listen();
  const digests = manifest.files.map((file) => file.digest);
  const job = new DownloadJob({ manifest, base, keep, workerBase, held: memory.held, onHeld: (held) => memory.takeOver(held, digests) });
  jobs.set(name, job);
  void job.ended.then(() => {
    jobs.delete(name);
    if (jobs.size > 0) return;
    channel?.close();
    channel = undefined;
  });
  return job;
}

/** While something is fetched, another tab's deletion stops it. */
function listen(): void {
  if (channel !== undefined || !('BroadcastChannel' in globalThis)) return;
  channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', (event: MessageEvent<Deletion>) => void stopJobs(event.data.id));
}

/** Bytes of a model that are here, whole or in part, on the device and in memory. */
export async function storedBytes(manifest: ModelManifest): Promise<number> {
  const origin = await openOriginStore({ create: false });
  let bytes = 0;
  for (const file of manifest.files) bytes += Math.min(file.bytes, Math.max((await origin?.storedBytes(file.digest)) ?? 0, await memory.storedBytes(file.digest)));
  return bytes;
}

/** A model that is here whole; undefined where a file is missing. Asks nothing of any network. */
export async function openStored(manifest: ModelManifest): Promise<StoredModel | undefined> {
  const origin = await openOriginStore({ create: false });
  const files = new Map<string, Blob>();
  for (const file of manifest.files) {
    const blob = (await origin?.open(file.digest, file.bytes)) ?? (await memory.open(file.digest, file.bytes));
    if (blob === undefined) return undefined;
    files.set(file.path, blob);
  }
  return { files, kept: origin !== undefined && (await isWhole(origin, manifest)) };
}

/** Models that are whole on this device. Asks nothing of any network. */
export async function listStored(): Promise<readonly ModelManifest[]> {
  const origin = await openOriginStore({ create: false });
  return origin === undefined ? [] : listWhole(origin);
}

/**
 * Deletes a model, and stops its downloads in every tab. Files that another kept model has too stay.
 * @throws {ModelError} in-use-elsewhere where another tab does not let go of a file
 */
export async function deleteModel(manifest: ModelManifest): Promise<void> {
  await stopEverywhere(manifest.id);
  for (const file of manifest.files) await memory.remove(file.digest);
  const origin = await openOriginStore({ create: false });
  if (origin !== undefined) await onceFree(() => forgetModel(origin, manifest));
}

/**
 * Deletes every model of this origin, and stops downloads in every tab.
 * @throws {ModelError} in-use-elsewhere where another tab does not let go of a file
 */
export async function deleteModels(): Promise<void> {
  await stopEverywhere(undefined);
  await memory.clear();
  await onceFree(removeOriginStore);
}

async function stopEverywhere(id: string | undefined): Promise<void> {
  if ('BroadcastChannel' in globalThis) {
    const others = new BroadcastChannel(CHANNEL);
    others.postMessage({ ...(id === undefined ? {} : { id }) } satisfies Deletion);
    others.close();
  }
  await stopJobs(id);
}

async function stopJobs(id: string | undefined): Promise<void> {
  const ours = [...jobs].filter(([name]) => id === undefined || (JSON.parse(name) as readonly unknown[])[0] === id).map(([, job]) => job);
  for (const job of ours) job.stop(new DOMException('The model was deleted.', 'AbortError'));
  await Promise.all(ours.map((job) => job.ended));
}

/** Another tab may need a moment to let go of a file. */
async function onceFree(action: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NoModificationAllowedError')) throw error;
      if (tries === LOCKED_TRIES) throw new ModelError('in-use-elsewhere', 'Another tab writes a file of the model; close it and delete again.', { cause: error, retryable: true });
      await new Promise((resolve) => setTimeout(resolve, LOCKED_PAUSE_MS));
    }
  }
}
