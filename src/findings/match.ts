import { isSharedForm, type Unit } from '../text/units.js';
import { GAP, type Lexicon, NOT_A_FINDING, type Pattern, type Sequence } from './lexicon.js';

/** A place where words of the vocabulary stand. */
export interface Match {
  readonly pattern: Pattern;
  /** Unit indices that the pattern's own words take, ascending. */
  readonly claimed: readonly number[];
  /** Of contextual words: units to what they describe. */
  readonly distance?: number;
}

const GAP_STOP = new Set([',', '.', '。', '!', '?', ';', '\n', ':', '"', '(', ')', '但', 'but', 'howev']);
const JOINER = new Set(['和', '跟', '与', '及', '、', '/', 'and', 'or', '或', '还']);
/** Parts of the body: a gap that holds another one belongs to that one's words. */
const SITE = new Set([
  ...'头胸肚腹腰背腿脚膝肩颈脖眼耳鼻喉嗓牙胃手臂肘腕踝臀嘴舌',
  'head', 'chest', 'belli', 'back', 'neck', 'leg', 'arm', 'ear', 'ey', 'throat', 'knee', 'foot', 'hand',
  'shoulder', 'hip', 'tooth', 'jaw', 'face', 'nose', 'calf', 'ankl', 'wrist', 'elbow', 'groin',
]);

/** 里头, 前头, 外头 are places, no heads. */
const NO_HEAD_AFTER = new Set([...'里前外']);

function isSite(units: readonly Unit[], index: number): boolean {
  const form = units[index]?.form ?? '';
  return SITE.has(form) && !(form === '头' && NO_HEAD_AFTER.has(units[index - 1]?.form ?? ''));
}

function gapFits(units: readonly Unit[], from: number, to: number): boolean {
  let joined = false;
  for (let index = from; index < to; index++) {
    const form = units[index]?.form ?? '';
    if (GAP_STOP.has(form)) return false;
    if (index === from && JOINER.has(form)) joined = true;
    if (!joined && isSite(units, index)) return false;
  }
  return true;
}

function matchSequence(units: readonly Unit[], start: number, forms: Sequence, gap: number): number[] | null {
  const claimed: number[] = [];
  const step = (formIndex: number, unitIndex: number): boolean => {
    if (formIndex === forms.length) return true;
    const form = forms[formIndex];
    if (form === null) {
      for (let length = 0; length <= gap; length++) {
        if (!gapFits(units, unitIndex, unitIndex + length)) return false;
        const before = claimed.length;
        if (step(formIndex + 1, unitIndex + length)) return true;
        claimed.length = before;
      }
      return false;
    }
    if (units[unitIndex]?.form !== form) return false;
    claimed.push(unitIndex);
    if (step(formIndex + 1, unitIndex + 1)) return true;
    claimed.pop();
    return false;
  };
  return step(0, start) ? claimed : null;
}

const LIST_MARK = new Set(['、', ',']);
/** More that a complaint of its own begins with: the whole body, limbs, water, stool and periods. */
const ITEM_START = new Set([...SITE, ...'全浑周遍四双左右上下大小月经乳阴肛尿皮面脸唇眉']);

/** Whether a list's item begins here with a place of its own: 咽痛、腿肿 is no leg pain, while hands, feet and mouth are one place. */
function startsItem(units: readonly Unit[], at: number): boolean {
  return LIST_MARK.has(units[at - 1]?.form ?? '') && ITEM_START.has(units[at]?.form ?? '') && !SITE.has(units[at - 2]?.form ?? '');
}

/** How far apart the runs of one pattern may stand, units. */
const NEAR = 12;
const SENTENCE_STOP = new Set(['.', '。', '!', '?', ';', '\n', '但', 'but', 'howev']);

/** Forms of one language may match the other's words in mixed text (我的stomach疼), but not all of them: 疼痛 is no "aches and pains". */
function holdsOwnLanguage(units: readonly Unit[], claimed: readonly number[], { language }: Pattern): boolean {
  const other = language === 'en' ? 'character' : 'word';
  return claimed.some((index) => units[index]?.kind !== other || !isSharedForm(units[index]?.form ?? ''));
}

/** Runs in any order: each further one nearest to the first, within reach, in the same sentence. */
function matchAt(units: readonly Unit[], start: number, pattern: Pattern): number[] | null {
  const first = matchSequence(units, start, pattern.parts[0] ?? [], GAP[pattern.language]);
  if (first === null || pattern.parts.length === 1) return first;
  const claimed = [...first];
  for (const part of pattern.parts.slice(1)) {
    const found = nearest(units, claimed, part, GAP[pattern.language]);
    if (found === null) return null;
    claimed.push(...found);
  }
  return claimed.sort((a, b) => a - b);
}

function nearest(units: readonly Unit[], claimed: readonly number[], part: Sequence, gap: number): number[] | null {
  const from = Math.min(...claimed);
  const to = Math.max(...claimed);
  // Another part of the body between them takes the words behind it for itself: 膝盖肿，头疼 is no knee pain.
  const ends = (index: number): boolean => SENTENCE_STOP.has(units[index]?.form ?? '') || (isSite(units, index) && !JOINER.has(units[index - 1]?.form ?? ''));
  const ownItem = startsItem(units, from);
  let openAfter = true;
  let openBefore = true;
  for (let distance = 1; distance <= NEAR && (openAfter || openBefore); distance++) {
    const after = to + distance;
    openAfter &&= distance === 1 || !ends(after - 1);
    if (openAfter && !startsItem(units, after) && units[after]?.form === part[0]) {
      const found = matchSequence(units, after, part, gap);
      if (found !== null) return found;
    }
    const before = from - distance;
    openBefore &&= before >= 0 && !ends(before);
    if (openBefore && !ownItem && units[before]?.form === part[0]) {
      const found = matchSequence(units, before, part, gap);
      if (found !== null && found.every((unit) => !claimed.includes(unit))) return found;
    }
  }
  return null;
}

/** Findings whose words stand beside those of others. */
export interface Roles {
  /** It says how something is (突然): read inside the words of another too. */
  isManner(findingIndex: number): boolean;
  /** It is a diagnosis that is told of: read besides whatever else its words say, and takes nothing from it. */
  isTold(findingIndex: number): boolean;
}

const NO_ROLES: Roles = { isManner: () => false, isTold: () => false };

/**
 * Finds the vocabulary's words. The match that takes most units goes first; a later one stays only when it takes a unit
 * that none before it took, so that 胸口疼 inside 吸气时胸口疼 is not read twice, while 胸口又闷又疼 gives both.
 * @param isSpokenOf whether a finding's parent, or what it needs, is known from before
 * @param contextOf parents and needs of a finding
 */
export function findMatches(units: readonly Unit[], lexicon: Lexicon, contextOf: (findingIndex: number) => readonly number[], isSpokenOf: (findingIndex: number) => boolean, roles: Roles = NO_ROLES): Match[] {
  const plain: Match[] = [];
  const contextual: Match[] = [];
  // Most patterns fail on a word that the text does not hold at all; what is left is tried wherever it may begin.
  const possible = lexicon.patternsIn(new Set(units.map((unit) => unit.form)));
  for (let start = 0; start < units.length; start++) {
    for (const pattern of possible.get(units[start]?.form ?? '') ?? []) {
      const claimed = matchAt(units, start, pattern);
      if (claimed !== null && holdsOwnLanguage(units, claimed, pattern)) (pattern.contextual ? contextual : plain).push({ pattern, claimed });
    }
  }
  if (contextual.length === 0) return select(plain, roles);
  const spoken = new Map<number, number[]>();
  const speak = (findingIndex: number, at: number, seen: Set<number>): void => {
    if (seen.has(findingIndex)) return;
    seen.add(findingIndex);
    const places = spoken.get(findingIndex);
    if (places === undefined) spoken.set(findingIndex, [at]);
    else places.push(at);
    for (const context of contextOf(findingIndex)) speak(context, at, seen);
  };
  for (const match of select([...plain], roles)) speak(match.pattern.findingIndex, match.claimed[0] ?? 0, new Set());
  const described = contextual.flatMap((match) => {
    const at = match.claimed[0] ?? 0;
    const distance = contextOf(match.pattern.findingIndex).reduce((least, context) => {
      const places = (spoken.get(context) ?? []).map((place) => Math.abs(place - at));
      return Math.min(least, ...places, isSpokenOf(context) ? KNOWN_DISTANCE : Infinity);
    }, Infinity);
    return distance <= KNOWN_DISTANCE ? [{ ...match, distance }] : [];
  });
  return select([...plain, ...described], roles);
}

/** Words that describe something known from an earlier round come after whatever is spoken of nearer than this. */
const KNOWN_DISTANCE = 60;

function select(candidates: Match[], roles: Roles): Match[] {
  const span = (match: Match): number => (match.claimed.at(-1) ?? 0) - (match.claimed[0] ?? 0);
  candidates.sort((a, b) => b.claimed.length - a.claimed.length || (a.distance ?? 0) - (b.distance ?? 0) || span(a) - span(b) || (a.claimed[0] ?? 0) - (b.claimed[0] ?? 0));
  const taken = new Set<number>();
  const accepted: Match[] = [];
  const ofFinding = new Map<number, Match[]>();
  /** Units of what is no finding, which are not free to be told of. */
  const idle = new Set<number>();
  for (const match of candidates) {
    const { findingIndex } = match.pattern;
    const isTold = roles.isTold(findingIndex);
    if ((match.claimed.every((unit) => (isTold ? idle : taken).has(unit)) && !roles.isManner(findingIndex)) || runsIntoAnother(match, candidates)) continue;
    const same = ofFinding.get(findingIndex);
    if (same?.some((other) => overlaps(other, match)) === true) continue;
    accepted.push(match);
    if (same === undefined) ofFinding.set(findingIndex, [match]);
    else same.push(match);
    for (const unit of match.claimed) {
      if (!isTold) taken.add(unit);
      if (findingIndex === NOT_A_FINDING) idle.add(unit);
    }
  }
  return accepted.sort((a, b) => (a.claimed[0] ?? 0) - (b.claimed[0] ?? 0));
}

function overlaps(a: Match, b: Match): boolean {
  return a.claimed.some((unit) => b.claimed.includes(unit));
}

/** Characters with which words deny what follows. */
export const DENIALS = new Set(['没', '无', '不', '未']);

/**
 * Words of absence whose end belongs to a longer word: in 不吐血 it is the blood that is denied, not 不吐 and then 吐血, and
 * in 没有尿频 the frequency, not 没有尿.
 */
function runsIntoAnother(match: Match, candidates: readonly Match[]): boolean {
  const { says, parts } = match.pattern;
  if (says !== 'absent' && !(parts.length === 1 && DENIALS.has(parts[0]?.[0] ?? ''))) return false;
  const first = match.claimed[0] ?? 0;
  const last = match.claimed.at(-1) ?? first;
  return candidates.some((other) => other.pattern.says === 'present' && (other.claimed[0] ?? 0) > first && (other.claimed.at(-1) ?? 0) > last && overlaps(match, other));
}
