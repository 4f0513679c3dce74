import { cueAt, CUES, type CueSet } from './cues.js';
import type { Unit } from './units.js';

/** What a text says of a finding. */
export type Polarity = 'present' | 'absent' | 'unknown';

const SENTENCE_END = new Set(['.', '。', '!', '?', ';', '\n']);
const COMMA = new Set([',', ')', '(']);
/** Longest reach of a negation within its clause, units. */
const REACH = 16;
/** Reach of 不, units. */
const NEAR_REACH = 3;

/** What stands before 好了 when it means healed. */
const HEALED_BEFORE = new Set(['已', '经', '都', '就', '全', '也', '来', '在', '天', ',', '了', '是', '早', '晚', '后', '现']);

/** What follows 好 where it means many. */
const COUNTED = new Set([...'些几多久长一']);

/** Words with which the next clause speaks of what was just named. */
const NEXT_OPENERS = new Set(['it', 'that', 'thi', 'which', 'thei', 'is', 'ha', 'have', 'wa', 's', 'all', 'now', 'sinc', 'alreadi', 'complet', 'been', '已', '经', '现', '在', '后', '来', '都', '全', '就', '今', '昨', '天', '早']);

/** Words that may stand between the items of a list without ending it. */
const LIST_WORDS = new Set(['和', '或', '及', '与', '、', '/', '跟', '以', '者', '等', '症', '状', '也', 'and', 'or', 'nor', 'ani', 'a', 'an', 'the', 'my', 'of', 'other', 'in', '明', '显', '任', '何', 'real', 'signific', 'recent', 'either']);
const CLOSING_WORDS = new Set(['或', '及', '和', '等', 'or', 'nor', 'and']);

/** A word that denies: units `[index, end)`; a near one only what stands close. */
interface NegationCue {
  readonly index: number;
  readonly end: number;
  readonly near: boolean;
}

/** Clause and sentence of each unit, with the cues that stand free (not inside a finding's own words). */
export class ClauseMap {
  /** `[units.length]`; a comma or a contrast word begins a new clause. */
  readonly clause: Int32Array;
  readonly sentence: Int32Array;
  private readonly units: readonly Unit[];
  private readonly claimed: ReadonlySet<number>;
  readonly #negations: NegationCue[] = [];
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
    const from = this.units.slice(Math.max(0, index - 3), index + 1).findLastIndex((unit) => unit.form === '(');
    const start = from < 0 ? index : Math.max(0, index - 3) + from;
    return cueAt(this.units, start, CUES.afterAbsent) > 1 || cueAt(this.units, start, CUES.afterPresent) > 1;
  }

  #contrastAt(index: number): number {
    const length = cueAt(this.units, index, CUES.contrast);
    if (length === 0) return 0;
    const form = this.units[index]?.form;
    const next = this.units[index + length]?.form;
    if ((form === '但' || form === '就' || form === '只' || form === '光' || form === '仅') && this.units[index - 1]?.form === '不') return 0;
    if ((form === 'just' || form === 'onli') && this.units[index - 1]?.form === 'not') return 0;
    // 排除了 rules out.
    if (form === '除' && this.units[index - 1]?.form === '排') return 0;
    return form === '光' && next === '线' ? 0 : length;
  }

  #findCues(): void {
    const { units, claimed } = this;
    for (let index = 0; index < units.length; ) {
      if (claimed.has(index)) {
        index++;
        continue;
      }
      // A cue may run into a finding's words (没 + 有高血压); what matters is that it begins outside them.
      const doubled = cueAt(units, index, CUES.doubleNegation);
      // 没有不 + 想活: the second denial is a finding's own word.
      const double = claimed.has(index + doubled - 1) ? 0 : doubled;
      const unknown = cueAt(units, index, CUES.unknown);
      const list = this.#freeNegationAt(index);
      const near = cueAt(units, index, CUES.negationNear);
      const blocked = this.#blockedAt(index, Math.max(list, near));
      if (double > 0 && double >= blocked) {
        this.#doubles.push(index + double);
        index += double;
      } else if (unknown > 0 && unknown >= blocked) {
        this.#unknowns.push({ index, end: index + unknown });
        index += unknown;
      } else if (blocked > 0 && blocked >= Math.max(list, near)) {
        index += blocked;
      } else if (list > 0 || near > 0) {
        const isNear = near > list;
        const length = Math.max(list, near);
        this.#negations.push({ index, end: index + length, near: isNear });
        index += length;
      } else index++;
    }
  }

  /** Length of a negation; 0 where what negates in it belongs to a finding (也 + 没眼泪, where 没眼泪 is the finding). */
  #freeNegationAt(index: number): number {
    const length = cueAt(this.units, index, CUES.negationList);
    if (length === 0) return 0;
    let free = 1;
    while (free < length && !this.claimed.has(index + free)) free++;
    const end = index + free;
    return free >= length || cueAt(this.units, index, CUES.negationList, end) > 0 || cueAt(this.units, index, CUES.negationNear, end) > 0 ? length : 0;
  }

  /** Length of a word that only looks negated; 0 where its rest belongs to a finding (没有消瘦 is not 没有消…). */
  #blockedAt(index: number, negation: number): number {
    const length = cueAt(this.units, index, CUES.notNegation);
    if (length === 0 || length <= negation) return length;
    for (let unit = index + Math.max(1, negation); unit < index + length; unit++) if (this.claimed.has(unit)) return 0;
    return length;
  }

  /**
   * What is said of a finding whose words take the given units (ascending).
   * @param grave a finding that only clear words may unsay: hedges and "over now" do not
   */
  polarityOf(own: readonly number[], grave = false): Polarity {
    const first = own[0] ?? 0;
    const last = own.at(-1) ?? first;
    const after = this.#afterMark(last);
    if (after !== undefined) return after;
    const clause = this.clause[first];
    if (!grave && this.#isHedged(first)) return 'unknown';
    if (this.#doubles.some((end) => end <= first && this.clause[end] === clause && first - end <= REACH)) return 'unknown';
    if (this.#unknowns.some((cue) => cue.end <= first && this.clause[cue.index] === clause && first - cue.end <= 6)) return 'unknown';
    // A denial between the words of one finding (头不疼; 眼睛红，也没有分泌物) counts where it reaches the words behind it.
    const denied = this.#denialsInside(own).some((cue) => {
      const next = own.find((unit) => unit >= cue.end);
      return next !== undefined && this.#reaches(cue, next);
    });
    const reaching = this.#negations.filter((cue) => cue.index < first && this.#reaches(cue, first));
    // It does not hurt so much: it is only less.
    if ((denied || reaching.length > 0) && cueAt(this.units, last + 1, CUES.less) > 0) return 'present';
    if (denied) return 'absent';
    if (reaching.length > 0) {
      if (this.#beganLater(first, last)) return 'present';
      // 没味道也不痒: the second denial stands beside the first.
      if (reaching.some((cue) => cue.near && this.units[cue.index - 1]?.form === '也')) return 'absent';
      const doubled = reaching.length > 1 && reaching.some((cue) => !cue.near) && reaching.some((cue) => cue.near || this.units[cue.index]?.form === 'without');
      return doubled ? 'unknown' : 'absent';
    }
    const listed = this.#listedUnder(first);
    if (listed !== undefined) return listed;
    return !grave && this.resolvedAfter(last) ? 'absent' : 'present';
  }

  /** "possibly …, not sure": a hedge before and a word of not knowing behind, in one sentence. */
  #isHedged(first: number): boolean {
    const sentence = this.sentence[first];
    let hedged = false;
    for (let index = first - 1; index >= 0 && index >= first - 5 && this.clause[index] === this.clause[first]; index--) hedged ||= !this.claimed.has(index) && cueAt(this.units, index, CUES.maybe) > 0;
    if (!hedged) return false;
    for (let index = first + 1; index < this.units.length && this.sentence[index] === sentence && index < first + 16; index++) {
      if (cueAt(this.units, index, CUES.unsure) > 0) return true;
    }
    return false;
  }

  /** A negation stands right before (or inside) words that themselves mean an absence: "not sleeping well". */
  isDenied(first: number): boolean {
    return this.#negations.some((cue) => cue.end <= first && first - cue.end <= (cue.near ? 0 : 2) && this.clause[cue.index] === this.clause[first]);
  }

  /** End (normalised text) of what describes a finding: its clause, and the next one where that names none. */
  describedUntil(last: number, clauseEnd: number): number {
    const next = (this.clause[last] ?? 0) + 1;
    let end = clauseEnd;
    for (let index = last + 1; index < this.units.length && (this.clause[index] ?? 0) <= next && this.sentence[index] === this.sentence[last]; index++) {
      if (this.clause[index] === next && this.claimed.has(index)) return clauseEnd;
      end = this.units[index]?.end ?? end;
    }
    return end;
  }

  /** No fever until today: there is one now. */
  #beganLater(first: number, last: number): boolean {
    return this.units.slice(first + 1, last + 2).some(({ form }) => form === 'until' || form === 'till');
  }

  /** The first unit of a denial between the words of one finding; undefined where there is none. */
  innerDenial(own: readonly number[]): number | undefined {
    return this.#denialsInside(own)[0]?.index;
  }

  /** Denials between the words of a finding that are none of its own words. */
  #denialsInside(own: readonly number[]): readonly NegationCue[] {
    const first = own[0] ?? 0;
    const last = own.at(-1) ?? first;
    return this.#negations.filter((cue) => cue.index > first && cue.end <= last && !own.includes(cue.index));
  }

  /** Never had such a headache: it is there, and worse than any before. */
  #isUnheardOf(cue: NegationCue): boolean {
    if (this.units[cue.index]?.form !== 'never') return false;
    for (let index = cue.end; index < this.units.length && this.clause[index] === this.clause[cue.index]; index++) if (cueAt(this.units, index, CUES.unheardOf) > 0) return true;
    return false;
  }

  #reaches(cue: NegationCue, first: number): boolean {
    if (this.clause[cue.index] !== this.clause[first] || first - cue.end > REACH) return false;
    if ((this.#isPainless(cue) && first > cue.end) || this.#isUnheardOf(cue)) return false;
    if (cue.near) {
      if (first - cue.end > NEAR_REACH) return false;
      for (let index = cue.end; index < first; index++) if (this.claimed.has(index)) return false;
      return true;
    }
    for (let index = cue.end; index < first; index++) {
      if (this.claimed.has(index)) continue;
      if (cueAt(this.units, index, CUES.relief, first) > 0) return false;
      const length = cueAt(this.units, index, CUES.assertion);
      // 没有有… and "not have my" right after the cue belong to it.
      if (length > 1 || (length > 0 && index > cue.end + 1)) return false;
    }
    return true;
  }

  /** 无痛性肿块 is a lump: the denial reaches its pain alone. */
  #isPainless(cue: NegationCue): boolean {
    return this.units[cue.end]?.word === '痛' && (this.units[cue.end + 1]?.form === '性' || this.units[cue.end + 1]?.form === '的');
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
    if (this.units[cue.end]?.form === ':') return 'absent';
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
    const english = this.units[cue.index]?.kind === 'word';
    return english && lastBare > end && this.#bareFrom(cue.end, first) && clauses > 0 ? 'unknown' : undefined;
  }

  #bareFrom(from: number, to: number): boolean {
    for (let index = from; index < to; index++) {
      const form = this.units[index]?.form ?? '';
      if (!this.claimed.has(index) && !LIST_WORDS.has(form) && !COMMA.has(form) && index >= from + 3) return false;
    }
    return true;
  }

  /** Form style: "发烧：无", "fever - no", "咳嗽(-)", "发烧？没有", "发烧倒是没有". */
  #afterMark(last: number): Polarity | undefined {
    let index = last + 1;
    if (['吗', '么'].includes(this.units[index]?.form ?? '')) return 'unknown';
    index = this.#endOfList(index);
    const marked = [':', '=', '-', '?'].includes(this.units[index]?.form ?? '');
    const mark = index;
    if (marked) index++;
    else for (let length = cueAt(this.units, index, CUES.afterSkip); length > 0; length = cueAt(this.units, index, CUES.afterSkip)) index += length;
    if ([mark, index].some((at) => !this.claimed.has(at) && cueAt(this.units, at, CUES.afterDenied) > 0)) return 'absent';
    const absent = cueAt(this.units, index, CUES.afterAbsent);
    const present = cueAt(this.units, index, CUES.afterPresent);
    const length = Math.max(absent, present);
    if (length === 0 || this.claimed.has(index)) return undefined;
    if (absent >= present && ['的', '啊', '呀', '哦', '呢', '了'].includes(this.units[index + length]?.form ?? '')) index++;
    const next = this.units[index + length];
    const ends = next === undefined || SENTENCE_END.has(next.form) || COMMA.has(next.form) || ['/', '、'].includes(next.form);
    if (!ends && !(marked && this.units[last + 1]?.form === ':')) return undefined;
    return absent >= present ? 'absent' : 'present';
  }

  /** 发热咳嗽这些都没有: where a list ends in a word that sums it up, what follows is said of each item. @param index behind one of them */
  #endOfList(index: number): number {
    let end = index;
    while (end < this.units.length && (this.claimed.has(end) || ['、', '和', '或', '及', ','].includes(this.units[end]?.form ?? '')) && cueAt(this.units, end, CUES.sum) === 0) end++;
    return end > index && cueAt(this.units, end, CUES.sum) > 0 ? end : index;
  }

  /** It was there and has gone: said in the same clause, or in the next one of "it" or 已经. */
  resolvedAfter(last: number): boolean {
    const clause = this.clause[last];
    for (let index = last + 1; index < this.units.length && this.clause[index] === clause && index <= last + 8; index++) {
      const resolved = cueAt(this.units, index, CUES.resolved);
      // Words of another finding end its reach, save "cleared up", which says of some that they grow no worse.
      if (this.claimed.has(index) && resolved < 2) return false;
      if (resolved === 0) continue;
      const before = this.units.slice(Math.max(last + 1, index - 3), index).map((unit) => unit.form);
      // 写好了, 准备好了 speak of something done, not of something healed.
      if (this.units[index]?.form === '好' && index - 1 > last && !HEALED_BEFORE.has(this.units[index - 1]?.form ?? '')) continue;
      if (this.#countsTime(index) || this.#isOfAnother(index, resolved)) continue;
      if (this.#isSaidAfter(index, CUES.recurs)) return false;
      return !before.some((form) => ['没', '不', '未', 'not', 'non', 'to', 'never', 'until', '还', 'yet', '才', '就', 'then'].includes(form));
    }
    return this.#resolvedNext(last);
  }

  /** Whether a cue follows, in the same sentence or the next. */
  #isSaidAfter(from: number, cues: CueSet, skipsClaimed = false): boolean {
    const until = (this.sentence[from] ?? 0) + 1;
    for (let index = from; index < this.units.length && (this.sentence[index] ?? 0) <= until && index < from + 16; index++) if (!(skipsClaimed && this.claimed.has(index)) && cueAt(this.units, index, cues) > 0) return true;
    return false;
  }

  /** The fever broke, then came back: words of absence, and then it is there again. */
  returnsAfter(last: number): boolean {
    return this.#isSaidAfter(last + 1, CUES.returns, true);
  }

  /** Stopped throwing up, gone grey: what has ended or turned is something else. */
  #isOfAnother(index: number, length: number): boolean {
    const next = this.units[index + length]?.form ?? '';
    return (length === 1 && next !== '' && this.claimed.has(index + length) && this.units[index]?.kind === 'word') || (this.units[index]?.form === 'gone' && cueAt(this.units, index + 1, CUES.turned) > 0);
  }

  /** 已经好些天, 已经好几回: 好 counts, and nothing has healed. */
  #countsTime(index: number): boolean {
    const length = cueAt(this.units, index, CUES.resolved);
    return this.units[index + length - 1]?.form === '好' && COUNTED.has(this.units[index + length]?.form ?? '');
  }

  #resolvedNext(last: number): boolean {
    let index = last + 1;
    while (index < this.units.length && this.clause[index] === this.clause[last]) {
      if (this.claimed.has(index)) return false;
      index++;
    }
    while (['但', '是', 'but', 'and', ',', '.', '。', ';', '不', '过'].includes(this.units[index]?.form ?? '')) index++;
    let opened = false;
    for (let step = 0; step < 6; step++, index++) {
      const form = this.units[index]?.form ?? '';
      if (this.#countsTime(index) || this.#isOfAnother(index, 1)) return false;
      if (cueAt(this.units, index, CUES.resolved) > 0 || ['over', 'heal', 'gone', 'fine', 'better'].includes(form)) return (opened || form === '已' || form === '都' || form === '全') && !this.#isSaidAfter(index, CUES.recurs);
      if (!NEXT_OPENERS.has(form) || this.claimed.has(index)) return false;
      opened = true;
    }
    return false;
  }
}
