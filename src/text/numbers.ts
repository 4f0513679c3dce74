const DIGITS: Readonly<Record<string, number>> = {
  零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 俩: 2, 三: 3, 仨: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9,
};
const ENGLISH: Readonly<Record<string, number>> = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12,
  thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17, eighteen: 18, nineteen: 19, twenty: 20, thirty: 30,
  forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90, hundred: 100, couple: 2, few: 3, several: 5, half: 0.5,
};

/** A regular expression source for a number in figures, Chinese or English words. */
export const NUMBER_SOURCE =
  '(?:\\d+(?:[.,]\\d+)?|[零〇一二两俩三仨四五六七八九十百]+|半|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ](?:one|two|three|four|five|six|seven|eight|nine)|(?:' +
  Object.keys(ENGLISH).sort((a, b) => b.length - a.length).join('|') +
  ')\\b)';

/**
 * Reads a number written in figures (`38.5`, `38,5`), Chinese (`三十八`, `两`, `半`) or English words (`twenty-one`).
 * A run of Chinese digits without a place word such as 两三 is a range and reads as its mean.
 * @returns `NaN` where it is none of these.
 */
export function readNumber(text: string): number {
  if (/^\d/.test(text)) return Number(text.replace(',', '.'));
  if (text === '半') return 0.5;
  if (/^[a-z]/.test(text)) {
    const parts = text.split(/[- ]/).map((part) => ENGLISH[part]);
    return parts.every((part) => part !== undefined) ? parts.reduce((sum, part) => sum + (part ?? 0), 0) : Number.NaN;
  }
  return readChinese(text);
}

function readChinese(text: string): number {
  if (!/[十百]/.test(text)) {
    const digits = [...text].map((character) => DIGITS[character] ?? Number.NaN);
    if (digits.length === 2 && digits[1] === (digits[0] ?? 0) + 1) return ((digits[0] ?? 0) + (digits[1] ?? 0)) / 2;
    return digits.length === 0 ? Number.NaN : digits.reduce((sum, digit) => sum * 10 + digit, 0);
  }
  let total = 0;
  let digit = -1;
  for (const character of text) {
    if (character === '百' || character === '十') {
      total += (digit < 0 ? 1 : digit) * (character === '百' ? 100 : 10);
      digit = -1;
    } else {
      digit = DIGITS[character] ?? Number.NaN;
    }
  }
  return total + Math.max(0, digit);
}
