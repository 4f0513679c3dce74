import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDirectory } from '../../src/cli/open-bundle.js';
import { questionLine } from '../../src/differential/question-words.js';
import { ModelError } from '../../src/errors/model-error.js';
import type { PatientInput } from '../../src/consultation/state.js';
import type { ChatRequest } from '../../src/llm/language-model.js';
import { buildFixtures } from '../fixtures/fixture-bundles.js';
import { doctorSays, HEADACHE, openTalk, type Talk, typesOf } from './talk.js';

const ASK = doctorSays({ action: 'ask', questions: [2, 1], candidates: [1, 2], reply: 'The throbbing headache on one side fits migraine. The answers will show how it began.' });
const CONCLUDE = doctorSays({ action: 'conclude', candidates: [1], reply: 'The throbbing headache on one side fits migraine.' });

/** Retrieves always, asks while it may and concludes when it must. */
const byTask =
  (ask: string, conclude: string) =>
  (request: ChatRequest): string => {
    const schema = JSON.stringify(request.schema);
    return schema.includes('"retrieve"') ? '{"retrieve": true}' : schema.includes('"ask"') ? ask : conclude;
  };

async function answerOpen(talk: Talk): Promise<void> {
  while (talk.consultation.state.question !== null && talk.model.requests.length < 2) await talk.deny();
}

describe('mrd-rag', () => {
  it.each(['en', 'zh'] as const)('sends exactly these prompts through three rounds (%s)', async (language) => {
    const zhAsk = doctorSays({ action: 'ask', questions: [1], candidates: [1, 2], reply: '一侧跳痛符合偏头痛。' });
    const zhConclude = doctorSays({ action: 'conclude', candidates: [1], reply: '一侧跳痛符合偏头痛。' });
    // Over the tests' own knowledge, so that the texts change with the prompts alone.
    const talk = await openTalk(await openDirectory(join(await buildFixtures(), `mini-${language}`)), { script: byTask(language === 'zh' ? zhAsk : ASK, language === 'zh' ? zhConclude : CONCLUDE) });
    await talk.say(HEADACHE[language]);
    const more: PatientInput = { type: 'utterance', text: language === 'zh' ? '以前也这样发作过，每次一天左右。' : 'It has come back like this before, each time for about a day.' };
    await talk.say(more);
    await talk.say({ type: 'utterance', text: language === 'zh' ? '没有发烧。' : 'I have no fever.' });
    expect(talk.consultation.state.status).toBe('concluded');
    await expect(talk.model.prompts.join('\n\n════════\n\n') + '\n').toMatchFileSnapshot(`golden/mrd-rag.${language}.txt`);
  });

  it('retrieves in round 1 without asking the model', async () => {
    const talk = await openTalk('mm-en', { script: ASK });
    const events = await talk.say(HEADACHE.en);
    expect(typesOf(events).slice(0, 5)).toEqual(['round-start', 'gate-end', 'retrieval-start', 'retrieval-end', 'analysis-delta']);
    expect(events.find((event) => event.type === 'gate-end')).toEqual({ type: 'gate-end', retrieve: true });
    expect(talk.model.requests).toHaveLength(1);
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('asks the model afterwards whether to retrieve: %s', async (said, retrieve) => {
    const talk = await openTalk('mm-en', { script: (request) => (JSON.stringify(request.schema).includes('"retrieve"') ? `{"retrieve": ${said}}` : ASK) });
    await talk.say(HEADACHE.en);
    const events = await talk.say('It came back like this before.');
    expect(events.filter((event) => event.type === 'gate-end')).toEqual([{ type: 'gate-end', retrieve }]);
    expect(events.some((event) => event.type === 'retrieval-start')).toBe(retrieve);
    expect(events.filter((event) => event.type === 'model-call').map((event) => event.task)).toEqual(['gate', 'doctor']);
  });

  it('shows the model five candidates, or as many as were asked for', async () => {
    for (const [topK, count] of [
      [undefined, 5],
      [9, 9],
      [1, 1],
    ] as const) {
      const talk = await openTalk('mm-en', { script: ASK, contextTokens: 8_192 }, topK === undefined ? {} : { topK });
      await talk.say(HEADACHE.en);
      expect(talk.model.prompts[0]?.match(/^\[\d+\] /gm)).toHaveLength(count);
    }
  });

  it.each([
    { topK: 0 }, { topK: 10 }, { maxRounds: 0 }, { questionsPerRound: 6 }, { topK: 1.5 },
  ])('refuses %o', async (options) => {
    await expect(openTalk('mm-en', {}, options)).rejects.toThrow(RangeError);
  });

  it('asks the questions that the model chose, in its order, with one call a round', async () => {
    const talk = await openTalk('mm-en', { script: ASK });
    await talk.say(HEADACHE.en);
    const listed = [...(talk.model.prompts[0]?.matchAll(/^\d\. (.+)$/gm) ?? [])].map((match) => match[1]);
    // Danger signs come before what the model chose, its second question and then its first.
    expect(talk.consultation.state.question?.id).toMatch(/^check:/);
    const line = (): string => questionLine(talk.consultation.state.question!, 'en');
    const check = line();
    for (const text of [listed[1], listed[0]].filter((one) => one !== check)) {
      await talk.deny();
      expect(line()).toBe(text);
    }
    expect(talk.model.requests).toHaveLength(1);
    await talk.deny();
    expect(talk.model.requests.length).toBeGreaterThan(1);
  });

  it('concludes in the third round at the latest', async () => {
    const talk = await openTalk('mm-en', { script: byTask(ASK, CONCLUDE) });
    await talk.say(HEADACHE.en);
    await talk.say('It came back like this before.');
    await talk.say('My mother has it too.');
    expect(talk.consultation.state.status).toBe('concluded');
    expect(talk.model.prompts.at(-1)).toContain('Conclude now');
  });

  it('concludes when asked to', async () => {
    const talk = await openTalk('mm-en', { script: [ASK, CONCLUDE] });
    await talk.say(HEADACHE.en);
    await talk.consultation.conclude();
    expect(talk.consultation.state.result?.reason).toBe('asked-to');
    expect(talk.consultation.state.reply?.sentences).toHaveLength(1);
  });

  it('leaves further questions after a conclusion to guided', async () => {
    const talk = await openTalk('mm-en', { script: [CONCLUDE] }, { maxRounds: 1 });
    await talk.say(HEADACHE.en);
    expect(talk.consultation.state.status).toBe('concluded');
    await talk.consultation.resume();
    expect(talk.model.requests).toHaveLength(1);
    expect(talk.consultation.state.question).not.toBeNull();
  });

  it('names what the knowledge names, in its order, for a small model', async () => {
    const guided = await openTalk('mm-en', { script: { fail: new ModelError('generation-failed', 'x') } });
    await guided.say(HEADACHE.en);
    await guided.consultation.conclude();
    const talk = await openTalk('mm-en', { script: doctorSays({ action: 'conclude', candidates: [5, 4], reply: '' }) }, { maxRounds: 1 });
    await talk.say(HEADACHE.en);
    expect(talk.consultation.state.result?.candidates[0]?.id).toBe(guided.consultation.state.result?.candidates[0]?.id);
  });

  it('lets a large model order its candidates, urgency staying as it is', async () => {
    const options = { script: doctorSays({ action: 'conclude', candidates: [3, 1], reply: '' }) };
    const talk = await openTalk('mm-en', options, { ranking: 'model', maxRounds: 1 });
    await talk.say(HEADACHE.en);
    const plain = await openTalk('mm-en', options, { ranking: 'knowledge', maxRounds: 1 });
    await plain.say(HEADACHE.en);
    const third = /^\[3\] (.+)$/m.exec(talk.model.prompts[0] ?? '')?.[1];
    expect(talk.consultation.state.result?.candidates[0]?.name).toBe(third);
    expect(talk.consultation.state.urgency?.level).toBe(plain.consultation.state.urgency?.level);
  });

  it('does not let a small model end the first round where the knowledge would ask; a large one may', async () => {
    const small = await openTalk('mm-en', { script: byTask(ASK, CONCLUDE), parameters: 600e6 });
    await small.say(HEADACHE.en);
    expect(small.consultation.state.status).toBe('asking');
    expect(JSON.stringify(small.model.requests[0]?.schema)).not.toContain('conclude');
    const large = await openTalk('mm-en', { script: (request) => (request.schema === undefined ? 'An analysis.' : CONCLUDE), parameters: 7e9 });
    await large.say(HEADACHE.en);
    expect(large.consultation.state.status).toBe('concluded');
  });

  it('asks for danger signs first where the knowledge does, whatever the model chose', async () => {
    const words = 'I have pain in my chest and I am short of breath.';
    const talk = await openTalk('mm-en', { script: doctorSays({ action: 'ask', questions: [3] }) });
    await talk.say(words);
    expect(talk.consultation.state.question?.id).toMatch(/^check:/);
    await talk.deny();
    expect(talk.consultation.state.question?.id).not.toMatch(/^check:/);
  });

  it('lets the model analyse first where that is asked for', async () => {
    const talk = await openTalk('mm-en', { script: (request) => (request.schema === undefined ? 'Both come with headache. Light sensitivity speaks for the first.' : ASK) }, { analysis: 'model' });
    const events = await talk.say(HEADACHE.en);
    expect(events.filter((event) => event.type === 'model-call').map((event) => event.task)).toEqual(['analyze', 'doctor']);
    expect(talk.consultation.state.reply?.analysis).toContain('Light sensitivity');
    expect(talk.model.prompts[1]).toContain('Light sensitivity speaks for the first.');
  });

  it('analyses by the knowledge for models below two billion weights', async () => {
    const small = await openTalk('mm-en', { script: ASK, parameters: 600e6 });
    await small.say(HEADACHE.en);
    expect(small.model.requests).toHaveLength(1);
    expect(small.consultation.state.reply?.analysis).toMatch(/For Migraine speak: .*headache/i);
    const large = await openTalk('mm-en', { script: (request) => (request.schema === undefined ? 'An analysis.' : ASK), parameters: 7e9 });
    await large.say(HEADACHE.en);
    expect(large.model.requests).toHaveLength(2);
  });

  it('keeps every prompt within 2,500 tokens and within the context', async () => {
    for (const [contextTokens, most] of [
      [1_024, 1_024 - 220],
      [4_096, 2_500],
      [32_768, 2_500],
    ] as const) {
      const talk = await openTalk('mm-en', { script: ASK, contextTokens });
      const events = await talk.say(`${HEADACHE.en} ${'It goes on and on and I cannot sleep. '.repeat(200)}`);
      expect(events.some((event) => event.type === 'fallback')).toBe(false);
      for (const event of events) if (event.type === 'model-call') expect(event.promptTokens).toBeLessThanOrEqual(most);
      expect(talk.model.prompts[0]).toMatch(/^\[5\] /m);
    }
  });

  it('asks guided where nothing was understood', async () => {
    const talk = await openTalk('mm-en', { script: ASK });
    await talk.say('hello there');
    expect(talk.model.requests).toHaveLength(0);
    expect(talk.consultation.state.question).toMatchObject({ type: 'open', id: 'tell:more' });
    await talk.say('no, nothing');
    expect(talk.model.requests).toHaveLength(0);
    expect(talk.consultation.state.result?.enough).toBe(false);
  });

  it('takes over in the middle of a consultation and hands back without losing a word', async () => {
    const talk = await openTalk('mm-en', { script: [ASK, { die: new ModelError('device-lost', 'gone') }] });
    await talk.say(HEADACHE.en);
    await answerOpen(talk);
    const before = talk.consultation.state.rounds.length;
    const events = await talk.say('It came back like this before.');
    expect(events.find((event) => event.type === 'fallback')).toEqual({ type: 'fallback', code: 'device-lost' });
    expect(talk.consultation.state.rounds).toHaveLength(before + 1);
    expect(['asking', 'concluded']).toContain(talk.consultation.state.status);
    expect(talk.consultation.state.reply).toBeNull();
  });

  it('answers without the model when the visitor does not wait', async () => {
    const talk = await openTalk('mm-en', { script: { text: '{"action": "ask"', hang: true } });
    const said = talk.say(HEADACHE.en);
    await expect.poll(() => talk.model.requests.length).toBe(1);
    talk.consultation.skipModel();
    expect((await said).find((event) => event.type === 'fallback')).toEqual({ type: 'fallback', code: 'reply-stopped' });
    expect(talk.consultation.state.question).not.toBeNull();
    expect(talk.model.abortedCount).toBe(1);
  });

  it('stops the model when the round is aborted', async () => {
    const talk = await openTalk('mm-en', { script: { text: '{', hang: true } });
    const abort = new AbortController();
    const run = (async () => {
      for await (const event of talk.consultation.send({ type: 'utterance', text: HEADACHE.en }, { signal: abort.signal })) void event;
    })();
    await expect.poll(() => talk.model.requests.length).toBe(1);
    abort.abort();
    await expect(run).rejects.toThrow(/abort/i);
    expect(talk.model.abortedCount).toBe(1);
  });
});

describe('baselines', () => {
  it('direct shows the model no knowledge and names only what the bundle knows', async () => {
    const talk = await openTalk('mm-en', { script: doctorSays({ action: 'conclude', conditions: ['Migraine', 'Quantum fever'], reply: 'It may be migraine.' }) }, { strategy: 'direct' });
    await talk.say(HEADACHE.en);
    expect(talk.model.prompts[0]).not.toContain('NOTES');
    expect(talk.consultation.state.result?.candidates.map((one) => one.id)).toEqual(['migraine']);
  });

  it('direct asks in its own words, as a typed question where the vocabulary has it', async () => {
    const own = (question: string): string => doctorSays({ action: 'ask', question, conditions: [], reply: '' });
    const typed = await openTalk('mm-en', { script: own('Do you have a fever?') }, { strategy: 'direct' });
    await typed.say(HEADACHE.en);
    expect(typed.consultation.state.question).toMatchObject({ id: 'fever', type: 'yes-no', text: 'Do you have a fever?' });
    const open = await openTalk('mm-en', { script: own('What were you doing when it began?') }, { strategy: 'direct' });
    await open.say(HEADACHE.en);
    expect(open.consultation.state.question).toMatchObject({ type: 'open', text: 'What were you doing when it began?' });
    await open.say('I was reading.');
    expect(open.consultation.state.rounds[1]?.question?.text).toBe('What were you doing when it began?');
    expect(open.model.prompts[1]).toContain('Question: What were you doing when it began?');
  });

  it('single-round retrieves in round 1 only', async () => {
    const talk = await openTalk('mm-en', { script: ASK }, { strategy: 'single-round' });
    await talk.say(HEADACHE.en);
    const events = await talk.say('It came back like this before.');
    expect(events.filter((event) => event.type === 'gate-end')).toEqual([{ type: 'gate-end', retrieve: false }]);
    expect(talk.model.prompts[1]).toContain('NOTES');
    expect(talk.model.prompts.join('\n')).not.toContain('COMPARISON');
  });

  it('rag-pulse searches by keywords of the model', async () => {
    const talk = await openTalk('mm-en', { script: (request) => (JSON.stringify(request.schema).includes('"query"') ? '{"query": "burning urination, frequent urination"}' : ASK) }, { strategy: 'rag-pulse' });
    const events = await talk.say(HEADACHE.en);
    expect(events.filter((event) => event.type === 'model-call').map((event) => event.task)).toEqual(['keywords', 'doctor']);
    const best = events.find((event) => event.type === 'retrieval-end')?.candidates[0]?.diseaseIndex ?? -1;
    expect(talk.bundle.diseases[best]?.id).toMatch(/cystitis|urinary/);
  });
});
