import { ModelError } from '../errors/model-error.js';
import type { DownloadFailure, DownloadOrder, DownloadReport } from './download-protocol.js';
import { fetchFiles } from './fetch-files.js';
import { isWhole, keepManifest } from './kept-models.js';
import type { ModelProgress } from './language-model.js';
import { openOriginStore } from './opfs-store.js';
import { SpillingStore } from './spilling-store.js';
import { chooseRoom } from './storage-room.js';
import { type Hello, PROTOCOL } from './worker-start.js';

const PROGRESS_MS = 100;

const stop = new AbortController();
const post = (message: DownloadReport | Hello): void => globalThis.postMessage(message);

globalThis.addEventListener('message', (event: MessageEvent<DownloadOrder>) => {
  if (event.data.type === 'stop') stop.abort(new DOMException('Stopped.', 'AbortError'));
  else void download(event.data);
});
post({ type: 'hello', protocol: PROTOCOL });

async function download({ manifest, base, keep, held }: DownloadOrder & { type: 'download' }): Promise<void> {
  // Without leave to keep anything, no folder is made.
  const origin = await openOriginStore({ create: keep });
  const store = new SpillingStore(origin, held, { keep });
  const tellWaiting = async (): Promise<void> => {
    let [loadedBytes, totalBytes] = [0, 0];
    for (const file of manifest.files) {
      loadedBytes += Math.min(file.bytes, await store.storedBytes(file.digest));
      totalBytes += file.bytes;
    }
    post({ type: 'waiting', loadedBytes, totalBytes });
  };
  try {
    await alone(store.keeps ? `anamnesis-download-${manifest.id}` : undefined, tellWaiting, async () => {
      await chooseRoom(manifest, store, globalThis.navigator);
      const files = await fetchFiles({ manifest, base: new URL(base), store, signal: stop.signal, onProgress: throttled((progress) => post({ type: 'progress', ...progress })) });
      const kept = origin !== undefined && (await isWhole(origin, manifest));
      // A model that is not listed for want of room is still found by whoever has its manifest.
      if (kept && keep) await keepManifest(origin, manifest).catch(() => undefined);
      post({ type: 'done', files, kept, held: store.held });
    });
  } catch (error) {
    post(stop.signal.aborted ? { type: 'stopped', held: store.held } : { type: 'failed', failure: failureOf(error, manifest.id), held: store.held });
  }
}

/** Runs under a lock of this origin, so that one tab at a time fetches what the others then find. */
async function alone(name: string | undefined, onWaiting: () => Promise<void>, action: () => Promise<void>): Promise<void> {
  const locks = (globalThis.navigator as Partial<Navigator>).locks;
  if (name === undefined || locks === undefined) return action();
  const wasFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await action();
    return lock !== null;
  });
  if (wasFree) return;
  await onWaiting();
  await locks.request(name, { signal: stop.signal }, action);
}

/** Tells at most so often, and always the latest in the end. */
function throttled(tell: (progress: ModelProgress) => void): (progress: ModelProgress) => void {
  let latest: ModelProgress | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    if (latest !== undefined) {
      tell(latest);
      latest = undefined;
      timer = setTimeout(flush, PROGRESS_MS);
    }
  };
  return (progress) => {
    latest = progress;
    if (timer === undefined || progress.loadedBytes === progress.totalBytes) {
      clearTimeout(timer);
      flush();
    }
  };
}

function failureOf(error: unknown, id: string): DownloadFailure {
  if (error instanceof ModelError) return { code: error.code, message: error.message, modelId: error.modelId, file: error.file, requiredBytes: error.requiredBytes, retryable: error.retryable };
  const name = error instanceof Error ? error.name : 'unknown';
  return { code: 'download-failed', message: `The files could not be stored (${name}); try again.`, modelId: id.split('/')[0] ?? '', file: undefined, requiredBytes: undefined, retryable: true };
}
