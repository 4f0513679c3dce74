const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const HEX_DIGITS = 4;

/**
 * Reads one text out of an object of JSON while that is written: the first value of a key of the outermost object, as
 * long as it is a string. What stands before the object is passed over. The same result however the JSON is split;
 * halves of characters wait for the other half, and are dropped where it does not come.
 */
export class JsonStringStream {
  readonly #wantedKey: string;
  /** Open brackets. */
  #depth = 0;
  /** What stands outside of a string in the outermost object next: a key or a value. */
  #expects: 'key' | 'value' = 'key';
  #key = '';
  /** What the string being read is; null outside of strings. */
  #string: 'key' | 'wanted' | 'other' | null = null;
  /** An escape as far as it was read. */
  #escape = '';
  /** First half of a character. */
  #half = '';
  #isClosed = false;
  #isOver = false;

  constructor(key: string) {
    this.#wantedKey = key;
  }

  /** The value was read to its closing quote. Stays false where the reply is cut, or has no such text. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What has come of the value, decoded; whole characters only. */
  push(delta: string): string {
    let decoded = '';
    for (let at = 0; at < delta.length && !this.#isOver; at++) {
      const unit = delta.charAt(at);
      if (this.#string === null) this.#outside(unit);
      else decoded += this.#inside(unit);
    }
    return decoded;
  }

  #outside(unit: string): void {
    if (unit === '{' || (unit === '[' && this.#depth > 0)) this.#depth++;
    else if (this.#depth === 0) return;
    else if (unit === '}' || unit === ']') this.#isOver = --this.#depth === 0;
    else if (unit === '"') this.#open();
    else if (this.#depth === 1 && (unit === ':' || unit === ',')) this.#expects = unit === ':' ? 'value' : 'key';
  }

  #open(): void {
    const isKey = this.#depth === 1 && this.#expects === 'key';
    if (isKey) this.#key = '';
    this.#string = isKey ? 'key' : this.#depth === 1 && this.#key === this.#wantedKey ? 'wanted' : 'other';
  }

  #inside(unit: string): string {
    if (this.#escape === '') {
      if (unit === '"') this.#close();
      else if (unit === '\\') this.#escape = unit;
      else return this.#take(unit);
      return '';
    }
    if (this.#escape === '\\' && unit !== 'u') {
      this.#escape = '';
      return this.#take(ESCAPES[unit] ?? unit);
    }
    if (this.#escape !== '\\' && !/[\da-f]/i.test(unit)) {
      // Not the escape that it began as: it says nothing, the rest is text.
      this.#escape = '';
      return this.#inside(unit);
    }
    this.#escape += unit;
    if (this.#escape.length < '\\u'.length + HEX_DIGITS) return '';
    const code = parseInt(this.#escape.slice(2), 16);
    this.#escape = '';
    return this.#take(String.fromCharCode(code));
  }

  #close(): void {
    this.#half = '';
    if (this.#string === 'wanted') this.#isClosed = this.#isOver = true;
    this.#string = null;
  }

  /** A unit of the decoded text, put together with a half before it. */
  #take(unit: string): string {
    const code = unit.charCodeAt(0);
    const isSecond = code >= 0xdc00 && code <= 0xdfff;
    const whole = isSecond ? (this.#half === '' ? '' : this.#half + unit) : unit;
    this.#half = code >= 0xd800 && code <= 0xdbff ? unit : '';
    if (this.#half !== '' || this.#string === 'other') return '';
    if (this.#string === 'wanted') return whole;
    this.#key += whole;
    return '';
  }
}
