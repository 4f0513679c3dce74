import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { embedBundle } from '../../kb-bundles/build/embed.js';
import { createParts, createReasoning, createRetriever } from '../../src/anamnesis.js';
import type { KnowledgeBundle } from '../../src/bundle/bundle.js';
import { loadBundle } from '../../src/bundle/load.js';
import { parseManifest } from '../../src/bundle/manifest.js';
import { openDirectory } from '../../src/cli/open-bundle.js';
import { BASE, FakeServer, MemoryBundleCache } from '../fixtures/fake-server.js';
import { buildFixtures, KNOWLEDGE } from '../fixtures/fixture-bundles.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';

const WORDS = 'burning when I pee and I have to go all the time';

describe('rows of another encoder', () => {
  let directory: string;
  let embedder: FakeEmbedder;
  beforeEach(async () => {
    directory = join(await buildFixtures(), 'mini-en');
    embedder = new FakeEmbedder();
  });
  const make = async () => embedBundle({ sources: KNOWLEDGE, bundle: await openDirectory(directory), directory, embedder });
  const load = (server: FakeServer, cache?: MemoryBundleCache) => loadBundle(BASE, { fetch: server.fetch, encoders: ['fake-16', 'another'], ...(cache === undefined ? {} : { cache }) });
  const namesFor = async (bundle: KnowledgeBundle, given?: FakeEmbedder) => (await createRetriever(bundle, given === undefined ? {} : { embedder: given }).retrieve([WORDS], { topK: 3 })).map((one) => [bundle.diseases[one.diseaseIndex]?.id, one.score]);

  it('are made from the knowledge as passages, one row for histories and one for the tree', async () => {
    const made = await make();
    expect(made).toMatchObject({ id: 'fake-16', dimension: 16 });
    expect(embedder.given.every(({ role }) => role === 'passage')).toBe(true);
    expect(embedder.given).toHaveLength(6);
    const texts = embedder.given.map(({ texts: some }) => some.join('\n'));
    expect(texts[1]).toContain('Migraine');
    const { bundle } = await load(new FakeServer(directory));
    const rows = bundle.encoders.get('fake-16')!;
    expect(rows.vectors).toHaveLength(6 * 16);
    for (let row = 0; row < 6; row++) expect(Math.hypot(...rows.vectors.subarray(row * 16, row * 16 + 16))).toBeCloseTo(1, 5);
  });

  it('are fetched only where they are asked for', async () => {
    const made = await make();
    const server = new FakeServer(directory);
    const { bundle } = await loadBundle(BASE, { fetch: server.fetch });
    expect(bundle.encoders.size).toBe(0);
    expect(server.requests).not.toContain(made.file);
    await load(server);
    expect(server.requests).toContain(made.file);
  });

  it('are kept for the next visit', async () => {
    await make();
    const server = new FakeServer(directory);
    const cache = new MemoryBundleCache();
    await load(server, cache);
    server.requests.length = 0;
    expect((await load(server, cache)).bundle.encoders.has('fake-16')).toBe(true);
    expect(server.requests).toEqual(['manifest.json']);
  });

  it('never stand in the way of the bundle: where their file fails, it comes without them', async () => {
    const made = await make();
    const server = new FakeServer(directory);
    server.files.delete(made.file);
    const { bundle, encoderFailure, origin } = await load(server);
    expect([bundle.id, bundle.encoders.size, origin]).toEqual(['mini-en', 0, 'network']);
    expect(encoderFailure).toMatchObject({ code: 'fetch-failed', file: made.file });
    expect(await namesFor(bundle)).not.toEqual([]);
  });

  it('take the place of rows of the same encoder, beside those of others', async () => {
    const before = await make();
    const other = Object.assign(new FakeEmbedder(), { id: 'other-16' });
    await embedBundle({ sources: KNOWLEDGE, bundle: await openDirectory(directory), directory, embedder: other });
    embedder.embed = (texts) => Promise.resolve(texts.map(() => new Float32Array(16).fill(0.25)));
    const after = await make();
    expect(after.file).not.toBe(before.file);
    expect(parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8')).encoders?.map((one) => one.id)).toEqual(['other-16', 'fake-16']);
    // The other encoder's rows were the same as the first one's, and so is their file.
    expect(readdirSync(directory).filter((file) => file.startsWith('rows-')).sort()).toEqual([after.file, before.file].sort());
  });

  it('are refused for a bundle of other sources, and in a manifest that is not whole', async () => {
    const bundle = await openDirectory(directory);
    const changed: KnowledgeBundle = { ...bundle, diseases: bundle.diseases.slice(1) };
    await expect(embedBundle({ sources: KNOWLEDGE, bundle: changed, directory, embedder })).rejects.toMatchObject({ code: 'malformed' });
    await make();
    const file = join(directory, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"dimension": 16', '"dimension": 0'));
    await expect(openDirectory(directory)).rejects.toMatchObject({ code: 'malformed', message: expect.stringContaining('encoders') as string });
  });

  it('are searched by their encoder, in retrieval and in a consultation', async () => {
    await make();
    const { bundle } = await load(new FakeServer(directory));
    embedder.given.length = 0;
    const ranked = await namesFor(bundle, embedder);
    expect(embedder.given).toEqual([{ texts: [WORDS], role: 'query' }]);
    expect(ranked[0]?.[0]).toBe('cystitis');
    expect(ranked).not.toEqual(await namesFor(bundle));
    const reasoning = createReasoning(bundle, { embedder });
    await reasoning.retrieve([WORDS], 'both');
    expect(embedder.given).toHaveLength(2);
    createParts(bundle, { embedder }).strategy.close();
    expect(embedder.isClosed).toBe(false);
  });

  it('must be those of the encoder in use', async () => {
    const bundle = await openDirectory(directory);
    expect(() => createRetriever(bundle, { embedder })).toThrow(expect.objectContaining({ name: 'StoreError', code: 'embedder-mismatch' }) as Error);
    await make();
    const { bundle: whole } = await load(new FakeServer(directory));
    expect(() => createRetriever(whole, { embedder: Object.assign(new FakeEmbedder(), { dimension: 8 }) })).toThrow(expect.objectContaining({ code: 'embedder-mismatch' }) as Error);
  });

  it('give way to the bundle’s own where the encoder fails, for good', async () => {
    await make();
    const { bundle } = await load(new FakeServer(directory));
    const retriever = createRetriever(bundle, { embedder });
    expect(retriever.encoderId).toBe('fake-16');
    embedder.isBroken = true;
    embedder.given.length = 0;
    const own = await createRetriever(bundle).retrieve([WORDS]);
    expect(await retriever.retrieve([WORDS])).toEqual(own);
    expect(await retriever.retrieve([WORDS])).toEqual(own);
    expect(embedder.given).toHaveLength(1);
    expect(retriever.encoderId).toBe(bundle.manifest.encoder.id);
  });
});
