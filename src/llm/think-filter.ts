import { nextBracket, readTag, type ThinkTag } from './think-tags.js';

export interface ThinkFilterOptions {
  /**
   * The prompt may end inside a thought, so that a closing tag can come without an opening one. Nothing is returned
   * before that tag or the end. @default false
   */
  readonly mayStartInside?: boolean;
}

/** A tag that breaks off at the end of a reply is shown when no more of it is there than this: `x < t`. */
const SHOWN_LETTERS = 1;

/**
 * Takes thinking out of a reply while it is written: the same result however the text is split, and never a character of
 * a thought. A tag that is never closed hides the rest; of a reply in channels only `final` is left. White space before
 * the first word goes too.
 */
export class ThinkFilter {
  /** Text that may be the beginning of a tag. */
  #pending = '';
  /** Open thoughts. */
  #depth = 0;
  /** Nothing but white space since the last opening tag: another one there is the same thought. */
  #justOpened = false;
  /** Text that a closing tag may yet turn out to be a thought; null once that is settled. */
  #held: string | null;
  /** Null outside the channel format, else what the text is part of. */
  #channel: 'header' | 'final' | 'hidden' | null = null;
  #header = '';
  #begun = false;
  #leaked = false;

  constructor({ mayStartInside = false }: ThinkFilterOptions = {}) {
    this.#held = mayStartInside ? '' : null;
  }

  /** A closing tag came without an opening one, and without `mayStartInside`: what was returned before it was a thought. */
  get leaked(): boolean {
    return this.#leaked;
  }

  /** The part of the reply that is certain to be no thought; may be empty. */
  push(delta: string): string {
    const text = this.#pending + delta;
    this.#pending = '';
    let shown = '';
    let from = 0;
    let at = nextBracket(text, 0);
    while (at < text.length) {
      const read = readTag(text, at);
      if (read !== null && 'unfinished' in read) {
        this.#pending = text.slice(at);
        break;
      }
      if (read !== null && this.#means(read.tag)) {
        shown += this.#text(text.slice(from, at));
        this.#apply(read.tag);
        from = read.end;
        at = nextBracket(text, from);
      } else {
        at = nextBracket(text, at + 1);
      }
    }
    return shown + this.#text(text.slice(from, at));
  }

  /**
   * What is left when the reply is complete; the filter is used up then.
   * @param reason `length`: with `mayStartInside`, a reply without any closing tag was cut in the middle of its thought
   */
  end(reason: 'stop' | 'length' = 'stop'): string {
    const rest = this.#pending;
    this.#pending = '';
    const read = readTag(rest, 0);
    const broken = read !== null && 'unfinished' in read && read.letters > SHOWN_LETTERS;
    const shown = broken ? '' : this.#text(rest);
    const held = this.#depth > 0 || reason === 'length' ? null : this.#held;
    this.#held = null;
    return held === null ? shown : this.#show(held) + shown;
  }

  /** Whether a tag is one here: channel tags only in the channel format, tags of thoughts not in what is hidden anyway. */
  #means(tag: ThinkTag): boolean {
    if (tag === 'open' || tag === 'close') return this.#channel === null || this.#channel === 'final';
    return this.#channel !== null ? this.#depth === 0 : tag === 'channel' && this.#depth === 0;
  }

  #apply(tag: ThinkTag): void {
    if (tag === 'open') {
      // A model that opens its thought itself did not start inside one.
      if (this.#held?.trim() === '') this.#held = null;
      if (!(this.#depth > 0 && this.#justOpened)) this.#depth++;
      this.#justOpened = true;
    } else if (tag === 'close') {
      this.#close();
    } else if (tag === 'channel' || tag === 'start') {
      this.#held = null;
      this.#channel = 'header';
      this.#header = '';
    } else if (tag === 'message' && this.#channel === 'header') {
      this.#channel = /^\s*final\b/i.test(this.#header) ? 'final' : 'hidden';
    } else if (tag === 'end') {
      this.#channel = 'hidden';
    }
  }

  #close(): void {
    this.#justOpened = false;
    if (this.#depth > 0) {
      this.#depth--;
    } else if (this.#held !== null) {
      this.#held = null;
    } else if (this.#begun) {
      this.#leaked = true;
    }
  }

  /** The part of the text that is shown, by where it stands. */
  #text(text: string): string {
    if (text === '') return '';
    if (/\S/.test(text)) this.#justOpened = false;
    if (this.#channel === 'header') {
      this.#header += text.slice(0, 100);
      return '';
    }
    if (this.#channel === 'hidden' || this.#depth > 0) return '';
    if (this.#held === null) return this.#show(text);
    this.#held += text;
    return '';
  }

  #show(text: string): string {
    const shown = this.#begun ? text : text.trimStart();
    if (shown !== '') this.#begun = true;
    return shown;
  }
}
