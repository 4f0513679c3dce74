/**
 * Markers of chat templates in text that is not ours. A tokenizer reads `<|im_start|>` in a patient's words as the start
 * of a turn, whoever wrote it. Here the brackets of everything that could be a marker become look-alikes which no
 * tokenizer takes for a bracket, not even after Unicode normalisation: `‹|im_start|›`. The words stay readable.
 */

const INVISIBLE = '\\p{Default_Ignorable_Code_Point}*';
const OPEN = '[<＜﹤]';
const CLOSE = '[>＞﹥]';
const BAR = '[|｜￨]';
/** Longer than any marker there is. None begins with a digit, but patients write `<38`. */
const INNER = '(?!\\p{Number})[^\\s<>‹›＜＞﹤﹥\\[\\]⁅⁆［］﹇﹈◁▷]{1,100}?';

/** `<|` and `|>` wherever they stand; `<word>`, `</word>` and `<<WORD>>` where there is no blank inside. */
const ANGLED = new RegExp(`${OPEN}(?=${OPEN}{0,8}(?:${INVISIBLE}${BAR}|${INNER}${CLOSE}))|(?<=(?:${BAR}${INVISIBLE}|${OPEN}${INNER})${CLOSE}{0,8})${CLOSE}`, 'gu');
const SQUARE = new RegExp(`[\\[［﹇](${INNER})[\\]］﹈]`, 'gu');
/** What some models write between square brackets: `[INST]`, `[/INST]`, `[gMASK]`, `[|user|]`. Decided after normalisation. */
const SQUARE_MARKER = /^(?:\|.*|.*\||[/@]*[A-Z][A-Z0-9_@]{2,}|[gs]MASK|\/?multimodal)$/u;
const IGNORED = /\p{Default_Ignorable_Code_Point}+/gu;

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The text with every chat-template marker broken, and half characters replaced, which no tokenizer takes; otherwise as it was. Applying it again changes nothing. */
export function plainText(content: string): string {
  return content
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(ANGLED, (bracket) => (bracket === '<' || bracket === '＜' || bracket === '﹤' ? '‹' : '›'))
    .replace(SQUARE, (all: string, inner: string) => (SQUARE_MARKER.test(inner.normalize('NFKC').replace(IGNORED, '')) ? `⁅${inner}⁆` : all))
    .replaceAll('◁', '‹')
    .replaceAll('▷', '›');
}
