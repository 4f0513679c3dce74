import type { Embedder, EmbeddingRole } from '../../src/embedding/embedder.js';

export const FAKE_DIMENSION = 16;

/** Counts of character pairs, hashed: like texts come near one another. */
export function fakeRow(text: string): Float32Array {
  const row = new Float32Array(FAKE_DIMENSION);
  for (let at = 0; at + 1 < text.length; at++) row[(text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) % FAKE_DIMENSION]! += 1;
  const norm = Math.hypot(...row) || 1;
  return row.map((value) => value / norm);
}

/** An encoder of the tests' own, which keeps what it was given. */
export class FakeEmbedder implements Embedder {
  readonly id = 'fake-16';
  readonly dimension = FAKE_DIMENSION;
  readonly given: { readonly texts: readonly string[]; readonly role: EmbeddingRole }[] = [];
  isBroken = false;
  isClosed = false;

  embed(texts: readonly string[], role: EmbeddingRole = 'query'): Promise<Float32Array[]> {
    this.given.push({ texts, role });
    return this.isBroken ? Promise.reject(new Error('the device is gone')) : Promise.resolve(texts.map(fakeRow));
  }

  close(): void {
    this.isClosed = true;
  }
}
