import { describe, expect, it } from 'vitest';
import { restoreConsultation } from '../../src/anamnesis.js';
import type { Consultation } from '../../src/consultation/consultation.js';
import { builtBundle } from '../bundles.js';
import { answer, begin } from '../consult.js';

const optionsOf = (consultation: Consultation): string[] => consultation.state.question?.options.map((option) => option.id) ?? [];
const idOf = (consultation: Consultation): string => consultation.state.question?.id ?? '';

/** Frightening without a word of the vocabulary. */
const RIDDLES = [
  ['mm-en', 'the grease thing at work went right through my glove, tiny little hole, plaster do?'],
  ['mm-zh', '工友下去捞东西就没声了，上头的还想下去把他拉上来，这可咋整'],
] as const;

describe('words of time alone', () => {
  it.each([
    ['mm-en', 'what are your opening hours today'],
    ['mm-zh', '请问今天能挂号吗'],
  ] as const)('name no disease (%s)', async (id, words) => {
    const consultation = await begin(id, words);
    await consultation.conclude();
    expect(consultation.state.result?.enough).toBe(false);
    expect(consultation.state.result?.candidates).toEqual([]);
    consultation.close();
  });

  it('an age is nothing that was understood', async () => {
    const consultation = await begin('mm-en', 'I have a cough since today', { ageYears: 70 });
    expect(consultation.state.understood.filter((one) => one.origin === 'measured').map((one) => one.id)).toEqual(['duration-hours']);
    consultation.close();
  });
});

describe('the danger sweep', () => {
  it.each(RIDDLES)('comes first where the words were hardly understood (%s)', async (id, words) => {
    const consultation = await begin(id, words);
    expect(idOf(consultation)).toMatch(/^sweep:/);
    expect(optionsOf(consultation)).toEqual(expect.arrayContaining(['unresponsive', 'breathlessness-at-rest', 'poison-swallowed', 'suicidal-thoughts', 'vaginal-bleeding-heavy']));
    await answer(consultation, ['unresponsive']);
    expect(consultation.state.urgency?.level).toBe('emergency');
    consultation.close();
  });

  it('leaves out what sex rules out, and what is known', async () => {
    const consultation = await begin('mm-en', 'no idea what is going on over here with the stuff in that shed, something or other, and he has no chest pain', { sex: 'male' });
    expect(idOf(consultation)).toMatch(/^sweep:/);
    expect(optionsOf(consultation)).not.toContain('vaginal-bleeding-heavy');
    expect(optionsOf(consultation)).not.toContain('chest-pain');
    consultation.close();
  });

  it('comes once; where nothing is ticked, the consultation goes on as ever', async () => {
    const consultation = await begin('mm-en', 'went to market with my cousin and after that in the evening it was like this, my knee hurts, you see how it is with us here');
    expect(idOf(consultation)).toMatch(/^sweep:/);
    await answer(consultation, []);
    expect(consultation.state.status).toBe('asking');
    expect(idOf(consultation)).not.toMatch(/^sweep:/);
    consultation.close();
  });

  it('is replayed with its answer', async () => {
    const consultation = await begin('mm-en', RIDDLES[0][1]);
    await answer(consultation, ['seizure']);
    const restored = await restoreConsultation(builtBundle('mm-en'), consultation.toRecord());
    expect(restored.state.redFlags.map((flag) => flag.id)).toEqual(consultation.state.redFlags.map((flag) => flag.id));
    expect(restored.state.redFlags).not.toHaveLength(0);
    consultation.close();
    restored.close();
  });

  it.each([
    ['words that are understood', 'my knee is swollen and painful since yesterday', 10],
    ['a greeting', 'hello there', 10],
    ['words that alarm already', 'well you know how it goes with him at the weekend and all that, but now he is having a seizure', 10],
    ['no questions left', RIDDLES[0][1], 0],
  ])('does not come for %s', async (_what, words, maxQuestions) => {
    const consultation = await begin('mm-en', words, { maxQuestions });
    expect(idOf(consultation)).not.toMatch(/^sweep:/);
    consultation.close();
  });
});
