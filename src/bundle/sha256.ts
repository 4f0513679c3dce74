import { sha256 as digestInScript } from '@noble/hashes/sha2.js';

/**
 * SHA-256 as lower-case hex. Pages that are served over plain http have no `crypto.subtle`; there the digest is
 * computed in script, so that a bundle is never loaded unverified.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  const digest = subtle === undefined ? digestInScript(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
