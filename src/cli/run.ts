import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAnamnesisError } from '../errors/anamnesis-error.js';
import { bundleBuild } from './bundle-build.js';
import { bundleCoverage } from './bundle-coverage.js';
import { bundleEmbed } from './bundle-embed.js';
import { bundleInspect } from './bundle-inspect.js';
import { bundleLint } from './bundle-lint.js';
import { bundleSearch } from './bundle-search.js';
import { bundleStats } from './bundle-stats.js';
import { evalConsult } from './eval-consult.js';
import { evalRetrieval } from './eval-retrieval.js';
import { packageRoot } from './files.js';
import { modelsList } from './models-list.js';
import { modelsPull } from './models-pull.js';
import { modelsVerify } from './models-verify.js';
import { read } from './read.js';
import { table } from './table.js';
import { type Command, CommandError, type CommandIo, UsageError } from './usage.js';

const COMMANDS: readonly Command[] = [bundleBuild, bundleLint, bundleCoverage, bundleStats, bundleInspect, bundleEmbed, bundleSearch, evalRetrieval, evalConsult, modelsList, modelsPull, modelsVerify, read];

function overview(): string {
  const rows = COMMANDS.map((command) => [`  anamnesis ${command.words.join(' ')}`, command.summary]);
  return `Usage: anamnesis COMMAND …\n\n${table(rows, false)}\n\nEach command explains itself with --help. --version prints the version.`;
}

/**
 * Runs one command line.
 * @param args without the program's name
 * @returns the exit code: 0; 1 where the command failed or found errors; 2 where it was used wrongly
 */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [first] = args;
  if (first === undefined) {
    io.err(overview());
    return 2;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    io.out(overview());
    return 0;
  }
  if (first === '--version') {
    io.out((JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version);
    return 0;
  }
  const command = COMMANDS.find((one) => one.words.every((word, at) => args[at] === word));
  if (command === undefined) {
    const group = COMMANDS.filter((one) => one.words[0] === first && one.words.length > 1);
    const what = group.length > 0 ? `"${first}" needs one of ${group.map((one) => one.words[1]).join(', ')}` : `no command is named "${first}"`;
    io.err(`${what}\n\n${overview()}`);
    return 2;
  }
  const rest = args.slice(command.words.length);
  const marks = rest.indexOf('--');
  if ((marks < 0 ? rest : rest.slice(0, marks)).some((argument) => argument === '--help' || argument === '-h')) {
    io.out(command.usage);
    return 0;
  }
  try {
    return await command.run(rest, io);
  } catch (error) {
    return explain(error, command, io);
  }
}

function explain(error: unknown, command: Command, io: CommandIo): number {
  if (error instanceof UsageError) {
    io.err(`${error.message}\n\n${command.usage}`);
    return 2;
  }
  if (isAnamnesisError(error) || error instanceof CommandError) {
    io.err(`${error.code}: ${error.message}`);
    return 1;
  }
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
    io.err('install-incomplete: a development dependency is missing; run this in a source checkout after "npm ci".');
    return 1;
  }
  io.err(`unexpected: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}
