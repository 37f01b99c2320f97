/** Years of Japanese and Chinese eras, and numbers in kanji. */

/** Numbers in kanji before a unit of time or after the name of an era. */
export const KANJI_NUMBER =
  /(?<=明治|大正|昭和|平成|令和|民国|民國)[〇零一二三四五六七八九十]+|[〇零一二三四五六七八九十百千]+(?=年|月|日|世紀)/g;
const KANJI_DIGITS = '〇一二三四五六七八九';
const KANJI_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** Returns the number that kanji write, in either way: 一九四二 or 千九百四十二. */
export function kanjiNumber(text: string): number {
  const digits = text.replaceAll('零', '〇');
  if (![...digits].some((sign) => sign in KANJI_UNITS))
    return Number([...digits].map((sign) => KANJI_DIGITS.indexOf(sign)).join(''));
  let total = 0;
  let digit = 0;
  for (const sign of digits) {
    const unit = KANJI_UNITS[sign];
    if (unit === undefined) digit = KANJI_DIGITS.indexOf(sign);
    else {
      total += (digit || 1) * unit;
      digit = 0;
    }
  }
  return total + digit;
}

/** First years of eras, and how many years they have. */
const ERAS: Readonly<Record<string, [first: number, years: number]>> = {
  明治: [1868, 45],
  meiji: [1868, 45],
  m: [1868, 45],
  大正: [1912, 15],
  taisho: [1912, 15],
  t: [1912, 15],
  昭和: [1926, 64],
  showa: [1926, 64],
  s: [1926, 64],
  平成: [1989, 31],
  heisei: [1989, 31],
  h: [1989, 31],
  令和: [2019, 99],
  reiwa: [2019, 99],
  r: [2019, 99],
  民国: [1912, 199],
  民國: [1912, 199],
  皇紀: [-659, 2799],
};
/** The names of eras, as the alternatives of a pattern. */
export const ERA_NAMES = '明治|大正|昭和|平成|令和|民国|民國|皇紀|meiji|taisho|showa|heisei|reiwa';

/** Returns the first year of the Gregorian calendar in which a year of an era was; undefined if the era has no such year. */
export function eraYear(era: string, number: number): number | undefined {
  const [first, years] = ERAS[era] ?? [0, 0];
  return number >= 1 && number <= years ? first + number - 1 : undefined;
}
