import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifestFromHub, serversOf } from '../../src/llm/hub.js';
import { gitSha1Of, HubServer, sha256Of } from '../fakes/hub-server.js';
import { FILES, LIBRARY, MODEL, VARIANT } from './tiny-model.js';

let hub: HubServer;
beforeEach(async () => {
  hub = await HubServer.start();
  hub.addRepository('makers/tiny', [...FILES, { path: 'README.md', bytes: new Uint8Array(10) }, { path: 'deep/params_shard_9.bin', bytes: new Uint8Array(1) }]);
  hub.addGithub('makers/libraries/v1/base', [{ path: 'other.wasm', bytes: new Uint8Array(3) }, LIBRARY]);
});
afterEach(() => hub.close());

const read = (variant = VARIANT, signal?: AbortSignal) => manifestFromHub(MODEL, variant, { hub: hub.url, github: hub.url, ...(signal === undefined ? {} : { signal }) });
const withHub = (change: Partial<NonNullable<typeof VARIANT.hub>>) => ({ ...VARIANT, hub: { ...VARIANT.hub!, ...change } });

describe('manifestFromHub', () => {
  it('lists the files that the variant takes, over all pages, at one commit', async () => {
    const manifest = await read();
    expect(manifest.id).toBe('tiny/q4f16');
    expect(manifest.files.map((file) => file.path)).toEqual(['mlc-chat-config.json', 'params_shard_0.bin', 'params_shard_1.bin', 'params_shard_2.bin', 'params_shard_10.bin', 'tiny.wasm']);
    expect(manifest.files.map((file) => file.bytes)).toEqual([...FILES, LIBRARY].map((file) => file.bytes.length));
    expect(manifest.library).toBe('tiny.wasm');
    expect(manifest.source).toMatchObject({ server: hub.url.host, repository: 'makers/tiny', revision: hub.commit });
    expect(hub.requests.filter((line) => line.includes('/tree/')).length).toBeGreaterThan(2);
    expect(hub.served).toEqual([]);
  });

  it('takes the SHA-256 of large files and the git id of the others', async () => {
    const { files } = await read();
    expect(files[0]?.digest).toBe(`git-sha1:${gitSha1Of(FILES[0]!.bytes)}`);
    expect(files[1]?.digest).toBe(`sha256:${sha256Of(FILES[1]!.bytes)}`);
    expect(files[5]?.digest).toBe(`git-sha1:${gitSha1Of(LIBRARY.bytes)}`);
  });

  it('gives addresses at which the files of that commit lie', async () => {
    for (const [at, file] of (await read()).files.entries()) {
      const body = new Uint8Array(await (await fetch(file.url!)).arrayBuffer());
      expect(sha256Of(body), file.path).toBe(sha256Of([...FILES, LIBRARY][at]!.bytes));
      if (at < 5) expect(file.url).toContain(hub.commit);
    }
  });

  it('asks nothing about a revision that is a commit already', async () => {
    await read(withHub({ revision: hub.commit }));
    expect(hub.requests.some((line) => line.includes('/revision/'))).toBe(false);
  });

  it.each([
    ['a repository that is not there', withHub({ repository: 'makers/none' })],
    ['a pattern that fits no file', withHub({ files: ['*.gguf'] })],
    ['a library that is not in its list', withHub({ library: 'https://raw.githubusercontent.com/makers/libraries/main/v1/base/none.wasm' })],
    ['a library elsewhere', withHub({ library: 'https://files.test/a/b/c/tiny.wasm' })],
  ])('refuses %s', async (_what, variant) => {
    await expect(read(variant)).rejects.toMatchObject({ code: 'hub-unreadable', modelId: 'tiny' });
  });

  it('refuses a page in place of a list, and a server that is not there', async () => {
    const answer = (body: BodyInit, init?: ResponseInit) => manifestFromHub(MODEL, VARIANT, { fetch: () => Promise.resolve(new Response(body, init)) });
    await expect(answer('<html>', { headers: { 'content-type': 'text/html' } })).rejects.toMatchObject({ code: 'hub-unreadable' });
    await expect(answer('{"sha":"../../evil"}')).rejects.toMatchObject({ code: 'hub-unreadable' });
    await expect(answer('null')).rejects.toMatchObject({ code: 'hub-unreadable' });
    await expect(manifestFromHub(MODEL, VARIANT, { fetch: () => Promise.reject(new TypeError('refused')) })).rejects.toMatchObject({ code: 'hub-unreadable', retryable: true });
  });

  it('refuses a list with a path that leads out of the directory', async () => {
    hub.addRepository('makers/evil', [{ path: '../params_shard_0.bin', bytes: new Uint8Array(1) }]);
    await expect(read(withHub({ repository: 'makers/evil', files: ['../*'] }))).rejects.toMatchObject({ code: 'hub-unreadable' });
  });

  it('says model-unknown for a variant that no hub has', async () => {
    await expect(manifestFromHub(MODEL, { ...VARIANT, hub: null })).rejects.toMatchObject({ code: 'model-unknown' });
  });

  it('keeps an abort as it is', async () => {
    const reason = new DOMException('Stopped.', 'AbortError');
    await expect(read(VARIANT, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('serversOf', () => {
  it('names every host that learns of a visitor', () => {
    expect(serversOf(VARIANT)).toEqual(['huggingface.co', 'hf.co', 'raw.githubusercontent.com', 'api.github.com']);
    expect(serversOf({ ...VARIANT, hub: { repository: 'a/b', revision: 'main', files: ['*.gguf'] } })).toEqual(['huggingface.co', 'hf.co']);
    expect(serversOf({ ...VARIANT, hub: null })).toEqual([]);
  });
});
