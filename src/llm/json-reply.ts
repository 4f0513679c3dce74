import { jsonrepair } from 'jsonrepair';
import { closeCutOff, outlineOf, tidyMarks } from './json-outline.js';
import type { JsonSchema } from './language-model.js';

/** Longer replies and deeper values are no answers of ours. */
const MOST_CHARACTERS = 12_000;
const MOST_DEPTH = 16;
/** Places at which a value may begin, that are tried. */
const MOST_STARTS = 20;
const BRACKET = /[{[]/;
const VALUE_START = /^(?:\{\s*(?:["'“}\\]|[\w$]+\s*[:：])|\[\s*(?:["'“{[\]\d-]|true|false|null|True|False|None))/;
const FENCED = /```[\w-]*[ \t]*\n?([^]*?)(?:```|$)/g;
/** Names by which a value could reach into its own object. */
const DROPPED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The object, else the list, that a reply holds, however badly it is written: fences, words around it, comments, wrong
 * quotes and commas, an end cut off. What stands in fences goes first, then what needs no repair. Of a cut-off end
 * only what is certain is kept: a text, a number or a word that breaks off is left out. Keys that could reach into an
 * object are dropped. Undefined where there is no object or list, or one that is too long or too deep. Never throws.
 */
export function extractJson(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.length > MOST_CHARACTERS) return undefined;
  // White space at the end says that a number before it is complete.
  const whole = /\s$/.test(text) ? `${trimmed}\n` : trimmed;
  const fenced = Array.from(whole.matchAll(FENCED), (found) => found[1] ?? '');
  const parts = [...fenced, whole];
  for (const part of [...parts, ...parts.filter((one) => one.includes('｛')).map((one) => one.replaceAll('｛', '{').replaceAll('｝', '}'))]) {
    const found = valueIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueIn(text: string): unknown {
  const spans = spansOf(text);
  for (const bracket of ['{', '[']) {
    const here = spans.filter((span) => span.startsWith(bracket));
    for (const read of [parse, repair]) {
      for (const span of here) {
        const value = read(span);
        if (value !== undefined) return value;
      }
    }
  }
  return undefined;
}

/** What may be a value: from each opening bracket that stands in no other to its closing one, or to the text's end. */
function spansOf(text: string): string[] {
  const spans: string[] = [];
  let at = text.search(BRACKET);
  while (at >= 0 && spans.length < MOST_STARTS) {
    const { end } = outlineOf(text, at);
    const span = text.slice(at, end ?? text.length);
    spans.push(span);
    // The objects in a value whose end was cut off are its parts; those after a bracket in words are not.
    if (end === null && VALUE_START.test(span)) break;
    const from = end ?? at + 1;
    const next = text.slice(from).search(BRACKET);
    at = next < 0 ? -1 : from + next;
  }
  return spans;
}

/** An object or list of JSON, cleaned; undefined for anything else. */
function parse(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json, (key, inner: unknown) => (DROPPED_KEYS.has(key) ? undefined : inner));
    return typeof value === 'object' && value !== null && depthOf(value) <= MOST_DEPTH ? value : undefined;
  } catch {
    return undefined;
  }
}

function repair(span: string): unknown {
  for (const candidate of candidatesOf(span)) {
    try {
      const value = parse(jsonrepair(candidate));
      if (value !== undefined) return value;
    } catch {
      // Not to be repaired; the next reading may be.
    }
  }
  return undefined;
}

/** Readings of a span: as it is; with quotes out of order, up to its last bracket; else as one whose end was cut off. */
function candidatesOf(span: string): string[] {
  const tidy = tidyMarks(span);
  const { end, depth } = outlineOf(tidy, 0);
  if (depth > MOST_DEPTH) return [];
  if (end !== null) return [tidy.slice(0, end)];
  const upToBracket = tidy.slice(0, Math.max(tidy.lastIndexOf('}'), tidy.lastIndexOf(']')) + 1);
  const count = (bracket: string): number => upToBracket.split(bracket).length;
  const isPaired = upToBracket !== '' && count('{') === count('}') && count('[') === count(']');
  return isPaired ? [upToBracket, closeCutOff(tidy)] : [closeCutOff(tidy)];
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Keywords of schemas that are checked or only describe; any other would go unchecked. */
const KEYWORDS: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'items', 'properties', 'required', 'minItems', 'maxItems', 'maxLength', 'additionalProperties', 'title', 'description']);
const TYPES: Readonly<Record<string, readonly [inWords: string, holds: (value: unknown) => boolean]>> = {
  object: ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  array: ['a list', (value) => Array.isArray(value)],
  string: ['a text in quotes', (value) => typeof value === 'string'],
  integer: ['a whole number without quotes', (value) => Number.isSafeInteger(value)],
  number: ['a number without quotes', (value) => Number.isFinite(value)],
  boolean: ['true or false without quotes', (value) => typeof value === 'boolean'],
};
const MOST_FAULTS = 8;
/** Values of an enum that a fault names. */
const MOST_NAMED = 20;

/** The parts of a schema that are read; `checkSchema` refuses others. */
interface ReadSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly additionalProperties?: boolean;
}

/**
 * What is wrong with a value by a schema, in English words fit to show to the model; at most 8, none of which quotes the
 * value. Types are strict: "yes" is no boolean, 2.0 is an integer, "2" is none. Members that the schema does not name are no fault
 * unless `additionalProperties` is false.
 * @throws {TypeError} a schema with a keyword or type outside the subset of `JsonSchema`
 */
export function checkSchema(value: unknown, schema: JsonSchema): string[] {
  return faultsOf(value, schema, '').slice(0, MOST_FAULTS);
}

function faultsOf(value: unknown, schema: JsonSchema, path: string): string[] {
  const name = path === '' ? 'The reply' : `"${path}"`;
  const strange = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (strange !== undefined) throw new TypeError(`The schema’s keyword ${strange} is not supported.`);
  const read = schema as ReadSchema;
  if (read.type !== undefined) {
    const type = Object.hasOwn(TYPES, read.type) ? TYPES[read.type] : undefined;
    if (type === undefined) throw new TypeError(`The schema’s type ${String(read.type)} is not supported.`);
    if (!type[1](value)) return [`${name} must be ${type[0]}.`];
  }
  if ('const' in read && !isSame(value, read.const)) return [`${name} must be ${JSON.stringify(read.const)}.`];
  if (read.enum !== undefined && !read.enum.some((allowed) => isSame(value, allowed))) {
    const named = read.enum.slice(0, MOST_NAMED).map((allowed) => JSON.stringify(allowed));
    return [`${name} must be one of ${named.join(', ')}${read.enum.length > MOST_NAMED ? ', …' : ''}.`];
  }
  if (typeof value === 'string') return lengthFaults(Array.from(value).length, name, 'characters', 0, read.maxLength);
  if (Array.isArray(value)) {
    const items = value.slice(0, read.maxItems).flatMap((item, at) => (read.items === undefined ? [] : faultsOf(item, read.items, `${path}[${String(at)}]`)));
    return [...lengthFaults(value.length, name, 'items', read.minItems, read.maxItems), ...items];
  }
  return typeof value === 'object' && value !== null ? memberFaults(value as Readonly<Record<string, unknown>>, read, path) : [];
}

function memberFaults(value: Readonly<Record<string, unknown>>, { properties = {}, required = [], additionalProperties = true }: ReadSchema, path: string): string[] {
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const missing = required.filter((key) => !Object.hasOwn(value, key)).map((key) => `"${at(key)}" is missing.`);
  const present = Object.entries(properties).filter(([key]) => Object.hasOwn(value, key));
  const isMore = !additionalProperties && Object.keys(value).some((key) => !Object.hasOwn(properties, key));
  const more = isMore ? [`${path === '' ? 'The reply' : `"${path}"`} may have these members only: ${Object.keys(properties).join(', ')}.`] : [];
  return [...missing, ...present.flatMap(([key, inner]) => faultsOf(value[key], inner, at(key))), ...more];
}

function lengthFaults(length: number, name: string, unit: string, least = 0, most = Infinity): string[] {
  if (length < least) return [`${name} must have at least ${String(least)} ${unit}.`];
  return length > most ? [`${name} must have at most ${String(most)} ${unit}.`] : [];
}

/** Of plain values and lists or objects of them. */
function isSame(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && left !== null && JSON.stringify(left) === JSON.stringify(right));
}
