import { ModelError } from '../errors/model-error.js';

const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

/**
 * wllama waits for ever where its WebAssembly is not there, so the first bytes are looked at before.
 * @throws {ModelError} runtime-failed: not found, or something else
 */
export async function checkWasm(address: string): Promise<void> {
  const reader = await fetch(address, { credentials: 'omit' }).then(
    (response) => (response.ok ? response.body?.getReader() : undefined),
    () => undefined,
  );
  const first = (await reader?.read())?.value;
  void reader?.cancel().catch(() => undefined);
  if (first === undefined || !WASM_MAGIC.every((byte, at) => first[at] === byte)) throw new ModelError('runtime-failed', `${address} is not the WebAssembly of wllama; check that it lies beside the workers.`, { retryable: true });
}

/** A file that tells how much of it has been read. */
export class ReadFile extends File {
  readonly #onRead: (bytes: number) => void;
  #readTo = 0;

  constructor(blob: Blob, name: string, onRead: (bytes: number) => void) {
    super([blob], name);
    this.#onRead = onRead;
  }

  override slice(start?: number, end?: number, type?: string): Blob {
    const to = Math.min(end ?? this.size, this.size);
    if (to > this.#readTo) {
      this.#onRead(to - this.#readTo);
      this.#readTo = to;
    }
    return super.slice(start, end, type);
  }
}
