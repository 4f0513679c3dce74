import { describe, expect, it } from 'vitest';
import type { Disease, EntryType } from '../../src/bundle/bundle.js';
import { namedType, RelatedEntries } from '../../src/bundle/related.js';

const entry = (index: number, type: EntryType, related: readonly number[]): Disease => ({
  index, id: `e${String(index)}`, name: '', aliases: [], icd10: '', sex: 'any', age: [0, 130], peak: [0, 130], prevalence: 1, urgency: 'routine', frequencies: new Map(), riskFactors: new Map(), redFlags: [], sources: [], review: 'none', type, systems: [], related,
});

describe('RelatedEntries', () => {
  const diseases = [entry(0, 'disease', [2, 3]), entry(1, 'disease', [3]), entry(2, 'syndrome', []), entry(3, 'syndrome', []), entry(4, 'syndrome', [])];
  const related = new RelatedEntries({ diseases });

  it('lifts the syndromes of a likely disease, the most usual first', () => {
    const logs = related.weigh((disease) => (disease === 0 ? 1 : 0));
    expect(logs.get(2)).toBeGreaterThan(logs.get(3) ?? 0);
    expect(logs.get(3)).toBeGreaterThan(related.weigh(() => 0).get(3) ?? 0);
  });

  it('says nothing of a syndrome that stands in no relation', () => {
    expect(related.weigh(() => 1).has(4)).toBe(false);
  });

  it('reads a relation from either side', () => {
    const other = new RelatedEntries({ diseases: [entry(0, 'disease', []), entry(1, 'syndrome', [0])] });
    expect(other.weigh((disease) => (disease === 0 ? 1 : 0)).get(1)).toBeGreaterThan(other.weigh(() => 0).get(1) ?? 0);
    expect(other.isEmpty).toBe(false);
  });

  it('is empty where no entry names related ones', () => {
    expect(new RelatedEntries({ diseases: [entry(0, 'disease', [])] }).isEmpty).toBe(true);
  });
});

describe('namedType', () => {
  it('is the syndrome where there are any', () => {
    expect(namedType({ diseases: [entry(0, 'disease', []), entry(1, 'syndrome', [])] })).toBe('syndrome');
    expect(namedType({ diseases: [entry(0, 'disease', [])] })).toBe('disease');
  });
});
