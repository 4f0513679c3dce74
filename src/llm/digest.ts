import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** A digest that grows with the bytes of a file, so that a file is verified while it is fetched. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** As a manifest writes it: `sha256:<hex>` or `git-sha1:<hex>`. Ends it: no update may follow. */
  value(): string;
}

/** Whether a text is a digest as manifests write them, in lower-case hex. */
export function isDigest(text: string): boolean {
  return /^(?:sha256:[0-9a-f]{64}|git-sha1:[0-9a-f]{40})$/.test(text);
}

/**
 * Starts a digest of the kind that `like` names.
 * @param like a digest, whole; only its kind is read
 * @param bytes length of the whole file, which git puts before its contents
 * @throws {RangeError} another kind of digest
 */
export function startDigest(like: string, bytes: number): RunningDigest {
  if (!isDigest(like)) throw new RangeError(`"${like}" is no digest of a known kind`);
  const isGit = like.startsWith('git-sha1:');
  const hash = isGit ? sha1.create() : sha256.create();
  if (isGit) hash.update(new TextEncoder().encode(`blob ${String(bytes)}\0`));
  return {
    update: (part) => void hash.update(part),
    value: () => `${isGit ? 'git-sha1' : 'sha256'}:${[...hash.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  };
}

/** The digest of a whole file, of the kind that `like` names. */
export async function digestOf(blob: Blob, like: string): Promise<string> {
  const digest = startDigest(like, blob.size);
  const reader = blob.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) digest.update(part.value);
  return digest.value();
}
