import { stemmer } from 'stemmer';

/**
 * What text is matched by: one Chinese character, one English word (stemmed), one number, one mark. Chinese and English
 * share one stream, so that mixed text is read span by span.
 */
export interface Unit {
  /** The form that is compared: a character, a stem, digits, a mark. */
  readonly form: string;
  /** The word as normalised, before stemming. */
  readonly word: string;
  readonly kind: 'character' | 'word' | 'number' | 'mark';
  /** Span in the normalised text. */
  readonly start: number;
  readonly end: number;
}

const UNIT = /(\d+(?:[.,]\d+)?)|([a-z]+(?:'[a-z]+)?)|(\p{Script=Han}|\p{L}|\p{N})|(\n|[^\s])/gu;

/** Contractions as the words they stand for; `n't` and `'s` fall to the rules below. */
const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  "can't": ['cannot'], cant: ['cannot'], "won't": ['will', 'not'], "shan't": ['shall', 'not'], "ain't": ['not'],
  dont: ['do', 'not'], doesnt: ['does', 'not'], didnt: ['did', 'not'], havent: ['have', 'not'], hasnt: ['has', 'not'],
  isnt: ['is', 'not'], wasnt: ['was', 'not'], wont: ['will', 'not'], im: ['i', 'am'], ive: ['i', 'have'],
  couldnt: ['could', 'not'], hadnt: ['had', 'not'],
};
const ENDINGS: Readonly<Record<string, string>> = { m: 'am', ve: 'have', re: 'are', ll: 'will', d: 'would' };

function expand(word: string): readonly string[] {
  const known = CONTRACTIONS[word];
  if (known !== undefined) return known;
  if (word.endsWith("n't")) return [word.slice(0, -3), 'not'];
  const at = word.indexOf("'");
  if (at < 0) return [word];
  const ending = ENDINGS[word.slice(at + 1)];
  return ending === undefined ? [word.slice(0, at)] : [word.slice(0, at), ending];
}

const stems = new Map<string, string>();

/** Irregular past forms that a stemmer does not know. */
const IRREGULAR: Readonly<Record<string, string>> = {
  threw: 'throw', overate: 'overeat', thrown: 'throw', felt: 'feel', hurting: 'hurt', swollen: 'swell', swelled: 'swell', fell: 'fall', fallen: 'fall',
  bled: 'bleed', lost: 'lose', woke: 'wake', woken: 'wake', slept: 'sleep', ate: 'eat', eaten: 'eat', drank: 'drink',
  broke: 'break', broken: 'break', bit: 'bite', bitten: 'bite', stung: 'sting', shook: 'shake', shaken: 'shake', tore: 'tear',
  coughed: 'cough', went: 'go', came: 'come', feet: 'foot', teeth: 'tooth', got: 'get', took: 'take', taken: 'take', ran: 'run',
};

/** Everyday words that stand for one and the same in complaints, by stem. */
const SAME_STEM: Readonly<Record<string, string>> = {
  stomach: 'belli', tummi: 'belli', abdomen: 'belli', abdomin: 'belli', gut: 'belli', hurt: 'pain', ach: 'pain', sore: 'pain', achi: 'pain', pee: 'urin', wee: 'urin',
  piss: 'urin', urinari: 'urin', poo: 'stool', poop: 'stool', faec: 'stool', fece: 'stool', feca: 'stool', faecal: 'stool', shit: 'stool', puke: 'vomit', barf: 'vomit',
  itchi: 'itch', puffi: 'swell', mum: 'mother', mom: 'mother', dad: 'father', terribl: 'terribl', kid: 'child', children: 'child', temp: 'temperatur', constantli: 'constant',
  blocked: 'block', bung: 'block', stuf: 'block', stuffi: 'block', congest: 'block', haemorrhag: 'bleed', breathless: 'breathless', boob: 'breast', bum: 'anu', anal: 'anu', bottom: 'anu',
};

/** British and American spelling meet here. */
function oneSpelling(word: string): string {
  return word.replace(/oea/, 'ea').replace(/oede/, 'ede').replace(/oesoph/, 'esoph').replace(/aem/, 'em').replace(/haem/, 'hem').replace(/aec/, 'ec').replace(/paed/, 'ped').replace(/(?<=[a-z]{3})our(?=s?$|ed$|ing$|less$)/, 'or').replace(/leuk/, 'leuc');
}

/** The form by which English words are compared (Porter's stem, one spelling, everyday words of one meaning). */
export function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    // "sores" on the skin are not "sore", and short words such as AMS are not plurals.
    const plain = IRREGULAR[word] ?? word;
    const base = word === 'sores' || plain.length <= 3 ? plain : stemmer(oneSpelling(plain));
    known = SAME_STEM[base] ?? base;
    if (stems.size > 20_000) stems.clear();
    stems.set(word, known);
  }
  return known;
}

/** Characters that patients use for one and the same; the commonest meet their English words, for mixed text. */
const SAME: Readonly<Record<string, string>> = { 疼: 'pain', 痛: 'pain', 痒: 'itch', 肿: 'swell', 囗: '口', 漱: '嗽' };

const CHARACTERS = new Map<string, string[]>();
for (const [character, form] of Object.entries(SAME)) CHARACTERS.set(form, [...(CHARACTERS.get(form) ?? (form.length === 1 ? [form] : [])), character]);

/** Chinese characters that a form stands for; a form that is a character stands for itself. */
export function charactersOf(form: string): readonly string[] {
  return CHARACTERS.get(form) ?? (form.length === 1 ? [form] : []);
}

/** Whether a form stands for words of both languages. */
export function isSharedForm(form: string): boolean {
  return form.length > 1 && CHARACTERS.has(form);
}

/** Cuts normalised text into units. `can not` becomes `cannot`. */
export function toUnits(text: string): Unit[] {
  const units: Unit[] = [];
  for (const found of text.matchAll(UNIT)) {
    const start = found.index;
    const end = start + found[0].length;
    if (found[1] !== undefined) {
      units.push({ form: found[1].replace(',', '.'), word: found[1], kind: 'number', start, end });
    } else if (found[2] !== undefined) {
      for (const word of expand(found[2])) {
        const last = units.at(-1);
        if (word === 'not' && last?.word === 'can' && last.kind === 'word') {
          units[units.length - 1] = { form: 'cannot', word: 'cannot', kind: 'word', start: last.start, end };
        } else {
          units.push({ form: word === 'cannot' ? word : stem(word), word, kind: 'word', start, end });
        }
      }
    } else {
      units.push({ form: SAME[found[0]] ?? found[0], word: found[0], kind: found[3] === undefined ? 'mark' : 'character', start, end });
    }
  }
  return units;
}
