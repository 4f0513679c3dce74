import { createParts } from '../anamnesis.js';
import type { Language } from '../bundle/bundle.js';
import type { ConsultationParts } from '../consultation/consultation.js';
import { readText } from './files.js';
import { openBundle } from './open-bundle.js';
import { table } from './table.js';
import { type KnownOfPatient, understand, type Understanding } from './understand.js';
import { Arguments, type Command, type CommandIo, UsageError } from './usage.js';

export const read: Command = {
  words: ['read'],
  summary: 'prints what the system understands of a text',
  usage: `anamnesis read TEXT [--lang zh|en] [--age N] [--sex female|male] [--bundle ID|DIR] [--json]
anamnesis read --file FILE.jsonl [--bundle ID|DIR]
  --lang         language of the text; where it is left out, zh if the text holds Chinese, else en
  --age N        years, 0 to 130, such as 0.5
  --bundle       whose vocabulary, rules and knowledge read it; default mm-zh or mm-en by the language
  --file FILE    each line {id, text, lang, age, sex} gives one line with the same id, in the same order
  --json         one object: {findings, facts, redFlags, urgency, reasons, profile}
The text is read as the first words of a consultation. An age that is neither given nor in the text is taken as 35; where
the sex is unknown, only what holds for either sex is said. Findings spoken of as another person's, past, supposed or
quoted are listed with their aside and state unknown; those that follow from others as present, with origin implied. A
bad line gives {id, line, error: {code, message}} in its place; the others are read, and the process ends with 1.`,
  async run(args, io) {
    const given = new Arguments(
      args,
      { lang: { type: 'string' }, age: { type: 'string' }, sex: { type: 'string' }, bundle: { type: 'string' }, file: { type: 'string' }, json: { type: 'boolean' } },
      { least: 0, most: 1, names: 'TEXT' },
    );
    const lang = given.oneOf('lang', ['zh', 'en']);
    const ageYears = given.number('age', 0, 130, false);
    const sex = given.oneOf('sex', ['female', 'male']);
    const file = given.text('file');
    const [text] = given.positionals;
    if ((file === undefined) === (text === undefined)) throw new UsageError('give either TEXT or --file');
    const readers = new Readers(given.text('bundle'), io);
    try {
      if (file !== undefined) return await readLines(readText(file, io), { lang, ageYears, sex }, readers, io);
      const understanding = await understand(text ?? '', { ageYears, sex }, await readers.of(lang ?? languageOf(text ?? '')));
      if (given.flag('json')) io.out(JSON.stringify(understanding));
      else print(understanding, io);
      return 0;
    } finally {
      readers.close();
    }
  },
};

function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** Opens each language's bundle once. */
class Readers {
  readonly #named: string | undefined;
  readonly #io: CommandIo;
  readonly #open = new Map<string, ConsultationParts>();

  constructor(named: string | undefined, io: CommandIo) {
    this.#named = named;
    this.#io = io;
  }

  async of(language: Language): Promise<ConsultationParts> {
    const name = this.#named ?? `mm-${language}`;
    let parts = this.#open.get(name);
    if (parts === undefined) {
      parts = createParts(await openBundle(name, this.#io));
      this.#open.set(name, parts);
    }
    return parts;
  }

  close(): void {
    for (const parts of this.#open.values()) parts.strategy.close();
  }
}

interface Line extends KnownOfPatient {
  readonly text: string;
  readonly lang: Language;
}

async function readLines(content: string, defaults: KnownOfPatient & { readonly lang: Language | undefined }, readers: Readers, io: CommandIo): Promise<number> {
  let bad = 0;
  const lines = content.replace(/^\u{FEFF}/u, '').split('\n');
  for (const [index, raw] of lines.entries()) {
    if (raw.trim() === '') continue;
    let id: unknown = null;
    try {
      const value = parseObject(raw);
      id = value.id ?? null;
      const line = checkLine(value, defaults);
      io.out(JSON.stringify({ id, ...(await understand(line.text, line, await readers.of(line.lang))) }));
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      bad++;
      io.out(JSON.stringify({ id, line: index + 1, error: { code: 'cases-invalid', message: `line ${String(index + 1)}: ${error.message}.` } }));
    }
  }
  if (bad > 0) io.err(`cases-invalid: ${String(bad)} of the lines could not be read.`);
  return bad > 0 ? 1 : 0;
}

class BadLine extends Error {}

function parseObject(raw: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw new BadLine('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadLine('is not a JSON object');
  return value as Readonly<Record<string, unknown>>;
}

function checkLine(value: Readonly<Record<string, unknown>>, defaults: KnownOfPatient & { readonly lang: Language | undefined }): Line {
  const { id, text, lang, age, sex } = value;
  if (typeof id !== 'string' && typeof id !== 'number') throw new BadLine('"id" is missing');
  if (typeof text !== 'string') throw new BadLine('"text" is missing or not text');
  if (lang !== undefined && lang !== null && lang !== 'zh' && lang !== 'en') throw new BadLine('"lang" is neither zh nor en');
  if (age !== undefined && age !== null && !(typeof age === 'number' && age >= 0 && age <= 130)) throw new BadLine('"age" is not a number from 0 to 130');
  if (sex !== undefined && sex !== null && sex !== 'female' && sex !== 'male') throw new BadLine('"sex" is neither female nor male');
  return { text, lang: lang ?? defaults.lang ?? languageOf(text), ageYears: age ?? defaults.ageYears, sex: sex ?? defaults.sex };
}

function print(understanding: Understanding, io: CommandIo): void {
  const { findings, facts, redFlags, urgency, reasons, profile } = understanding;
  if (findings.length === 0) io.out('no finding');
  else {
    const rows = findings.map((one) => [one.id, one.state, one.aside ?? one.origin, one.quote, [one.severity, one.side, one.guessed ? 'guessed' : undefined].filter((note) => note !== undefined).join(', ')]);
    io.out(table([['finding', 'state', 'from', 'words', 'notes'], ...rows]));
  }
  io.out('');
  io.out(
    table(
      [
        ...Object.entries(facts).map(([name, value]) => [name, String(value)]),
        ['read for', `${String(profile.ageYears)} years (${profile.ageFrom}), ${profile.sex ?? 'either sex'}`],
        ...redFlags.map((flag) => [`red flag, ${flag.level}`, `${flag.id} (${flag.because.join(', ')})`]),
        ['urgency', urgency],
        ...reasons.map(({ text, source }) => ['because', `${text} (${source})`]),
      ],
      false,
    ),
  );
}
