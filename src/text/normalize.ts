import traditionalToSimplified from 'opencc-js/dict/TSCharacters';

/** `A B|C D|…`: traditional character, space, simplified character. */
const SIMPLIFIED = new Map<string, string>(
  traditionalToSimplified.split('|').map((pair) => {
    const [from, to] = pair.split(' ');
    return [from ?? '', (to ?? '').trim()] as const;
  }),
);

const PUNCTUATION = new Map<string, string>([
  ['‘', "'"], ['’', "'"], ['ʼ', "'"], ['`', "'"], ['´', "'"],
  ['“', '"'], ['”', '"'], ['「', '"'], ['」', '"'], ['『', '"'], ['』', '"'], ['«', '"'], ['»', '"'],
  ['–', '-'], ['—', '-'], ['−', '-'], ['‐', '-'], ['‑', '-'], ['～', '~'], ['〜', '~'],
]);

/** Text for analysis beside the visitor's own, with a way back. */
export interface NormalizedText {
  /** What every reader of text works on. */
  readonly text: string;
  /** What was typed, untouched. */
  readonly original: string;
  /** `[text.length + 1]`: index in `text` to index in `original`. */
  readonly toOriginal: Int32Array;
}

/** A base character with its combining marks, so that composition sees them together. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
const INVISIBLE = /[\p{Cf}\u{FE00}-\u{FE0F}]/gu;
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

function normalizeCluster(cluster: string): string {
  const compatible = cluster.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  let out = '';
  for (const character of compatible) {
    const mark = PUNCTUATION.get(character) ?? character;
    out += SIMPLIFIED.get(mark) ?? mark;
  }
  return out.replace(CONTROL, (control) => (control === '\n' || control === '\u2028' || control === '\u2029' ? '\n' : ' '));
}

/** Whether every character is one that normalising leaves as it is: most vocabulary and much of what people type. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const ascii = (code >= 0x20 && code <= 0x5f && !(code >= 0x41 && code <= 0x5a)) || (code > 0x60 && code < 0x7f) || code === 0x0a;
    if (ascii || code === 0x3001 || code === 0x3002) continue;
    if (code < 0x4e00 || code > 0x9fff || SIMPLIFIED.has(text.charAt(index))) return false;
  }
  return true;
}

/**
 * The one normaliser: compatibility forms (NFKC: full-width digits, ℃), invisible characters, curly quotes, case, and
 * traditional to simplified Chinese by character. Everything that compares text compares its output.
 */
export function normalize(original: string): NormalizedText {
  if (isPlain(original)) return { text: original, original, toOriginal: Int32Array.from({ length: original.length + 1 }, (_, index) => index) };
  let text = '';
  const map: number[] = [];
  for (const found of original.matchAll(CLUSTER)) {
    const piece = isPlain(found[0]) ? found[0] : normalizeCluster(found[0]);
    for (let unit = 0; unit < piece.length; unit++) map.push(found.index);
    text += piece;
  }
  map.push(original.length);
  return { text, original, toOriginal: Int32Array.from(map) };
}

/** The normalised text alone. */
export function normalizeText(original: string): string {
  return isPlain(original) ? original : normalize(original).text;
}
