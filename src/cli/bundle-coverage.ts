import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText, sourcesDirectory } from './files.js';
import { Arguments, type Command, UsageError } from './usage.js';

export const bundleCoverage: Command = {
  words: ['bundle', 'coverage'],
  summary: 'says which names the knowledge covers, merges and leaves out',
  usage: `anamnesis bundle coverage [--lists DIR] [--sources DIR] [--write]
  --lists DIR    directory of the coverage lists (mm-zh.txt, tcm-zh-syndromes.txt, …): names they hold and the
                 knowledge lacks are told as missing, and names that an entry holds as an alias as merged
  --sources DIR  directory that holds bundles.yaml; default kb-bundles
  --write        writes COVERAGE.md into the sources' directory in place of printing it
Ends with 1 where a list has a name that nothing accounts for.`,
  async run(args, io) {
    const given = new Arguments(args, { lists: { type: 'string' }, sources: { type: 'string' }, write: { type: 'boolean' } }, { least: 0, most: 0, names: '' });
    const directory = sourcesDirectory(given.text('sources'), io);
    const listsDirectory = given.text('lists');
    const { readSources } = await import('../../kb-bundles/build/read-sources.js');
    const { coverageOf, coveragePage, COVERAGE_LISTS } = await import('../../kb-bundles/build/coverage.js');
    const lists = new Map<string, string>();
    if (listsDirectory !== undefined) {
      if (!COVERAGE_LISTS.some((list) => existsSync(join(listsDirectory, `${list}.txt`)))) throw new UsageError(`--lists: ${listsDirectory} holds none of ${COVERAGE_LISTS.map((list) => `${list}.txt`).join(', ')}`);
      for (const list of COVERAGE_LISTS) {
        const file = join(listsDirectory, `${list}.txt`);
        if (existsSync(file)) lists.set(list, readText(file, io));
      }
    }
    const all = coverageOf(directory, readSources(directory), lists);
    const page = coveragePage(all);
    if (given.flag('write')) writeFileSync(join(directory, 'COVERAGE.md'), page);
    else io.out(page.trimEnd());
    return all.some(({ coverage }) => coverage.missing.length > 0) ? 1 : 0;
  },
};
