import { createParts, createStrategy } from '../anamnesis.js';
import type { KnowledgeBundle } from '../bundle/bundle.js';
import { Consultation, type ConsultationParts, DEFAULT_MAX_QUESTIONS } from '../consultation/consultation.js';
import { type ConsultReport, runConsult } from '../evaluation/run-consult.js';
import type { LanguageModel } from '../llm/language-model.js';
import { METHODS, type ModelStrategyName } from '../strategy/methods.js';
import type { ModelStrategyOptions } from '../strategy/model-options.js';
import { openEvaluation, printedForMachines } from './eval-inputs.js';
import { percent, table } from './table.js';
import { Arguments, type Command, UsageError } from './usage.js';

const STRATEGIES = ['guided', ...(Object.keys(METHODS) as ModelStrategyName[])] as const;

export const evalConsult: Command = {
  words: ['eval', 'consult'],
  summary: 'lets simulated patients consult, and measures the results',
  usage: `anamnesis eval consult --bundle ID|DIR --cases FILE.jsonl [--strategy NAME] [--endpoint URL] [--max-questions N] [--whole-record] [--gold-map FILE.tsv] [--per-case FILE] [--json]
  --strategy NAME    ${STRATEGIES.join(', ')}; default guided. All but guided need --endpoint
  --endpoint URL     an OpenAI-compatible server, for example http://127.0.0.1:8080 (llama.cpp, vLLM, SGLang, Ollama).
                     It is sent the cases' words. Its key, where it wants one, is read from ANAMNESIS_API_KEY
  --model NAME       as the server names it; default its first
  --context N        the model's context in tokens, where the server does not tell
  --concurrency N    consultations at once, 1 to 64; default 1
  --top-k N          candidates shown to the model, 1 to 9; default 5
  --index NAME       pmh, di or both; default pmh
  --max-rounds N     1 to 10; default 3
  --analysis WHO     model or knowledge; default model from 2 billion weights
  --asks HOW         listed (questions of the knowledge) or own (the model's words); default listed, own for direct
  --ranking WHO      who orders what is named: model or knowledge; default model from 2 billion weights
  --reply-seconds N  seconds for each reply before guided answers the turn; default 60
  --max-questions N  0 to 50; default 10
  --whole-record     the patient says the whole record at once in place of the first utterance
  --gold-map FILE    list, gold and entry divided by tabs: the knowledge's name for a diagnosis
  --per-case FILE    writes one JSON line a case: id, gold, rank, named, urgency, …; no words of the case
  --json             one object: {cases, inKnowledge, top1, top3, top5, urgency, meanQuestions, model}
The patient knows patient_clean (else patient) and facts, and answers each question from them or with "don't know". Age
and sex come from the record; where it gives none, they are not known. Every case with a diagnosis counts in top1 to
top5, over the diseases that the result names; every case with an urgency counts in urgency.`,
  async run(args, io) {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const given = new Arguments(
      args,
      {
        bundle: text, cases: text, strategy: text, endpoint: text, model: text, context: text, concurrency: text, 'top-k': text, index: text, 'max-rounds': text, analysis: text, asks: text, ranking: text, 'reply-seconds': text,
        'max-questions': text, 'whole-record': flag, 'gold-map': text, 'per-case': text, json: flag,
      },
      { least: 0, most: 0, names: '' },
    );
    const strategy = given.oneOf('strategy', STRATEGIES) ?? 'guided';
    const maxQuestions = given.number('max-questions', 0, 50, true) ?? DEFAULT_MAX_QUESTIONS;
    const concurrency = given.number('concurrency', 1, 64, true) ?? 1;
    const options = modelOptions(given);
    if (strategy !== 'guided' && given.text('endpoint') === undefined) throw new UsageError(`--strategy ${strategy} needs --endpoint`);
    if (strategy === 'guided' && given.text('endpoint') !== undefined) throw new UsageError('--endpoint needs a --strategy that asks a model');
    const model = strategy === 'guided' ? undefined : await openModel(given);
    const { bundle, cases, goldMap } = await openEvaluation(given, io);
    const readers = createParts(bundle);
    try {
      const { report, outcomes } = await runConsult({
        readers,
        cases,
        goldMap,
        wholeRecord: given.flag('whole-record'),
        concurrency,
        closes: model !== undefined,
        open: async (id) => new Consultation(strategy === 'guided' || model === undefined ? readers : await partsWithModel(bundle, readers, strategy, { ...options, model }), { id, maxQuestions }),
      });
      if (!printedForMachines(given, report, outcomes, io)) io.out(table(rows(report), false));
      return 0;
    } finally {
      readers.strategy.close();
      await model?.dispose();
    }
  },
};

function modelOptions(given: Arguments): Omit<ModelStrategyOptions, 'model'> {
  const [topK, maxRounds, replySeconds] = [given.number('top-k', 1, 9, true), given.number('max-rounds', 1, 10, true), given.number('reply-seconds', 1, 3_600, false)];
  const [index, analysis, asks, ranking] = [given.oneOf('index', ['pmh', 'di', 'both']), given.oneOf('analysis', ['model', 'knowledge']), given.oneOf('asks', ['listed', 'own']), given.oneOf('ranking', ['model', 'knowledge'])];
  return {
    ...(topK === undefined ? {} : { topK }),
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(replySeconds === undefined ? {} : { replySeconds }),
    ...(index === undefined ? {} : { index }),
    ...(analysis === undefined ? {} : { analysis }),
    ...(asks === undefined ? {} : { asks }),
    ...(ranking === undefined ? {} : { ranking }),
  };
}

async function openModel(given: Arguments): Promise<LanguageModel> {
  const address = given.required('endpoint');
  if (!URL.canParse(address) || !/^https?:/.test(address)) throw new UsageError('--endpoint is an address that begins with http:// or https://');
  const { openServerModel } = await import('../llm/server-model.js');
  const [model, contextTokens, apiKey] = [given.text('model'), given.number('context', 256, 10_000_000, true), process.env.ANAMNESIS_API_KEY];
  return openServerModel({ endpoint: new URL(address), ...(model === undefined ? {} : { model }), ...(contextTokens === undefined ? {} : { contextTokens }), ...(apiKey === undefined || apiKey === '' ? {} : { apiKey }) });
}

/** A strategy of its own for each consultation: it remembers its rounds. */
async function partsWithModel(bundle: KnowledgeBundle, readers: ConsultationParts, name: ModelStrategyName, options: ModelStrategyOptions): Promise<ConsultationParts> {
  return { ...readers, strategy: await createStrategy(bundle, name, options) };
}

function rows(report: ConsultReport): string[][] {
  const { model } = report;
  return [
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
    ...report.reliability.map((bin) => [`shown at ${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}`, `${String(bin.shown)}, right ${percent(bin.right)}`]),
    ...(model === null
      ? []
      : [
          ['model: calls', String(model.calls)],
          ['model: turns left to guided', percent(model.fallbackShare)],
          ['model: tokens of a prompt, mean and most', `${model.meanPromptTokens.toFixed(0)}, ${String(model.mostPromptTokens)}`],
          ['model: tokens of a reply, mean', model.meanReplyTokens.toFixed(0)],
        ]),
  ];
}
