import { ModelError } from '../errors/model-error.js';

/** Refuses a document of a catalogue or a model, naming the field. */
export function invalid(field: string, what: string): ModelError {
  return new ModelError('catalogue-invalid', `${field} ${what}.`);
}

/** One object of a foreign document, read field by field. Fields that nobody asks for are ignored. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #name: string;

  /** @param name where the object stands, for messages */
  constructor(value: unknown, name: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, 'is no object');
    this.#values = value as Record<string, unknown>;
    this.#name = name;
  }

  /** The field's place in the document, for messages. */
  at(field: string): string {
    return this.#name === '' ? field : `${this.#name}.${field}`;
  }

  value(field: string): unknown {
    return Object.hasOwn(this.#values, field) ? this.#values[field] : undefined;
  }

  /** Whether the field is missing or null. */
  lacks(field: string): boolean {
    return (this.value(field) ?? null) === null;
  }

  text(field: string, form = /\S/, what = 'is no text'): string {
    const value = this.value(field);
    if (typeof value !== 'string' || !form.test(value)) throw invalid(this.at(field), what);
    return value;
  }

  oneOf<T extends string | number>(field: string, words: readonly T[]): T {
    const value = this.value(field);
    if (!words.includes(value as T)) throw invalid(this.at(field), `is not ${words.join(' or ')}`);
    return value as T;
  }

  boolean(field: string): boolean {
    const value = this.value(field);
    if (typeof value !== 'boolean') throw invalid(this.at(field), 'is neither true nor false');
    return value;
  }

  /** A whole number that JavaScript holds exactly. */
  whole(field: string, least: number): number {
    const value = this.value(field);
    if (!Number.isSafeInteger(value) || (value as number) < least) throw invalid(this.at(field), `is no whole number from ${String(least)} on`);
    return value as number;
  }

  /** An absolute address on the web, without a name or password in it. */
  address(field: string): string {
    const text = this.text(field);
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') throw invalid(this.at(field), 'is no absolute address on the web');
    return text;
  }

  /** A list of objects. */
  list<T>(field: string, least: number, read: (item: Fields) => T): T[] {
    return this.#items(field, least).map((item, at) => read(new Fields(item, `${this.at(field)}[${String(at)}]`)));
  }

  /** A list of texts of a form, none twice. */
  texts(field: string, least: number, form: RegExp, what: string): string[] {
    const items = this.#items(field, least).map((item, at) => {
      if (typeof item !== 'string' || !form.test(item)) throw invalid(`${this.at(field)}[${String(at)}]`, what);
      return item;
    });
    refuseRepeated(items, this.at(field));
    return items;
  }

  #items(field: string, least: number): readonly unknown[] {
    const value = this.value(field);
    if (!Array.isArray(value)) throw invalid(this.at(field), 'is no list');
    if (value.length < least) throw invalid(this.at(field), 'is empty');
    return value;
  }
}

/** Refuses a list that names something twice. */
export function refuseRepeated(names: readonly string[], field: string): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw invalid(field, `names "${repeated}" twice`);
}
