import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { createDemoServer } from '../../demo/server.mjs';

/** Switches that keep the browser itself from using the network. */
const QUIET = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-unsafe-webgpu'];

const INSTALLED: readonly string[] = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser that npm brings, on Linux; elsewhere `CHROME_PATH` or an installed Chrome. */
async function findBrowser(): Promise<string> {
  const configured = process.env.CHROME_PATH;
  if (configured !== undefined && configured !== '') return configured;
  if (process.platform !== 'linux') {
    const installed = INSTALLED.find((path) => existsSync(path));
    if (installed === undefined) throw new Error('No Chrome was found; set CHROME_PATH.');
    return installed;
  }
  // Makes the package unpack the system libraries that it brings along; read when it is imported.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}

/** Starts a real Chromium. */
export async function launchBrowser(options: { readonly args?: readonly string[] } & Omit<LaunchOptions, 'args'> = {}): Promise<Browser> {
  const executablePath = await findBrowser();
  return chromium.launch({ ...options, executablePath, args: [...QUIET, ...(options.args ?? [])] });
}

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface TestServer {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the built widget, the demo and the pages of the tests, as the demo does. */
export async function serve(options: { readonly csp?: string | null; readonly roots?: readonly string[]; readonly headers?: Readonly<Record<string, string>> } = {}): Promise<TestServer> {
  const server = createDemoServer({ roots: [...(options.roots ?? []), at('demo'), at('dist'), at('test/embed/pages'), at('node_modules/axe-core')], ...(options.csp === undefined ? {} : { csp: options.csp }), ...(options.headers === undefined ? {} : { headers: options.headers }) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${String(port)}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What a page did that it must not do; filled as it happens. */
export interface PageRecord {
  readonly errors: string[];
  readonly consoleLines: string[];
  readonly requests: string[];
}

/** Listens to a page from now on. */
export function record(page: Page | BrowserContext): PageRecord {
  const kept: PageRecord = { errors: [], consoleLines: [], requests: [] };
  const listen = (one: Page): void => {
    one.on('pageerror', (error) => kept.errors.push(String(error)));
    one.on('console', (message) => kept.consoleLines.push(message.text()));
    one.on('request', (request) => kept.requests.push(request.url()));
  };
  if ('pages' in page) page.on('page', listen);
  else listen(page);
  return kept;
}
