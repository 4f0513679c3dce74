import { cueAt, CUES } from './cues.js';
import type { Unit } from './units.js';

/** What a text says of a finding. */
export type Polarity = 'present' | 'absent' | 'unknown';

const SENTENCE_END = new Set(['.', '。', '!', '?', ';', '\n']);
const COMMA = new Set([',', ')', '(']);
/** Longest reach of a negation within its clause, units. */
const REACH = 16;
/** Reach of 不, units. */
const NEAR_REACH = 3;

/** Words that may stand between the items of a list without ending it. */
const LIST_WORDS = new Set(['和', '或', '及', '与', '、', '/', '跟', '以', '者', '等', '症', '状', '也', 'and', 'or', 'nor', 'ani', 'a', 'an', 'the', 'my', 'of', 'other', 'in', '明', '显', '任', '何', 'real', 'signific', 'recent', 'either']);
const CLOSING_WORDS = new Set(['或', '及', '和', '等', 'or', 'nor']);

/** Clause and sentence of each unit, with the cues that stand free (not inside a finding's own words). */
export class ClauseMap {
  /** `[units.length]`; a comma or a contrast word begins a new clause. */
  readonly clause: Int32Array;
  readonly sentence: Int32Array;
  private readonly units: readonly Unit[];
  private readonly claimed: ReadonlySet<number>;
  readonly #negations: { index: number; end: number; near: boolean }[] = [];
  readonly #doubles: number[] = [];
  readonly #unknowns: { index: number; end: number }[] = [];

  /** @param claimed units that belong to findings' own words */
  constructor(units: readonly Unit[], claimed: ReadonlySet<number>) {
    this.units = units;
    this.claimed = claimed;
    this.clause = new Int32Array(units.length);
    this.sentence = new Int32Array(units.length);
    let clause = 0;
    let sentence = 0;
    for (let index = 0; index < units.length; index++) {
      const form = units[index]?.form ?? '';
      if (!claimed.has(index) && this.#contrastAt(index) > 0) clause++;
      this.clause[index] = clause;
      this.sentence[index] = sentence;
      if (SENTENCE_END.has(form)) {
        clause++;
        sentence++;
      } else if (COMMA.has(form) && !this.#isFormMark(index)) clause++;
    }
    this.#findCues();
  }

  /** `(-)` and `(+)` belong to the finding before them. */
  #isFormMark(index: number): boolean {
    const forms = this.units.slice(index, index + 3).map((unit) => unit.form);
    const back = this.units.slice(Math.max(0, index - 2), index + 1).map((unit) => unit.form);
    const isMark = (three: string[]): boolean => three[0] === '(' && three[2] === ')' && ['-', '+', '无', '有'].includes(three[1] ?? '');
    return isMark(forms) || isMark(back);
  }

  #contrastAt(index: number): number {
    const length = cueAt(this.units, index, CUES.contrast);
    if (length === 0) return 0;
    const form = this.units[index]?.form;
    const next = this.units[index + length]?.form;
    if ((form === '但' || form === '就' || form === '只' || form === '光' || form === '仅') && this.units[index - 1]?.form === '不') return 0;
    if ((form === 'just' || form === 'onli') && this.units[index - 1]?.form === 'not') return 0;
    return form === '光' && next === '线' ? 0 : length;
  }

  #findCues(): void {
    const { units, claimed } = this;
    for (let index = 0; index < units.length; ) {
      if (claimed.has(index)) {
        index++;
        continue;
      }
      const free = (length: number): boolean => length > 0 && !claimed.has(index + length - 1);
      const double = cueAt(units, index, CUES.doubleNegation);
      const blocked = cueAt(units, index, CUES.notNegation);
      const unknown = cueAt(units, index, CUES.unknown);
      const list = cueAt(units, index, CUES.negationList);
      const near = cueAt(units, index, CUES.negationNear);
      if (free(double)) {
        this.#doubles.push(index + double);
        index += double;
      } else if (unknown > 0 && unknown >= blocked) {
        this.#unknowns.push({ index, end: index + unknown });
        index += unknown;
      } else if (blocked > 0 && blocked >= Math.max(list, near)) {
        index += blocked;
      } else if (free(list)) {
        this.#negations.push({ index, end: index + list, near: false });
        index += list;
      } else if (free(near)) {
        this.#negations.push({ index, end: index + near, near: true });
        index += near;
      } else index++;
    }
  }

  /**
   * What is said of a finding whose words take the given units (ascending).
   * @param listed the units of all findings' words, to tell lists from sentences
   */
  polarityOf(own: readonly number[]): Polarity {
    const first = own[0] ?? 0;
    const last = own.at(-1) ?? first;
    const after = this.#afterMark(last);
    if (after !== undefined) return after;
    const clause = this.clause[first];
    if (this.#doubles.some((end) => end <= first && this.clause[end] === clause && first - end <= REACH)) return 'unknown';
    if (this.#unknowns.some((cue) => cue.end <= first && this.clause[cue.index] === clause && first - cue.end <= 6)) return 'unknown';
    const inside = this.#negations.filter((cue) => cue.index > first && cue.end <= last);
    if (inside.length === 1) return 'absent';
    const reaching = this.#negations.filter((cue) => cue.end <= first && this.#reaches(cue, first));
    if (reaching.length > 0) {
      const doubled = reaching.length > 1 && reaching.some((cue) => !cue.near) && reaching.some((cue) => cue.near);
      return doubled ? 'unknown' : 'absent';
    }
    const listed = this.#listedUnder(first);
    if (listed !== undefined) return listed;
    return this.#resolvedAfter(last) ? 'absent' : 'present';
  }

  #reaches(cue: { end: number; near: boolean }, first: number): boolean {
    if (this.clause[cue.end - 1] !== this.clause[first] || first - cue.end > REACH) return false;
    if (cue.near) {
      if (first - cue.end > NEAR_REACH) return false;
      for (let index = cue.end; index < first; index++) if (this.claimed.has(index)) return false;
      return true;
    }
    for (let index = cue.end; index < first; index++) {
      if (this.claimed.has(index)) continue;
      const length = cueAt(this.units, index, CUES.assertion);
      // 没有有… and "not have my" right after the cue belong to it.
      if (length > 0 && index > cue.end + 1) return false;
    }
    return true;
  }

  /** A list that goes on over commas: "no fever, cough or rash". Undefined where the clause is no item of one. */
  #listedUnder(first: number): Polarity | undefined {
    const sentence = this.sentence[first];
    let start = first;
    while (start > 0 && this.sentence[start - 1] === sentence) start--;
    let end = first;
    while (end + 1 < this.units.length && this.sentence[end + 1] === sentence) end++;
    const cue = this.#negations.findLast((one) => !one.near && one.index >= start && one.end <= first);
    if (cue === undefined) return undefined;
    let clauses = 0;
    let closed = false;
    let lastBare = cue.end;
    for (let index = cue.end; index <= end; index++) {
      const form = this.units[index]?.form ?? '';
      if (COMMA.has(form)) {
        clauses++;
        lastBare = index;
        continue;
      }
      if (!this.claimed.has(index) && !LIST_WORDS.has(form) && !SENTENCE_END.has(form)) {
        if (clauses === 0 && !this.claimed.has(index) && index < cue.end + 3) continue;
        break;
      }
      if (CLOSING_WORDS.has(form) && !this.claimed.has(index) && clauses > 0) closed = true;
      if (index === end) lastBare = end + 1;
    }
    if (closed && this.#bareFrom(cue.end, first)) return 'absent';
    return lastBare > end && this.#bareFrom(cue.end, first) && clauses > 0 ? 'unknown' : undefined;
  }

  #bareFrom(from: number, to: number): boolean {
    for (let index = from; index < to; index++) {
      const form = this.units[index]?.form ?? '';
      if (!this.claimed.has(index) && !LIST_WORDS.has(form) && !COMMA.has(form) && index >= from + 3) return false;
    }
    return true;
  }

  /** Form style: "发烧：无", "fever: no", "咳嗽(-)". */
  #afterMark(last: number): Polarity | undefined {
    let index = last + 1;
    const colon = this.units[index]?.form === ':' || this.units[index]?.form === '=';
    if (colon) index++;
    const absent = cueAt(this.units, index, CUES.afterAbsent);
    const present = cueAt(this.units, index, CUES.afterPresent);
    const length = Math.max(absent, present);
    if (length === 0 || this.claimed.has(index)) return undefined;
    const next = this.units[index + length];
    const ends = next === undefined || SENTENCE_END.has(next.form) || COMMA.has(next.form) || ['/', '、', '吗', '呢'].includes(next.form);
    if (!ends && !colon) return undefined;
    if (next?.form === '吗') return 'unknown';
    return absent >= present ? 'absent' : 'present';
  }

  #resolvedAfter(last: number): boolean {
    const clause = this.clause[last];
    for (let index = last + 1; index < this.units.length && this.clause[index] === clause && index <= last + 8; index++) {
      if (this.claimed.has(index)) return false;
      if (cueAt(this.units, index, CUES.resolved) === 0) continue;
      const before = this.units.slice(Math.max(last + 1, index - 3), index).map((unit) => unit.form);
      return !before.some((form) => ['没', '不', '未', 'not', 'never', 'until', '还', 'yet', '才', '就', 'then'].includes(form));
    }
    return false;
  }
}
