import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Catalogue, ModelManifest } from '../../src/llm/catalogue.js';
import { parseModelIndex, parseModelManifest } from '../../src/llm/model-manifest.js';
import { HubServer, sha256Of } from '../fakes/hub-server.js';
import { scratch } from '../fixtures/fixture-bundles.js';
import { FILES, LIBRARY, MODEL, VARIANT } from '../llm/tiny-model.js';
import { type Outcome, runCommand } from './run-command.js';

const CATALOGUE: Catalogue = {
  kind: 'anamnesis-catalogue',
  formatVersion: 1,
  models: [{ ...MODEL, variants: [VARIANT, { ...VARIANT, id: 'gguf', runtime: 'wllama', device: 'cpu', features: [], downloadBytes: 300_000, hub: { repository: 'makers/tiny', revision: 'main', files: ['params_shard_0.bin'] } }] }],
};

let cwd: string;
let hub: HubServer;
beforeEach(async () => {
  cwd = scratch();
  writeFileSync(join(cwd, 'catalogue.json'), JSON.stringify(CATALOGUE));
  hub = await HubServer.start();
  hub.addRepository('makers/tiny', [...FILES, { path: 'README.md', bytes: new Uint8Array(9) }]);
  hub.addGithub('makers/libraries/v1/base', [LIBRARY]);
});
afterEach(() => hub.close());

const pull = (what = 'tiny/q4f16', ...more: readonly string[]): Promise<Outcome> => runCommand(cwd, 'models', 'pull', what, '--dir', 'models', '--hub', hub.url.href, '--github', hub.url.href, '--catalogue', 'catalogue.json', ...more);
const at = (...parts: readonly string[]): string => join(cwd, 'models', ...parts);
const manifest = (id = 'tiny/q4f16'): ModelManifest => parseModelManifest(readFileSync(at(id, 'manifest.json'), 'utf8'));

describe('models pull', () => {
  it('mirrors a variant with a manifest of SHA-256 digests and an index', async () => {
    const { code, out, err } = await pull();
    expect(code).toBe(0);
    expect(out).toBe('tiny/q4f16: 6 files, 1.2 MB, Apache-2.0\nwritten below models');
    expect(err.split('\n').at(0)).toBe('tiny/q4f16: 0 % of 1.2 MB');
    expect(err.split('\n').at(-1)).toBe('tiny/q4f16: 100 % of 1.2 MB');
    for (const file of [...FILES, LIBRARY]) expect(sha256Of(readFileSync(at('tiny/q4f16', file.path))), file.path).toBe(sha256Of(file.bytes));
    const { files, library, source } = manifest();
    expect(files).toEqual([...FILES, LIBRARY].map(({ path, bytes }) => ({ path, bytes: bytes.length, digest: `sha256:${sha256Of(bytes)}` })));
    expect(library).toBe('tiny.wasm');
    expect(source).toMatchObject({ server: hub.url.host, repository: 'makers/tiny', revision: hub.commit });
    expect(parseModelIndex(readFileSync(at('index.json'), 'utf8')).variants).toEqual(['tiny/q4f16']);
  });

  it('mirrors every variant of a model that is named alone', async () => {
    expect((await pull('tiny')).code).toBe(0);
    expect(parseModelIndex(readFileSync(at('index.json'), 'utf8')).variants).toEqual(['tiny/gguf', 'tiny/q4f16']);
    expect(manifest('tiny/gguf').library).toBe('');
  });

  it('goes on where it stopped, and writes no manifest before all is there', async () => {
    hub.spoil('params_shard_2.bin', { kind: 'status', status: 403 });
    const { code, err } = await pull();
    expect(code).toBe(1);
    expect(err).toContain('download-failed: params_shard_2.bin');
    expect([existsSync(at('tiny/q4f16/manifest.json')), existsSync(at('index.json'))]).toEqual([false, false]);
    rmSync(at('tiny/q4f16/params_shard_0.bin'), { force: true });
    writeFileSync(at('tiny/q4f16/params_shard_0.bin.part'), FILES[1]!.bytes.subarray(0, 70_000));
    hub.forget();
    expect((await pull()).code).toBe(0);
    expect(sha256Of(readFileSync(at('tiny/q4f16/params_shard_0.bin')))).toBe(sha256Of(FILES[1]!.bytes));
    expect(hub.served.find((one) => one.file === 'params_shard_0.bin')?.range).toBe('bytes=70000-');
    expect(hub.count('mlc-chat-config.json')).toBe(0);
  });

  it('fetches again what was changed on disk since', async () => {
    await pull();
    const bytes = readFileSync(at('tiny/q4f16/mlc-chat-config.json'));
    bytes[0]! ^= 1;
    writeFileSync(at('tiny/q4f16/mlc-chat-config.json'), bytes);
    hub.forget();
    expect((await pull()).code).toBe(0);
    expect(hub.served.map((one) => one.file)).toEqual(['mlc-chat-config.json']);
    expect((await runCommand(cwd, 'models', 'verify', 'models')).code).toBe(0);
  });

  it('keeps nothing of a file that differs from the list', async () => {
    hub.spoil('params_shard_1.bin', { kind: 'flip', at: 5 }, 9);
    const { code, err } = await pull();
    expect(code).toBe(1);
    expect(err).toContain('integrity-mismatch: params_shard_1.bin');
    expect(existsSync(at('tiny/q4f16/params_shard_1.bin'))).toBe(false);
  });

  it.each([
    ['an unknown model', ['huge'], 1, 'model-unknown: '],
    ['an unknown variant', ['tiny/q8'], 1, 'model-unknown: '],
    ['a hub that has no such repository', ['tiny/q4f16', '--hub', 'http://127.0.0.1:9/'], 1, 'hub-unreadable: '],
    ['an address that is none', ['tiny', '--hub', 'huggingface'], 2, '--hub is an address'],
    ['another catalogue that is none', ['tiny', '--catalogue', 'models.json'], 1, 'catalogue-invalid: '],
  ])('fails for %s', async (_what, args, code, message) => {
    writeFileSync(join(cwd, 'models.json'), '{"kind":"other"}');
    const outcome = await pull(...(args as [string, ...string[]]));
    expect([outcome.code, outcome.out]).toEqual([code, '']);
    expect(outcome.err).toContain(message);
  });

  it('says where it cannot write', async () => {
    writeFileSync(at(), 'a file in the way');
    const { code, err } = await pull();
    expect(code).toBe(1);
    expect(err).toMatch(/^file-unwritable: /);
  });
});

describe('models verify', () => {
  it('finds nothing in a good mirror', async () => {
    await pull('tiny');
    expect(await runCommand(cwd, 'models', 'verify', 'models')).toEqual({ code: 0, out: '2 variants, 7 files, 0 faults', err: '' });
  });

  it('prints a line for every fault and ends with 1', async () => {
    await pull('tiny');
    rmSync(at('tiny/q4f16/tiny.wasm'));
    writeFileSync(at('tiny/q4f16/mlc-chat-config.json'), '{');
    const shard = readFileSync(at('tiny/q4f16/params_shard_2.bin'));
    shard[399_999]! ^= 1;
    writeFileSync(at('tiny/q4f16/params_shard_2.bin'), shard);
    writeFileSync(at('tiny/gguf/manifest.json'), JSON.stringify({ ...manifest('tiny/gguf'), id: 'other/gguf' }));
    const { code, out } = await runCommand(cwd, 'models', 'verify', 'models');
    expect(code).toBe(1);
    expect(out.split('\n').sort()).toEqual(
      [
        'models/tiny/q4f16/tiny.wasm: is missing',
        'models/tiny/q4f16/mlc-chat-config.json: has 1 bytes, not 8',
        'models/tiny/q4f16/params_shard_2.bin: differs from what is listed',
        'models/tiny/gguf/manifest.json: is of other/gguf',
        '2 variants, 7 files, 4 faults',
      ].sort(),
    );
  });

  it('reports a manifest that is missing or leads out of the directory', async () => {
    mkdirSync(at('a/b'), { recursive: true });
    writeFileSync(at('index.json'), JSON.stringify({ kind: 'anamnesis-models', formatVersion: 1, variants: ['a/b', 'a/c'] }));
    writeFileSync(at('a/b/manifest.json'), JSON.stringify({ kind: 'anamnesis-model', formatVersion: 1, id: 'a/b', library: '', files: [{ path: '../../catalogue.json', bytes: 1, digest: `sha256:${'0'.repeat(64)}` }] }));
    const { code, out } = await runCommand(cwd, 'models', 'verify', 'models');
    expect(code).toBe(1);
    expect(out).toContain('models/a/b: manifest.json.files[0].path');
    expect(out).toContain('models/a/c: models/a/c/manifest.json cannot be read');
    expect(out).toContain('2 variants, 0 files, 2 faults');
  });

  it('fails where there is no mirror', async () => {
    const { code, err } = await runCommand(cwd, 'models', 'verify', 'nowhere');
    expect([code, err]).toEqual([1, 'file-unreadable: nowhere/index.json cannot be read (ENOENT).']);
  });
});

describe('models list', () => {
  it('prints every variant with its needs', async () => {
    const { code, out } = await runCommand(cwd, 'models', 'list', '--catalogue', 'catalogue.json');
    expect(code).toBe(0);
    expect(out).toMatch(/^tiny\/q4f16 +web-llm +gpu shader-f16 +en +\? +1\.0 MB +Apache-2\.0$/m);
    expect(out).toMatch(/^tiny\/gguf +wllama +cpu +en +0\.3 MB +1\.0 MB +Apache-2\.0$/m);
    expect(out).not.toContain('mirrored');
  });

  it('says what is mirrored', async () => {
    await pull('tiny/gguf');
    const { out } = await runCommand(cwd, 'models', 'list', '--catalogue', 'catalogue.json', '--dir', 'models');
    expect(out).toMatch(/^tiny\/gguf .* yes$/m);
    expect(out).toMatch(/^tiny\/q4f16 .*Apache-2\.0$/m);
    expect(hub.requests.length).toBeGreaterThan(0);
    expect((await runCommand(cwd, 'models', 'list', '--dir', 'models')).out).toContain('mirrored, but not in the catalogue: tiny/gguf');
  });

  it('lists the built-in catalogue', async () => {
    const { code, out } = await runCommand(cwd, 'models', 'list');
    expect(code).toBe(0);
    expect(out).toContain('qwen3-0.6b/q4f16');
  });

  it.each([['list'], ['pull'], ['verify']])('explains models %s', async (word) => {
    const { code, out } = await runCommand(cwd, 'models', word, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`anamnesis models ${word}`);
  });

  it('needs one of its words', async () => {
    expect((await runCommand(cwd, 'models')).err).toContain('"models" needs one of list, pull, verify');
  });
});
