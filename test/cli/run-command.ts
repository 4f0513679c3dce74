import { run } from '../../src/cli/run.js';

/** What a command printed and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line as the program does, in a directory. */
export async function runCommand(cwd: string, ...args: readonly string[]): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, { cwd, out: (line) => void out.push(line), err: (line) => void err.push(line) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Parses the one JSON object that a command printed. */
export function objectOf(outcome: Outcome): Record<string, unknown> {
  return JSON.parse(outcome.out) as Record<string, unknown>;
}
