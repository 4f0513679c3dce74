import type { Finding, KnowledgeBundle } from '../bundle/bundle.js';
import { type Aside, TextContext } from '../text/context.js';
import { cueAt, CUES } from '../text/cues.js';
import { normalize, type NormalizedText } from '../text/normalize.js';
import { ClauseMap, type Polarity } from '../text/polarity.js';
import { type Quantities, readDurationDays, readQuantities } from '../text/quantities.js';
import { stem, toUnits, type Unit } from '../text/units.js';
import { ancestorsOf } from './ancestors.js';
import { findHomophones } from './homophones.js';
import { decodeLexicon, type Lexicon, NOT_A_FINDING } from './lexicon.js';
import { DENIALS, findMatches, type Match, type Roles } from './match.js';
import { Speller } from './spelling.js';
import { asideOfTold, isTold } from './told-diagnosis.js';

/** A place where the visitor spoke of a finding. */
export interface FindingMention {
  readonly findingIndex: number;
  readonly state: Polarity;
  /** Why it says nothing about the patient now; absent where it does. */
  readonly aside?: Aside;
  /** Span in the text as typed. */
  readonly start: number;
  readonly end: number;
  /** The visitor's own words. */
  readonly quote: string;
  readonly severity?: 'mild' | 'severe';
  readonly side?: 'left' | 'right' | 'both';
  /** Read through a spelling guess. */
  readonly guessed: boolean;
  /** It was there and has gone (不吐了): outweighs what was said of it before. */
  readonly resolved?: boolean;
}

/** What was read out of one text. */
export interface Reading {
  /** In the order of the text. */
  readonly mentions: readonly FindingMention[];
  readonly quantities: Quantities;
}

const SEVERE = /剧烈|厉害|(?:得|到)不行|裂开|要死|特别|非常|严重|要命|受不了|难忍|巨|极|很(?!久|少)|\b(?:severe(?:ly)?|splitting|terribl[ey]|awful(?:ly)?|unbearabl[ey]|excruciating|worst|really bad|agonising|agonizing|intense|very bad|so bad|extreme(?:ly)?)\b/u;
const MILD = /有点|有一点|轻微|一点点|稍微|略|微微|隐隐|\b(?:mild(?:ly)?|slight(?:ly)?|a bit|a little|faint(?= (?:rash|pain|ache|line|redness))|minor)\b/u;
const LEFT = /左|\bleft\b(?! me| over)/u;
const RIGHT = /右|\bright\b(?! now| away| after)/u;
const BOTH = /双侧|两侧|两边|双(?=眼|耳|腿|下肢|手|膝|肩|脚)|\b(?:both|bilateral)\b/u;

/** Findings that say nothing of whose complaint it is: how the speaker feels about the patient, what runs in a family. */
const NO_ONES = /worry|stress|restless|tearful|panic|fear-of|^family-/;

/** Looking for ways oneself is no quotation, and "without me" is about oneself. */
const OWN_SEARCH = /我.{0,6}(?:查|搜)|\bi(?:'ve| have|'m| am)? (?:been )?(?:search|look|googl)/u;
const OWN_WORDS = /我|自己|\b(?:me|my|myself|i)\b/u;

/** Findings that say how something else is: 腿突然剧痛冰凉 is a cold leg, sudden and severe. */
const MANNERS = new Set(['onset-sudden', 'severe-pain']);

/** Findings that lie in the past by their nature. */
const LASTING = /history|surgery|recent|previous|exposure|contact|travel|injury|fall|family|unvaccinated|premature|missed-insulin|sting|osteoporosis|aneurysm|allergen|food/;

/** Findings whose words count even when they are feared or supposed, such as thoughts of suicide. */
export type AlwaysCounted = ReadonlySet<number>;

/** Reads findings out of free text, in Chinese and English, by the bundle's vocabulary. Pure: same text, same reading. */
export class FindingExtractor {
  readonly #lexicon: Lexicon;
  readonly #speller: Speller;
  readonly #findings: readonly Finding[];
  readonly #alwaysCounted: AlwaysCounted;
  readonly #roles: Roles = {
    isManner: (index) => MANNERS.has(this.#findings[index]?.id ?? ''),
    isTold: (index) => isTold(this.#findings[index]?.id ?? ''),
  };
  /** By finding without a place: what it holds with. */
  readonly #closer: ReadonlyMap<number, ReadonlySet<number>>;
  /** By finding: its parents and what it needs, those without a place aside. */
  readonly #contexts: readonly (readonly number[])[];

  constructor(bundle: Pick<KnowledgeBundle, 'findings' | 'lexiconBytes'>, alwaysCounted: AlwaysCounted = new Set()) {
    this.#findings = bundle.findings;
    const isGeneral = (index: number): boolean => bundle.findings[index]?.kind === 'general';
    this.#contexts = bundle.findings.map((finding) => [...finding.parents, ...finding.needs].filter((index) => !isGeneral(index)));
    this.#closer = closerFindings(bundle.findings);
    this.#lexicon = decodeLexicon(bundle.lexiconBytes);
    this.#speller = new Speller(this.#lexicon.words, this.#lexicon.protectedWords);
    this.#alwaysCounted = alwaysCounted;
  }

  /**
   * Reads a text of any length; every part of it is read.
   * @param isKnown whether a finding is known to be present from before, so that closer descriptions of it count
   */
  read(text: string, isKnown: (findingIndex: number) => boolean = () => false): Reading {
    const normalized = normalize(text);
    const { units, guessed } = this.#correct(toUnits(normalized.text));
    const matches = findMatches(units, this.#lexicon, (index) => this.#contexts[index] ?? [], isKnown, this.#roles);
    const claimed = new Set(matches.flatMap((match) => match.claimed));
    for (const guess of findHomophones(units, claimed, () => this.#lexicon.homophones)) {
      matches.push(guess);
      for (const unit of guess.claimed) {
        claimed.add(unit);
        guessed.add(unit);
      }
    }
    const clauses = new ClauseMap(units, withoutDenials(claimed, matches, units));
    matches.push(...this.#beforeDenials(matches, units, clauses));
    const complaints = matches.filter(({ pattern }) => !NO_ONES.test(this.#findings[pattern.findingIndex]?.id ?? '')).map(({ claimed: own }) => units[own[0] ?? 0]?.start ?? 0);
    const context = new TextContext(normalized.text, complaints.sort((a, b) => a - b));
    const read = matches.filter((match) => match.pattern.findingIndex !== NOT_A_FINDING).map((match) => ({ match, mention: this.#mention(match, units, guessed, clauses, context, normalized, isEndDenied(match, matches, units, this.#roles)) }));
    const present = new Set(read.flatMap(({ match, mention }) => (match.pattern.contextual || mention.state !== 'present' ? [] : this.#withAncestors(mention.findingIndex))));
    // Words that describe something count only while that something is there.
    const mentions = read.filter(({ match }) => !match.pattern.contextual || (this.#contexts[match.pattern.findingIndex] ?? []).some((index) => present.has(index) || isKnown(index))).map(({ mention }) => mention);
    return { mentions: this.#withoutEmpty(mentions), quantities: this.#quantities(normalized.text, read.map(({ match, mention }) => ({ aside: mention.aside, span: clauseSpan(match.claimed[0] ?? 0, units, clauses) }))) };
  }

  /** Numbers of a text. How long something has lasted is the patient's only outside the clauses that speak of others or of what was. */
  #quantities(text: string, read: readonly { readonly aside: Aside | undefined; readonly span: readonly [start: number, end: number] }[]): Quantities {
    const quantities = readQuantities(text);
    const own = new Set(read.filter((one) => one.aside === undefined).map(({ span }) => span[0]));
    const others = read.filter(({ aside, span }) => (aside === 'other-person' || aside === 'past') && !own.has(span[0]));
    if (quantities.durationDays === undefined || others.length === 0) return quantities;
    const { durationDays: _durationDays, ...rest } = quantities;
    const durationDays = readDurationDays(others.reduce((kept, { span: [start, end] }) => kept.slice(0, start) + ' '.repeat(end - start) + kept.slice(end), text));
    return durationDays === undefined ? rest : { ...rest, durationDays };
  }

  /** Abdominal pain, no radiation to the back: what stands before a denial inside a finding's words is read for itself. */
  #beforeDenials(matches: readonly Match[], units: readonly Unit[], clauses: ClauseMap): Match[] {
    return matches.flatMap(({ pattern, claimed }) => {
      const from = claimed[0] ?? 0;
      const until = clauses.innerDenial(claimed);
      if (until === undefined || pattern.findingIndex === NOT_A_FINDING) return [];
      return findMatches(units.slice(from, until), this.#lexicon, () => [], () => false)
        .map((match) => ({ ...match, claimed: match.claimed.map((unit) => unit + from) }))
        .filter((match) => !matches.some((other) => other.pattern.findingIndex === match.pattern.findingIndex && other.claimed.some((unit) => match.claimed.includes(unit))));
    });
  }

  /** A complaint without a place (疼) says nothing where it is denied, for it may be there elsewhere, and nothing where a closer one is spoken of. */
  #withoutEmpty(mentions: FindingMention[]): FindingMention[] {
    return mentions.filter(({ findingIndex, state }) => {
      const closer = this.#closer.get(findingIndex);
      return closer === undefined || (state === 'present' && !mentions.some((other) => other.state === 'present' && closer.has(other.findingIndex)));
    });
  }

  #withAncestors(findingIndex: number, all: number[] = []): number[] {
    if (!all.includes(findingIndex)) {
      all.push(findingIndex);
      for (const context of this.#contexts[findingIndex] ?? []) this.#withAncestors(context, all);
    }
    return all;
  }

  #correct(units: Unit[]): { units: Unit[]; guessed: Set<number> } {
    const guessed = new Set<number>();
    const corrected = units.map((unit, index) => {
      if (unit.kind !== 'word') return unit;
      const guess = this.#speller.guess(unit.word);
      if (guess === null) return unit;
      guessed.add(index);
      return { ...unit, form: stem(guess) };
    });
    return { units: corrected, guessed };
  }

  #mention(match: Match, units: readonly Unit[], guessed: ReadonlySet<number>, clauses: ClauseMap, context: TextContext, normalized: NormalizedText, isEndDenied: boolean): FindingMention {
    const { pattern, claimed } = match;
    const first = claimed[0] ?? 0;
    const last = claimed.at(-1) ?? first;
    const from = units[first]?.start ?? 0;
    const to = units[last]?.end ?? from;
    const [clauseStart, clauseEnd] = clauseSpan(first, units, clauses);
    const polarity = isEndDenied ? 'absent' : clauses.polarityOf(claimed, this.#alwaysCounted.has(pattern.findingIndex));
    // Words of absence that are a denial themselves are not turned round by one before them: 没吐没拉.
    const state: Polarity = pattern.says === 'present' ? polarity : (clauses.isDenied(first) && !DENIALS.has(units[first]?.form ?? '')) || clauses.returnsAfter(last) ? 'present' : 'absent';
    const aside = this.#aside(pattern.findingIndex, context.asideAt(from, to, clauseStart, clauseEnd), normalized.text, from, to);
    const start = normalized.toOriginal[from] ?? 0;
    const end = normalized.toOriginal[to] ?? normalized.original.length;
    const clause = normalized.text.slice(clauseStart, clauseEnd);
    const described = normalized.text.slice(clauseStart, clauses.describedUntil(last, clauseEnd));
    const severity = SEVERE.test(described) ? 'severe' : MILD.test(described) ? 'mild' : undefined;
    const side = BOTH.test(clause) || (LEFT.test(clause) && RIGHT.test(clause)) ? 'both' : LEFT.test(clause) ? 'left' : RIGHT.test(clause) ? 'right' : undefined;
    return {
      findingIndex: pattern.findingIndex,
      state,
      ...(aside === undefined ? {} : { aside }),
      start,
      end,
      quote: normalized.original.slice(start, end),
      ...(severity === undefined ? {} : { severity }),
      ...(side === undefined ? {} : { side }),
      guessed: claimed.some((unit) => guessed.has(unit)),
      ...(state === 'absent' && (clauses.resolvedAfter(last) || units[last]?.form === '了' || units[last + 1]?.form === '了') ? { resolved: true } : {}),
    };
  }

  /** A history may lie in the past, a family history is another person's, fear does not unsay a crisis, nor what a doctor suspects. */
  #aside(findingIndex: number, aside: Aside | undefined, text: string, from: number, to: number): Aside | undefined {
    const finding = this.#findings[findingIndex];
    if (isTold(finding?.id ?? '')) return asideOfTold(aside, text.slice(Math.max(0, from - 40), from), text.slice(from, to), text.slice(to, to + 30));
    if (aside === undefined || finding === undefined) return undefined;
    const words = text.slice(from, to);
    const before = text.slice(Math.max(0, to - 60), to);
    if (aside === 'past' && LASTING.test(finding.id)) return undefined;
    if (aside === 'other-person' && (finding.id.startsWith('family-') || finding.id.includes('contact') || finding.id.startsWith('others-') || finding.id.startsWith('spread-') || finding.id.includes('-family'))) return undefined;
    if (this.#alwaysCounted.has(findingIndex) && (aside === 'hypothetical' || (aside === 'quoted' && OWN_SEARCH.test(before)) || (aside === 'other-person' && OWN_WORDS.test(words)))) return undefined;
    return aside;
  }
}

/** Units that are no cues, less the denials in words of absence that reach beyond them: 无意识障碍及抽搐, CT未见出血及骨折. */
function withoutDenials(claimed: ReadonlySet<number>, matches: readonly Match[], units: readonly Unit[]): Set<number> {
  const left = new Set(claimed);
  for (const { pattern, claimed: own } of matches) {
    if (pattern.says !== 'absent') continue;
    for (const [at, unit] of own.entries()) {
      const form = units[unit]?.form ?? '';
      if (!(at === 0 ? DENIALS.has(form) : form === '未')) continue;
      for (let length = cueAt(units, unit, CUES.negationList); length > 0; length--) left.delete(unit + length - 1);
    }
  }
  return left;
}

/**
 * 颅骨未见骨折: what a finding ends in is denied by a denial that is another finding's word (未见骨折); a diagnosis that is
 * told of by any denial (拍片没骨折), other findings by 未, for 麻木没感觉 denies nothing.
 */
function isEndDenied(match: Match, others: readonly Match[], units: readonly Unit[], roles: Roles): boolean {
  const { claimed } = match;
  const first = claimed[0] ?? 0;
  const last = claimed.at(-1) ?? first;
  const any = roles.isTold(match.pattern.findingIndex);
  const denials: number[] = [];
  for (let unit = first + 1; unit < last; unit++) {
    const form = units[unit]?.form ?? '';
    if ((any ? DENIALS.has(form) : form === '未') && !claimed.includes(unit)) denials.push(unit);
  }
  return denials.length > 0 && others.some((other) => other !== match && other.claimed.includes(last) && other.claimed.some((unit) => denials.includes(unit)));
}

/** Everything below each finding of the kind "general". */
function closerFindings(findings: readonly Finding[]): Map<number, Set<number>> {
  const closer = new Map(findings.flatMap(({ kind, index }) => (kind === 'general' ? [[index, new Set<number>()] as const] : [])));
  for (const { index } of findings) {
    for (const ancestor of ancestorsOf(index, (one) => findings[one]?.parents ?? [])) closer.get(ancestor)?.add(index);
  }
  return closer;
}

function clauseSpan(unitIndex: number, units: readonly Unit[], clauses: ClauseMap): [start: number, end: number] {
  const clause = clauses.clause[unitIndex];
  let first = unitIndex;
  while (first > 0 && clauses.clause[first - 1] === clause) first--;
  let last = unitIndex;
  while (last + 1 < units.length && clauses.clause[last + 1] === clause) last++;
  return [units[first]?.start ?? 0, units[last]?.end ?? 0];
}
