import { describe, expect, it } from 'vitest';
import { createParts } from '../../src/anamnesis.js';
import { type Sex, URGENCY_LEVELS } from '../../src/bundle/bundle.js';
import { Consultation } from '../../src/consultation/consultation.js';
import type { AnswerValue, ConsultationState } from '../../src/consultation/state.js';
import { builtBundle } from '../bundles.js';

const parts = createParts(builtBundle('mm-en'));

async function open(text: string, ageYears = 50, sex: Sex = 'male'): Promise<Consultation> {
  const consultation = new Consultation(parts, { id: 'safety', maxQuestions: 12 });
  await consultation.setProfile({ ageYears, sex });
  await say(consultation, text);
  return consultation;
}

async function say(consultation: Consultation, text: string): Promise<ConsultationState> {
  for await (const event of consultation.send({ type: 'utterance', text })) void event;
  return consultation.state;
}

const rank = (state: ConsultationState): number => URGENCY_LEVELS.indexOf(state.urgency!.level);
const flagsOf = (state: ConsultationState): string[] => state.redFlags.map((flag) => flag.id);

/** Answers everything that is asked in one way and returns the states on the way. */
async function answerAll(consultation: Consultation, answer: 'yes' | 'no' | 'unknown'): Promise<ConsultationState[]> {
  const states = [consultation.state];
  while (consultation.state.question !== null) {
    const { question } = consultation.state;
    const options = question.type === 'one-of' || question.type === 'many-of' ? question.options.map((option) => option.id) : [];
    const value: AnswerValue = answer === 'unknown' || question.type === 'number' ? 'unknown' : question.type === 'yes-no' ? answer : answer === 'no' ? [] : options.slice(0, 1);
    for await (const event of consultation.send({ type: 'answer', questionId: question.id, value })) void event;
    states.push(consultation.state);
  }
  return states;
}

describe('a red flag that fired', () => {
  const danger: readonly [string, number, Sex][] = [
    ['crushing chest pain going down my left arm, sweating', 58, 'male'],
    ['my face is drooping and my speech is slurred', 70, 'female'],
    ['the worst headache of my life, it came on suddenly', 45, 'female'],
    ['vomiting blood and I feel faint', 50, 'male'],
    ['my son has a fever and a purple rash that does not fade', 4, 'male'],
    ['coughing up a bit of blood', 60, 'male'],
  ];

  it.each(danger)('keeps its urgency whatever is answered: %s', async (text, age, sex) => {
    for (const answer of ['no', 'unknown', 'yes'] as const) {
      const states = await answerAll(await open(text, age, sex), answer);
      const first = states[0]!;
      expect(first.redFlags.length).toBeGreaterThan(0);
      for (const state of states) {
        expect(flagsOf(state)).toEqual(expect.arrayContaining(flagsOf(first)));
        if (first.redFlags.some((flag) => flag.level !== 'urgent')) expect(state.urgency?.level).toBe('emergency');
        else expect(rank(state)).toBeLessThanOrEqual(URGENCY_LEVELS.indexOf('urgent'));
      }
      expect(states.at(-1)?.status).toBe('concluded');
    }
  });

  it('is not taken back by later words', async () => {
    const consultation = await open('my speech is slurred', 66);
    expect(flagsOf(consultation.state)).toContain('possible-stroke');
    const later = await say(consultation, 'it has been like this for three months');
    expect(flagsOf(later)).toContain('possible-stroke');
    expect(later.urgency?.level).toBe('emergency');
  });

  it('goes when the visitor corrects what it rests on', async () => {
    const consultation = await open('my speech is slurred', 66);
    expect(consultation.state.urgency?.level).toBe('emergency');
    const corrected = await consultation.correct({ findingId: 'slurred-speech', state: 'absent' });
    expect(flagsOf(corrected)).not.toContain('possible-stroke');
    const changed = await consultation.correct({ findingId: 'slurred-speech', state: 'present' });
    expect(changed.urgency?.level).toBe('emergency');
  });

  it('goes when the visitor changes what was typed', async () => {
    const consultation = await open('vomiting blood');
    expect(flagsOf(consultation.state)).toContain('vomiting-blood');
    const changed = await consultation.change(0, { type: 'utterance', text: 'vomiting' });
    expect(flagsOf(changed)).not.toContain('vomiting-blood');
  });

  it('comes in the order of its danger, with why and what to do', async () => {
    const { state } = await open('vomiting blood, and I have had a painful red swollen joint with a fever since yesterday');
    const levels = state.redFlags.map((flag) => ['crisis', 'emergency', 'urgent'].indexOf(flag.level));
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    for (const flag of state.redFlags) {
      expect(flag.because.length).toBeGreaterThan(0);
      expect(flag.what).not.toBe('');
      expect(flag.action).not.toBe('');
      expect(flag.source).not.toBe('');
    }
  });
});

describe('how soon', () => {
  it.each([
    ['crushing chest pain going down my left arm, sweating', 'now', /emergency number/],
    ['a dog bit my hand and the bite is red', 'a-day', /within 24 hours/],
    ['I ate some unknown berries in the forest', 'now', /warning above/],
    ['I feel depressed and hopeless', 'two-days', /24 to 48 hours/],
  ] as const)('a rule says by its card it says in the urgency: %s', async (text, within, advice) => {
    const { urgency } = (await open(text)).state;
    expect(urgency?.within).toBe(within);
    expect(urgency?.advice).toMatch(advice);
  });

  it('is left to the level where no rule fired', async () => {
    const { urgency, redFlags } = (await open('runny nose and sneezing for two days', 30)).state;
    expect(redFlags).toEqual([]);
    expect(urgency?.within).toBeNull();
  });

  it('puts the soonest of the urgent first', async () => {
    const { redFlags } = (await open('I feel depressed and hopeless. I ate some unknown berries in the forest. I am jaundiced')).state;
    expect(redFlags.filter((flag) => flag.level === 'urgent').map((flag) => flag.within)).toEqual(['now', 'a-day', 'two-days']);
  });
});

describe('age, sex and pregnancy', () => {
  it.each([
    ['fever', 0.1, 'male', true, 'fever-under-three-months'],
    ['fever', 30, 'male', false, 'fever-under-three-months'],
    ['sudden testicular pain', 15, 'male', true, 'possible-testicular-torsion'],
    ['vomiting green bile', 0.1, 'female', true, 'green-vomit-baby'],
    ['vomiting green bile', 40, 'female', false, 'green-vomit-baby'],
    ['sudden pain on one side of my pelvis and vomiting', 28, 'female', true, 'possible-ovarian-torsion'],
    ['sudden pain on one side of my pelvis and vomiting', 28, 'male', false, 'possible-ovarian-torsion'],
    ['I am 8 weeks pregnant with bleeding and lower abdominal pain', 28, 'female', true, 'possible-ectopic-pregnancy'],
  ] as const)('%s at %d, %s: %s', async (text, age, sex, fires, id) => {
    expect(flagsOf((await open(text, age, sex)).state).includes(id)).toBe(fires);
  });
});

describe('what is denied', () => {
  it('is lifted by a closer description said later', async () => {
    const consultation = await open('my left calf is swollen and painful since a long flight, no shortness of breath', 50);
    expect(flagsOf(consultation.state)).not.toContain('possible-pulmonary-embolism');
    const later = await say(consultation, 'now I get short of breath when I walk upstairs');
    expect(flagsOf(later)).toContain('possible-pulmonary-embolism');
  });

  it.each([
    "I haven't told anyone that I want to kill myself",
    "I didn't tell my mum I swallowed a whole bottle of pills",
    "Didn't think the chest pain was serious but now I'm sweating and it's crushing",
    'No one noticed that his left side was weak',
    'lower back pain for a week, now my legs feel numb and I can not hold my pee',
    'pain in my lower left belly and my period is two weeks late',
  ])('is not what was not told, done or noticed: %s', async (text) => {
    expect(rank((await open(text, 30, 'female')).state)).toBe(0);
  });
});

describe('measured values', () => {
  it.each([
    ['oxygen saturation 85', 60, 'severe-breathing-difficulty', true],
    ['oxygen saturation 97', 60, 'severe-breathing-difficulty', false],
    ['temperature 41', 40, 'extreme-temperature', true],
    ['temperature 38', 40, 'extreme-temperature', false],
    ['temperature 38.2', 0.1, 'fever-under-three-months', true],
    ['blood pressure 190/125 and a bad headache', 60, 'very-high-blood-pressure-with-symptoms', true],
    ['blood pressure 130/80 and a bad headache', 60, 'very-high-blood-pressure-with-symptoms', false],
    ['blood sugar 2.5', 60, 'low-blood-sugar', true],
    ['blood sugar 6', 60, 'low-blood-sugar', false],
    ['pulse 35', 60, 'dangerous-heart-rhythm', true],
    ['potassium 6.8 mmol/L, feeling tired', 60, 'critical-blood-result', true],
    ['potassium 4.2 mmol/L, feeling tired', 60, 'critical-blood-result', false],
    ['hemoglobin 4.5, very tired', 40, 'critical-blood-result', true],
    ['hemoglobin 6.8', 40, 'very-abnormal-blood-result', true],
    ['hemoglobin 13.5', 40, 'very-abnormal-blood-result', false],
  ] as const)('%s at %d: %s %s', async (text, age, id, fires) => {
    expect(flagsOf((await open(text, age)).state).includes(id)).toBe(fires);
  });
});
