import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchPlace } from './bench.js';
import { benchVectorSearch } from './vector-search.js';
import { benchBundleLoad, benchBundles, type BundleFiles, type LoadTimes, openFiles } from './workloads.js';

export function readFiles(directory: string): BundleFiles {
  return new Map(readdirSync(directory).map((name) => [name, new Uint8Array(readFileSync(join(directory, name)))]));
}

/** Runs the benches in this process; each bundle is loaded in a process of its own, as a visitor loads it afresh. */
export function inNode(root: string): BenchPlace {
  const bundles = join(root, 'dist', 'bundles');
  return {
    name: `Node ${process.versions.node}`,
    bundleLoad(id) {
      const printed = execFileSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), join(bundles, id)], { encoding: 'utf8' });
      return Promise.resolve(JSON.parse(printed) as LoadTimes);
    },
    async run(ids, only) {
      const voyWasm = only.has('vector-search') ? readFileSync(join(root, 'node_modules/voy-search/voy_search_bg.wasm')) : undefined;
      const vectorSearch = voyWasm === undefined ? {} : { vectorSearch: await benchVectorSearch({ voyWasm }) };
      return { ...vectorSearch, ...(await benchBundles(await Promise.all(ids.map((id) => openFiles(readFiles(join(bundles, id))))), only)) };
    },
    close: () => Promise.resolve(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(JSON.stringify(await benchBundleLoad(readFiles(process.argv[2] ?? ''))));
}
