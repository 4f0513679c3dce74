const LONE_SURROGATE = /\p{Cs}/gu;
const REPLACEMENT = '\ufffd';

/** Puts characters together again that a runtime split between two pieces of text. */
export class CodePoints {
  #held = '';

  /** The piece without the half of a character at its end, which comes with the next piece. */
  push(piece: string): string {
    const text = this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const whole = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#held = text.slice(whole);
    return text.slice(0, whole).replace(LONE_SURROGATE, REPLACEMENT);
  }

  /** What is left of a character that never came whole. */
  end(): string {
    const rest = this.#held === '' ? '' : REPLACEMENT;
    this.#held = '';
    return rest;
  }
}
