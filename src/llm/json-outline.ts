/** Where a value in text ends, by its brackets and quotes. */
export interface Outline {
  /** Index after the closing bracket; null where the text ends before it. */
  readonly end: number | null;
  /** Most brackets inside each other. */
  readonly depth: number;
  /** Closing brackets that are missing at the end, innermost first. */
  readonly missing: string;
  /** Index up to which everything is complete: after a bracket, before a comma. */
  readonly sureEnd: number;
  /** The text ends inside a quoted text. */
  readonly isQuoted: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const CLOSING_QUOTE: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' };
/** After one of these a quoted text may begin. In words, `'` and `“` stand elsewhere too. */
const BEFORE_QUOTE = '{[,:，：';
const MARKS: Readonly<Record<string, string>> = { '：': ':', '，': ',', '［': '[', '］': ']', '　': ' ' };
/** A value that is complete although nothing follows it. Of a number only white space shows that. */
const COMPLETE_WORD = /^\s*(?:true|false|null|True|False|None|-?\d+(?:\.\d+)?\s)\s*$/;
const QUOTED = /^["'“‘][^]*["'”’]$/;

/** Index after the comment that begins at `at`; `at` where none does. The `//` of an address is none. */
function commentEnd(text: string, at: number, before: string): number {
  const isBlock = text.startsWith('/*', at);
  if (!isBlock && text.charAt(at) !== '#' && !(text.startsWith('//', at) && before !== ':')) return at;
  const end = text.indexOf(isBlock ? '*/' : '\n', at);
  return end < 0 ? text.length : end + (isBlock ? 2 : 0);
}

/**
 * Calls `visit` with each character outside of quoted texts, or with a whole comment, until it returns true. Returns
 * whether the text ends inside a quoted text.
 */
function outsideQuotes(text: string, from: number, visit: (part: string, at: number) => boolean): boolean {
  let quote = '';
  let before = '';
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    const end = quote === '' ? commentEnd(text, at, before) : at;
    if (end > at) {
      if (visit(text.slice(at, end), at)) return false;
      at = end - 1;
      continue;
    }
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || (character in CLOSING_QUOTE && BEFORE_QUOTE.includes(before))) {
      quote = CLOSING_QUOTE[character]!;
    } else if (visit(character, at)) {
      return false;
    }
    if (!/\s/.test(character)) before = character;
  }
  return quote !== '';
}

/** Reads the brackets of the value that begins at `from`. */
export function outlineOf(text: string, from: number): Outline {
  const open: string[] = [];
  let depth = 0;
  let end: number | null = null;
  let sureEnd = from;
  const isQuoted = outsideQuotes(text, from, (character, at) => {
    if (character in CLOSING) {
      open.push(CLOSING[character]!);
      depth = Math.max(depth, open.length);
      sureEnd = at + 1;
    } else if (character === '}' || character === ']') {
      // A bracket of the wrong kind closes what stands outside it too: the inner one was forgotten.
      const level = open.lastIndexOf(character);
      if (level >= 0) open.length = level;
      sureEnd = at + 1;
      if (open.length === 0) end = at + 1;
    } else if (character === ',' || character === '，') {
      sureEnd = at;
    }
    return end !== null;
  });
  return { end, depth, missing: open.reverse().join(''), sureEnd, isQuoted };
}

/** A value whose end was cut off, closed behind the last part that is certain to be complete. */
export function closeCutOff(text: string): string {
  const { missing, sureEnd, isQuoted } = outlineOf(text, 0);
  return (isQuoted || !isComplete(text.slice(sureEnd), missing.startsWith('}')) ? text.slice(0, sureEnd) : text) + missing;
}

/** Whether the last part of an object or a list, from its comma on, has a value that cannot go on. */
function isComplete(part: string, isMember: boolean): boolean {
  let valueAt = -1;
  outsideQuotes(part, 0, (mark, at) => {
    if (mark === (isMember ? ':' : ',')) valueAt = at;
    return false;
  });
  if (isMember && valueAt < 0) return false;
  const value = part.slice(valueAt + 1);
  return COMPLETE_WORD.test(value) || QUOTED.test(value.trim());
}

/** Full-width marks between the parts as JSON has them, and comments gone; quoted texts stay as they are. */
export function tidyMarks(text: string): string {
  let tidy = '';
  let from = 0;
  outsideQuotes(text, 0, (part, at) => {
    const mark = part.length > 1 || part === '#' ? ' ' : MARKS[part];
    if (mark !== undefined) {
      tidy += text.slice(from, at) + mark;
      from = at + part.length;
    }
    return false;
  });
  return tidy + text.slice(from);
}
