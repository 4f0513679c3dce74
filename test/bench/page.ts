import { benchVectorSearch } from './vector-search.js';
import { type Bench, benchBundleLoad, benchBundles, type BenchReport, type BundleFiles, type LoadTimes, openFiles } from './workloads.js';

/** What the runner calls in the page. */
export interface BenchPage {
  bundleLoad(id: string): Promise<LoadTimes>;
  run(ids: readonly string[], only: readonly Bench[]): Promise<BenchReport>;
}

async function fetchFiles(id: string): Promise<BundleFiles> {
  const bytes = async (name: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(`/bundles/${id}/${name}`)).arrayBuffer());
  const manifest = await bytes('manifest.json');
  const { parts } = JSON.parse(new TextDecoder().decode(manifest)) as { parts: { file: string }[] };
  const files = new Map([['manifest.json', manifest]]);
  for (const { file } of parts) files.set(file, await bytes(file));
  return files;
}

const page: BenchPage = {
  bundleLoad: async (id) => benchBundleLoad(await fetchFiles(id)),
  async run(ids, only) {
    const chosen = new Set(only);
    const vectorSearch = chosen.has('vector-search') ? { vectorSearch: await benchVectorSearch({ voyWasm: () => fetch('/voy_search_bg.wasm') }) } : {};
    const bundles = [];
    for (const id of ids) bundles.push(await openFiles(await fetchFiles(id)));
    return { ...vectorSearch, ...(await benchBundles(bundles, chosen)) };
  },
};
(globalThis as unknown as { bench: BenchPage }).bench = page;
