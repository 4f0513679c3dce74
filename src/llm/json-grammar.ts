import type { JsonSchema } from './language-model.js';

/**
 * A grammar (the EBNF that llama.cpp and XGrammar share) of the JSON that fits a schema, on one line. A runtime's own
 * translation allows white space without end, in which small models lose themselves.
 */
export function jsonGrammar(schema: JsonSchema): string {
  const rules = new Map<string, string>();
  const name = (body: string): string => {
    for (const [known, other] of rules) if (other === body) return known;
    const fresh = `r${String(rules.size)}`;
    rules.set(fresh, body);
    return fresh;
  };
  const root = ruleOf(schema, name);
  return [`root ::= ${root}`, ...[...rules].map(([rule, body]) => `${rule} ::= ${body}`)].join('\n');
}

type Name = (body: string) => string;

/** No `\u`: a model that begins to write characters by number does not end. */
const CHARACTER = String.raw`([^"\\\x00-\x1f] | "\\" ["\\/bfnrt])`;
const INTEGER = String.raw`"-"? ("0" | [1-9] [0-9]{0,8})`;
const NUMBER = String.raw`${INTEGER} ("." [0-9]{1,6})?`;
const COMMA = '"," " "?';
const COLON = '":" " "?';
/** Longer strings are not counted: a grammar that counts far is slow to compile. */
const COUNTED_LENGTH = 64;

interface Known {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** The name of the rule for a schema. */
function ruleOf(schema: JsonSchema, name: Name): string {
  const known = schema as Known;
  if ('const' in schema) return name(literal(schema.const));
  if (known.enum !== undefined) return name(known.enum.map(literal).join(' | '));
  switch (known.type) {
    case 'object':
      return objectRule(known, name);
    case 'array':
      return arrayRule(known, name);
    case 'string':
      return name(`"\\"" ${name(CHARACTER)}${repeated(0, known.maxLength !== undefined && known.maxLength <= COUNTED_LENGTH ? known.maxLength : undefined)} "\\""`);
    case 'integer':
      return name(INTEGER);
    case 'number':
      return name(NUMBER);
    case 'boolean':
      return name('"true" | "false"');
    case 'null':
      return name('"null"');
    default:
      throw new RangeError(`A schema needs a type, enum or const that can be constrained, not ${JSON.stringify(known.type)}.`);
  }
}

/** Members in the schema's order; those not required may be left out. */
function objectRule({ properties = {}, required = [] }: Known, name: Name): string {
  const members = Object.entries(properties).map(([key, schema]) => ({ isRequired: required.includes(key), rule: `${literal(key)} ${COLON} ${ruleOf(schema, name)}` }));
  // From the last to the first: what may follow where a member came before, and where none did.
  let after = '';
  let atStart = '';
  for (const { isRequired, rule } of members.reverse()) {
    const rest = after === '' ? '' : ` ${after}`;
    [after, atStart] = isRequired ? [name(`${COMMA} ${rule}${rest}`), name(`${rule}${rest}`)] : [name(`${COMMA} ${rule}${rest} | ${after === '' ? '""' : after}`), name(`${rule}${rest} | ${atStart === '' ? '""' : atStart}`)];
  }
  return name(`"{" ${atStart === '' ? '' : `${atStart} `}"}"`);
}

function arrayRule({ items, minItems = 0, maxItems }: Known, name: Name): string {
  if (maxItems === 0) return name('"[" "]"');
  if (items === undefined) throw new RangeError('An array’s schema needs items.');
  const item = ruleOf(items, name);
  const more = `(${COMMA} ${item})${repeated(Math.max(0, minItems - 1), maxItems === undefined ? undefined : maxItems - 1)}`;
  return name(minItems > 0 ? `"[" ${item} ${more} "]"` : `"[" (${item} ${more})? "]"`);
}

function repeated(least: number, most: number | undefined): string {
  if (most === undefined) return least === 0 ? '*' : `{${String(least)},}`;
  return `{${String(least)},${String(most)}}`;
}

/** A value as it stands in JSON, as a literal of the grammar. */
function literal(value: unknown): string {
  return `"${JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
