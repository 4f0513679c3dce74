import { createHash } from 'node:crypto';
import { copyFileSync, createReadStream, mkdirSync, openAsBlob, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelFile, ModelManifest } from '../llm/catalogue.js';
import type { FileStore, PartialFile } from '../llm/file-store.js';

const PART = '.part';
const PIECE_BYTES = 2 ** 20;

/** Bytes of a file on disk; undefined where there is none. */
export function sizeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : undefined;
}

/** Digest of a file on disk, of the kind that `like` names. */
export async function digestOfFile(path: string, like: string): Promise<string> {
  const isGit = like.startsWith('git-sha1:');
  const hash = createHash(isGit ? 'sha1' : 'sha256');
  if (isGit) hash.update(`blob ${String(statSync(path).size)}\0`);
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) hash.update(piece as Buffer);
  return `${isGit ? 'git-sha1' : 'sha256'}:${hash.digest('hex')}`;
}

/** Files of one model in a directory, under the paths of its manifest; `.part` behind the name of one that is not whole. */
export class ModelDirectory implements FileStore {
  readonly #directory: string;
  readonly #paths = new Map<string, string[]>();
  /** Digests of files that were verified since this was made: what lay there before may have been changed. */
  readonly #verified = new Set<string>();

  constructor(directory: string, manifest: ModelManifest) {
    this.#directory = directory;
    for (const file of manifest.files) this.#paths.set(file.digest, [...(this.#paths.get(file.digest) ?? []), this.at(file)]);
  }

  /** Where a file lies. */
  at(file: ModelFile): string {
    return join(this.#directory, ...file.path.split('/'));
  }

  storedBytes(digest: string): Promise<number> {
    const [path] = this.#pathsOf(digest);
    return Promise.resolve(sizeOf(path) ?? sizeOf(path + PART) ?? 0);
  }

  async open(digest: string, bytes: number): Promise<Blob | undefined> {
    const paths = this.#pathsOf(digest);
    for (const path of paths) {
      if (sizeOf(path) !== bytes) return undefined;
      if (!this.#verified.has(digest) && (await digestOfFile(path, digest)) !== digest) {
        rmSync(path);
        return undefined;
      }
    }
    this.#verified.add(digest);
    return openAsBlob(paths[0]);
  }

  async append(digest: string): Promise<PartialFile> {
    const paths = this.#pathsOf(digest);
    for (const path of paths) mkdirSync(dirname(path), { recursive: true });
    const [first, ...others] = paths;
    return DiskFile.open(first + PART, async () => {
      await rename(first + PART, first);
      for (const other of others) copyFileSync(first, other);
      this.#verified.add(digest);
    });
  }

  remove(digest: string): Promise<void> {
    for (const path of this.#pathsOf(digest)) for (const name of [path, path + PART]) rmSync(name, { force: true });
    return Promise.resolve();
  }

  async clear(): Promise<void> {
    for (const digest of this.#paths.keys()) await this.remove(digest);
  }

  #pathsOf(digest: string): readonly [string, ...string[]] {
    const [first, ...others] = this.#paths.get(digest) ?? [];
    if (first === undefined) throw new RangeError(`no file of this model has the digest ${digest}`);
    return [first, ...others];
  }
}

class DiskFile implements PartialFile {
  readonly #handle: FileHandle;
  readonly #rename: () => Promise<void>;
  #bytes: number;
  #isOpen = true;

  private constructor(handle: FileHandle, bytes: number, rename: () => Promise<void>) {
    this.#handle = handle;
    this.#bytes = bytes;
    this.#rename = rename;
  }

  static async open(path: string, rename: () => Promise<void>): Promise<DiskFile> {
    // Opened for writing without a truncation, which no single flag does for a file that may be missing.
    const handle = await open(path, sizeOf(path) === undefined ? 'w+' : 'r+');
    return new DiskFile(handle, (await handle.stat()).size, rename);
  }

  get bytes(): number {
    return this.#bytes;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    const piece = new Uint8Array(PIECE_BYTES);
    for (let from = 0; from < this.#bytes; ) {
      const { bytesRead } = await this.#handle.read(piece, 0, PIECE_BYTES, from);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      from += bytesRead;
    }
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.write(chunk, 0, chunk.length, this.#bytes);
    this.#bytes += chunk.length;
  }

  async empty(): Promise<void> {
    await this.#handle.truncate(0);
    this.#bytes = 0;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }

  async finish(): Promise<void> {
    await this.close();
    await this.#rename();
  }
}
