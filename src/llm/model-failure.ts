import { isAnamnesisError } from '../errors/anamnesis-error.js';
import type { Failure } from './model-protocol.js';

const NO_MEMORY = /out.?of.?memory|allocation (?:failed|size)|could not allocate|cannot allocate|cannot enlarge memory|array buffer allocation|failed to allocate|bad_alloc/i;

/** True where a runtime, the GPU or the engine says that memory ran out. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && NO_MEMORY.test(`${error.name} ${error.message}`);
}

/**
 * What a thrown value means. A runtime's own words may quote the prompt, so they are never passed on from a chat; while
 * loading there is no prompt, and they help.
 */
export function failureOf(error: unknown, during: 'load' | 'chat'): Failure {
  if (isAnamnesisError(error)) return { code: error.code, message: error.message };
  if (isOutOfMemory(error)) return { code: 'out-of-memory', message: during === 'load' ? 'Memory ran out while the model was loaded.' : 'Memory ran out while the model answered.' };
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  if (during === 'chat') return { code: 'generation-failed', message: `The runtime failed while it answered (${name}).` };
  return { code: 'runtime-failed', message: `The runtime could not load the model (${name}: ${message.slice(0, 200)}).` };
}
