import type { Language } from '../bundle/bundle.js';
import { normalizeText } from '../text/normalize.js';
import { ENGLISH_WORDS, MARKED_NAMES, OTHER_WORDS, UNITS } from './language-words.js';
import { splitSentences } from './sentences.js';

/** How a reply misses the visitor's language: altogether, in the kind of Chinese characters, or in a part of it. */
export type LanguageFault = 'wrong-language' | 'wrong-script' | 'mixed';

/** Too few letters to tell. */
const FEWEST_LETTERS = 6;
/** A part of a longer text is looked at by itself from so many letters on. */
const FEWEST_LETTERS_OF_PART = 12;
/** Letters of a strange script that are no slip. */
const FEWEST_STRANGE = 2;
/** English words in a row that are no name. */
const LONGEST_NAME = 3;
/** Of a Chinese reply, so many English words are no slip, so many no names, and so many no Chinese. */
const LEAST_SHARE_OF_WORDS = 0.12;
const LEAST_SHARE_OF_NAMES = 0.35;
const MOST_SHARE_OF_WORDS = 0.7;
/** Of all characters, so many of the other kind are no slip. */
const LEAST_SHARE_OF_SCRIPT = 0.03;

const HAN = /\p{Script=Han}/gu;
const LATIN_WORD = /\p{Script=Latin}[\p{Script=Latin}\p{M}\p{N}'’]*/gu;
const STRANGE = /(?![\p{Script=Han}\p{Script=Latin}\p{Script=Greek}\p{Script=Common}])\p{L}/gu;
const ADDRESS = /https?:\S+|www\.\S+/gi;
const LATIN_GLOSS = /[(（]\s*[A-Za-z][^()（）\p{Script=Han}]{0,60}[)）]/gu;
const HAN_GLOSS = /[(（][\p{Script=Han}、，·\s]{1,24}[)）]/gu;
const MARK = /\p{M}+/gu;
/** Words that are nothing but syllables of Chinese in Latin letters. */
const PINYIN = /^(?:(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw])(?:i?ang|iong|uang|i?ong|uai|i?ao|i?an|uan|e?ng|ing|eng|ai|ei|ou|en|in|un|ia|ie|iu|ua|uo|ui|ue|a|o|e|i|u)|(?:ang|ai|ao|ou|an|en|er|a|e))+$/;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const latinLetters = (text: string): number => (text.match(LATIN_WORD) ?? []).join('').length;

/**
 * Whether a reply is written in the visitor's language, judged by its scripts and, for English, by its small words; null
 * where it is, or where it is too short to tell (less than 6 letters). `mixed`: a part of it, down to one sentence or a
 * foreign word in a short one, is not. Abbreviations (CT, HbA1c, mg) and a name in brackets belong to every language.
 * @param variant kind of characters of a Chinese reply; without it both will do
 */
export function languageFault(text: string, language: Language, variant?: 'Hans' | 'Hant'): LanguageFault | null {
  const plain = text.normalize('NFC').replace(ADDRESS, ' ');
  const whole = faultOf(plain, language);
  if (whole !== null) return whole;
  const parts = splitSentences(plain, language);
  if (parts.length > 1 && parts.some((part) => lettersOf(part) >= FEWEST_LETTERS_OF_PART && faultOf(part, language) !== null)) return 'mixed';
  return language === 'zh' && variant !== undefined && isOtherScript(plain, variant) ? 'wrong-script' : null;
}

function lettersOf(text: string): number {
  return count(text, HAN) + count(text, STRANGE) + latinLetters(text);
}

function faultOf(text: string, language: Language): LanguageFault | null {
  if (lettersOf(text) < FEWEST_LETTERS) return null;
  return language === 'zh' ? faultOfChinese(text) : faultOfEnglish(text);
}

function faultOfChinese(text: string): LanguageFault | null {
  const han = count(text, HAN);
  const strange = count(text, STRANGE);
  if (strange >= FEWEST_STRANGE) return strange * 3 > han ? 'wrong-language' : 'mixed';
  const words = (han === 0 ? text : text.replace(LATIN_GLOSS, ' ')).match(LATIN_WORD) ?? [];
  const foreign = words.filter((word) => !isAbbreviation(word));
  if (han === 0) return foreign.length > 0 || words.length > LONGEST_NAME ? 'wrong-language' : null;
  // A word takes the room of two characters.
  const share = foreign.length / (foreign.length + han / 2);
  if (share > MOST_SHARE_OF_WORDS) return 'wrong-language';
  const isRun = foreign.length > LONGEST_NAME && hasRun(text, foreign);
  const isWord = share > LEAST_SHARE_OF_WORDS && foreign.some((word) => /^[a-z]{4,}$/.test(word));
  return isRun || isWord || share > LEAST_SHARE_OF_NAMES ? 'mixed' : null;
}

/** Words in capitals, or with one after the first letter, single letters and units. */
function isAbbreviation(word: string): boolean {
  return word.length === 1 || UNITS.has(word.toLowerCase()) || (word.length <= 8 && /.\p{Lu}|\d/u.test(word));
}

/** Whether more foreign words than a name has stand in a row, nothing but blanks and marks between them. */
function hasRun(text: string, foreign: readonly string[]): boolean {
  const isForeign = new Set(foreign);
  return text.split(/[\p{Script=Han}()（）]/u).some((stretch) => (stretch.match(LATIN_WORD) ?? []).filter((word) => isForeign.has(word)).length > LONGEST_NAME);
}

function faultOfEnglish(text: string): LanguageFault | null {
  const stripped = text.replace(HAN_GLOSS, ' ');
  const letters = latinLetters(stripped);
  const strange = count(stripped, HAN) + count(stripped, STRANGE);
  // A character takes the room of three letters.
  if (letters === 0 || strange >= FEWEST_STRANGE) return strange * 3 > letters ? 'wrong-language' : 'mixed';
  return isOtherLatin(stripped) ? 'wrong-language' : null;
}

/** Whether a text in Latin letters is of another language than English. */
function isOtherLatin(text: string): boolean {
  const written = (text.match(LATIN_WORD) ?? []).map((word) => word.toLowerCase().replace(/['’].*/u, ''));
  const bare = written.map((word) => word.normalize('NFD').replace(MARK, '').replaceAll('đ', 'd').replaceAll('ß', 'ss'));
  const share = (holds: (word: string, at: number) => boolean): number => bare.filter(holds).length / bare.length;
  const english = share((word) => ENGLISH_WORDS.has(word));
  const other = share((word, at) => OTHER_WORDS.has(word) && !ENGLISH_WORDS.has(written[at]!));
  if (other * bare.length >= 2 && other > english) return true;
  if (bare.length < 3 || english >= 0.25) return false;
  const marked = share((word, at) => word !== written[at] && !MARKED_NAMES.has(written[at]!));
  if (marked > 0.25 && marked * bare.length >= 2) return true;
  if (bare.length >= 4 && share((word) => PINYIN.test(word)) > 0.85) return true;
  // A sentence without any small word, that is no list.
  return english === 0 && bare.length >= 12 && count(text, /[,;:•\-\n]/g) < bare.length / 6;
}

/** Characters of the mainland that Hong Kong writes too. */
const OF_HONG_KONG = '兑悦户揾氲温税脱腽卧葱蜕';
let onlySimplified: ReadonlySet<string> | undefined;

/** The characters that no Traditional Chinese text has. */
function simplifiedCharacters(): ReadonlySet<string> {
  if (onlySimplified !== undefined) return onlySimplified;
  const both = new Set([...traditionalCharacters(), ...OF_HONG_KONG]);
  const simplified = new Set<string>();
  for (let code = 0x4e00; code <= 0x9fff; code++) {
    const character = String.fromCharCode(code);
    const simple = normalizeText(character);
    if (simple !== character && !both.has(simple)) simplified.add(simple);
  }
  onlySimplified = simplified;
  return simplified;
}

/** The characters of Big5, the older standard of Traditional Chinese. */
function traditionalCharacters(): ReadonlySet<string> {
  const decoder = new TextDecoder('big5');
  const characters = new Set<string>();
  for (let lead = 0xa4; lead <= 0xf9; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      if (trail <= 0x7e || trail >= 0xa1) characters.add(decoder.decode(Uint8Array.of(lead, trail)));
    }
  }
  return characters;
}

function isOtherScript(text: string, variant: 'Hans' | 'Hant'): boolean {
  const characters = text.match(HAN) ?? [];
  const isOther = variant === 'Hans' ? (character: string) => normalizeText(character) !== character : (character: string) => simplifiedCharacters().has(character);
  return characters.filter(isOther).length > characters.length * LEAST_SHARE_OF_SCRIPT;
}
