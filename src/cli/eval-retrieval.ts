import { createRetriever, warmUp } from '../anamnesis.js';
import { runRetrieval } from '../evaluation/run-retrieval.js';
import { openEvaluation, printedForMachines } from './eval-inputs.js';
import { ENCODER_FLAGS, ENCODER_USAGE, openEncoder } from './open-encoder.js';
import { percent, table } from './table.js';
import { Arguments, type Command } from './usage.js';

export const evalRetrieval: Command = {
  words: ['eval', 'retrieval'],
  summary: 'measures the retriever on cases',
  usage: `anamnesis eval retrieval --bundle ID|DIR --cases FILE.jsonl [--index pmh|di|both] [--gold-map FILE.tsv] [--per-case FILE] [--json]
                         [--encoder NAME --encoder-files DIR [--library DIR]]
  --index          pseudo histories, DI-Tree text, or both; default both
  --gold-map FILE  list, gold and entry divided by tabs: the knowledge's name for a diagnosis
  --per-case FILE  writes one JSON line a case: id, gold, rank, named; no words of the case
  --json           one object: {cases, inKnowledge, mrr, hits, msPerQuery}
${ENCODER_USAGE}
The query is the first utterance alone. Every case with a diagnosis counts, one whose disease is not in the knowledge as
a miss; cases without a diagnosis (gold null) are left out. In bundles of Chinese medicine the disease (gold) and the
syndrome (tcm_syndrome) are both accepted. mrr is over the first 20 diseases. Queries are timed after a warm-up (warmUp),
as the element makes one before the first words.`,
  async run(args, io) {
    const given = new Arguments(
      args,
      { bundle: { type: 'string' }, cases: { type: 'string' }, index: { type: 'string' }, 'gold-map': { type: 'string' }, 'per-case': { type: 'string' }, json: { type: 'boolean' }, ...ENCODER_FLAGS },
      { least: 0, most: 0, names: '' },
    );
    const index = given.oneOf('index', ['pmh', 'di', 'both']);
    const { bundle, cases, goldMap } = await openEvaluation(given, io);
    const name = given.text('encoder');
    const embedder = name === undefined ? undefined : await openEncoder(name, given, io);
    const retriever = createRetriever(bundle, embedder === undefined ? {} : { embedder });
    for await (const step of warmUp(bundle)) void step;
    const { report, outcomes } = await runRetrieval({ bundle, retriever, cases, goldMap, index });
    retriever.close();
    embedder?.close();
    if (printedForMachines(given, report, outcomes, io)) return 0;
    io.out(
      table(
        [
          ['cases', String(report.cases)],
          ['in the knowledge', String(report.inKnowledge)],
          ['MRR', report.mrr.toFixed(3)],
          ...Object.entries(report.hits).map(([k, rate]) => [`Hits@${k}`, percent(rate)]),
          ['ms a query, p50', report.msPerQuery.p50.toFixed(2)],
          ['ms a query, p95', report.msPerQuery.p95.toFixed(2)],
        ],
        false,
      ),
    );
    return 0;
  },
};
