import type { ModelManifest } from './catalogue.js';
import { distinctFiles, parseModelManifest } from './model-manifest.js';
import type { OriginStore } from './opfs-store.js';

/** What is needed of the store in which models are kept. */
export type KeptFiles = Pick<OriginStore, 'open' | 'remove' | 'texts' | 'readText' | 'writeText' | 'removeText'>;

/** Ids hold no plus sign. */
const nameOf = (id: string): string => `${id.replace('/', '+')}.json`;

/** Keeps the manifest of a model whose files are kept, and drops files that an earlier one of the same id alone named. */
export async function keepManifest(store: KeptFiles, manifest: ModelManifest): Promise<void> {
  const earlier = await readManifest(store, nameOf(manifest.id));
  await store.writeText(nameOf(manifest.id), JSON.stringify(manifest));
  if (earlier !== undefined) await dropUnnamed(store, earlier);
}

/** Manifests of models of which every file is there. */
export async function listWhole(store: KeptFiles): Promise<readonly ModelManifest[]> {
  const whole: ModelManifest[] = [];
  for (const manifest of await listManifests(store)) if (await isWhole(store, manifest)) whole.push(manifest);
  return whole;
}

/** Whether every file of a model is there. */
export async function isWhole(store: Pick<KeptFiles, 'open'>, manifest: ModelManifest): Promise<boolean> {
  for (const file of manifest.files) if ((await store.open(file.digest, file.bytes)) === undefined) return false;
  return true;
}

/** Drops a model, also where only a part of it is there; files that another kept model has too stay. */
export async function forgetModel(store: KeptFiles, manifest: ModelManifest): Promise<void> {
  const kept = await readManifest(store, nameOf(manifest.id));
  await store.removeText(nameOf(manifest.id));
  await dropUnnamed(store, manifest);
  if (kept !== undefined) await dropUnnamed(store, kept);
}

async function dropUnnamed(store: KeptFiles, manifest: ModelManifest): Promise<void> {
  const named = new Set((await listManifests(store)).flatMap((one) => one.files.map((file) => file.digest)));
  for (const file of distinctFiles(manifest)) if (!named.has(file.digest)) await store.remove(file.digest);
}

async function listManifests(store: KeptFiles): Promise<readonly ModelManifest[]> {
  const manifests: ModelManifest[] = [];
  for (const name of await store.texts()) {
    const manifest = await readManifest(store, name);
    if (manifest !== undefined) manifests.push(manifest);
  }
  return manifests;
}

/** Undefined where there is none, or one that cannot be read: its model is then fetched anew. */
async function readManifest(store: KeptFiles, name: string): Promise<ModelManifest | undefined> {
  const text = await store.readText(name);
  if (text === undefined) return undefined;
  try {
    return parseModelManifest(text);
  } catch {
    return undefined;
  }
}
