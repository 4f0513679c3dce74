import { sourcesDirectory } from './files.js';
import { printIssues, relativeIssues } from './issues.js';
import { Arguments, type Command } from './usage.js';

export const bundleLint: Command = {
  words: ['bundle', 'lint'],
  summary: 'reports mistakes in the knowledge sources',
  usage: `anamnesis bundle lint [--sources DIR] [--json]
  --sources DIR  directory that holds bundles.yaml; default kb-bundles
  --json         one object: {errors, warnings, issues: [{file, line, rule, message, level}]}
Prints "file:line rule message" and ends with 1 where an error is among them; warnings alone end with 0.`,
  async run(args, io) {
    const given = new Arguments(args, { sources: { type: 'string' }, json: { type: 'boolean' } }, { least: 0, most: 0, names: '' });
    const sources = sourcesDirectory(given.text('sources'), io);
    const { readSources } = await import('../../kb-bundles/build/read-sources.js');
    const { issues } = readSources(sources).log;
    const errorCount = issues.filter((issue) => issue.level === 'error').length;
    if (given.flag('json')) {
      io.out(JSON.stringify({ errors: errorCount, warnings: issues.length - errorCount, issues: relativeIssues(issues, sources, io) }));
    } else {
      printIssues(issues, sources, io, io.out);
      io.out(`${String(errorCount)} errors, ${String(issues.length - errorCount)} warnings`);
    }
    return errorCount > 0 ? 1 : 0;
  },
};
