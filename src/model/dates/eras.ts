/** Years of Japanese and Chinese eras, and numbers in kanji. */
import { type Part, partYears } from './calendar.ts';
import eras from './eras.json' with { type: 'json' };

/** Numbers in kanji before a unit of time or after the name of an era. */
export const KANJI_NUMBER =
  /(?<=明治|大正|昭和|平成|令和|慶応|文久|民国|民國|光緒)[〇零一二三四五六七八九十廿卅壱弐参拾]+|[〇零一二三四五六七八九十廿卅壱弐参拾百千]+(?=年|月|日|世紀|、\d年)/g;
/** Numbers in kanji of a date without units: 昭和一六・一二・八, 一九四一・一二. A single number after 昭 and the like may be that of a name. */
export const KANJI_DATE =
  /(?:(?<=明治|大正|昭和|平成|令和|[明大昭平令])[〇零一二三四五六七八九十拾]{1,3}|(?<![〇零一二三四五六七八九十拾])[一二][〇零一二三四五六七八九]{3})(?:[・.][〇零一二三四五六七八九十拾]{1,3}){1,2}(?![\p{Script=Han}\d])/gu;
/** One number of those. */
export const KANJI_NUMBER_IN_DATE = /[〇零一二三四五六七八九十拾]+/g;
const KANJI_DIGITS = '〇一二三四五六七八九';
const KANJI_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** Forms of digits that cannot be altered, as in registers. */
const FORMAL_DIGITS: Readonly<Record<string, string>> = { 壱: '一', 弐: '二', 参: '三', 拾: '十' };

/** Returns the number that kanji write, in either way: 一九四二 or 千九百四十二. */
export function kanjiNumber(text: string): number {
  const digits = text
    .replaceAll('零', '〇')
    .replaceAll('廿', '二十')
    .replaceAll('卅', '三十')
    .replace(/[壱弐参拾]/g, (sign) => FORMAL_DIGITS[sign] ?? sign);
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

/**
 * The eras from 1751 on, and the longer periods by whose name things are dated: all ways of writing the name, folded as
 * `normalize` does; abbreviations, which need a whole date or 年 after them; the first and the last year.
 */
const ERAS: ReadonlyArray<(typeof eras)[number]> = eras;

/** The names of eras, as the alternatives of a pattern. */
export const ERA_NAMES = ERAS.flatMap(({ names }) => names).join('|');
/** The names that always mean the era. The others are also words and names: 文化 is “culture”. */
export const BARE_ERA_NAMES = '江戸|幕末|明治|大正|昭和|平成|令和|edo|bakumatsu|meiji|taisho|showa|heisei|reiwa';
/** Their abbreviations, as a class of a pattern. */
export const ERA_LETTERS = `[${ERAS.flatMap(({ letters = [] }) => letters).join('')}]`;

const findEra = (name: string) => ERAS.find(({ names, letters }) => names.includes(name) || letters?.includes(name));

/** Returns the first Gregorian year of a year of an era; undefined if the era lacks it. `name` may be an abbreviation. */
export function eraYear(name: string, number: number): number | undefined {
  const era = findEra(name);
  const year = era && era.first + number - 1;
  return era && year !== undefined && number >= 1 && year <= era.last ? year : undefined;
}

/** Years that “the beginning” and “the end” of an era mean, at most; of a short era, a third. */
const EDGE_YEARS = 10;

/** Returns the years of a whole era, or of a part of it; undefined without an era of that name. */
export function eraSpan(name: string, part?: Part): [first: number, last: number] | undefined {
  const era = findEra(name);
  if (!era) return undefined;
  const { first, last } = era;
  const half = Math.floor((last - first) / 2);
  const edge = Math.min(EDGE_YEARS, Math.ceil((last - first + 1) / 3));
  if (part === undefined) return [first, last];
  if (part === 'first third' || part === 'last third') return partYears(first, last - first + 1, part);
  const spans: Partial<Record<Part, [number, number]>> = {
    early: [first, first + edge - 1],
    late: [last - edge + 1, last],
    'first half': [first, first + half],
    'second half': [last - half, last],
  };
  return spans[part] ?? [first + Math.floor(half / 2), last - Math.floor(half / 2)];
}
