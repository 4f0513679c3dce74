import { createRetriever } from '../anamnesis.js';
import { openBundle } from './open-bundle.js';
import { ENCODER_FLAGS, ENCODER_USAGE, openEncoder } from './open-encoder.js';
import { table } from './table.js';
import { Arguments, type Command } from './usage.js';

export const bundleSearch: Command = {
  words: ['bundle', 'search'],
  summary: 'retrieves the diseases that words resemble',
  usage: `anamnesis bundle search ID|DIR TEXT [--index pmh|di|both] [--top N] [--json]
                        [--encoder NAME --encoder-files DIR [--library DIR]]
  --index  pseudo histories, DI-Tree text, or both; default both
  --top N  diseases at most, 1 to 1000; default 5
  --json   one object: {candidates: [{rank, id, name, score}]}, best first; empty: not enough to go on
${ENCODER_USAGE}`,
  async run(args, io) {
    const given = new Arguments(args, { index: { type: 'string' }, top: { type: 'string' }, json: { type: 'boolean' }, ...ENCODER_FLAGS }, { least: 2, most: 2, names: 'ID|DIR or TEXT' });
    const index = given.oneOf('index', ['pmh', 'di', 'both']) ?? 'both';
    const topK = given.number('top', 1, 1000, true) ?? 5;
    const name = given.text('encoder');
    const bundle = await openBundle(given.positionals[0] ?? '', io, name === undefined ? [] : [name]);
    const embedder = name === undefined ? undefined : await openEncoder(name, given, io);
    const retriever = createRetriever(bundle, embedder === undefined ? {} : { embedder });
    const candidates = (await retriever.retrieve([given.positionals[1] ?? ''], { topK, index })).map((candidate, at) => {
      const disease = bundle.diseases[candidate.diseaseIndex];
      return { rank: at + 1, id: disease?.id ?? '', name: disease?.name ?? '', score: Number(candidate.score.toFixed(4)) };
    });
    retriever.close();
    embedder?.close();
    if (given.flag('json')) io.out(JSON.stringify({ candidates }));
    else if (candidates.length === 0) io.out('not enough to go on');
    else io.out(table([['rank', 'score', 'id', 'name'], ...candidates.map((one) => [String(one.rank), one.score.toFixed(4), one.id, one.name])]));
    return 0;
  },
};
