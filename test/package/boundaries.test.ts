import { describe, expect, it } from 'vitest';
import { type Import, readImports, roomOf } from './import-graph.js';

/** What each room may import; `errors` is open to all. A star marks what may be imported for its types only. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  text: [],
  bundle: [],
  findings: ['text', 'bundle'],
  safety: ['findings', 'bundle'],
  store: [],
  llm: ['bundle*', 'text'],
  embedding: ['bundle', 'text'],
  retriever: ['store*', 'embedding*', 'text', 'bundle'],
  differential: ['findings', 'bundle'],
  strategy: ['retriever*', 'differential', 'findings*', 'safety*', 'bundle', 'llm', 'text'],
  consultation: ['strategy*', 'safety', 'findings', 'differential', 'bundle'],
  export: ['consultation*', 'bundle*'],
  options: ['strategy*', 'retriever*', 'embedding*', 'store*'],
  evaluation: ['consultation', 'strategy*', 'retriever*', 'differential', 'findings', 'safety*', 'text', 'bundle'],
  'kb-bundles/build': ['bundle', 'text', 'findings', 'embedding', 'retriever'],
  widget: ['index'],
};
/** Each runtime dependency is imported in exactly one file. */
const ONE_HOME: Readonly<Record<string, string>> = {
  idb: 'src/consultation/storage.ts',
  stemmer: 'src/text/units.ts',
  'voy-search/voy_search_bg.js': 'src/store/voy-store.ts',
  jsonrepair: 'src/llm/json-reply.ts',
  '@mlc-ai/web-llm': 'src/llm/web-llm-worker.ts',
  '@wllama/wllama/esm/index.js': 'src/llm/wllama-worker.ts',
  'eventsource-parser': 'src/llm/event-stream.ts',
  'opencc-js/dict/TSCharacters': 'src/text/normalize.ts',
};

const imports = readImports(['src', 'widget', 'kb-bundles/build']);
const local = imports.filter((one) => /^(?:src|widget|kb-bundles)\//.test(one.to));
const show = (one: Import): string => `${one.from} -> ${one.to}${one.typeOnly ? ' (types)' : ''}`;

describe('imports', () => {
  it('go only where the table allows', () => {
    const wrong = local.filter((one) => {
      const from = roomOf(one.from);
      const to = roomOf(one.to);
      const allowed = MAY_IMPORT[from];
      if (from === to || to === 'errors' || allowed === undefined) return false;
      return !(allowed.includes(to) || (one.typeOnly && allowed.includes(`${to}*`)));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('form no cycles at run time', () => {
    const edges = new Map<string, string[]>();
    for (const one of local) if (!one.typeOnly && !one.dynamic) edges.set(one.from, [...(edges.get(one.from) ?? []), one.to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    };
    for (const file of edges.keys()) walk(file, []);
    expect(cycles).toEqual([]);
  });

  it('reach each runtime dependency from one file', () => {
    for (const [dependency, home] of Object.entries(ONE_HOME)) {
      expect(new Set(imports.filter((one) => one.to === dependency).map((one) => one.from)), dependency).toEqual(new Set([home]));
    }
    expect(imports.filter((one) => one.from.startsWith('src/') && (one.to === 'lit' || one.to.startsWith('lit/'))).map(show)).toEqual([]);
  });

  it('keep Node out of what runs in a page', () => {
    const node = imports.filter((one) => one.to.startsWith('node:') && !one.from.startsWith('src/cli/') && !one.from.startsWith('kb-bundles/') && !one.from.endsWith('.config.ts'));
    expect(node.map(show)).toEqual([]);
  });

  it('load voy only on demand', () => {
    expect(local.filter((one) => one.to === 'src/store/voy-store.ts' && !one.dynamic && !one.typeOnly).map(show)).toEqual([]);
  });
});
