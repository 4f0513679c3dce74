import { createParts } from '../anamnesis.js';
import { Consultation, DEFAULT_MAX_QUESTIONS } from '../consultation/consultation.js';
import { runConsult } from '../evaluation/run-consult.js';
import { openEvaluation, printedForMachines } from './eval-inputs.js';
import { percent, table } from './table.js';
import { Arguments, type Command } from './usage.js';

export const evalConsult: Command = {
  words: ['eval', 'consult'],
  summary: 'lets simulated patients consult, and measures the results',
  usage: `anamnesis eval consult --bundle ID|DIR --cases FILE.jsonl [--strategy guided] [--max-questions N] [--whole-record] [--gold-map FILE.tsv] [--per-case FILE] [--json]
  --max-questions N  0 to 50; default 10
  --whole-record     the patient says the whole record at once in place of the first utterance
  --gold-map FILE    list, gold and entry divided by tabs: the knowledge's name for a diagnosis
  --per-case FILE    writes one JSON line a case: id, gold, rank, named, urgency, …; no words of the case
  --json             one object: {cases, inKnowledge, top1, top3, top5, urgency, meanQuestions}
The patient knows patient_clean (else patient) and facts, and answers each question from them or with "don't know". Age
and sex come from the record; where it gives none, 35 years and female. Every case with a diagnosis counts in top1 to
top5, over the diseases that the result names; every case with an urgency counts in urgency.`,
  async run(args, io) {
    const given = new Arguments(
      args,
      {
        bundle: { type: 'string' },
        cases: { type: 'string' },
        strategy: { type: 'string' },
        'max-questions': { type: 'string' },
        'whole-record': { type: 'boolean' },
        'gold-map': { type: 'string' },
        'per-case': { type: 'string' },
        json: { type: 'boolean' },
      },
      { least: 0, most: 0, names: '' },
    );
    const strategy = given.oneOf('strategy', ['guided']) ?? 'guided';
    const maxQuestions = given.number('max-questions', 0, 50, true) ?? DEFAULT_MAX_QUESTIONS;
    const { bundle, cases, goldMap } = await openEvaluation(given, io);
    const parts = createParts(bundle, { strategy });
    const { report, outcomes } = await runConsult({
      readers: parts,
      cases,
      goldMap,
      wholeRecord: given.flag('whole-record'),
      open: (id) => new Consultation(parts, { id, maxQuestions }),
    });
    parts.strategy.close();
    if (printedForMachines(given, report, outcomes, io)) return 0;
    io.out(
      table(
        [
          ['cases', String(report.cases)],
          ['in the knowledge', String(report.inKnowledge)],
          ['named first', percent(report.top1)],
          ['in the first three', percent(report.top3)],
          ['in the first five', percent(report.top5)],
          ['urgency: cases', String(report.urgency.cases)],
          ['urgency: right', percent(report.urgency.accuracy)],
          ['urgency: too low', percent(report.urgency.underTriage)],
          ['urgency: too high', percent(report.urgency.overTriage)],
          ['questions asked, mean', report.meanQuestions.toFixed(1)],
        ],
        false,
      ),
    );
    return 0;
  },
};
