import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBundles } from '../../kb-bundles/build/build.js';
import { readSources } from '../../kb-bundles/build/read-sources.js';
import { PART_NUMBERS } from '../../src/bundle/bytes.js';
import { decodeBundle } from '../../src/bundle/decode.js';
import { parseManifest } from '../../src/bundle/manifest.js';
import type { KnowledgeBundle, PartName } from '../../src/bundle/bundle.js';
import { buildFixtures, KNOWLEDGE, scratch } from '../fixtures/fixture-bundles.js';

function filesOf(directory: string): Map<string, string> {
  return new Map(readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => [join(entry.parentPath, entry.name).slice(directory.length), readFileSync(join(entry.parentPath, entry.name), 'base64')]));
}

function openBundle(directory: string): KnowledgeBundle {
  const manifest = parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  const parts = Object.fromEntries(manifest.parts.map((part) => [part.name, new Uint8Array(readFileSync(join(directory, part.file)))])) as Record<PartName, Uint8Array>;
  return decodeBundle(manifest, parts);
}

/** Copies the fixture sources, changes one file, and returns what lint says of it. */
function lintAfter(file: string, change: (content: string) => string): { file: string; line: number; rule: string; level: string }[] {
  const sources = scratch();
  cpSync(KNOWLEDGE, sources, { recursive: true });
  const path = join(sources, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  return readSources(sources).log.issues.map((issue) => ({ file: issue.file.slice(sources.length + 1), line: issue.line, rule: issue.rule, level: issue.level }));
}

describe('buildBundles', () => {
  let first: string;
  beforeAll(async () => {
    first = await buildFixtures();
  });

  it('writes the same bytes from the same sources', async () => {
    expect(filesOf(await buildFixtures())).toEqual(filesOf(first));
  });

  it('writes only the bundles that are asked for', async () => {
    const out = scratch();
    const { manifests } = await buildBundles({ sources: KNOWLEDGE, out, only: ['mini-en'] });
    expect(manifests.map((manifest) => manifest.id)).toEqual(['mini-en']);
    expect(readdirSync(out)).toEqual(['mini-en']);
  });

  it('lists each part with its true size', () => {
    const directory = join(first, 'mini-en');
    const manifest = parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8'));
    expect(manifest.parts.map((part) => part.name).sort()).toEqual(Object.keys(PART_NUMBERS).sort());
    for (const part of manifest.parts) expect(readFileSync(join(directory, part.file))).toHaveLength(part.bytes);
  });

  it('removes parts of an earlier build', async () => {
    const out = scratch();
    cpSync(first, out, { recursive: true });
    writeFileSync(join(out, 'mini-en', 'vectors-000000000000.bin'), 'old');
    await buildBundles({ sources: KNOWLEDGE, out });
    expect(filesOf(out)).toEqual(filesOf(first));
  });

  it('keeps what the sources say', () => {
    const bundle = openBundle(join(first, 'mini-en'));
    const migraine = bundle.diseases[bundle.diseaseIndex('migraine') ?? -1];
    expect(migraine).toMatchObject({ name: 'Migraine', aliases: ['migraine headache'], icd10: 'G43', urgency: 'routine', age: [5, 90], review: 'none' });
    expect(migraine?.frequencies.get(bundle.findingIndex('headache-one-sided') ?? -1)).toBeCloseTo(0.8, 2);
    expect(migraine?.riskFactors.get(bundle.findingIndex('family-migraine') ?? -1)).toBe(6);
    const leaf = bundle.diTree(migraine?.index ?? -1).leaves.find((one) => one.text.startsWith('The headache is often'));
    expect(leaf?.path).toEqual(['Symptoms and signs']);
    expect(leaf?.findings.map((index) => bundle.findings[index]?.id)).toEqual(['headache', 'headache-one-sided']);
    expect(bundle.redFlags.map((rule) => rule.id)).toEqual(['possible-meningitis', 'thoughts-of-suicide']);
  });

  it('carries both languages of the vocabulary in each bundle', () => {
    const fever = openBundle(join(first, 'mini-zh')).findings.find((finding) => finding.id === 'fever');
    expect(fever?.names).toEqual({ zh: '发热', en: 'fever' });
  });

  it('writes nothing when a source has an error', async () => {
    const sources = scratch();
    cpSync(KNOWLEDGE, sources, { recursive: true });
    writeFileSync(join(sources, 'mm', 'migraine.md'), '---\nid: migraine\n---\n');
    const out = scratch();
    const { issues, manifests } = await buildBundles({ sources, out });
    expect(manifests).toEqual([]);
    expect(readdirSync(out)).toEqual([]);
    expect(issues.some((issue) => issue.level === 'error')).toBe(true);
  });
});

describe('lint', () => {
  it('finds nothing in the fixture', () => {
    expect(readSources(KNOWLEDGE).log.issues).toEqual([]);
  });

  it('names file and line of an unknown finding', () => {
    const issues = lintAfter('mm/migraine.md', (content) => content.replace('  light-sensitivity: usual', '  no-such-finding: usual'));
    expect(issues).toContainEqual({ file: 'mm/migraine.md', line: 13, rule: 'unknown-finding', level: 'error' });
  });

  it.each([
    ['a code that is not of ICD-10’s form', 'mm/migraine.md', 'icd10: G43', 'icd10: 43-G', 'icd10'],
    ['a frequency word that is none', 'mm/migraine.md', 'nausea: usual', 'nausea: mostly', 'grade'],
    ['a missing part', 'mm/migraine.en.md', '## Overview\nA headache disorder that comes in attacks.\n', '', 'missing-part'],
    ['an unknown heading', 'mm/migraine.en.md', '## Overview', '## Summary', 'heading'],
    ['Chinese in the English text', 'mm/migraine.en.md', '- There is no fever', '- 没有 fever, there is no fever', 'wrong-language'],
    ['English in place of the Chinese text', 'mm/migraine.zh.md', '反复发作的头痛病。', 'A headache disorder.', 'wrong-language'],
    ['an alias of another disease', 'mm/migraine.en.md', '[migraine headache]', '[cystitis]', 'duplicate-alias'],
    ['a finding with no words tied to it', 'mm/migraine.en.md', ' {family-migraine}', '', 'missing-part'],
    ['a range that runs backwards', 'mm/migraine.md', 'age: 5-90', 'age: 90-5', 'range'],
    ['a finding that stands twice', 'findings/mini.md', '## nausea', '## fever', 'duplicate-id'],
    ['a label that is a question', 'findings/mini.md', '## nausea\n- kind: symptom\n', '## nausea\n- kind: symptom\n- label-zh: 恶心吗？\n', 'label'],
    ['a label that is another finding’s name', 'findings/mini.md', '## nausea\n- kind: symptom\n', '## nausea\n- kind: symptom\n- label-en: fever\n', 'label'],
    ['a label too long for a tick list', 'findings/mini.md', '## nausea\n- kind: symptom\n', '## nausea\n- kind: symptom\n- label-zh: 胃里一阵一阵地翻腾很想吐又总是吐不出来\n', 'label'],
    ['a condition that cannot be read', 'red-flags/mini.md', 'when: fever & neck-stiffness', 'when: fever & (neck-stiffness', 'condition'],
    ['who wrote an entry in another form', 'mm/migraine.md', 'authored: model 2026-11-29', 'authored: somebody', 'who-and-when'],
    ['a review without a date', 'mm/migraine.md', 'reviewed: none', 'reviewed: clinician', 'who-and-when'],
    ['a relation to no entry', 'mm/migraine.md', 'reviewed: none', 'reviewed: none\nrelated: [no-such-entry]', 'related'],
    ['a relation to an entry of its own type', 'mm/migraine.md', 'reviewed: none', 'reviewed: none\nrelated: [cystitis]', 'related'],
    ['an alias that is a symptom', 'mm/migraine.en.md', '[migraine headache]', '[headache]', 'alias-is-finding'],
    ['a red flag that is usual in a disease that is no emergency', 'mm/migraine.md', 'red-flags: [neck-stiffness]', 'red-flags: [headache]', 'flag-is-usual'],
    ['plain fever as a red flag of a mild disease', 'mm/migraine.md', 'red-flags: [neck-stiffness]', 'red-flags: [fever]', 'flag-is-no-danger'],
    ['red flags without a line that says where to go', 'mm/migraine.en.md', 'to the emergency department', 'to your doctor', 'flags-without-line'],
    ['a young baby with fever that is told to wait', 'mm/migraine.zh.md', '## 处理原则\n', '## 处理原则\n- 三个月以内的婴儿发烧，当天看儿科。\n', 'young-fever-waits'],
    ['advice to make somebody vomit', 'mm/migraine.zh.md', '## 处理原则\n', '## 处理原则\n- 先催吐再去医院。\n', 'makes-vomit'],
    ['a part that is graded more frequent than the whole', 'mm/migraine.md', 'headache: always', 'headache: common', 'part-over-whole'],
    ['advice to stop a medicine without a doctor', 'mm/migraine.zh.md', '## 处理原则\n', '## 处理原则\n- 头痛好了，停可疑药。\n', 'alone-with-medicine'],
    ['a wide entry that is graded common', 'mm/migraine.zh.md', '反复发作的头痛病。', '各种头痛的总称，反复发作。', 'umbrella'],
    ['a key that nothing reads', 'mm/migraine.md', 'reviewed: none', 'reviewed: none\nsexx: any', 'unknown-key'],
    ['a peak beyond the ages', 'mm/migraine.md', 'age: 5-90', 'age: 5-9', 'range'],
    ['a day that is none', 'mm/migraine.md', 'authored: model 2026-11-29', 'authored: model 2026-02-31', 'who-and-when'],
    ['no word of where it is from', 'mm/migraine.md', 'sources:', 'aliases:', 'missing-part'],
    ['too few first sentences', 'mm/migraine.zh.md', '- 头疼半天了，动一动更疼\n', '', 'few-sentences'],
    ['a dose', 'mm/migraine.zh.md', '## 处理原则\n', '## 处理原则\n- 口服布洛芬400毫克。\n', 'dose'],
    ['an urgent rule without its time', 'red-flags/mini.md', 'level: emergency', 'level: urgent', 'missing-part'],
    ['a time of a rule that its words do not say', 'red-flags/mini.md', 'level: emergency', 'level: urgent\n- within: a-day', 'time-not-said'],
    ['a red flag of an unknown finding', 'red-flags/mini.md', 'when: fever & neck-stiffness', 'when: fever & stiff-neck', 'unknown-finding'],
  ])('reports %s', (_what, file, from, to, rule) => {
    const issues = lintAfter(file, (content) => content.replace(from, to));
    expect(issues.map((issue) => issue.rule)).toContain(rule);
  });

  it('reports a red flag that is the parent of what is usual', () => {
    const issues = lintAfter('mm/migraine.md', (content) => content.replace('  headache: always\n', '').replace('red-flags: [neck-stiffness]', 'red-flags: [headache]'));
    expect(issues.map((issue) => issue.rule)).toContain('flag-is-usual');
  });

  it('reports near-identical pseudo histories', () => {
    const issues = lintAfter('mm/migraine.en.md', (content) => content.replace(/### 3\n.*/, (block) => block.replace(/\n.*/, `\n${/### 1\n(.*)/.exec(content)?.[1] ?? ''}`)));
    expect(issues.map((issue) => issue.rule)).toContain('near-identical');
  });

  it('reports a disease with few findings', () => {
    const issues = lintAfter('mm/cystitis.md', (content) => content.replace('  headache: rare\n', ''));
    expect(issues.map((issue) => issue.rule)).toContain('few-findings');
  });
});
