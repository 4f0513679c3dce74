import type { FileStore, PartialFile } from './file-store.js';
import { StreamFile, SyncFile, type SyncHandle } from './opfs-file.js';

const FOLDER = 'anamnesis-models-1';
const PART = '.part';

/** What browsers have beyond TypeScript's list of the page's own: the first in workers alone. */
interface OriginFile extends FileSystemFileHandle {
  createSyncAccessHandle?(): Promise<SyncHandle>;
  move?(name: string): Promise<void>;
}

/**
 * Opens the folder of models in the browser's storage for this origin.
 * @returns undefined where the browser refuses it (private mode, a page over plain http, an old browser), or where it is not there and not to be made
 */
export async function openOriginStore(options: { readonly create: boolean }): Promise<OriginStore | undefined> {
  try {
    if (!('move' in globalThis.FileSystemFileHandle.prototype)) return undefined;
    const root = await globalThis.navigator.storage.getDirectory();
    return new OriginStore(await root.getDirectoryHandle(FOLDER, { create: options.create }));
  } catch {
    return undefined;
  }
}

/** Drops the folder of models, with everything in it. */
export async function removeOriginStore(): Promise<void> {
  const storage = (globalThis.navigator as Partial<Navigator> | undefined)?.storage as Partial<StorageManager> | undefined;
  if (storage?.getDirectory === undefined) return;
  let root: FileSystemDirectoryHandle;
  try {
    root = await storage.getDirectory();
  } catch {
    // Storage is refused: there is nothing in it.
    return;
  }
  await ignoreMissing(root.removeEntry(FOLDER, { recursive: true }));
}

/** Files in the browser's private file system: a file `sha256-<hex>` each, with `.part` while it is not whole. Beside them small texts. */
export class OriginStore implements FileStore {
  readonly #folder: FileSystemDirectoryHandle;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  async storedBytes(digest: string): Promise<number> {
    return ((await this.#file(nameOf(digest))) ?? (await this.#file(nameOf(digest) + PART)))?.size ?? 0;
  }

  async open(digest: string, bytes: number): Promise<Blob | undefined> {
    const file = await this.#file(nameOf(digest));
    return file?.size === bytes ? file : undefined;
  }

  append(digest: string): Promise<PartialFile> {
    return this.#append(nameOf(digest));
  }

  async remove(digest: string): Promise<void> {
    await ignoreMissing(this.#folder.removeEntry(nameOf(digest)));
    await ignoreMissing(this.#folder.removeEntry(nameOf(digest) + PART));
  }

  async clear(): Promise<void> {
    for (const name of await this.#names()) await ignoreMissing(this.#folder.removeEntry(name));
  }

  /** Names of the texts. */
  async texts(): Promise<readonly string[]> {
    return (await this.#names()).filter((name) => name.endsWith('.json'));
  }

  async readText(name: string): Promise<string | undefined> {
    return (await this.#file(name))?.text();
  }

  /** @param name ends in `.json` */
  async writeText(name: string, text: string): Promise<void> {
    const file = await this.#append(name);
    try {
      await file.empty();
      await file.write(new TextEncoder().encode(text));
      await file.finish();
    } finally {
      await file.close();
    }
  }

  async removeText(name: string): Promise<void> {
    await ignoreMissing(this.#folder.removeEntry(name));
  }

  async #append(name: string): Promise<PartialFile> {
    const handle = (await this.#folder.getFileHandle(name + PART, { create: true })) as OriginFile;
    const finish = async (): Promise<void> => {
      // A file of this name is not as long as it should be, else nothing would be fetched.
      await ignoreMissing(this.#folder.removeEntry(name));
      await handle.move?.(name);
    };
    if (handle.createSyncAccessHandle !== undefined) return new SyncFile(await handle.createSyncAccessHandle(), finish);
    return new StreamFile(await handle.createWritable({ keepExistingData: true }), await handle.getFile(), finish);
  }

  async #file(name: string): Promise<File | undefined> {
    try {
      return await (await this.#folder.getFileHandle(name)).getFile();
    } catch {
      return undefined;
    }
  }

  async #names(): Promise<readonly string[]> {
    const names: string[] = [];
    const folder = this.#folder as FileSystemDirectoryHandle & { keys(): AsyncIterableIterator<string> };
    for await (const name of folder.keys()) names.push(name);
    return names;
  }
}

const nameOf = (digest: string): string => digest.replace(':', '-');

async function ignoreMissing(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
  }
}
