import type { Embedder, KnowledgeBundle, PartsOptions } from '../src/index.js';
import type { Settings } from './settings.js';

/** Whether a value that a page gives has the shape of an encoder. */
export function isEmbedder(value: unknown): value is Embedder {
  const candidate = value as Partial<Embedder> | null | undefined;
  return typeof candidate === 'object' && typeof candidate?.id === 'string' && typeof candidate.dimension === 'number' && typeof candidate.embed === 'function';
}

/** The page's encoder where its rows came with the bundle; else nothing, and the bundle's own serves. */
export function encoderFor({ embedder }: Settings, bundle: KnowledgeBundle): Pick<PartsOptions, 'embedder'> {
  return embedder !== null && bundle.encoders.get(embedder.id)?.dimension === embedder.dimension ? { embedder } : {};
}
