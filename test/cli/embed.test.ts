import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildFixtures, CASES, GOLD_MAP, KNOWLEDGE, scratch } from '../fixtures/fixture-bundles.js';
import { objectOf, runCommand } from './run-command.js';

const NAME = 'all-MiniLM-L6-v2';

/** A stand-in for the installed library: it reads a file of the encoder, as the real one does, and hashes texts into rows. */
const LIBRARY = `export const env = { backends: { onnx: { wasm: {} } } };
export async function pipeline(task, model, options) {
  const config = await env.customCache.match(env.remoteHost + model + '/config.json');
  const weights = await env.customCache.match(env.remoteHost + model + '/onnx/model_quantized.onnx');
  if (config === undefined || weights === undefined || options.device !== 'auto' || globalThis[Symbol.for('onnxruntime')]?.isFake !== true) throw new Error('no files');
  const extract = async (texts) => {
    const data = new Float32Array(texts.length * 384);
    texts.forEach((text, row) => { for (let at = 0; at + 1 < text.length; at++) data[row * 384 + ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) % 384)] += 1 / text.length; });
    return { dims: [texts.length, 384], data };
  };
  return Object.assign(extract, { dispose: async () => undefined });
}`;

function install(): string {
  const directory = scratch();
  const put = (path: string, content: string): void => {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  const at = 'node_modules/@huggingface/transformers';
  put('package.json', '{}');
  put(`${at}/package.json`, JSON.stringify({ name: '@huggingface/transformers', exports: { node: { require: './dist/transformers.node.cjs' } } }));
  put(`${at}/dist/transformers.node.cjs`, '');
  put(`${at}/dist/transformers.web.js`, LIBRARY);
  put(`${at}/dist/package.json`, '{"type":"module"}');
  put('node_modules/onnxruntime-web/package.json', JSON.stringify({ name: 'onnxruntime-web', exports: { '.': './dist/ort.node.min.js' } }));
  put('node_modules/onnxruntime-web/dist/ort.node.min.js', '');
  put('node_modules/onnxruntime-web/dist/ort.node.min.mjs', 'export const isFake = true;');
  put(`files/${NAME}/config.json`, '{}');
  put(`files/${NAME}/onnx/model_quantized.onnx`, 'weights');
  return directory;
}

describe('bundle embed', () => {
  let library: string;
  let out: string;
  beforeAll(async () => {
    library = install();
    out = await buildFixtures();
  });
  const embed = (...more: readonly string[]) => runCommand(out, 'bundle', 'embed', 'mini-en', '--sources', KNOWLEDGE, ...more);
  const given = () => ['--encoder', NAME, '--encoder-files', join(library, 'files'), '--library', library];

  it('makes rows that an evaluation then searches, until the bundle is built again', async () => {
    const made = await embed(...given());
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^mini-en: 6 rows of all-MiniLM-L6-v2, \d+ bytes in mini-en\/rows-[0-9a-f]{12}\.bin, \d+ s$/);
    const inspect = await runCommand(out, 'bundle', 'inspect', 'mini-en', '--json');
    expect(objectOf(inspect).encoders).toMatchObject([{ id: NAME, dimension: 384 }]);
    const evaluate = (...more: readonly string[]) => runCommand(out, 'eval', 'retrieval', '--bundle', 'mini-en', '--cases', CASES, '--gold-map', GOLD_MAP, '--json', ...more);
    const [own, other] = [await evaluate(), await evaluate(...given())];
    expect(other.code).toBe(0);
    expect(Number(objectOf(other).mrr)).toBeGreaterThan(0);
    expect(objectOf(other)).toMatchObject({ cases: objectOf(own).cases, inKnowledge: objectOf(own).inKnowledge });
    const search = (...more: readonly string[]) => runCommand(out, 'bundle', 'search', 'mini-en', 'it burns when i pee', '--json', ...more);
    const [ownSearch, otherSearch] = [await search(), await search(...given())];
    expect(otherSearch).toMatchObject({ code: 0, err: '' });
    expect(objectOf(otherSearch)).not.toEqual(objectOf(ownSearch));
    const fresh = await buildFixtures();
    cpSync(join(fresh, 'mini-en'), join(out, 'mini-en'), { recursive: true });
    expect(await evaluate(...given())).toMatchObject({ code: 1, err: expect.stringContaining('embedder-mismatch') as string });
  });

  it.each([
    ['no encoder', () => [], 2, '--encoder is missing'],
    ['no files', () => ['--encoder', NAME], 2, '--encoder-files is missing'],
    ['an encoder that there is not', () => ['--encoder', 'word2vec', '--encoder-files', '.'], 1, 'encoder-unknown'],
    ['a directory without the encoder', () => ['--encoder', NAME, '--encoder-files', library, '--library', library], 1, 'file-unreadable'],
    ['no library', () => ['--encoder', NAME, '--encoder-files', join(library, 'files'), '--library', out], 1, 'install-incomplete'],
  ] as const)('says what to do with %s', async (_what, flags, code, words) => {
    expect(await embed(...flags())).toMatchObject({ code, err: expect.stringContaining(words) as string });
  });

  it.each([
    ['fewer entries', (mm: string) => readdirSync(mm).filter((file) => file.startsWith('migraine')).forEach((file) => rmSync(join(mm, file)))],
    ['another word', (mm: string) => writeFileSync(join(mm, 'migraine.en.md'), readFileSync(join(mm, 'migraine.en.md'), 'utf8').replace('A headache disorder', 'A disorder'))],
  ])('refuses a bundle that was built from other sources: %s', async (_what, change) => {
    const other = join(scratch(), 'sources');
    cpSync(KNOWLEDGE, other, { recursive: true });
    change(join(other, 'mm'));
    expect(await runCommand(out, 'bundle', 'embed', 'mini-en', '--sources', other, ...given())).toMatchObject({ code: 1, err: expect.stringContaining('build it again') as string });
  });
});
