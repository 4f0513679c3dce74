import { type FileStore, type HeldFiles, MemoryStore, type PartialFile } from './file-store.js';

/**
 * Files that are kept on the device as far as it has room, and in memory beyond. Where a file cannot be kept any further,
 * what there is of it moves to memory and goes on there, unnoticed by whoever writes it; the room it took is free again.
 */
export class SpillingStore implements FileStore {
  readonly #kept: FileStore | undefined;
  readonly #memory: MemoryStore;
  #writesKept: boolean;

  /**
   * @param kept undefined: everything in memory
   * @param options.keep false: files already kept are used, new ones go to memory
   */
  constructor(kept: FileStore | undefined, held: HeldFiles | undefined, options: { readonly keep: boolean }) {
    this.#kept = kept;
    this.#memory = new MemoryStore(held);
    this.#writesKept = kept !== undefined && options.keep;
  }

  /** Whether new files outlive the page. */
  get keeps(): boolean {
    return this.#writesKept;
  }

  /** What is in memory. */
  get held(): HeldFiles {
    return this.#memory.held;
  }

  /** From now on new files go to memory. */
  stopKeeping(): void {
    this.#writesKept = false;
  }

  async storedBytes(digest: string): Promise<number> {
    return Math.max((await this.#kept?.storedBytes(digest)) ?? 0, await this.#memory.storedBytes(digest));
  }

  async open(digest: string, bytes: number): Promise<Blob | undefined> {
    return (await this.#kept?.open(digest, bytes)) ?? (await this.#memory.open(digest, bytes));
  }

  async append(digest: string): Promise<PartialFile> {
    const kept = this.#kept;
    const memory = await this.#memory.append(digest);
    if (kept === undefined || memory.bytes > 0) return memory;
    const before = await kept.storedBytes(digest);
    if (!this.#writesKept && before === 0) return memory;
    let file: PartialFile;
    try {
      file = await kept.append(digest);
    } catch {
      // Another tab writes it, or there is no room for so much as its name.
      return memory;
    }
    const spill = async (): Promise<PartialFile> => {
      // A stream that broke cannot be closed, and leaves what was there before it.
      await file.close().catch(() => undefined);
      const written = await kept.append(digest);
      for await (const piece of written.read()) await memory.write(piece);
      await written.close();
      await kept.remove(digest);
      return memory;
    };
    return this.#writesKept ? new SpillingFile(file, spill, () => this.stopKeeping()) : spill();
  }

  async remove(digest: string): Promise<void> {
    await this.#kept?.remove(digest);
    await this.#memory.remove(digest);
  }

  async clear(): Promise<void> {
    await this.#kept?.clear();
    await this.#memory.clear();
  }
}

class SpillingFile implements PartialFile {
  #file: PartialFile;
  readonly #spill: () => Promise<PartialFile>;
  readonly #onSpill: () => void;

  constructor(file: PartialFile, spill: () => Promise<PartialFile>, onSpill: () => void) {
    this.#file = file;
    this.#spill = spill;
    this.#onSpill = onSpill;
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  read(): AsyncIterable<Uint8Array> {
    return this.#file.read();
  }

  async write(chunk: Uint8Array): Promise<void> {
    try {
      await this.#file.write(chunk);
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error;
      this.#onSpill();
      const before = this.#file.bytes;
      this.#file = await this.#spill();
      if (this.#file.bytes !== before) throw error;
      await this.#file.write(chunk);
    }
  }

  empty(): Promise<void> {
    return this.#file.empty();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  finish(): Promise<void> {
    return this.#file.finish();
  }
}

/** Browsers have had it as a `DOMException` and as a class of its own. */
function isQuotaExceeded(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
