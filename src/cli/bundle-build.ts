import { relative, resolve } from 'node:path';
import type { Manifest } from '../bundle/bundle.js';
import { sourcesDirectory } from './files.js';
import { printIssues } from './issues.js';
import { table } from './table.js';
import { Arguments, type Command, CommandError, UsageError } from './usage.js';

export const bundleBuild: Command = {
  words: ['bundle', 'build'],
  summary: 'builds bundles from the knowledge sources',
  usage: `anamnesis bundle build [--only ID,…] [--out DIR] [--sources DIR] [--quiet]
  --only ID,…    these bundles only; all where left out
  --out DIR      each bundle goes into DIR/<id>; default dist/bundles
  --sources DIR  directory that holds bundles.yaml; default kb-bundles
  --quiet        errors only: no warnings, no table`,
  async run(args, io) {
    const given = new Arguments(args, { only: { type: 'string' }, out: { type: 'string' }, sources: { type: 'string' }, quiet: { type: 'boolean' } }, { least: 0, most: 0, names: '' });
    const only = given.text('only')?.split(',').map((id) => id.trim()).filter((id) => id !== '');
    if (only?.length === 0) throw new UsageError('--only names no bundle');
    const sources = sourcesDirectory(given.text('sources'), io);
    const out = resolve(io.cwd, given.text('out') ?? 'dist/bundles');
    const { buildBundles } = await import('../../kb-bundles/build/build.js');
    const built: { manifest: Manifest; elapsedMs: number }[] = [];
    const { issues } = await buildBundles({ sources, out, ...(only === undefined ? {} : { only }), onBundle: (manifest, elapsedMs) => built.push({ manifest, elapsedMs }) });
    const errorCount = printIssues(given.flag('quiet') ? issues.filter((issue) => issue.level === 'error') : issues, sources, io, io.err);
    if (errorCount > 0) {
      io.err(`source-invalid: ${String(errorCount)} errors in the sources; no bundle was written.`);
      return 1;
    }
    const missing = only?.filter((id) => !built.some(({ manifest }) => manifest.id === id)) ?? [];
    if (missing.length > 0) throw new CommandError('bundle-unknown', `bundles.yaml lists no ${missing.join(', ')}.`);
    if (given.flag('quiet')) return 0;
    const rows = built.map(({ manifest, elapsedMs }) => {
      const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
      return [manifest.id, manifest.version, String(manifest.counts.diseases), String(bytes), elapsedMs.toFixed(0)];
    });
    io.out(table([['bundle', 'version', 'entries', 'bytes', 'ms'], ...rows]));
    io.out(`written below ${relative(io.cwd, out) || '.'}`);
    return 0;
  },
};
