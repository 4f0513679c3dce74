import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseManifest } from '../bundle/manifest.js';
import { readText } from './files.js';
import { bundleDirectory, openDirectory } from './open-bundle.js';
import { table } from './table.js';
import { Arguments, type Command } from './usage.js';

export const bundleInspect: Command = {
  words: ['bundle', 'inspect'],
  summary: 'verifies a bundle and says what is in it',
  usage: `anamnesis bundle inspect ID|DIR [--json]
  ID      a bundle below dist/bundles; DIR: any directory that holds a manifest.json
  --json  one object: {id, version, entries, findings, pseudoHistories, languages, bytes, review, …}; bytes counts the
          parts, manifestBytes the manifest
Sizes and hashes are verified and every text is decoded, as a browser would.`,
  async run(args, io) {
    const given = new Arguments(args, { json: { type: 'boolean' } }, { least: 1, most: 1, names: 'ID|DIR' });
    const directory = bundleDirectory(given.positionals[0] ?? '', io);
    const encoders = parseManifest(readText(join(directory, 'manifest.json'), io)).encoders ?? [];
    const bundle = await openDirectory(directory, encoders.map((one) => one.id));
    const { manifest } = bundle;
    const leaves = bundle.diseases.reduce((sum, disease) => sum + bundle.diTree(disease.index).leaves.length, 0);
    const report = {
      id: manifest.id,
      version: manifest.version,
      name: manifest.name,
      school: manifest.school,
      languages: manifest.languages,
      entries: manifest.counts.diseases,
      findings: manifest.counts.findings,
      pseudoHistories: manifest.counts.pseudoHistories,
      leaves,
      redFlags: manifest.counts.redFlags,
      rows: manifest.counts.rows,
      bytes: manifest.parts.reduce((sum, part) => sum + part.bytes, 0),
      manifestBytes: statSync(join(directory, 'manifest.json')).size,
      review: manifest.review,
      licence: manifest.licence,
      formatVersion: manifest.formatVersion,
      encoder: manifest.encoder,
      parts: manifest.parts,
      encoders,
    };
    if (given.flag('json')) {
      io.out(JSON.stringify(report));
      return 0;
    }
    const { review } = report;
    io.out(
      table(
        [
          ['bundle', `${report.id} ${report.version}, format ${String(report.formatVersion)}`],
          ['name', `${report.name.zh} / ${report.name.en}`],
          ['directory', relative(io.cwd, directory) || '.'],
          ['school, languages', `${report.school}, ${report.languages.join(' ')}`],
          ['entries', `${String(report.entries)} with ${String(report.leaves)} leaves and ${String(report.pseudoHistories)} pseudo histories`],
          ['findings', `${String(report.findings)}, red flag rules ${String(report.redFlags)}`],
          ['encoder', `${report.encoder.id}, ${String(report.rows)} rows`],
          ['review', review.state === 'none' ? 'none: not clinically reviewed' : `${review.state}: ${String(review.reviewed)} of ${String(review.total)}`],
          ['licence', report.licence],
          ['bytes', `${String(report.bytes)} and ${String(report.manifestBytes)} of the manifest`],
        ],
        false,
      ),
    );
    io.out('');
    io.out(table([['part', 'bytes', 'sha256'], ...report.parts.map((part) => [part.name, String(part.bytes), part.sha256]), ...encoders.map((one) => [`rows of ${one.id}`, String(one.bytes), one.sha256])]));
    io.out('sizes and hashes are right');
    return 0;
  },
};
