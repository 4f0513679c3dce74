import { describe, expect, it } from 'vitest';
import { createRetriever } from '../../src/anamnesis.js';
import { builtBundle } from '../bundles.js';

const bundle = builtBundle('mm-zh');
const retriever = createRetriever(bundle);
const wordingOf = async (...utterances: string[]): Promise<ReadonlyMap<number, number>> => new Map((await retriever.retrieve(utterances, { topK: 2_000 })).map((one) => [one.diseaseIndex, one.wording]));

describe('likeness of words where more was said than the complaint', () => {
  const complaint = '心口疼，反酸';
  const told = '以前得过湿疹，皮肤痒，手上起红疹子，脱皮';

  it('stays nearer to the complaint than that of all words at once', async () => {
    const [alone, together, apart] = [await wordingOf(complaint), await wordingOf(`${complaint}\n${told}`), await wordingOf(complaint, told)];
    const eczema = bundle.diseases.find((disease) => disease.name === '湿疹')!.index;
    const reflux = bundle.diseases.find((disease) => disease.name === '胃食管反流病')!.index;
    const lead = (wording: ReadonlyMap<number, number>): number => (wording.get(reflux) ?? -4) - (wording.get(eczema) ?? -4);
    expect(lead(apart)).toBeGreaterThan(lead(together));
    expect(lead(apart)).toBeLessThan(lead(alone));
  });

  it('takes a greeting before it for no complaint', async () => {
    const named = async (...utterances: string[]): Promise<number[]> => (await retriever.retrieve(utterances, { topK: 3 })).map((one) => one.diseaseIndex);
    expect(await named('你好', complaint)).toEqual(await named(complaint));
  });
});
