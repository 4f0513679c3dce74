import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import type { BenchPlace } from './bench.js';
import type { BenchPage } from './page.js';

/** `test/browser/launch.ts`, which is loaded from its source. */
interface Launcher {
  readonly launchBrowser: () => Promise<Browser>;
}

/** Bundles `page.ts` with Vite; file names to contents. */
async function bundlePage(root: string): Promise<Map<string, string | Uint8Array>> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    publicDir: false,
    build: { write: false, target: 'es2022', modulePreload: false, rolldownOptions: { input: { page: join(root, 'test/bench/page.ts') }, treeshake: { moduleSideEffects: true }, output: { format: 'es', entryFileNames: '[name].js' } } },
  });
  const files = new Map<string, string | Uint8Array>();
  for (const one of Array.isArray(built) ? built : [built]) {
    if (!('output' in one)) continue;
    for (const file of one.output) files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
  }
  return files;
}

/** Runs the benches in the real Chromium of the browser tests. */
export async function inBrowser(root: string): Promise<BenchPlace> {
  // The launcher names files of the repository from its own place, so its source is run, not what is built from it.
  const { tsImport } = await import('tsx/esm/api');
  const { launchBrowser } = (await tsImport(pathToFileURL(join(root, 'test/browser/launch.ts')).href, import.meta.url)) as Launcher;
  const page = await bundlePage(root);
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)).split(sep).join('/');
    const file = path === '/voy_search_bg.wasm' ? join(root, 'node_modules/voy-search', path) : join(root, 'dist', path);
    const built = page.get(path);
    const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.wasm') ? 'application/wasm' : path === '/' ? 'text/html' : 'application/octet-stream';
    // Isolated, so that the page's clock is fine enough.
    const headers = { 'content-type': type, 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    if (path === '/') response.writeHead(200, headers).end('<!doctype html><title>bench</title><script type="module" src="/page.js"></script>');
    else if (built !== undefined) response.writeHead(200, headers).end(built);
    else if ((path.startsWith('/bundles/') || path.endsWith('.wasm')) && existsSync(file)) response.writeHead(200, headers).end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const browser = await launchBrowser();
  const inPage = async <A, T>(call: (argument: A) => Promise<T>, argument: A): Promise<T> => {
    const tab = await browser.newPage();
    try {
      await tab.goto(address);
      await tab.waitForFunction('globalThis.bench !== undefined');
      return await tab.evaluate(call as never, argument as never);
    } finally {
      await tab.close();
    }
  };
  return {
    name: `Chromium ${browser.version()}`,
    bundleLoad: (id) => inPage((one: string) => (globalThis as unknown as { bench: BenchPage }).bench.bundleLoad(one), id),
    run: (ids, only) => inPage(([all, chosen]: [string[], Parameters<BenchPage['run']>[1]]) => (globalThis as unknown as { bench: BenchPage }).bench.run(all, chosen), [[...ids], [...only]]),
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
