import { join, relative, resolve } from 'node:path';
import { sourcesDirectory } from './files.js';
import { bundleDirectory, openDirectory } from './open-bundle.js';
import { ENCODER_FLAGS, ENCODER_USAGE, openEncoder } from './open-encoder.js';
import { Arguments, type Command } from './usage.js';

/** Rows between two lines of progress. */
const STEP = 50;

export const bundleEmbed: Command = {
  words: ['bundle', 'embed'],
  summary: 'makes rows of a built bundle with a transformer encoder',
  usage: `anamnesis bundle embed ID|DIR --encoder NAME --encoder-files DIR [--library DIR] [--sources DIR]
${ENCODER_USAGE}
  --sources DIR        sources that the bundle was built from; default kb-bundles
The rows go into a file of their own beside the bundle's, which only pages with that encoder fetch; the manifest lists
it: copy both to where the bundle is served. "bundle build" forgets it, so run this again after a build.`,
  async run(args, io) {
    const given = new Arguments(args, { ...ENCODER_FLAGS, sources: { type: 'string' } }, { least: 1, most: 1, names: 'ID|DIR' });
    const name = given.required('encoder');
    const directory = bundleDirectory(given.positionals[0] ?? '', io);
    const sources = sourcesDirectory(given.text('sources'), io);
    const bundle = await openDirectory(directory);
    const embedder = await openEncoder(name, given, io);
    const { embedBundle } = await import('../../kb-bundles/build/embed.js');
    const started = performance.now();
    const made = await embedBundle({ sources, bundle, directory: resolve(directory), embedder, onProgress: (done, all) => { if (done % STEP === 0) io.err(`${String(done)} of ${String(all)} rows`); } });
    embedder.close();
    io.out(`${bundle.id}: ${String(bundle.rows.length)} rows of ${made.id}, ${String(made.bytes)} bytes in ${join(relative(io.cwd, directory), made.file)}, ${((performance.now() - started) / 1000).toFixed(0)} s`);
    return 0;
  },
};
