/**
 * SHA-256 as lower-case hex. Pages that are served over plain http have no `crypto.subtle`; there the digest is
 * computed here (FIPS 180-4), so that a bundle is never loaded unverified.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  const digest = subtle === undefined ? digestInScript(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** First 32 bits of the fractional parts of roots of primes, which is how the standard defines its constants. */
function rootBits(count: number, root: (prime: number) => number): Uint32Array {
  const out = new Uint32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate++) {
    let prime = true;
    for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) prime = false;
    if (!prime) continue;
    const value = root(candidate);
    out[found++] = (value - Math.floor(value)) * 2 ** 32;
  }
  return out;
}

/** The digest without `crypto.subtle`; exported for its test. @internal */
export function digestInScript(bytes: Uint8Array): Uint8Array {
  const k = rootBits(64, Math.cbrt);
  const state = rootBits(8, Math.sqrt);
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const w = new Uint32Array(64);
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index++) w[index] = view.getUint32(block + index * 4);
    for (let index = 16; index < 64; index++) {
      const a = w[index - 15] ?? 0;
      const b = w[index - 2] ?? 0;
      w[index] = (w[index - 16] ?? 0) + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (w[index - 7] ?? 0) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let index = 0; index < 64; index++) {
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (k[index] ?? 0) + (w[index] ?? 0)) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] ?? 0) + value));
  }
  const out = new Uint8Array(32);
  const outView = new DataView(out.buffer);
  state.forEach((value, index) => outView.setUint32(index * 4, value));
  return out;
}
