import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OFFLINE_ORIGIN, serveOffline } from '../../src/llm/offline-files.js';

const NAMES = ['caches', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'] as const;
const ROOT = `${OFFLINE_ORIGIN}m/resolve/main/`;

describe('serveOffline', () => {
  const before = new Map<string, PropertyDescriptor | undefined>();
  const reads: string[] = [];

  beforeEach(() => {
    for (const name of NAMES) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    reads.length = 0;
    serveOffline(new Map([['config.json', new Blob(['{"a":1}'])], ['lib/m.wasm', new Blob(['wasm'])]]), ROOT, (path) => reads.push(path));
  });
  afterEach(() => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  });

  it('answers a fetch of its files', async () => {
    expect(await (await fetch(`${ROOT}config.json`)).json()).toEqual({ a: 1 });
    const wasm = await fetch(new Request(new URL('lib/m.wasm', ROOT)));
    expect(wasm.headers.get('content-type')).toBe('application/wasm');
    expect(await wasm.text()).toBe('wasm');
    expect(reads).toEqual(['config.json', 'lib/m.wasm']);
  });

  it.each(['https://huggingface.co/m/resolve/main/config.json', `${ROOT}other.bin`, `${ROOT}../../config.json`, '/config.json', 'data:text/plain,a'])('refuses a fetch of %s', async (address) => {
    await expect(fetch(address)).rejects.toBeInstanceOf(TypeError);
  });

  it('answers as a cache that holds everything', async () => {
    const cache = await caches.open('webllm/model');
    expect((await cache.keys()).map(({ url }) => url)).toEqual([`${ROOT}config.json`, `${ROOT}lib/m.wasm`]);
    expect(await (await cache.match(new Request(`${ROOT}config.json`)))?.text()).toBe('{"a":1}');
    expect(await cache.match(`${ROOT}other.bin`)).toBeUndefined();
    await expect(cache.add(`${ROOT}other.bin`)).rejects.toBeInstanceOf(TypeError);
  });

  it('leaves no other way out', () => {
    expect([globalThis.XMLHttpRequest, globalThis.WebSocket, globalThis.EventSource]).toEqual([undefined, undefined, undefined]);
  });
});
