import { BundleError } from '../errors/bundle-error.js';
import type { AskSet, DiLeaf, Disease, DiTree, Finding, IndexRow, KnowledgeBundle, Localized, Manifest, PartName, RedFlagRule } from './bundle.js';
import { ByteReader, readHeader } from './bytes.js';
import { ASK_TYPES, KINDS, LEVELS, ROLES, ROW_KINDS, SEXES, TYPES, URGENCIES, WITHIN } from './tables.js';

/** Bytes of each part, as fetched. */
export type PartBytes = Readonly<Record<PartName, Uint8Array>>;

const localized = (reader: ByteReader): Localized => ({ zh: reader.string(), en: reader.string() });
const strings = (reader: ByteReader): string[] => reader.list(() => reader.string());
const indices = (reader: ByteReader): number[] => reader.list(() => reader.varuint());

function word<T>(reader: ByteReader, table: readonly T[]): T {
  const value = table[reader.u8()];
  if (value === undefined) throw reader.malformed('an unknown word number');
  return value;
}

type FindingWords = Pick<Finding, 'synonyms' | 'opposites'>;

/** Synonyms are shown and suggested, never needed at once: they are decoded when asked for. */
function decodeWords(bytes: Uint8Array): FindingWords {
  const reader = new ByteReader(bytes, 'part findings');
  const zh = [strings(reader), strings(reader)] as const;
  const en = [strings(reader), strings(reader)] as const;
  return { synonyms: { zh: zh[0], en: en[0] }, opposites: { zh: zh[1], en: en[1] } };
}

function decodeFindings(bytes: Uint8Array): { findings: Finding[]; askSets: AskSet[]; redFlags: RedFlagRule[] } {
  const reader = readHeader(bytes, 'findings');
  let index = 0;
  const findings = reader.list((): Finding => {
    const id = reader.string();
    const kind = word(reader, KINDS);
    const names = localized(reader);
    const words = reader.blob();
    let lists: FindingWords | undefined;
    const read = (): FindingWords => (lists ??= decodeWords(words));
    return {
      index: index++,
      id,
      kind,
      names,
      get synonyms() {
        return read().synonyms;
      },
      get opposites() {
        return read().opposites;
      },
      ask: localized(reader),
      label: localized(reader),
      askIf: reader.string(),
      parents: indices(reader),
      needs: indices(reader),
      excludes: indices(reader),
      base: reader.f32(),
      value: reader.string(),
    };
  });
  const askSets = reader.list((): AskSet => ({ id: reader.string(), type: word(reader, ASK_TYPES), text: localized(reader), needs: indices(reader), options: indices(reader), variable: reader.string(), unit: reader.string() }));
  const redFlags = reader.list((): RedFlagRule => ({ id: reader.string(), level: word(reader, LEVELS), within: word(reader, WITHIN), when: reader.string(), what: localized(reader), action: localized(reader), source: reader.string() }));
  return { findings, askSets, redFlags };
}

function decodeDiseases(bytes: Uint8Array): { diseases: Disease[]; rows: IndexRow[] } {
  const reader = readHeader(bytes, 'diseases');
  const frequenciesOf: Map<number, number>[] = [];
  let index = 0;
  const diseases = reader.list((): Disease => {
    const id = reader.string();
    const name = reader.string();
    const aliases = strings(reader);
    const icd10 = reader.string();
    const sex = word(reader, SEXES);
    const urgency = word(reader, URGENCIES);
    const age = [reader.f32(), reader.f32()] as const;
    const peak = [reader.f32(), reader.f32()] as const;
    const prevalence = reader.f32();
    const frequencies = new Map<number, number>();
    frequenciesOf.push(frequencies);
    const riskFactors = new Map(reader.list(() => [reader.varuint(), reader.u8() / 20] as const));
    return { index: index++, id, name, aliases, icd10, sex, urgency, age, peak, prevalence, frequencies, riskFactors, redFlags: indices(reader), sources: strings(reader), review: reader.string(), type: word(reader, TYPES), systems: strings(reader), related: indices(reader) };
  });
  const rows = reader.list((): IndexRow => ({ diseaseIndex: reader.varuint(), kind: word(reader, ROW_KINDS) }));
  readFrequencies(reader, frequenciesOf);
  return { diseases, rows };
}

/** Fills in how often findings are present, by disease, ascending by finding. */
function readFrequencies(reader: ByteReader, frequenciesOf: readonly Map<number, number>[]): void {
  const counts = reader.list(() => reader.varuint());
  const listed = counts.map((count) => {
    let disease = -1;
    return Array.from({ length: count }, () => (disease += reader.varuint() + 1));
  });
  listed.forEach((diseases, finding) => {
    for (const disease of diseases) {
      const frequencies = frequenciesOf[disease];
      if (frequencies === undefined) throw reader.malformed('an unknown disease number');
      frequencies.set(finding, reader.u8() / 200);
    }
  });
}

/** Reads one disease's texts when asked, from the offset table. */
class TextTable {
  readonly #offsets: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #cache = new Map<number, DiTree>();
  readonly #diseases: readonly Disease[];

  constructor(bytes: Uint8Array, diseases: readonly Disease[]) {
    const reader = readHeader(bytes, 'texts');
    const count = reader.u32();
    if (count !== diseases.length) throw reader.malformed(`texts of ${String(count)} diseases, ${String(diseases.length)} are known,`);
    this.#offsets = reader.u32s(count + 1);
    this.#bytes = reader.raw(this.#offsets[count] ?? 0);
    this.#diseases = diseases;
  }

  tree(diseaseIndex: number): DiTree {
    const known = this.#cache.get(diseaseIndex);
    if (known !== undefined) return known;
    const disease = this.#diseases[diseaseIndex];
    if (disease === undefined) throw new RangeError(`no disease has index ${String(diseaseIndex)}`);
    const reader = new ByteReader(this.#bytes.subarray(this.#offsets[diseaseIndex], this.#offsets[diseaseIndex + 1]), 'part texts');
    const headings = strings(reader);
    let number = 0;
    const leaves = reader.list((): DiLeaf => {
      const role = word(reader, ROLES);
      const path = indices(reader).map((index) => headings[index] ?? '');
      return { id: `${disease.id}#${String(number++)}`, role, path, text: reader.string(), findings: indices(reader) };
    });
    const tree = { diseaseIndex, leaves };
    this.#cache.set(diseaseIndex, tree);
    return tree;
  }
}

/** Rows as `encodeVectors` writes them, unit length. @throws {BundleError} malformed, truncated */
export function decodeRows(bytes: Uint8Array, dimension: number, rowCount: number): Float32Array {
  const reader = readHeader(bytes, 'vectors');
  const rows = reader.u32();
  const width = reader.u32();
  if (width !== dimension) throw new BundleError('malformed', `part vectors: rows of ${String(width)}, the manifest says ${String(dimension)}; build the bundle again.`, { file: 'part vectors' });
  if (rows !== rowCount) throw reader.malformed(`${String(rows)} rows, ${String(rowCount)} are known,`);
  const vectors = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const scale = reader.f32() / 127;
    const packed = reader.raw(width);
    let norm = 0;
    for (let column = 0; column < width; column++) {
      const value = (((packed[column] ?? 0) << 24) >> 24) * scale;
      vectors[row * width + column] = value;
      norm += value * value;
    }
    const factor = norm > 0 ? 1 / Math.sqrt(norm) : 0;
    for (let column = 0; column < width; column++) vectors[row * width + column]! *= factor;
  }
  return vectors;
}

/**
 * Turns verified bytes into a bundle. Pure; texts are decoded when asked for.
 * @throws {BundleError} not-a-bundle, format-unsupported, malformed, truncated
 */
export function decodeBundle(manifest: Manifest, parts: PartBytes, encoders: KnowledgeBundle['encoders'] = new Map()): KnowledgeBundle {
  const { findings, askSets, redFlags } = decodeFindings(parts.findings);
  const { diseases, rows } = decodeDiseases(parts.diseases);
  if (diseases.length !== manifest.counts.diseases || findings.length !== manifest.counts.findings) {
    throw new BundleError('malformed', 'the parts hold other counts than the manifest; build the bundle again.', { file: 'manifest.json' });
  }
  const texts = new TextTable(parts.texts, diseases);
  const findingIds = new Map(findings.map((finding) => [finding.id, finding.index]));
  const diseaseIds = new Map(diseases.map((disease) => [disease.id, disease.index]));
  return {
    manifest,
    id: manifest.id,
    language: manifest.languages[0] ?? 'en',
    school: manifest.school,
    findings,
    askSets,
    redFlags,
    diseases,
    rows,
    vectors: decodeRows(parts.vectors, manifest.encoder.dimension, rows.length),
    encoders,
    lexiconBytes: parts.lexicon,
    encoderBytes: parts.encoder,
    lexicalBytes: parts.lexical,
    findingIndex: (id) => findingIds.get(id),
    diseaseIndex: (id) => diseaseIds.get(id),
    diTree: (diseaseIndex) => texts.tree(diseaseIndex),
  };
}
