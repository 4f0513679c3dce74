import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { Catalogue, ModelVariant } from '../../src/llm/catalogue.js';
import type { AnamnesisChat } from '../../widget/element.js';
import { openIn, type Visit } from '../browser/visit.js';
import { ROOT } from '../bundles.js';
import { type HubFile, type HubServer, noise, sha256Of } from '../fakes/hub-server.js';

/** What is served beside the built widget: workers that misbehave, and a mirror. */
export const SITE = join(ROOT, 'test/output/model-site');

/** Files of an invented model, three of them above a socket's buffer. */
export const FILES: readonly HubFile[] = [
  { path: 'mlc-chat-config.json', bytes: new TextEncoder().encode(`{"context_window_size": 4096, "filler": "${'x'.repeat(3_000)}"}\n`), gzip: true },
  { path: 'params_shard_0.bin', bytes: noise(300_000, 1), lfs: true },
  { path: 'params_shard_1.bin', bytes: noise(250_000, 2), lfs: true },
  { path: 'params_shard_2.bin', bytes: noise(400_000, 3), lfs: true },
];
export const TOTAL_BYTES = FILES.reduce((sum, file) => sum + file.bytes.length, 0);
const LIBRARY: HubFile = { path: 'tiny.wasm', bytes: noise(50_000, 5) };
export const HUB_BYTES = TOTAL_BYTES + LIBRARY.bytes.length;

/** The same model for wllama, on either processor. */
export const CPU_VARIANT: Partial<ModelVariant> = { id: 'gguf', runtime: 'wllama', device: 'cpu' };

const VARIANT: ModelVariant = {
  id: 'q4f32',
  runtime: 'web-llm',
  device: 'gpu',
  features: [],
  downloadBytes: null,
  memoryBytes: 1_000_000,
  bufferBytes: 0,
  contextTokens: 4_096,
  hub: { repository: 'makers/tiny', revision: 'main', files: ['mlc-chat-config.json', 'params_shard_*.bin'], library: 'https://raw.githubusercontent.com/makers/libraries/main/v1/base/tiny.wasm' },
};

/** A catalogue of one model, in the given forms; one of f32 weights unless told otherwise. */
export function catalogueOf(variants: readonly Partial<ModelVariant>[] = [{}]): Catalogue {
  return {
    kind: 'anamnesis-catalogue',
    formatVersion: 1,
    models: [{ id: 'tiny', name: 'Tiny test model', parameters: 1_000, languages: ['en', 'zh'], licence: 'Apache-2.0', licenceUrl: 'https://licences.test/', note: 'For tests.', thinks: false, variants: variants.map((one) => ({ ...VARIANT, ...one })) }],
  };
}

/** Files of a site's mirror: list, manifest and model, for each of the ids. */
export function mirrorFiles(ids: readonly string[] = ['tiny/q4f32'], files: readonly HubFile[] = FILES): HubFile[] {
  const json = (path: string, value: unknown): HubFile => ({ path, bytes: new TextEncoder().encode(JSON.stringify(value)) });
  return [
    json('index.json', { kind: 'anamnesis-models', formatVersion: 1, variants: ids }),
    ...ids.flatMap((id) => [
      json(`${id}/manifest.json`, { kind: 'anamnesis-model', formatVersion: 1, id, files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length, digest: `sha256:${sha256Of(bytes)}` })), library: '', source: null }),
      ...files.map((file) => ({ ...file, path: `${id}/${file.path}` })),
    ]),
  ];
}

/** The same mirror as files of the site itself, below a name. */
export function writeMirror(name: string): void {
  for (const { path, bytes } of mirrorFiles()) {
    const to = join(SITE, name, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes);
  }
}

/** A service worker as a host page may have one: what lies below a directory, and has its query in its address, it answers with a web page. */
export function writeInterceptor(name: string, below: string): void {
  mkdirSync(SITE, { recursive: true });
  writeFileSync(
    join(SITE, name),
    `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname.startsWith(${JSON.stringify(below)}) && pathname.includes(location.search.slice(1))) event.respondWith(fetch('/plain.html'));
});
`,
  );
}

/** A public server that holds the model and its library. */
export function fillHub(hub: HubServer): void {
  hub.addRepository('makers/tiny', FILES);
  hub.addGithub('makers/libraries/v1/base', [LIBRARY]);
}

const GOOD_REPORT = {
  gpu: { vendor: 'test', architecture: 'test', isSoftware: false, features: ['shader-f16'], maxBufferBytes: 2 ** 32, maxStorageBufferBytes: 2 ** 31, maxWorkgroupBytes: 65_536, maxStorageBuffers: 16, gigaflops: 500 },
  gpuAbsence: null,
  memoryGibibytes: 8,
  cores: 8,
  isMobile: false,
  isCrossOriginIsolated: false,
  storage: null,
  wasm: { simd: true, memory64: true, heapBytes: 4 * 2 ** 30, jspi: true },
  cpuGigaflops: 2,
};

export interface WorkerScripts {
  /** `good`: says at once that the device is a good one; `real`: looks at this one, after the words in `prelude`. @default 'good' */
  readonly probe?: 'good' | 'real';
  readonly prelude?: string;
  /** How a load goes. `cpu`: not on the GPU. `real`: by WebLLM itself. @default 'loads' */
  readonly load?: 'loads' | 'hangs' | 'cpu' | 'real' | 'missing';
  /** What it writes in every reply; `dies`: the device is lost instead. @default the first question, with one sentence */
  readonly reply?: string;
}

const GOOD_REPLY = '{"action":"ask","questions":[1],"candidates":[1],"reply":"Light hurting the eyes fits migraine."}';

/**
 * Writes worker scripts for the model's way: the download's is that of the build.
 * @returns their directory on the site
 */
export function writeWorkers(name: string, { probe = 'good', prelude = '', load = 'loads', reply = GOOD_REPLY }: WorkerScripts = {}): string {
  const directory = join(SITE, name);
  mkdirSync(directory, { recursive: true });
  const real = (file: string): string => `${prelude};\nawait import('/chunks/${file}');\n`;
  const hello = `postMessage({ type: 'hello', protocol: 1 });\n`;
  writeFileSync(join(directory, 'download-worker.js'), real('download-worker.js'));
  writeFileSync(join(directory, 'probe-worker.js'), probe === 'real' ? real('probe-worker.js') : `${hello}addEventListener('message', () => postMessage({ type: 'report', report: ${JSON.stringify(GOOD_REPORT)} }));\n`);
  if (load === 'missing') return `/${name}/`;
  const script = `${hello}
const reply = ${JSON.stringify(reply)};
addEventListener('message', ({ data }) => {
  const say = (message) => postMessage({ id: data.id, ...message });
  if (data.type === 'load' && ${JSON.stringify(load)} === 'cpu' && data.options.gpu) say({ type: 'failed', code: 'runtime-failed', message: 'No GPU here.' });
  else if (data.type === 'load' && ${JSON.stringify(load)} === 'cpu') say({ type: 'loaded', device: 'cpu', contextTokens: 4096 });
  if (data.type === 'load' && ${JSON.stringify(load)} === 'loads') say({ type: 'loaded', device: 'gpu', contextTokens: 4096 });
  if (data.type === 'count') say({ type: 'counted', tokens: Math.ceil(data.text.length / 3) });
  if (data.type === 'dispose') say({ type: 'disposed' });
  if (data.type !== 'chat') return;
  if (reply === 'dies') return postMessage({ type: 'lost', code: 'device-lost', message: 'The device is gone.' });
  say({ type: 'delta', text: JSON.stringify(data.request.schema ?? '').includes('"retrieve"') ? '{"retrieve": true}' : reply });
  say({ type: 'end', reason: 'stop', promptTokens: 1, replyTokens: 40 });
});
`;
  writeFileSync(join(directory, 'wllama-worker.js'), script);
  writeFileSync(join(directory, 'web-llm-worker.js'), load === 'real' ? real('web-llm-worker.js') : script);
  return `/${name}/`;
}

export interface SiteVisit {
  readonly source?: 'host' | 'hub';
  /** Directory of the mirror. */
  readonly base?: string;
  readonly catalogue?: Catalogue;
  /** What `writeWorkers` gave; empty: those of the build. */
  readonly workers?: string;
  readonly hub?: string;
  readonly allowSoftware?: boolean;
  readonly lang?: 'en' | 'zh';
  readonly storage?: 'none';
  readonly keep?: boolean;
  readonly path?: string;
  /** Before the visitor agrees. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Opens a page of the site, agrees, and gives age and sex: from then on the widget looks for a model. */
export async function openSite(context: BrowserContext, origin: string, options: SiteVisit): Promise<Visit> {
  const opened = await openIn(context, `${origin}/${options.path ?? 'plain.html'}`);
  await options.prepare?.(opened.page);
  const { lang = 'en', source = 'host', base = '', workers = '', hub = '', catalogue = catalogueOf(), allowSoftware = false, storage, keep = false } = options;
  await opened.chat.evaluate(
    (element, given) => {
      const testing = { allowSoftware: given.allowSoftware, ...(given.workers === '' ? {} : { workerBase: new URL(given.workers, location.href) }), ...(given.hub === '' ? {} : { hub: new URL(given.hub), github: new URL(given.hub) }) };
      Object.assign(element, { lang: given.lang, modelSource: given.source, modelBase: given.base, modelCatalogue: given.catalogue, modelTesting: testing, storage: given.storage });
      return (element as AnamnesisChat).start({ keep: given.keep, profile: { ageYears: 34, sex: 'female' } });
    },
    { lang, source, base, workers, hub, catalogue, allowSoftware, storage: storage ?? 'ask', keep },
  );
  return opened;
}

/** Everything that the page keeps on the device beside the knowledge: names of files in its private file system, names in storage. */
export function keptOf(page: Page): Promise<{ readonly files: string[]; readonly marks: string[]; readonly databases: number; readonly caches: number }> {
  return page.evaluate(async () => {
    const files: string[] = [];
    const walk = async (directory: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, entry] of directory.entries()) {
        if (entry.kind === 'directory') await walk(entry);
        else files.push(name);
      }
    };
    await walk(await navigator.storage.getDirectory());
    return { files: files.sort(), marks: [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort(), databases: (await indexedDB.databases()).length, caches: (await caches.keys()).length };
  });
}
