import { type FileStore, type PartialFile, piecesOf } from './file-store.js';

const FOLDER = 'anamnesis-models-1';
const PART = '.part';
const PIECE_BYTES = 2 ** 20;

/** What browsers have beyond TypeScript's list of the page's own: the first in workers alone. */
interface OriginFile extends FileSystemFileHandle {
  createSyncAccessHandle?(): Promise<SyncHandle>;
  move?(name: string): Promise<void>;
}

interface SyncHandle {
  getSize(): number;
  read(bytes: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(bytes: number): void;
  flush(): void;
  close(): void;
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

/** Written in place, so that what came before a crash is kept. */
class SyncFile implements PartialFile {
  readonly #handle: SyncHandle;
  readonly #rename: () => Promise<void>;
  #bytes: number;
  #isOpen = true;

  constructor(handle: SyncHandle, rename: () => Promise<void>) {
    this.#handle = handle;
    this.#rename = rename;
    this.#bytes = handle.getSize();
  }

  get bytes(): number {
    return this.#bytes;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    const piece = new Uint8Array(PIECE_BYTES);
    for (let from = 0; from < this.#bytes; ) {
      const count = await Promise.resolve(this.#handle.read(piece, { at: from }));
      if (count === 0) return;
      yield piece.subarray(0, count);
      from += count;
    }
  }

  write(chunk: Uint8Array): Promise<void> {
    return attempt(() => {
      for (let from = 0; from < chunk.length; ) {
        const rest = chunk.subarray(from);
        const written = this.#handle.write(rest, { at: this.#bytes + from });
        // Where no room is left, Chromium 147 returns a negative error number as an unsigned one and does not throw.
        if (!(written > 0 && written <= rest.length)) throw new DOMException('Nothing more can be written.', 'QuotaExceededError');
        from += written;
      }
      this.#bytes += chunk.length;
    });
  }

  empty(): Promise<void> {
    return attempt(() => {
      this.#handle.truncate(0);
      this.#bytes = 0;
    });
  }

  close(): Promise<void> {
    return attempt(() => {
      if (!this.#isOpen) return;
      this.#isOpen = false;
      try {
        // What a refused write left behind is no part of the file.
        this.#handle.truncate(this.#bytes);
        this.#handle.flush();
      } finally {
        this.#handle.close();
      }
    });
  }

  async finish(): Promise<void> {
    await this.close();
    await this.#rename();
  }
}

/** For where there is no handle to write in place: what was written counts from `close` on. */
class StreamFile implements PartialFile {
  readonly #stream: FileSystemWritableFileStream;
  readonly #before: File;
  readonly #rename: () => Promise<void>;
  #bytes: number;
  #isOpen = true;

  constructor(stream: FileSystemWritableFileStream, before: File, rename: () => Promise<void>) {
    this.#stream = stream;
    this.#before = before;
    this.#rename = rename;
    this.#bytes = before.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  read(): AsyncIterable<Uint8Array> {
    if (this.#bytes !== this.#before.size) throw new RangeError('What a stream has written cannot be read before it is closed.');
    return piecesOf(this.#before);
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#stream.write({ type: 'write', position: this.#bytes, data: new Uint8Array(chunk) });
    this.#bytes += chunk.length;
  }

  async empty(): Promise<void> {
    await this.#stream.truncate(0);
    this.#bytes = 0;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#stream.close();
  }

  async finish(): Promise<void> {
    await this.close();
    await this.#rename();
  }
}

const nameOf = (digest: string): string => digest.replace(':', '-');

/** Runs at once, and turns what it throws into a rejection. */
function attempt(action: () => void): Promise<void> {
  return new Promise((resolve) => {
    action();
    resolve();
  });
}

async function ignoreMissing(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
  }
}
