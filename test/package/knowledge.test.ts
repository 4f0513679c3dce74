import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../kb-bundles/build/read-sources.js';
import { ROOT } from '../bundles.js';

const sources = readSources(join(ROOT, 'kb-bundles'));

describe('knowledge sources', () => {
  it('have no mistake that lint knows', () => {
    expect(sources.log.issues.filter((issue) => issue.level === 'error')).toEqual([]);
  });

  it('hold the pilot: 80 diseases or more, 24 syndromes, 500 findings', () => {
    expect(sources.facts.mm.length).toBeGreaterThanOrEqual(80);
    expect(sources.facts.tcm.length).toBeGreaterThanOrEqual(24);
    expect(sources.findings.length).toBeGreaterThanOrEqual(500);
  });

  it('give no doses and no prescriptions', () => {
    const dose = /\d\s*(?:mg|毫克|mcg|微克|片\/次|ml\/次|粒)(?!\w|\/d?L)|每[日天次]\s*\d+\s*(?:片|粒|mg|毫克)/u;
    const found = sources.words.flatMap((words) => words.leaves.filter((leaf) => leaf.role === 'care' && dose.test(leaf.text)).map((leaf) => `${words.source.path}:${String(leaf.line)} ${leaf.text}`));
    expect(found).toEqual([]);
  });

  it('name a source for every disease and every red flag', () => {
    expect([...sources.facts.mm, ...sources.facts.tcm].filter((facts) => facts.sources.length === 0).map((facts) => facts.id)).toEqual([]);
    expect(sources.redFlags.filter((rule) => rule.source === '').map((rule) => rule.id)).toEqual([]);
  });
});
