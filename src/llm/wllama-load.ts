import type { LoadOptions } from './model-protocol.js';

/** What the worker of wllama needs beside every other runtime's. */
export interface WllamaLoad extends LoadOptions {
  /** Compute on the GPU; else on the CPU. */
  readonly gpu: boolean;
  /** Threads on the CPU; more than one only works on a cross-origin isolated page. */
  readonly threads: number;
  /** Address of the runtime's WebAssembly. */
  readonly wasm: string;
}
