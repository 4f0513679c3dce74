import { ModelError } from '../errors/model-error.js';
import { untilAborted } from './open-requests.js';

export interface ServerAddress {
  /** `http:` or `https:`, with or without `/v1` at its end. */
  readonly endpoint: URL;
  /** Sent as a bearer token. */
  readonly apiKey?: string;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** A server that says nothing for so long is given up. Reading a long prompt on a CPU may take minutes. @default 300_000 */
  readonly timeoutMs?: number;
  /** Wait before the first of three further tries; doubled for each. @default 500 */
  readonly retryMs?: number;
}

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_RETRY_MS = 500;
const RETRIES = 3;
const LONGEST_WAIT_MS = 10_000;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;
const HINTS: Readonly<Record<number, string>> = { 401: 'check the key', 403: 'check the key', 404: 'check the address and the model’s name', 429: 'it is busy', 503: 'it is busy, or still loads its model' };

/** Requests to one server: address, key, deadlines and retries. No message ever holds what was sent or answered. */
export class ServerConnection {
  readonly #address: ServerAddress;
  readonly #base: string;

  /** @throws {RangeError} an address that is not http or https, or holds a password */
  constructor(address: ServerAddress) {
    const { protocol, origin, pathname, username, password } = address.endpoint;
    if (protocol !== 'http:' && protocol !== 'https:') throw new RangeError(`A model server has an http or https address, not ${protocol}`);
    if (username !== '' || password !== '') throw new RangeError('The address of a model server holds no password; give the key as apiKey.');
    this.#address = address;
    this.#base = `${origin}${pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/`;
  }

  /**
   * What the server answers, whatever its status but busy. Redirects are not followed: they would take the text elsewhere.
   * @param path from the server's root, for example `v1/models`
   * @param body sent as JSON by POST; without it, GET
   * @throws {ModelError} endpoint-failed: not reached, busy, or silent, after three more tries
   */
  async send(path: string, body: Readonly<Record<string, unknown>> | undefined, signal: AbortSignal): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#trySend(path, body, signal);
      if (answer !== undefined && answer.status !== TOO_MANY_REQUESTS && answer.status !== UNAVAILABLE) return answer;
      if (tries === RETRIES) throw this.failed(answer?.status);
      answer?.body?.cancel().catch(() => undefined);
      const asked = Number(answer?.headers.get('retry-after') ?? NaN) * 1_000;
      await pause(Math.min(asked >= 0 ? asked : (this.#address.retryMs ?? DEFAULT_RETRY_MS) * 2 ** tries, LONGEST_WAIT_MS), signal);
    }
  }

  /** The error of an answer that is of no use; without a status: not reached. */
  failed(status: number | undefined): ModelError {
    if (status === undefined) return new ModelError('endpoint-failed', `The model server ${this.#base} could not be reached; check that it runs.`, { retryable: true });
    const hint = HINTS[status];
    return new ModelError('endpoint-failed', `The model server ${this.#base} answered ${String(status)}${hint === undefined ? '' : `; ${hint}`}.`, { retryable: status >= 500 || status === TOO_MANY_REQUESTS });
  }

  /** Settles with the work, or rejects when the signal aborts or the server stays silent. */
  async inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const timeoutMs = this.#address.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const silent = (): ModelError => new ModelError('endpoint-failed', `The model server ${this.#base} said nothing for ${String(timeoutMs / 1_000)} s.`, { retryable: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(silent()), timeoutMs);
    });
    try {
      return await untilAborted(Promise.race([work, deadline]), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Undefined where the server was not reached. */
  async #trySend(path: string, body: Readonly<Record<string, unknown>> | undefined, signal: AbortSignal): Promise<Response | undefined> {
    const { apiKey, fetch = globalThis.fetch } = this.#address;
    const headers: Record<string, string> = { accept: 'application/json, text/event-stream' };
    if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request: RequestInit = { method: body === undefined ? 'GET' : 'POST', headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reached = fetch(`${this.#base}${path}`, request).catch(() => undefined);
    const answer = await this.inTime(reached, signal);
    signal.throwIfAborted();
    return answer;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await untilAborted(over, signal).finally(() => clearTimeout(timer));
}
