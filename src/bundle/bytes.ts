import { BundleError } from '../errors/bundle-error.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** First bytes of every part: `ANMB`. */
export const MAGIC = 0x424d_4e41;
/** Version of the binary parts and the manifest. */
export const FORMAT_VERSION = 6;

/** Writes the primitive types of the bundle format; see the byte tables in `src/README.md`. */
export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    this.#grow(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  u32(value: number): this {
    this.#grow(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  f32(value: number): this {
    this.#grow(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  /** Unsigned LEB128. */
  varuint(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.u8((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    return this.u8(rest);
  }

  /** Length in bytes as varuint, then UTF-8. */
  string(value: string): this {
    return this.blob(encoder.encode(value));
  }

  /** Length as varuint, then the bytes. */
  blob(bytes: Uint8Array): this {
    return this.varuint(bytes.length).raw(bytes);
  }

  raw(bytes: Uint8Array): this {
    this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Count as varuint, then each item. */
  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.varuint(items.length);
    for (const item of items) write(item);
    return this;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Reads what `ByteWriter` wrote; every read is checked against the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #file: string;
  position = 0;

  /** @param file name for error messages */
  constructor(bytes: Uint8Array, file: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#file = file;
  }

  get remaining(): number {
    return this.#bytes.length - this.position;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  /** `count` numbers at once, copied. */
  u32s(count: number): Uint32Array {
    return new Uint32Array(this.#words(count));
  }

  /** `count` numbers at once, copied. */
  f32s(count: number): Float32Array {
    return new Float32Array(this.#words(count));
  }

  /** Four bytes each, in the machine's order (every platform with WebAssembly is little-endian, as the format is). */
  #words(count: number): ArrayBuffer {
    const start = this.#take(count * 4);
    return this.#bytes.slice(start, start + count * 4).buffer;
  }

  varuint(): number {
    // Most are below 128: one byte, read without further checks.
    const single = this.#bytes[this.position] ?? 0x80;
    if (single < 0x80) {
      this.position++;
      return single;
    }
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
      if (factor > 2 ** 49) throw this.malformed('a number that is too long');
    }
  }

  string(): string {
    const bytes = this.blob();
    try {
      return decoder.decode(bytes);
    } catch {
      throw this.malformed('text that is not UTF-8');
    }
  }

  /** A view, not a copy. */
  blob(): Uint8Array {
    const length = this.varuint();
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  raw(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  list<T>(read: () => T): T[] {
    const count = this.varuint();
    if (count > this.remaining) throw this.malformed(`a list of ${String(count)} items`);
    const items: T[] = [];
    for (let at = 0; at < count; at++) items.push(read());
    return items;
  }

  malformed(what: string): BundleError {
    return new BundleError('malformed', `${this.#file}: ${what} at byte ${String(this.position)}; build the bundle again.`, { file: this.#file });
  }

  #take(length: number): number {
    const start = this.position;
    if (start + length > this.#bytes.length) {
      throw new BundleError('truncated', `${this.#file}: ends at byte ${String(this.#bytes.length)}, ${String(start + length)} are needed; fetch or publish it again.`, { file: this.#file });
    }
    this.position = start + length;
    return start;
  }
}

/**
 * Steps on either side of zero in which rows and the encoder's projection are written. A byte could hold 127; fewer steps
 * compress better, and rankings stay what they are (`decisions/`).
 */
const STEPS = 15;

/** Writes values as int8 with one scale: value = byte × scale / 127. */
export function writeQuantised(out: ByteWriter, values: ArrayLike<number>, scale: number): void {
  for (let at = 0; at < values.length; at++) out.u8(Math.round(((values[at] ?? 0) / scale) * STEPS) & 0xff);
}

/** Scale that goes before values of which none is larger than `most` in size. */
export function quantisedScale(most: number): number {
  return ((most === 0 ? 1 : most) * 127) / STEPS;
}

/** Part numbers in the header. */
export const PART_NUMBERS = { findings: 1, diseases: 2, texts: 3, lexical: 4, encoder: 5, vectors: 6, lexicon: 7 } as const;

export function writeHeader(part: keyof typeof PART_NUMBERS): ByteWriter {
  return new ByteWriter().u32(MAGIC).u8(FORMAT_VERSION).u8(PART_NUMBERS[part]).u8(0).u8(0);
}

/** @param subject how the message begins. @throws {BundleError} format-unsupported: a version other than `FORMAT_VERSION` */
export function checkFormat(version: number, subject: string, file: string): void {
  if (version > FORMAT_VERSION) throw new BundleError('format-unsupported', `${subject} has format ${String(version)}, this version reads up to ${String(FORMAT_VERSION)}; update the script.`, { file });
  if (version < FORMAT_VERSION) throw new BundleError('format-unsupported', `${subject} has format ${String(version)}, this version reads ${String(FORMAT_VERSION)}; build the bundle again.`, { file });
}

/**
 * Checks a part's header and returns a reader behind it.
 * @throws {BundleError} not-a-bundle, format-unsupported, malformed (another part), truncated
 */
export function readHeader(bytes: Uint8Array, part: keyof typeof PART_NUMBERS): ByteReader {
  const file = `part ${part}`;
  const reader = new ByteReader(bytes, file);
  if (bytes.length < 8) throw new BundleError('truncated', `${file}: has ${String(bytes.length)} bytes; fetch or publish it again.`, { file });
  if (reader.u32() !== MAGIC) throw new BundleError('not-a-bundle', `${file}: is not a bundle part; check what the server answers at its address.`, { file });
  const version = reader.u8();
  checkFormat(version, `${file}:`, file);
  if (reader.u8() !== PART_NUMBERS[part]) throw reader.malformed('another part');
  reader.raw(2);
  return reader;
}
