import { ModelError } from '../errors/model-error.js';

/** Every worker of ours posts this once its script has run, before anything else. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
}

/** Raised with every change of what pages and workers say to each other, so that a stale script is noticed. */
export const PROTOCOL = 1;

const HANDSHAKE_MS = 5_000;

/** Directory of the worker scripts of this build: they lie beside this module, in the package as in the widget's chunks. */
export const WORKER_BASE = new URL(/* @vite-ignore */ './', import.meta.url);

/**
 * Starts a worker and waits until it has said hello. A script on another origin, which no worker may be started from, is
 * imported by one of the page's own.
 * @param file for example `download-worker.js`
 * @throws {ModelError} runtime-failed: not found, refused by the page's policy, of another version, or silent
 */
export async function spawnWorker(file: string, base: URL = WORKER_BASE): Promise<Worker> {
  const address = new URL(file, base);
  const fail = (why: string, cause?: unknown): ModelError => new ModelError('runtime-failed', `The worker ${file} did not start (${why}); check that it lies beside the script, and the page’s worker-src.`, { cause, retryable: true });
  let worker: Worker;
  let wrapper = '';
  try {
    const isOwn = globalThis.location === undefined || address.origin === globalThis.location.origin;
    if (!isOwn) wrapper = URL.createObjectURL(new Blob([`import ${JSON.stringify(address.href)};`], { type: 'text/javascript' }));
    worker = new Worker(trusted(isOwn ? address.href : wrapper), { type: 'module', name: file });
  } catch (error) {
    throw fail('refused', error);
  }
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(fail('it stays silent')), HANDSHAKE_MS);
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        worker.removeEventListener('message', onMessage);
        worker.removeEventListener('error', onError);
        action();
      };
      const onMessage = (event: MessageEvent<Hello>): void => settle(() => (event.data.type === 'hello' && event.data.protocol === PROTOCOL ? resolve() : reject(fail('it is of another version'))));
      const onError = (event: Event): void => {
        event.preventDefault();
        settle(() => reject(fail('its script failed')));
      };
      worker.addEventListener('message', onMessage);
      worker.addEventListener('error', onError);
    });
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    if (wrapper !== '') URL.revokeObjectURL(wrapper);
  }
  return worker;
}

/** Name that a page's `trusted-types` directive must list where it requires them for scripts. */
const POLICY = 'anamnesis-worker';

interface ScriptPolicy {
  createScriptURL(address: string): string;
}

let policy: ScriptPolicy | undefined;

/** The address of a worker's script, marked as trusted where the page asks for that. It comes from our own base only. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy } };
  if (trustedTypes === undefined) return address;
  policy ??= trustedTypes.createPolicy(POLICY, { createScriptURL: (text) => text });
  return policy.createScriptURL(address);
}
