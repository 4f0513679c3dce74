import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/**
 * A real llama.cpp. `ANAMNESIS_LLAMA_SERVER`: path of `llama-server`, or a command that takes its flags, parted by blanks
 * (`llama-server.py` beside this file is one); `ANAMNESIS_GGUF`: path of a small chat model.
 */
export const { ANAMNESIS_LLAMA_SERVER: COMMAND, ANAMNESIS_GGUF: GGUF } = process.env;
/** Of one slot. */
export const CONTEXT_TOKENS = 1_024;
export const DEADLINE_MS = 120_000;

const started = new Map<string, { readonly child: ChildProcess; readonly endpoint: URL }>();
afterAll(() => started.forEach(({ child }) => child.kill()));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server once for each number of slots, and waits until it has loaded. */
export async function startServer(slots: number, contextTokens = CONTEXT_TOKENS): Promise<URL> {
  const known = started.get(`${String(slots)} ${String(contextTokens)}`);
  if (known !== undefined) return known.endpoint;
  const [program, ...first] = COMMAND!.split(/\s+/);
  const port = await freePort();
  const flags = ['-m', GGUF!, '--host', '127.0.0.1', '--port', String(port), '-c', String(contextTokens * slots), '-t', '1', '-np', String(slots)];
  const child = spawn(program!, [...first, ...flags], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2_000)));
  const endpoint = new URL(`http://127.0.0.1:${String(port)}`);
  started.set(`${String(slots)} ${String(contextTokens)}`, { child, endpoint });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code) => resolve(`exit ${String(code)}: ${said}`));
  });
  for (const until = Date.now() + DEADLINE_MS; Date.now() < until; ) {
    const answer = await fetch(new URL('health', endpoint)).catch(() => undefined);
    if (answer?.ok === true) return endpoint;
    const over = await Promise.race([ended, new Promise<undefined>((resolve) => setTimeout(resolve, 200, undefined))]);
    if (over !== undefined) throw new Error(`The model server did not start: ${over}`);
  }
  throw new Error('The model server did not load its model in time.');
}

