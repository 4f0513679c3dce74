import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseCases } from '../../src/evaluation/cases.js';
import { parseGoldMap } from '../../src/evaluation/gold-map.js';

/** The development cases lie beside the repository where it is developed; their licences keep them out of it. */
const SHARED = fileURLToPath(new URL('../../../shared/cases', import.meta.url));
const isHere = existsSync(SHARED);
if (!isHere) console.log(`skipped: no development cases at ${SHARED}; they are not part of the repository`);

describe.skipIf(!isHere)('the development cases', () => {
  const files = isHere ? readdirSync(SHARED).filter((name) => name.endsWith('.jsonl')) : [];

  it.each(files)('%s is read whole', (name) => {
    const text = readFileSync(join(SHARED, name), 'utf8');
    expect(parseCases(text)).toHaveLength(text.split('\n').filter((line) => line.trim() !== '').length);
  });

  it('and their gold map is read', () => {
    expect(parseGoldMap(readFileSync(join(SHARED, 'gold-to-entry.tsv'), 'utf8')).namesOf('en', 'Acne')).toEqual(['Acne vulgaris']);
  });
});
