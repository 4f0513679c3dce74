import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coverageOf, coveragePage } from '../../kb-bundles/build/coverage.js';
import { readSources } from '../../kb-bundles/build/read-sources.js';
import { ROOT } from '../bundles.js';

const sources = readSources(join(ROOT, 'kb-bundles'));

describe('knowledge sources', () => {
  it('have no mistake that lint knows', () => {
    expect(sources.log.issues.filter((issue) => issue.level === 'error')).toEqual([]);
  });

  it('hold 1,100 diseases, 147 syndromes, 280 diseases of Chinese medicine and 2,000 findings or more', () => {
    expect(sources.facts.mm.length).toBeGreaterThanOrEqual(1_100);
    expect(sources.facts.tcm.filter((facts) => facts.type === 'syndrome').length).toBeGreaterThanOrEqual(147);
    expect(sources.facts.tcm.filter((facts) => facts.type === 'disease').length).toBeGreaterThanOrEqual(280);
    expect(sources.findings.length).toBeGreaterThanOrEqual(2_000);
  });

  it('say what people say first and what happened to them, in every entry', () => {
    const words = sources.words.filter((one) => one.language === 'zh' && sources.facts.mm.some((facts) => facts.id === one.id && facts.authored !== 'model 2026-11-29'));
    expect(words.filter((one) => one.firstSentences.length < 4 || one.histories.length < 4).map((one) => one.id)).toEqual([]);
  });

  it('claim no review by a clinician', () => {
    expect([...sources.facts.mm, ...sources.facts.tcm].filter((facts) => facts.reviewed.startsWith('clinician') || facts.authored.startsWith('clinician')).map((facts) => facts.id)).toEqual([]);
  });

  it('are told of in COVERAGE.md as they are', () => {
    expect(readFileSync(join(ROOT, 'kb-bundles/COVERAGE.md'), 'utf8')).toBe(coveragePage(coverageOf(join(ROOT, 'kb-bundles'), sources, new Map())));
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
