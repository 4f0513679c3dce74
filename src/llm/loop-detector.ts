/** Characters remembered; no cycle longer than half of this is found by its length. */
const REMEMBERED = 4096;
/** A cycle is looked for where so many characters come again. */
const SEED_LENGTH = 6;
const MOST_SEEDS = 4000;
/** White space in one run, and other characters that draw lines. */
const MOST_BLANKS = 40;
const MOST_RULED = 80;
/** Characters of the shortest loop of letters. */
const SHORTEST_LOOP = 24;
/** A long cycle counts when it has begun a third time, with so many characters. */
const THIRD_TIME = 40;
/** Sentences by the room they take, a Chinese character counted twice: how often one may stand in a reply. */
const LONG_SENTENCE = { room: 40, times: 3 };
const SENTENCE = { room: 16, times: 6 };
const MOST_SENTENCES = 1000;
/** Of so many groups of characters, at least so many must differ; numbers count as one and the same. */
const GROUP_LENGTH = 5;
const WATCHED_GROUPS = 256;
const FEWEST_GROUPS = 80;

const SENTENCE_END = /[\n。！？!?.；;]/;
const LETTER = /\p{L}/u;
const HAN = /\p{Script=Han}/u;
const RULE_MARK = /[\p{P}\p{S}\s]/u;

/** How often a cycle must be repeated until it counts as a loop. */
function leastRepeats(period: number): number {
  if (period <= 4) return 6;
  if (period <= 10) return 5;
  return period <= 24 ? 4 : 3;
}

/**
 * Watches a reply for endless repetition while it is written: a cycle of characters, a sentence again and again, white
 * space or marks without end, the same few words in changing order. Costs the same for every character.
 */
export class LoopDetector {
  #found = false;
  #length = 0;
  /** The last characters, each at its index modulo the array's length. */
  readonly #characters: string[] = [];
  /** Index after which a seed ended last; the older half is forgotten in one piece. */
  #seeds = new Map<string, number>();
  #olderSeeds = new Map<string, number>();
  #period = 0;
  /** Characters that equal the ones a period before. */
  #run = 0;
  #blanks = 0;
  #sentence = '';
  readonly #sentences = new Map<string, number>();
  readonly #groups: string[] = [];
  readonly #groupCounts = new Map<string, number>();
  #group = '';

  /** Whether the reply loops; once true it stays true. */
  push(delta: string): boolean {
    for (const character of delta) {
      if (this.#found) break;
      this.#found = this.#isBlankRun(character) || this.#isCycle(character) || this.#isSentenceAgain(character) || this.#isPoor(character);
    }
    return this.#found;
  }

  #isBlankRun(character: string): boolean {
    this.#blanks = /\s/.test(character) ? this.#blanks + 1 : 0;
    return this.#blanks > MOST_BLANKS;
  }

  #isCycle(character: string): boolean {
    const index = this.#length++;
    this.#characters[index % REMEMBERED] = character;
    if (this.#period > 0 && this.#at(index - this.#period) === character) {
      this.#run++;
    } else {
      this.#period = 0;
    }
    const seed = this.#last(index, SEED_LENGTH);
    if (this.#period === 0) {
      const before = this.#seeds.get(seed) ?? this.#olderSeeds.get(seed);
      if (before !== undefined && index - before <= REMEMBERED / 2) {
        this.#period = index - before;
        this.#run = SEED_LENGTH;
      }
    }
    if (seed.length >= SEED_LENGTH) this.#remember(seed, index);
    return this.#period > 0 && this.#isLong(index);
  }

  #isLong(index: number): boolean {
    const length = this.#period + this.#run;
    const least = Math.min(Math.max(this.#period * leastRepeats(this.#period), SHORTEST_LOOP), this.#period * 2 + THIRD_TIME);
    if (length < Math.max(least, SHORTEST_LOOP)) return false;
    if (length > MOST_RULED) return true;
    // A line of a table, a row of dots.
    const isRuled = Array.from({ length: this.#period }, (_, back) => this.#at(index - back)).every((character) => RULE_MARK.test(character));
    return !isRuled;
  }

  #at(index: number): string {
    return index < 0 ? '' : (this.#characters[index % REMEMBERED] ?? '');
  }

  #last(index: number, count: number): string {
    let text = '';
    for (let at = Math.max(0, index - count + 1); at <= index; at++) text += this.#at(at);
    return text;
  }

  #remember(seed: string, index: number): void {
    this.#seeds.set(seed, index);
    if (this.#seeds.size < MOST_SEEDS) return;
    this.#olderSeeds = this.#seeds;
    this.#seeds = new Map();
  }

  #isSentenceAgain(character: string): boolean {
    if (!SENTENCE_END.test(character)) {
      if (LETTER.test(character) && this.#sentence.length < REMEMBERED) this.#sentence += character.toLowerCase();
      return false;
    }
    const sentence = this.#sentence;
    this.#sentence = '';
    const room = Array.from(sentence).reduce((sum, letter) => sum + (HAN.test(letter) ? 2 : 1), 0);
    if (room < SENTENCE.room) return false;
    const times = (this.#sentences.get(sentence) ?? 0) + 1;
    if (times > 1 || this.#sentences.size < MOST_SENTENCES) this.#sentences.set(sentence, times);
    return times >= (room >= LONG_SENTENCE.room ? LONG_SENTENCE.times : SENTENCE.times);
  }

  #isPoor(character: string): boolean {
    const folded = /\d/.test(character) ? '0' : character;
    if (/\s/.test(folded) || (folded === '0' && this.#group.endsWith('0'))) return false;
    this.#group = (this.#group + folded).slice(-2 * GROUP_LENGTH);
    const group = Array.from(this.#group).slice(-GROUP_LENGTH).join('');
    this.#groups.push(group);
    this.#groupCounts.set(group, (this.#groupCounts.get(group) ?? 0) + 1);
    if (this.#groups.length <= WATCHED_GROUPS) return false;
    const oldest = this.#groups.shift()!;
    const count = this.#groupCounts.get(oldest)! - 1;
    if (count === 0) this.#groupCounts.delete(oldest);
    else this.#groupCounts.set(oldest, count);
    return this.#groupCounts.size < FEWEST_GROUPS;
  }
}
