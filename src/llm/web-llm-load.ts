import type { LoadOptions } from './model-protocol.js';

/** What the worker of WebLLM needs beside every other runtime's. */
export interface WebLlmLoad extends LoadOptions {
  /** Path among `files` of the WebAssembly library that was compiled for the model. */
  readonly library: string;
}
