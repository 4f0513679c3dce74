import { sourcesDirectory } from './files.js';
import { table } from './table.js';
import { Arguments, type Command } from './usage.js';

/** Lines of each list that the table shows. */
const SHOWN = 20;

export const bundleStats: Command = {
  words: ['bundle', 'stats'],
  summary: 'counts what the knowledge sources hold, and what in them tells nothing',
  usage: `anamnesis bundle stats [--sources DIR] [--json]
  --sources DIR  directory that holds bundles.yaml; default kb-bundles
  --json         one object: {schools, findings, unusedFindings, sharedWords}, every list whole
Entries, findings an entry, pseudo histories and first sentences, who reviewed; entries that no finding separates
(likeness of their findings from .8), findings that nothing uses, words that stand in two findings.`,
  async run(args, io) {
    const given = new Arguments(args, { sources: { type: 'string' }, json: { type: 'boolean' } }, { least: 0, most: 0, names: '' });
    const { readSources } = await import('../../kb-bundles/build/read-sources.js');
    const { statsOf } = await import('../../kb-bundles/build/stats.js');
    const stats = statsOf(readSources(sourcesDirectory(given.text('sources'), io)));
    if (given.flag('json')) {
      io.out(JSON.stringify(stats));
      return 0;
    }
    const list = (title: string, lines: readonly string[]): void => {
      io.out(`\n${title}: ${String(lines.length)}`);
      for (const line of lines.slice(0, SHOWN)) io.out(`  ${line}`);
      if (lines.length > SHOWN) io.out(`  … and ${String(lines.length - SHOWN)} more (--json)`);
    };
    io.out(
      table(
        [
          ['school', 'entries', 'findings an entry', 'histories', 'first sentences', 'reviewed'],
          ...stats.schools.map((one) => [
            one.school,
            String(one.entries),
            `${String(one.findingsPerEntry.least)} to ${String(one.findingsPerEntry.most)}, median ${String(one.findingsPerEntry.median)}`,
            String(one.histories),
            String(one.firstSentences),
            Object.entries(one.reviewed).map(([who, count]) => `${who} ${String(count)}`).join(', '),
          ]),
        ],
        true,
      ),
    );
    io.out(`\nfindings: ${String(stats.findings)}`);
    for (const one of stats.schools) list(`entries that no finding separates, ${one.school}`, one.inseparable.map(([a, b, value]) => `${a} and ${b} (${value.toFixed(2)})`));
    list('findings that nothing uses', stats.unusedFindings);
    list('words of two findings', stats.sharedWords.map(([word, ids]) => `${word}: ${ids}`));
    return 0;
  },
};
