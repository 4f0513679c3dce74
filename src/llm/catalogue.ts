import type { Language } from '../bundle/bundle.js';

/** A file of a model, as it lies under the model's directory. */
export interface ModelFile {
  /** Relative, `/` between parts, no `..`. */
  readonly path: string;
  /** Exact bytes, decoded. */
  readonly bytes: number;
  /** Of the whole file: `sha256:<hex>`, or `git-sha1:<hex>` (the id that git gives a blob) where a hub has nothing better. */
  readonly digest: string;
  /** Absolute address where it does not lie under the model's directory (a hub's library of WebLLM). */
  readonly url?: string;
}

/** One way in which a model is stored, for one kind of device. */
export interface ModelVariant {
  /** Unique in the model, for example `q4f16`. */
  readonly id: string;
  readonly runtime: 'web-llm' | 'wllama';
  /** `gpu`: needs WebGPU. `cpu`: runs on either. */
  readonly device: 'gpu' | 'cpu';
  /** Features a GPU must have, for example `shader-f16`. */
  readonly features: readonly string[];
  /** Bytes fetched, all files; null where only the hub can say. */
  readonly downloadBytes: number | null;
  /** Bytes of GPU or main memory while it runs with `contextTokens`. */
  readonly memoryBytes: number;
  /** Largest storage buffer a GPU must offer; 0: the default of WebGPU is enough. */
  readonly bufferBytes: number;
  /** Tokens of context it is run with. */
  readonly contextTokens: number;
  /** Where a hub holds it. */
  readonly hub: { readonly repository: string; readonly revision: string; /** Files taken, as patterns with `*`. */ readonly files: readonly string[]; /** WebLLM's library, absolute. */ readonly library?: string } | null;
}

/** One model of the catalogue. */
export interface CatalogueModel {
  readonly id: string;
  readonly name: string;
  /** Number of weights. */
  readonly parameters: number;
  readonly languages: readonly Language[];
  /** SPDX id, or the licence's own name. */
  readonly licence: string;
  readonly licenceUrl: string;
  /** What is known of its quality here, one sentence, for maintainers. */
  readonly note: string;
  /** Whether it writes a thinking block that can be switched off. */
  readonly thinks: boolean;
  /** Best first. */
  readonly variants: readonly ModelVariant[];
}

/** Models that may be offered, best for small devices first. */
export interface Catalogue {
  readonly kind: 'anamnesis-catalogue';
  readonly formatVersion: 1;
  readonly models: readonly CatalogueModel[];
}

/** `manifest.json` of one mirrored variant: everything needed to fetch, verify and run it. Written by `anamnesis models pull`. */
export interface ModelManifest {
  readonly kind: 'anamnesis-model';
  readonly formatVersion: 1;
  /** `<model id>/<variant id>`; the directory under the model base. */
  readonly id: string;
  readonly files: readonly ModelFile[];
  /** Path of WebLLM's library among `files`; empty for wllama. */
  readonly library: string;
  /** Where it was mirrored from, and when (ISO date). */
  readonly source: { readonly server: string; readonly repository: string; readonly revision: string; readonly date: string } | null;
}

/** `index.json` of a model base: what the host has mirrored. */
export interface ModelIndex {
  readonly kind: 'anamnesis-models';
  readonly formatVersion: 1;
  /** Ids of mirrored variants, `<model id>/<variant id>`. */
  readonly variants: readonly string[];
}
