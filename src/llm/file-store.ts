/**
 * Port to where files of models lie, each under its digest. A whole file is one that was verified: it gets its name by
 * `PartialFile.finish` alone, so that what is there can be told from the files themselves.
 */
export interface FileStore {
  /** Bytes there of a file, whole or in part; 0: none. */
  storedBytes(digest: string): Promise<number>;
  /** The whole file; undefined where it is not there, or not `bytes` long. It is read from the store as it is used. */
  open(digest: string, bytes: number): Promise<Blob | undefined>;
  /** Opens the part of a file that is there, for more to come. One writer a file: close it before the next. */
  append(digest: string): Promise<PartialFile>;
  /** Drops a file, whole or in part. */
  remove(digest: string): Promise<void>;
  /** Drops everything. */
  clear(): Promise<void>;
}

/** The beginning of a file, being written. */
export interface PartialFile {
  /** Bytes so far. */
  readonly bytes: number;
  /** What is there, from the start, in pieces, each to be used before the next is taken. */
  read(): AsyncIterable<Uint8Array>;
  /** Adds bytes at the end. The array may be used again afterwards. */
  write(chunk: Uint8Array): Promise<void>;
  /** Begins the file anew. */
  empty(): Promise<void>;
  /** Lets go of it; what was written stays. May be called twice, and after `finish`. */
  close(): Promise<void>;
  /** Closes it and makes it a whole file. The caller has verified it. */
  finish(): Promise<void>;
}

/** Files in memory by digest, as they pass between page and worker. */
export interface HeldFiles {
  readonly whole: ReadonlyMap<string, Blob>;
  readonly parts: ReadonlyMap<string, Blob>;
}

/** Chunks are put into a blob, which browsers may keep on disk, once they are so many bytes together. */
const GATHERED_BYTES = 8 * 2 ** 20;

/** Files in memory, gone with the page. */
export class MemoryStore implements FileStore {
  readonly #whole: Map<string, Blob>;
  readonly #parts: Map<string, Blob>;

  constructor(held: HeldFiles = { whole: new Map(), parts: new Map() }) {
    this.#whole = new Map(held.whole);
    this.#parts = new Map(held.parts);
  }

  get held(): HeldFiles {
    return { whole: this.#whole, parts: this.#parts };
  }

  /** Takes over from a copy of this store what became of some files. */
  takeOver(held: HeldFiles, digests: readonly string[]): void {
    for (const digest of digests) {
      for (const [ours, theirs] of [[this.#whole, held.whole], [this.#parts, held.parts]] as const) {
        const blob = theirs.get(digest);
        if (blob === undefined) ours.delete(digest);
        else ours.set(digest, blob);
      }
    }
  }

  storedBytes(digest: string): Promise<number> {
    return Promise.resolve((this.#whole.get(digest) ?? this.#parts.get(digest))?.size ?? 0);
  }

  open(digest: string, bytes: number): Promise<Blob | undefined> {
    const whole = this.#whole.get(digest);
    return Promise.resolve(whole?.size === bytes ? whole : undefined);
  }

  append(digest: string): Promise<PartialFile> {
    return Promise.resolve(
      new MemoryFile(
        this.#parts.get(digest) ?? new Blob([]),
        (part) => void this.#parts.set(digest, part),
        (whole) => {
          this.#parts.delete(digest);
          this.#whole.set(digest, whole);
        },
      ),
    );
  }

  remove(digest: string): Promise<void> {
    this.#parts.delete(digest);
    this.#whole.delete(digest);
    return Promise.resolve();
  }

  clear(): Promise<void> {
    this.#parts.clear();
    this.#whole.clear();
    return Promise.resolve();
  }
}

class MemoryFile implements PartialFile {
  readonly #keep: (part: Blob) => void;
  readonly #keepWhole: (whole: Blob) => void;
  #blob: Blob;
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #gathered = 0;
  #isDone = false;

  constructor(blob: Blob, keep: (part: Blob) => void, keepWhole: (whole: Blob) => void) {
    this.#blob = blob;
    this.#keep = keep;
    this.#keepWhole = keepWhole;
  }

  get bytes(): number {
    return this.#blob.size + this.#gathered;
  }

  read(): AsyncIterable<Uint8Array> {
    this.#gather();
    return piecesOf(this.#blob);
  }

  write(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(new Uint8Array(chunk));
    this.#gathered += chunk.length;
    if (this.#gathered >= GATHERED_BYTES) this.#gather();
    return Promise.resolve();
  }

  empty(): Promise<void> {
    this.#chunks = [];
    this.#gathered = 0;
    this.#blob = new Blob([]);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#isDone) return Promise.resolve();
    this.#isDone = true;
    this.#gather();
    this.#keep(this.#blob);
    return Promise.resolve();
  }

  finish(): Promise<void> {
    this.#isDone = true;
    this.#gather();
    this.#keepWhole(this.#blob);
    return Promise.resolve();
  }

  #gather(): void {
    if (this.#chunks.length === 0) return;
    this.#blob = new Blob([this.#blob, ...this.#chunks]);
    this.#chunks = [];
    this.#gathered = 0;
  }
}

/** A blob from its start, in pieces of at most some megabytes. */
export async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let from = 0; from < blob.size; from += GATHERED_BYTES) yield new Uint8Array(await blob.slice(from, from + GATHERED_BYTES).arrayBuffer());
}
