import { describe, expect, it } from 'vitest';
import { ENCODERS } from '../../src/embedding/encoders.js';
import { createTransformersEmbedder, type TransformersEmbedderOptions } from '../../src/embedding/transformers-embedder.js';
import { ERROR_CODES } from '../../src/errors/codes.js';

const SECRET = 'I have a lump in my left breast';

/** Stands for the library: rows count the texts, so that order shows. */
class FakeLibrary {
  readonly env = { allowLocalModels: true, allowRemoteModels: true, remoteHost: 'https://hub.example/', remotePathTemplate: '{model}/resolve/{revision}/', useBrowserCache: true, useWasmCache: true, backends: { onnx: { wasm: { wasmPaths: 'https://cdn.example/', numThreads: 4 } } } };
  readonly asked: { readonly model: string; readonly options: object }[] = [];
  readonly embedded: { readonly texts: readonly string[]; readonly options: object }[] = [];
  disposed = 0;
  width = 384;
  fails = false;

  readonly pipeline = (_task: string, model: string, options: object) => {
    this.asked.push({ model, options });
    const extract = (texts: readonly string[], how: object) => {
      if (this.fails) return Promise.reject(new Error(`cannot read "${texts[0] ?? ''}"`));
      const data = new Float32Array(texts.length * this.width);
      texts.forEach((_, at) => (data[at * this.width] = this.embedded.length * 100 + at));
      this.embedded.push({ texts, options: how });
      return Promise.resolve({ dims: [texts.length, this.width], data });
    };
    return Promise.resolve(Object.assign(extract, { dispose: () => Promise.resolve(this.disposed++) }));
  };
}

function open(library: FakeLibrary, options: Partial<TransformersEmbedderOptions> = {}) {
  return createTransformersEmbedder({ encoder: 'multilingual-e5-small', files: 'https://hospital.example/encoders', wasm: 'https://hospital.example/ort/', library: () => Promise.resolve(library), ...options });
}

describe('a transformer encoder', () => {
  it('asks the page’s own directories, keeps nothing, and names its model', async () => {
    const library = new FakeLibrary();
    const embedder = await open(library);
    expect(library.env).toEqual({ allowLocalModels: false, allowRemoteModels: true, remoteHost: 'https://hospital.example/encoders/', remotePathTemplate: '{model}/', useBrowserCache: false, useWasmCache: false, backends: { onnx: { wasm: { wasmPaths: 'https://hospital.example/ort/', numThreads: 1 } } } });
    expect(library.asked).toEqual([{ model: 'multilingual-e5-small', options: { dtype: 'q8', device: 'wasm' } }]);
    expect(embedder).toMatchObject({ id: 'multilingual-e5-small', dimension: 384 });
  });

  it('tells queries from passages as the encoder was trained to be told', async () => {
    const library = new FakeLibrary();
    const embedder = await open(library);
    await embedder.embed(['stomach ache']);
    await embedder.embed(['Gastritis'], 'passage');
    expect(library.embedded.slice(1).map(({ texts }) => texts)).toEqual([['query: stomach ache'], ['passage: Gastritis']]);
    const zh = new FakeLibrary();
    zh.width = 512;
    await (await open(zh, { encoder: 'bge-small-zh-v1.5' })).embed(['胃疼']);
    expect(zh.embedded.at(-1)).toEqual({ texts: ['为这个句子生成表示以用于检索相关文章：胃疼'], options: { pooling: 'cls', normalize: true } });
  });

  it('gives one row a text, in order, however many there are', async () => {
    const library = new FakeLibrary();
    const embedder = await open(library);
    const rows = await embedder.embed(Array.from({ length: 19 }, (_, at) => `text ${String(at)}`));
    expect(rows).toHaveLength(19);
    expect(rows.every((row) => row.length === 384)).toBe(true);
    expect(library.embedded.slice(1).flatMap(({ texts }) => texts)).toEqual(Array.from({ length: 19 }, (_, at) => `query: text ${String(at)}`));
    expect(rows.map((row) => row[0])).toEqual([...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => 100 + at), ...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => 200 + at), 300, 301, 302]);
    expect(await embedder.embed([])).toEqual([]);
  });

  it('takes an encoder that the page describes', async () => {
    const library = new FakeLibrary();
    library.width = 3;
    const embedder = await open(library, { encoder: { id: 'ours', repository: 'us/ours', dimension: 3, pooling: 'mean', prefix: { query: 'q ', passage: '' }, reads: 'zh', licence: 'MIT' } });
    expect((await embedder.embed(['x']))[0]).toHaveLength(3);
  });

  it('refuses names that it does not know, files of another encoder, and a library that does not come', async () => {
    await expect(open(new FakeLibrary(), { encoder: 'word2vec' })).rejects.toMatchObject({ name: 'StoreError', code: 'encoder-unknown' });
    const other = new FakeLibrary();
    other.width = 768;
    await expect(open(other)).rejects.toMatchObject({ code: 'encoder-failed', message: expect.stringContaining('768') as string });
    await expect(open(new FakeLibrary(), { library: () => Promise.reject(new TypeError('Failed to fetch')) })).rejects.toMatchObject({ code: 'encoder-failed', retryable: true });
    expect(ERROR_CODES['encoder-failed']).not.toBe('');
  });

  it('says nothing of the words where it fails, nor after it was closed', async () => {
    const library = new FakeLibrary();
    const embedder = await open(library);
    library.fails = true;
    const error: unknown = await embedder.embed([SECRET]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'encoder-failed', retryable: true });
    expect(`${String(error)} ${String((error as Error).cause)}`).not.toContain('lump');
    embedder.close();
    embedder.close();
    await expect(embedder.embed([SECRET])).rejects.toMatchObject({ code: 'encoder-failed' });
    expect(library.disposed).toBe(1);
  });
});

describe('the encoders by name', () => {
  it('are distinct, read what they say and have a licence', () => {
    expect(new Set(ENCODERS.map((one) => one.id)).size).toBe(ENCODERS.length);
    expect(new Set(ENCODERS.map((one) => one.reads))).toEqual(new Set(['zh', 'en', 'multilingual']));
    for (const one of ENCODERS) expect(['MIT', 'Apache-2.0']).toContain(one.licence);
  });
});
