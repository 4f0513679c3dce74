import type { AskSet, DiLeaf, Disease, Finding, IndexRow, Localized, RedFlagRule } from './bundle.js';
import { ByteWriter, quantisedScale, writeHeader, writeQuantised } from './bytes.js';
import { ASK_TYPES, KINDS, LEVELS, ROLES, ROW_KINDS, SEXES, TYPES, URGENCIES, WITHIN } from './tables.js';

/** Writes the parts of a bundle. Used by the builder only; `decode.ts` is its mirror. */

function localized(out: ByteWriter, text: Localized): void {
  out.string(text.zh).string(text.en);
}

function strings(out: ByteWriter, items: readonly string[]): void {
  out.list(items, (item) => out.string(item));
}

function indices(out: ByteWriter, items: readonly number[]): void {
  out.list(items, (item) => out.varuint(item));
}

export function encodeFindings(findings: readonly Finding[], askSets: readonly AskSet[], redFlags: readonly RedFlagRule[]): Uint8Array {
  const out = writeHeader('findings');
  out.list(findings, (finding) => {
    out.string(finding.id).u8(KINDS.indexOf(finding.kind));
    localized(out, finding.names);
    const words = new ByteWriter();
    for (const language of ['zh', 'en'] as const) {
      strings(words, finding.synonyms[language]);
      strings(words, finding.opposites[language]);
    }
    out.blob(words.finish());
    localized(out, finding.ask);
    localized(out, finding.label);
    out.string(finding.askIf);
    indices(out, finding.parents);
    indices(out, finding.needs);
    indices(out, finding.excludes);
    out.f32(finding.base).string(finding.value);
  });
  out.list(askSets, (set) => {
    out.string(set.id).u8(ASK_TYPES.indexOf(set.type));
    localized(out, set.text);
    indices(out, set.needs);
    indices(out, set.options);
    out.string(set.variable).string(set.unit);
  });
  out.list(redFlags, (rule) => {
    out.string(rule.id).u8(LEVELS.indexOf(rule.level)).u8(WITHIN.indexOf(rule.within)).string(rule.when);
    localized(out, rule.what);
    localized(out, rule.action);
    out.string(rule.source);
  });
  return out.finish();
}

export function encodeDiseases(diseases: readonly Disease[], rows: readonly IndexRow[]): Uint8Array {
  const out = writeHeader('diseases');
  out.list(diseases, (disease) => {
    out.string(disease.id).string(disease.name);
    strings(out, disease.aliases);
    out.string(disease.icd10).u8(SEXES.indexOf(disease.sex)).u8(URGENCIES.indexOf(disease.urgency));
    for (const age of [...disease.age, ...disease.peak]) out.f32(age);
    out.f32(disease.prevalence);
    out.list([...disease.riskFactors], ([finding, factor]) => out.varuint(finding).u8(Math.round(factor * 20)));
    indices(out, disease.redFlags);
    strings(out, disease.sources);
    out.string(disease.review).u8(TYPES.indexOf(disease.type));
    strings(out, disease.systems);
    indices(out, disease.related);
  });
  out.list(rows, (row) => out.varuint(row.diseaseIndex).u8(ROW_KINDS.indexOf(row.kind)));
  encodeFrequencies(out, diseases);
  return out.finish();
}

/** How often findings are present, finding by finding and in columns, which compresses better than disease by disease. */
function encodeFrequencies(out: ByteWriter, diseases: readonly Disease[]): void {
  const byFinding: [disease: number, frequency: number][][] = [];
  diseases.forEach(({ frequencies }, disease) => {
    for (const [finding, frequency] of frequencies) (byFinding[finding] ??= []).push([disease, frequency]);
  });
  const columns = Array.from(byFinding, (list) => list ?? []);
  out.list(columns, (list) => out.varuint(list.length));
  for (const list of columns) list.forEach(([disease], at) => out.varuint(disease - (list[at - 1]?.[0] ?? -1) - 1));
  for (const list of columns) for (const [, frequency] of list) out.u8(Math.round(frequency * 200));
}

/** Texts of each disease stand apart behind an offset table, so that one can be read without the others. */
export function encodeTexts(trees: readonly (readonly Omit<DiLeaf, 'id'>[])[]): Uint8Array {
  const blobs = trees.map((leaves) => {
    const headings = [...new Set(leaves.flatMap((leaf) => leaf.path))];
    const blob = writeHeader('texts');
    const skip = blob.length;
    strings(blob, headings);
    blob.list(leaves, (leaf) => {
      blob.u8(ROLES.indexOf(leaf.role));
      indices(blob, leaf.path.map((heading) => headings.indexOf(heading)));
      blob.string(leaf.text);
      indices(blob, leaf.findings);
    });
    return blob.finish().subarray(skip);
  });
  const out = writeHeader('texts').u32(blobs.length);
  let offset = 0;
  for (const blob of blobs) {
    out.u32(offset);
    offset += blob.length;
  }
  out.u32(offset);
  for (const blob of blobs) out.raw(blob);
  return out.finish();
}

/** Rows as int8 with one scale a row. @param vectors `[rowCount, dimension]`, row-major */
export function encodeVectors(vectors: Float32Array, dimension: number): Uint8Array {
  const rowCount = vectors.length / dimension;
  const out = writeHeader('vectors').u32(rowCount).u32(dimension);
  for (let row = 0; row < rowCount; row++) {
    const values = vectors.subarray(row * dimension, (row + 1) * dimension);
    const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    out.f32(quantisedScale(most));
    writeQuantised(out, values, most || 1);
  }
  return out.finish();
}
