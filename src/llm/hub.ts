import { ModelError } from '../errors/model-error.js';
import type { CatalogueModel, ModelFile, ModelManifest, ModelVariant } from './catalogue.js';
import { LinkedAbort } from './linked-abort.js';
import { encodePath, parseModelManifest } from './model-manifest.js';

export interface HubOptions {
  /** A server that speaks the hub's protocol. @default https://huggingface.co */
  readonly hub?: URL;
  /**
   * A server that stands for both of GitHub's: file lists under `repos/`, files under `<owner>/<repository>/`.
   * @default https://api.github.com and https://raw.githubusercontent.com
   */
  readonly github?: URL;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
}

const HUB = new URL('https://huggingface.co/');
/** Large files are sent on to hosts below this one. */
const HUB_STORAGE = 'hf.co';
const GITHUB_API = new URL('https://api.github.com/');
const GITHUB_FILES = new URL('https://raw.githubusercontent.com/');
/** A list has some 1,000 files a page; no model's is as long as this. */
const MOST_PAGES = 20;
const ANSWER_MS = 30_000;

/** Host names that learn of a visitor who fetches a variant from its hub, the hub's storage (any host below `hf.co`) among them. */
export function serversOf(variant: ModelVariant): readonly string[] {
  if (variant.hub === null) return [];
  return [HUB.host, HUB_STORAGE, ...(variant.hub.library === undefined ? [] : [GITHUB_FILES.host, GITHUB_API.host])];
}

/**
 * Asks the hub which files a variant has, how long they are and what their digests are. Nothing of a file is fetched.
 * The revision is resolved to a commit first, so that files fetched later are those that were listed.
 * @throws {ModelError} hub-unreadable; model-unknown where the catalogue names no hub for the variant
 */
export async function manifestFromHub(model: CatalogueModel, variant: ModelVariant, options: HubOptions = {}): Promise<ModelManifest> {
  const id = `${model.id}/${variant.id}`;
  const hub = variant.hub;
  if (hub === null) throw new ModelError('model-unknown', `The catalogue names no server for ${id}; mirror its files.`, { modelId: model.id });
  const server = options.hub ?? HUB;
  const ask = new Asker(model.id, options);
  const commit = await resolveRevision(ask, server, hub.repository, hub.revision);
  const listed = await listRepository(ask, server, hub.repository, commit);
  const files: ModelFile[] = [];
  for (const pattern of hub.files) {
    const found = listed.filter((file) => fits(file.path, pattern) && !files.some((other) => other.path === file.path));
    if (!listed.some((file) => fits(file.path, pattern))) throw ask.unreadable(`${hub.repository} has no file ${pattern}`);
    files.push(...found.sort((one, other) => one.path.localeCompare(other.path, 'en', { numeric: true })));
  }
  const library = hub.library === undefined ? undefined : await findLibrary(ask, new URL(hub.library), options.github);
  if (library !== undefined) files.push(library);
  const manifest: ModelManifest = {
    kind: 'anamnesis-model',
    formatVersion: 1,
    id,
    files,
    library: library?.path ?? '',
    source: { server: server.host, repository: hub.repository, revision: commit, date: new Date().toISOString() },
  };
  try {
    return parseModelManifest(JSON.stringify(manifest));
  } catch (error) {
    throw ask.unreadable(`its list has a file that no model has`, error);
  }
}

async function resolveRevision(ask: Asker, server: URL, repository: string, revision: string): Promise<string> {
  if (/^[0-9a-f]{40}$/.test(revision)) return revision;
  const { body } = await ask.json(new URL(`api/models/${repository}/revision/${encodeURIComponent(revision)}`, server));
  const sha = (body as { readonly sha?: unknown } | null)?.sha;
  if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/.test(sha)) throw ask.unreadable(`it names no commit for ${repository} at ${revision}`);
  return sha;
}

interface HubEntry {
  readonly type?: unknown;
  readonly path?: unknown;
  readonly size?: unknown;
  readonly oid?: unknown;
  readonly lfs?: { readonly oid?: unknown; readonly size?: unknown } | null;
}

async function listRepository(ask: Asker, server: URL, repository: string, commit: string): Promise<ModelFile[]> {
  const files: ModelFile[] = [];
  let page: URL | undefined = new URL(`api/models/${repository}/tree/${commit}?recursive=true`, server);
  for (let count = 0; page !== undefined; count++) {
    if (count === MOST_PAGES) throw ask.unreadable(`the list of ${repository} does not end`);
    const { body, next } = await ask.json(page);
    if (!Array.isArray(body)) throw ask.unreadable(`the list of ${repository} is no list`);
    for (const entry of body as readonly (HubEntry | null)[]) {
      if (entry?.type !== 'file') continue;
      const lfs = entry.lfs ?? undefined;
      files.push({
        path: String(entry.path),
        bytes: Number(lfs?.size ?? entry.size),
        digest: lfs === undefined ? `git-sha1:${String(entry.oid)}` : `sha256:${String(lfs.oid)}`,
        url: new URL(`${repository}/resolve/${commit}/${encodePath(String(entry.path))}`, server).href,
      });
    }
    page = next;
  }
  return files;
}

/** WebLLM's libraries lie in a repository on GitHub, whose list of the directory has their lengths and ids. */
async function findLibrary(ask: Asker, address: URL, github: URL | undefined): Promise<ModelFile> {
  const [owner, repository, branch, ...path] = address.pathname.slice(1).split('/').map(decodeURIComponent);
  const name = path.pop();
  if (address.origin !== GITHUB_FILES.origin || owner === undefined || repository === undefined || branch === undefined || name === undefined) throw ask.unreadable(`no list is known for the library at ${address.href}`);
  const list = new URL(`repos/${encodePath([owner, repository, 'contents', ...path].join('/'))}?ref=${encodeURIComponent(branch)}`, github ?? GITHUB_API);
  const { body } = await ask.json(list);
  const entries = Array.isArray(body) ? (body as readonly ({ readonly name?: unknown; readonly size?: unknown; readonly sha?: unknown } | null)[]) : [];
  const entry = entries.find((one) => one?.name === name) ?? undefined;
  if (entry === undefined) throw ask.unreadable(`the library ${name} is not in its list`);
  return { path: name, bytes: Number(entry.size), digest: `git-sha1:${String(entry.sha)}`, url: new URL(address.pathname.slice(1), github ?? GITHUB_FILES).href };
}

/** `*` stands for any characters of one name. */
function fits(path: string, pattern: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^/]*')}$`).test(path);
}

/** A page's address on the server that was asked: a mirror may hand on addresses of the hub that it mirrors. */
function samePlace(page: URL, asked: URL): URL {
  return new URL(page.pathname + page.search, asked.origin);
}

/** Fetches lists; every failure becomes hub-unreadable. */
class Asker {
  readonly #modelId: string;
  readonly #options: HubOptions;

  constructor(modelId: string, options: HubOptions) {
    this.#modelId = modelId;
    this.#options = options;
  }

  unreadable(what: string, cause?: unknown): ModelError {
    return new ModelError('hub-unreadable', `The model server’s list of files could not be read: ${what}; check the address, or mirror the model.`, { modelId: this.#modelId, cause, retryable: true });
  }

  /** @returns the parsed answer, and where the next page of it is */
  async json(url: URL): Promise<{ readonly body: unknown; readonly next: URL | undefined }> {
    const fetch = this.#options.fetch ?? globalThis.fetch.bind(globalThis);
    const abort = new LinkedAbort(this.#options.signal);
    const timer = setTimeout(() => abort.abort(new DOMException('No answer came in time.', 'TimeoutError')), ANSWER_MS);
    try {
      const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', headers: { accept: 'application/json' }, signal: abort.signal });
      if (!response.ok) throw this.unreadable(`${url.host} answered ${String(response.status)} at ${url.pathname}`);
      const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1];
      return { body: (await response.json()) as unknown, next: next === undefined ? undefined : samePlace(new URL(next, url), url) };
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      throw error instanceof ModelError ? error : this.unreadable(`${url.host} did not answer with a list at ${url.pathname}`, error);
    } finally {
      clearTimeout(timer);
      abort.release();
    }
  }
}
