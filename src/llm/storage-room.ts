import { ModelError } from '../errors/model-error.js';
import type { ModelManifest } from './catalogue.js';
import { distinctFiles } from './model-manifest.js';
import type { SpillingStore } from './spilling-store.js';

/** What a browser tells of the room on its device; each part may be missing. */
export interface DeviceRoom {
  readonly storage?: { estimate?(): Promise<StorageEstimate> };
  /** GiB, rounded, at most 8. */
  readonly deviceMemory?: number;
}

const SPARE = 1.05;
const GIBIBYTE = 2 ** 30;
/** Where the browser does not say. */
const USUAL_GIBIBYTES = 4;
/** Files in memory may take so much of it: the model that is made of them needs the rest. */
const MEMORY_SHARE = 0.5;

/**
 * Looks, before anything is fetched, whether what is missing of a model can be kept; where the browser grants too little,
 * the rest goes to memory.
 * @throws {ModelError} quota-exceeded where memory has no room for it either
 */
export async function chooseRoom(manifest: ModelManifest, store: SpillingStore, room: DeviceRoom): Promise<void> {
  let missingBytes = 0;
  for (const file of distinctFiles(manifest)) missingBytes += Math.max(0, file.bytes - (await store.storedBytes(file.digest)));
  const requiredBytes = Math.ceil(missingBytes * SPARE);
  if (store.keeps && requiredBytes <= (await freeBytes(room))) return;
  if (missingBytes > (room.deviceMemory ?? USUAL_GIBIBYTES) * GIBIBYTE * MEMORY_SHARE) {
    throw new ModelError('quota-exceeded', `The model needs ${String(requiredBytes)} more bytes, which neither storage nor memory has; free some space on the device.`, { modelId: manifest.id.split('/')[0] ?? '', requiredBytes });
  }
  store.stopKeeping();
}

/** Bytes that may still be stored; infinite where the browser does not say, since writing will show. */
async function freeBytes(room: DeviceRoom): Promise<number> {
  try {
    const { quota, usage } = (await room.storage?.estimate?.()) ?? {};
    return quota === undefined ? Infinity : quota - (usage ?? 0);
  } catch {
    return Infinity;
  }
}
