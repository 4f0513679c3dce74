import { describe, expect, it } from 'vitest';
import { createParts } from '../../src/anamnesis.js';
import { learnInput } from '../../src/consultation/learn-input.js';
import type { Question } from '../../src/differential/differential.js';
import { builtBundle } from '../bundles.js';

const bundle = builtBundle('mm-en');
const parts = createParts(bundle);
const stateAfter = (findingId: string, value: 'yes' | 'no' | 'unknown'): string | undefined => {
  const question: Question = { id: findingId, type: 'yes-no', text: '', why: '', options: [], unit: '', min: 0, max: 0 };
  return learnInput({ type: 'answer', questionId: findingId, value }, question, 1, parts).findings[0]?.state;
};

describe('a yes-or-no answer', () => {
  it.each([
    ['cough', 'yes', 'present'],
    ['cough', 'no', 'absent'],
    ['cough', 'unknown', 'unknown'],
    ['troponin-raised', 'yes', 'present'],
    // Nobody may have measured it.
    ['troponin-raised', 'no', 'unknown'],
    ['oxygen-low', 'no', 'unknown'],
  ] as const)('%s: %s is %s', (findingId, value, expected) => {
    expect(bundle.findingIndex(findingId)).toBeDefined();
    expect(stateAfter(findingId, value)).toBe(expected);
  });
});
