import type { Language } from '../bundle/bundle.js';

/** A run of characters without an end counts as a sentence; cut at a blank in its last part where there is one. */
const LONGEST = 400;
const LATEST_BLANK = 320;

const FULL_MARK = /[。！？｡]/;
const MARK = /[。！？｡.!?]/;
const CLOSER = /["'”’」』）)\]】》〉〕}*_]/;
const BLANK = /[^\S\n]/;
const HAN = /\p{Script=Han}/u;

const WORD_START = '(?:^|[^\\p{L}\\p{N}])';
/** Never the end of a sentence; an initial after a title neither. */
const ABBREVIATION = new RegExp(`${WORD_START}(?:dr|mr|mrs|ms|prof|st|vs|viz|cf|e\\.\\s?g|i\\.\\s?e|u\\.\\s?[sk]|(?:dr|mr|mrs|ms|prof)\\.\\s+[a-z])\\.$`, 'iu');
/** The end of a sentence where a capital letter follows. */
const LATE_ABBREVIATION = new RegExp(`${WORD_START}(?:etc|a\\.\\s?m|p\\.\\s?m|ph\\.\\s?d|m\\.\\s?d|al|sr|jr|approx|ca|resp|dept|est|min|mins|max|hrs?|secs?|wks?|yrs?|temp|wt|tab|cap|inj|inc|ltd|co)\\.$`, 'iu');
/** Not the end of a sentence where a number follows. */
const NUMBERED = new RegExp(`${WORD_START}(?:nos?|fig|vol|pp?|ch)\\.$`, 'iu');
/** Nothing but a number or letter of a list before the mark. */
const LIST_NUMBER = /^\s*(?:[-*•·]\s+)?[（(*_]*(?:step\s+)?(?:\d{1,3}|[a-z]|[ivx]{1,4})\.$/i;

/** A mark that may end a sentence, waiting for what follows it. */
interface PossibleEnd {
  /** Length of the text up to it, closing quotes and brackets included. */
  length: number;
  /** The text up to the mark itself. */
  readonly upToMark: string;
  readonly isFull: boolean;
  isQuoted: boolean;
  isSpaced: boolean;
}

/**
 * Cuts text into sentences while it is written, Chinese and English in one: the same however the text is split. A line
 * end ends a sentence. A sentence is given without the white space around it, never empty, never half a character.
 */
export class SentenceStream {
  readonly #language: Language;
  #text = '';
  #end: PossibleEnd | null = null;

  /** @param language of the text; decides whether `?` and `!` end a sentence without a blank after them */
  constructor(language: Language) {
    this.#language = language;
  }

  /** Sentences that are complete now. */
  push(delta: string): string[] {
    const sentences: string[] = [];
    for (let at = 0; at < delta.length; at++) this.#take(delta.charAt(at), sentences);
    return sentences;
  }

  /** What is left, when no more comes. */
  end(): string[] {
    const sentences: string[] = [];
    this.#cut(this.#text.length, sentences);
    return sentences;
  }

  #take(unit: string, sentences: string[]): void {
    if (unit === '\n') {
      this.#cut(this.#text.length, sentences);
      return;
    }
    const end = this.#end;
    this.#text += unit;
    if (end === null || !this.#goesOn(end, unit)) {
      if (end !== null && this.#isEnd(end, unit)) this.#cut(end.length, sentences);
      this.#end = MARK.test(unit) ? { length: this.#text.length, upToMark: this.#text, isFull: FULL_MARK.test(unit), isQuoted: false, isSpaced: false } : null;
    }
    if (this.#text.length >= LONGEST) this.#cutLong(sentences);
  }

  /** Whether a unit belongs to the end before it: another mark, a closing quote, a blank. */
  #goesOn(end: PossibleEnd, unit: string): boolean {
    if (BLANK.test(unit)) {
      end.isSpaced = true;
      return true;
    }
    if (end.isSpaced) return false;
    if (CLOSER.test(unit) && !this.#opens(unit)) {
      end.isQuoted = true;
    } else if (!MARK.test(unit) || end.isQuoted) {
      return false;
    } else {
      this.#end = { ...end, length: this.#text.length, isFull: end.isFull || FULL_MARK.test(unit), upToMark: this.#text };
      return true;
    }
    end.length = this.#text.length;
    return true;
  }

  /** Whether a straight quote that was just added opens: the text had none before it that is still open. */
  #opens(unit: string): boolean {
    return unit === '"' && this.#text.split('"').length % 2 === 0;
  }

  /** @param next the unit that follows, after blanks */
  #isEnd({ upToMark, isFull, isQuoted, isSpaced }: PossibleEnd, next: string): boolean {
    if (isFull) return true;
    const isStop = upToMark.endsWith('.');
    if (isStop && LIST_NUMBER.test(upToMark)) return false;
    const isLower = next !== next.toUpperCase();
    if (!isSpaced) {
      // Marks without a blank end a sentence only beside Chinese characters: not in 38.5, not in an address.
      if (isStop) return HAN.test(next) && HAN.test(upToMark.charAt(upToMark.length - 2));
      return this.#language === 'zh' ? !/[\w&=/]/.test(next) : HAN.test(next);
    }
    if (!isStop) return !(isQuoted && isLower);
    if (isLower || ABBREVIATION.test(upToMark) || (/\d/.test(next) && NUMBERED.test(upToMark))) return false;
    return !LATE_ABBREVIATION.test(upToMark) || next !== next.toLowerCase();
  }

  #cut(length: number, sentences: string[]): void {
    const sentence = this.#text.slice(0, length).trim();
    this.#text = this.#text.slice(length).trimStart();
    this.#end = null;
    if (sentence !== '') sentences.push(sentence);
  }

  #cutLong(sentences: string[]): void {
    const blank = this.#text.lastIndexOf(' ');
    const last = this.#text.charCodeAt(this.#text.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#cut(blank >= LATEST_BLANK ? blank : this.#text.length - (isHalf ? 1 : 0), sentences);
  }
}

/** The sentences of a whole text, in order. */
export function splitSentences(text: string, language: Language): string[] {
  const stream = new SentenceStream(language);
  return [...stream.push(text), ...stream.end()];
}
