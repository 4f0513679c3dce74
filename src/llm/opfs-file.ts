import { type PartialFile, piecesOf } from './file-store.js';

const PIECE_BYTES = 2 ** 20;

/** Of `createSyncAccessHandle`, which TypeScript lists for workers alone. */
export interface SyncHandle {
  getSize(): number;
  read(bytes: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(bytes: number): void;
  flush(): void;
  close(): void;
}

/** Written in place, so that what came before a crash is kept. */
export class SyncFile implements PartialFile {
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
export class StreamFile implements PartialFile {
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

/** Runs at once, and turns what it throws into a rejection. */
function attempt(action: () => void): Promise<void> {
  return new Promise((resolve) => {
    action();
    resolve();
  });
}
