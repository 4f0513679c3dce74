import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The command line was used wrongly: the usage is shown, and the process ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something around the command failed, such as a file that cannot be read: `code: message`, and the process ends with 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: 'file-unreadable' | 'file-unwritable' | 'bundle-missing' | 'bundle-unknown' | 'install-incomplete';

  constructor(code: CommandError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Where a command writes and works. */
export interface CommandIo {
  /** Absolute. */
  readonly cwd: string;
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly err: (line: string) => void;
}

/** One command: `words` is how it is called. */
export interface Command {
  readonly words: readonly string[];
  /** One line: what it does. */
  readonly summary: string;
  /** Its arguments and flags, a line each. */
  readonly usage: string;
  /** @returns the exit code */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** Flags of a command, checked: unknown ones and wrong values are usage errors. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;

  constructor(args: readonly string[], flags: NonNullable<ParseArgsConfig['options']>, positionals: { readonly least: number; readonly most: number; readonly names: string }) {
    try {
      const parsed = parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: true });
      this.#values = parsed.values as Record<string, string | boolean | undefined>;
      this.positionals = parsed.positionals;
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message.split('\n')[0] : 'wrong arguments');
    }
    if (this.positionals.length < positionals.least) throw new UsageError(`${positionals.names} is missing`);
    if (this.positionals.length > positionals.most) throw new UsageError(`unexpected argument "${this.positionals[positionals.most] ?? ''}"; put a text of several words in quotes`);
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
    return value;
  }

  oneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value !== undefined && !words.includes(value as T)) throw new UsageError(`--${name} is one of ${words.join(', ')}`);
    return value as T | undefined;
  }

  number(name: string, from: number, to: number, whole: boolean): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !(value >= from && value <= to) || (whole && !Number.isInteger(value))) throw new UsageError(`--${name} is ${whole ? 'a whole number' : 'a number'} from ${String(from)} to ${String(to)}`);
    return value;
  }
}
