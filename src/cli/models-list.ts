import { resolve } from 'node:path';
import { megabytes, readCatalogue, readIndex, variantsOf } from './model-mirror.js';
import { table } from './table.js';
import { Arguments, type Command } from './usage.js';

export const modelsList: Command = {
  words: ['models', 'list'],
  summary: 'lists language models and what of them is mirrored',
  usage: `anamnesis models list [--catalogue FILE] [--dir DIR]
  --catalogue FILE  another catalogue than the built-in one
  --dir DIR         also says which variants are mirrored there
Needs no network. A download of "?" is known only to the server.`,
  run(args, io) {
    const given = new Arguments(args, { catalogue: { type: 'string' }, dir: { type: 'string' } }, { least: 0, most: 0, names: '' });
    const variants = variantsOf(readCatalogue(given, io));
    const directory = given.text('dir');
    const mirrored = directory === undefined ? [] : readIndex(resolve(io.cwd, directory), io);
    const rows = variants.map(({ id, model, variant }) => [
      id,
      variant.runtime,
      [variant.device, ...variant.features].join(' '),
      model.languages.join(' '),
      variant.downloadBytes === null ? '?' : megabytes(variant.downloadBytes),
      megabytes(variant.memoryBytes),
      model.licence,
      ...(directory === undefined ? [] : [mirrored.includes(id) ? 'yes' : '']),
    ]);
    io.out(table([['variant', 'runtime', 'needs', 'languages', 'download', 'memory', 'licence', ...(directory === undefined ? [] : ['mirrored'])], ...rows]));
    const unknown = mirrored.filter((id) => !variants.some((one) => one.id === id));
    if (unknown.length > 0) io.out(`mirrored, but not in the catalogue: ${unknown.join(', ')}`);
    return Promise.resolve(0);
  },
};
