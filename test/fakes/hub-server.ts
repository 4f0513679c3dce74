import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface HubFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Listed with its SHA-256, and answered by way of another address. */
  readonly lfs?: boolean;
  /** Answered with gzip to those who take it. */
  readonly gzip?: boolean;
}

/** What goes wrong with the next answer, or with every answer, for a file. `at` counts from the file's start. */
export type Fault =
  /** The connection is closed after so many bytes of the file. */
  | { readonly kind: 'cut'; readonly at: number }
  /** No further byte comes after so many, until `release()`. */
  | { readonly kind: 'stall'; readonly at: number }
  /** 200 with a web page. `disguised`: under another type. */
  | { readonly kind: 'html'; readonly disguised?: boolean }
  /** The byte there is another one. */
  | { readonly kind: 'flip'; readonly at: number }
  | { readonly kind: 'status'; readonly status: number }
  /** The file has only its first bytes, and says so. */
  | { readonly kind: 'short'; readonly bytes: number }
  /** Further bytes follow the file. */
  | { readonly kind: 'long'; readonly bytes: number }
  /** Ranges are not understood: 200 with everything. */
  | { readonly kind: 'no-range' }
  /** Another range than the one that was asked for. */
  | { readonly kind: 'other-range' };

/** One answer for a file, redirects left out. */
export interface Served {
  readonly file: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly status: number;
}

const COMMIT = 'c0ffee0000000000000000000000000000000001';
const PAGE = '<!DOCTYPE html><html><body>Please log in to the network.</body></html>';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
export const gitSha1Of = (bytes: Uint8Array): string => createHash('sha1').update(`blob ${String(bytes.length)}\0`).update(bytes).digest('hex');

/** Bytes that look like nothing, the same for the same seed. */
export function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2_654_435_761 + 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

/** A local server that speaks the protocols of the Hugging Face hub and of GitHub, and those of a plain file server under `/mirror/`. */
/** Between the last byte and the cut. */
const CUT_MS = 400;

export class HubServer {
  /** Every request: method and path with query. */
  readonly requests: string[] = [];
  readonly served: Served[] = [];
  /** Headers of the last request for a file. */
  lastHeaders: IncomingMessage['headers'] = {};
  /** Entries a page of the hub's list. */
  pageSize = 2;
  /** Response headers that pages of other origins may read. */
  exposed = 'ETag, Content-Range, Accept-Ranges, Link';
  readonly #files = new Map<string, HubFile>();
  readonly #faults = new Map<string, { fault: Fault; times: number }>();
  readonly #held = new Set<() => void>();
  readonly #server: Server;
  #origin = '';

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<HubServer> {
    const hub = new HubServer();
    await new Promise<void>((resolve) => hub.#server.listen(0, '127.0.0.1', resolve));
    hub.#origin = `http://127.0.0.1:${String((hub.#server.address() as AddressInfo).port)}`;
    return hub;
  }

  /** With a slash at the end. */
  get url(): URL {
    return new URL(`${this.#origin}/`);
  }

  get commit(): string {
    return COMMIT;
  }

  /** A repository of the hub, `owner/name`. */
  addRepository(name: string, files: readonly HubFile[]): void {
    for (const file of files) this.#files.set(`hub:${name}/${file.path}`, file);
  }

  /** A directory of a repository on GitHub, at branch `main`. */
  addGithub(directory: string, files: readonly HubFile[]): void {
    for (const file of files) this.#files.set(`github:${directory}/${file.path}`, file);
  }

  /** A directory below `/mirror/`. */
  addMirror(directory: string, files: readonly HubFile[]): void {
    for (const file of files) this.#files.set(`mirror:${directory}/${file.path}`, file);
  }

  /** Spoils the next answers for a file, named by the end of its path. */
  spoil(path: string, fault: Fault, times = 1): void {
    this.#faults.set(path, { fault, times });
  }

  /** Lets every stalled answer go on. */
  release(): void {
    for (const goOn of this.#held) goOn();
    this.#held.clear();
  }

  forget(): void {
    this.requests.length = 0;
    this.served.length = 0;
  }

  /** How often a file was answered. */
  count(file: string): number {
    return this.served.filter((one) => one.file === file).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.#origin);
    this.requests.push(`${request.method ?? ''} ${url.pathname}${url.search}`);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', this.exposed);
    // As storage hosts do: whoever needs a preflight is refused.
    if (request.method !== 'GET') return void response.writeHead(405).end();
    const path = decodeURIComponent(url.pathname);
    const [, api, ofRepository, name = ''] = /^\/api\/models\/([^/]+\/[^/]+)\/(revision|tree)\/(.+)$/.exec(path) ?? [];
    if (api !== undefined) return this.#hubList(response, api, ofRepository === 'tree', name, Number(url.searchParams.get('cursor') ?? 0));
    const contents = /^\/repos\/([^/]+\/[^/]+)\/contents\/(.*)$/.exec(path);
    if (contents !== null) return this.#githubList(response, `${contents[1] ?? ''}/${contents[2] ?? ''}`);
    const resolved = /^\/([^/]+\/[^/]+)\/resolve\/[^/]+\/(.+)$/.exec(path);
    const key = path.startsWith('/storage/') ? path.slice('/storage/'.length) : path.startsWith('/mirror/') ? `mirror:${path.slice('/mirror/'.length)}` : resolved !== null ? `hub:${resolved[1] ?? ''}/${resolved[2] ?? ''}` : `github:${path.slice(1).replace('/main/', '/')}`;
    const file = this.#files.get(key);
    if (file === undefined) return void response.writeHead(404).end();
    if (file.lfs === true && resolved !== null) return void response.writeHead(302, { location: `/storage/${key.split('/').map(encodeURIComponent).join('/')}` }).end();
    this.lastHeaders = request.headers;
    this.#send(request, response, file);
  }

  #hubList(response: ServerResponse, repository: string, isTree: boolean, revision: string, from: number): void {
    const files = [...this.#files].filter(([key]) => key.startsWith(`hub:${repository}/`)).map(([, file]) => file);
    if (files.length === 0 || (isTree && revision !== COMMIT)) return void response.writeHead(404).end();
    if (!isTree) return void response.end(JSON.stringify({ id: repository, sha: COMMIT }));
    const entries = files.map(({ path, bytes, lfs }) => ({
      type: 'file',
      path,
      size: bytes.length,
      oid: gitSha1Of(lfs === true ? new TextEncoder().encode(`pointer to ${path}`) : bytes),
      ...(lfs === true ? { lfs: { oid: sha256Of(bytes), size: bytes.length, pointerSize: 134 } } : {}),
    }));
    const all = [{ type: 'directory', path: 'folder', size: 0, oid: '0'.repeat(40) }, ...entries];
    const next = from + this.pageSize;
    if (next < all.length) response.setHeader('link', `<${this.#origin}/api/models/${repository}/tree/${revision}?recursive=true&cursor=${String(next)}>; rel="next"`);
    response.end(JSON.stringify(all.slice(from, next)));
  }

  #githubList(response: ServerResponse, directory: string): void {
    const files = [...this.#files].filter(([key]) => key.startsWith(`github:${directory}/`)).map(([, file]) => file);
    if (files.length === 0) return void response.writeHead(404).end();
    response.end(JSON.stringify(files.map(({ path, bytes }) => ({ type: 'file', name: path, path: `x/${path}`, size: bytes.length, sha: gitSha1Of(bytes) }))));
  }

  #takeFault(file: string): Fault | undefined {
    const found = [...this.#faults].find(([path]) => file.endsWith(path));
    if (found === undefined) return undefined;
    const [path, entry] = found;
    if (--entry.times <= 0) this.#faults.delete(path);
    return entry.fault;
  }

  #send(request: IncomingMessage, response: ServerResponse, file: HubFile): void {
    const fault = this.#takeFault(file.path);
    const range = request.headers.range;
    const finish = (status: number, headers: Record<string, string | number>, body?: Uint8Array | string): void => {
      const ifRange = request.headers['if-range'];
      this.served.push({ file: file.path, range, ifRange: typeof ifRange === 'string' ? ifRange : undefined, status });
      response.writeHead(status, headers);
      if (body === undefined) response.end();
      else this.#write(response, body, fault, status === 206 ? Number(/\d+/.exec(range ?? '')?.[0] ?? 0) : 0);
    };
    if (fault?.kind === 'status') return finish(fault.status, {});
    if (fault?.kind === 'html') return finish(200, { 'content-type': fault.disguised === true ? 'application/octet-stream' : 'text/html; charset=utf-8' }, PAGE);
    let bytes = file.bytes;
    if (fault?.kind === 'short') bytes = bytes.subarray(0, fault.bytes);
    if (fault?.kind === 'long') bytes = Buffer.concat([bytes, noise(fault.bytes, 9)]);
    if (fault?.kind === 'flip') {
      bytes = bytes.slice();
      bytes[fault.at]! ^= 1;
    }
    const etag = `"${sha256Of(bytes).slice(0, 16)}"`;
    const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes', etag };
    if (file.gzip === true && range === undefined && /gzip/.test(String(request.headers['accept-encoding']))) {
      const packed = gzipSync(bytes);
      return finish(200, { ...headers, etag: `W/${etag}`, 'content-encoding': 'gzip', 'content-length': packed.length }, packed);
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? -1);
    const changed = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;
    if (from < 0 || changed || fault?.kind === 'no-range') return finish(200, { ...headers, 'content-length': bytes.length }, bytes);
    if (from >= bytes.length) return finish(416, { 'content-range': `bytes */${String(bytes.length)}` });
    const start = fault?.kind === 'other-range' ? 0 : from;
    return finish(206, { ...headers, 'content-length': bytes.length - start, 'content-range': `bytes ${String(start)}-${String(bytes.length - 1)}/${String(bytes.length)}` }, bytes.subarray(start));
  }

  /** Writes in pieces, so that a fault can come between two. */
  #write(response: ServerResponse, body: Uint8Array | string, fault: Fault | undefined, from: number): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const stop = fault?.kind === 'cut' || fault?.kind === 'stall' ? fault.at - from : undefined;
    if (stop === undefined || stop < 0 || stop >= bytes.length) return void response.end(bytes);
    response.flushHeaders();
    response.write(bytes.subarray(0, stop));
    if (fault?.kind === 'stall') this.#held.add(() => void response.end(bytes.subarray(stop)));
    // The bytes before the cut still arrive, and are read: a broken stream drops what nobody has taken from it yet.
    else setTimeout(() => response.socket?.end(), CUT_MS);
  }
}
