/** What a tag does in a reply. The last five are of the channel format (gpt-oss); they mean that only after `channel`. */
export type ThinkTag = 'open' | 'close' | 'channel' | 'message' | 'start' | 'end' | 'constrain';

const NAMES = ['think', 'thinking', 'thought', 'thoughts', 'reason', 'reasoning', 'scratchpad', 'reflection', 'analysis', '思考', '思考过程', '推理', '推理过程', '分析'];
const ANGLED_NAMES = [...NAMES, 'seed:think', 'inner_monologue'];

/** Tags in lower case and without white space. None is the beginning of another. */
const TAGS: ReadonlyMap<string, ThinkTag> = new Map<string, ThinkTag>([
  ...ANGLED_NAMES.flatMap((name): [string, ThinkTag][] => [[`<${name}>`, 'open'], [`</${name}>`, 'close']]),
  ...NAMES.flatMap((name): [string, ThinkTag][] => [
    ...[`<|${name}|>`, `<|begin_of_${name}|>`, `<|start_${name}|>`, `<|start_of_${name}|>`, `<|${name}_start|>`].map((form): [string, ThinkTag] => [form, 'open']),
    ...[`<|/${name}|>`, `</|${name}|>`, `<|end_of_${name}|>`, `<|end_${name}|>`, `<|${name}_end|>`].map((form): [string, ThinkTag] => [form, 'close']),
  ]),
  ['◁think▷', 'open'], ['◁/think▷', 'close'], ['[think]', 'open'], ['[/think]', 'close'],
  ['<unused94>', 'open'], ['<unused95>', 'close'], ['<|channel>', 'open'], ['<channel|>', 'close'],
  ['<|channel|>', 'channel'], ['<|message|>', 'message'], ['<|start|>', 'start'], ['<|constrain|>', 'constrain'],
  ['<|end|>', 'end'], ['<|return|>', 'end'], ['<|call|>', 'end'],
]);
const BEGINNINGS: ReadonlySet<string> = new Set([...TAGS.keys()].flatMap((tag) => Array.from(tag, (_, at) => tag.slice(0, at + 1))));

/** Blanks inside count; what is longer is no tag, so that a filter never holds back more than this. */
const LONGEST_TAG = 64;
const FULL_WIDTH: Readonly<Record<string, string>> = { '＜': '<', '＞': '>', '｜': '|', '／': '/' };
const BLANK = /\s/;

/** Index at which a tag may begin, from `from` on; the text's length where there is none. */
export function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (BEGINNINGS.has(FULL_WIDTH[text.charAt(at)] ?? text.charAt(at))) return at;
  return text.length;
}

/**
 * Reads the tag that begins at an index, in any case and with blanks anywhere but before it. `unfinished`: the text ends
 * before it is clear; `letters` tells how much of a tag is there. Null: no tag.
 */
export function readTag(text: string, at: number): { readonly tag: ThinkTag; readonly end: number } | { readonly unfinished: true; readonly letters: number } | null {
  let form = '';
  for (let index = at; index < text.length; index++) {
    if (index - at >= LONGEST_TAG) return null;
    const character = text.charAt(index);
    if (form !== '' && BLANK.test(character)) continue;
    form += FULL_WIDTH[character] ?? character.toLowerCase();
    const tag = TAGS.get(form);
    if (tag !== undefined) return { tag, end: index + 1 };
    if (!BEGINNINGS.has(form)) return null;
  }
  return { unfinished: true, letters: form.length - 1 };
}
