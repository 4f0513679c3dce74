import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get as request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoServer, STRICT_CSP } from '../../demo/server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'anamnesis-server-'));
const server = createDemoServer({ roots: [join(folder, 'one'), join(folder, 'two')] });
let port = 0;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Asks with the path exactly as given, which `fetch` would tidy first. */
function ask(path: string, options: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers: options.headers ?? {} }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    asked.on('error', reject);
  });
}

beforeAll(async () => {
  mkdirSync(join(folder, 'one/sub'), { recursive: true });
  mkdirSync(join(folder, 'two'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'one/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'one/sub/index.html'), 'sub');
  writeFileSync(join(folder, 'one/.hidden'), 'hidden');
  writeFileSync(join(folder, 'two/index.html'), 'second');
  writeFileSync(join(folder, 'two/code.wasm'), 'wasm');
  writeFileSync(join(folder, 'two/texts-0123456789ab.bin'), 'x'.repeat(1000));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

describe('the demo server', () => {
  it('serves pages with the strict policy, the first root before the second', async () => {
    const { status, headers, body } = await ask('/');
    expect([status, headers['content-type'], headers['content-security-policy'], body.toString()]).toEqual([200, 'text/html; charset=utf-8', STRICT_CSP, '<!doctype html>']);
    expect((await ask('/sub/')).body.toString()).toBe('sub');
  });

  it.each(['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/sub/../../secret.txt', '/..%5csecret.txt', '/%00', '/.hidden', '/%E0%A4%A', '//etc/passwd'])('keeps within its roots: %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body.toString()).not.toContain('secret');
  });

  it('names the types of WebAssembly and of bundle parts, which may be kept for ever', async () => {
    expect((await ask('/code.wasm')).headers['content-type']).toBe('application/wasm');
    const part = await ask('/texts-0123456789ab.bin');
    expect([part.headers['content-type'], part.headers['cache-control']]).toEqual(['application/octet-stream', 'public, max-age=31536000, immutable']);
    expect((await ask('/')).headers['cache-control']).toBe('no-cache');
  });

  it('compresses as the browser accepts', async () => {
    const brotli = await ask('/texts-0123456789ab.bin', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.body).length]).toEqual(['br', 1000]);
    const gzip = await ask('/texts-0123456789ab.bin', { headers: { 'accept-encoding': 'gzip' } });
    expect([gzip.headers['content-encoding'], gunzipSync(gzip.body).length]).toEqual(['gzip', 1000]);
    expect((await ask('/texts-0123456789ab.bin')).body.length).toBe(1000);
  });

  it('answers HEAD without a body, refuses to be written to, and knows what the browser has', async () => {
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '15', 0]);
    expect((await ask('/', { method: 'POST' })).status).toBe(405);
    expect((await ask('/', { headers: { 'if-none-match': head.headers.etag ?? '' } })).status).toBe(304);
    expect((await ask('/nothing')).status).toBe(404);
  });
});
