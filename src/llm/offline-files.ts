/**
 * Cuts a worker off from every network and serves files from memory instead, so that a runtime which insists on fetching
 * gets only what was verified. Addresses lie under a host name that cannot exist (RFC 2606).
 */

export const OFFLINE_ORIGIN = 'https://model.invalid/';

/**
 * Replaces `caches` and `fetch` of this worker, for good.
 * @param root where the files are to be found, under `OFFLINE_ORIGIN`, ending in a slash
 * @param onRead called whenever one is read, with its path
 */
export function serveOffline(files: ReadonlyMap<string, Blob>, root: string, onRead: (path: string) => void): void {
  const byAddress = new Map([...files].map(([path, blob]) => [new URL(path, root).href, { path, blob }]));
  const respond = (input: RequestInfo | URL): Response | undefined => {
    const address = input instanceof Request ? input.url : String(input);
    const found = byAddress.get(address);
    if (found === undefined) return undefined;
    onRead(found.path);
    return new Response(found.blob, { headers: { 'content-type': found.path.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream' } });
  };
  const refuse = (input: RequestInfo | URL): Promise<never> => Promise.reject(new TypeError(`Not a file of this model: ${input instanceof Request ? input.url : String(input)}`));

  const cache = {
    match: (input: RequestInfo | URL) => Promise.resolve(respond(input)),
    keys: () => Promise.resolve([...byAddress.keys()].map((address) => new Request(address))),
    add: refuse,
    put: () => Promise.resolve(),
    delete: () => Promise.resolve(false),
  };
  const caches = { open: () => Promise.resolve(cache), match: cache.match, has: () => Promise.resolve(true), keys: () => Promise.resolve([]), delete: () => Promise.resolve(false) };
  const fetch = (input: RequestInfo | URL): Promise<Response> => {
    const response = respond(input);
    return response === undefined ? refuse(input) : Promise.resolve(response);
  };
  for (const [name, value] of Object.entries({ caches, fetch, XMLHttpRequest: undefined, WebSocket: undefined, EventSource: undefined })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
