/** Years of Japanese and Chinese eras, and numbers in kanji. */
import { type Part, partYears } from './calendar.ts';

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

interface Era {
  /** All ways of writing the name, folded as `normalize` does. */
  names: string[];
  /** Abbreviations, which need a whole date or 年 after them. */
  letters?: string[];
  /** The first and last year. */
  first: number;
  last: number;
}

/** The eras from 1751 on, and the longer periods by whose name things are dated. */
const ERAS: readonly Era[] = [
  { names: ['江戸', 'edo'], first: 1603, last: 1868 },
  { names: ['幕末', 'bakumatsu'], first: 1853, last: 1868 },
  { names: ['宝暦'], first: 1751, last: 1764 },
  { names: ['明和'], first: 1764, last: 1772 },
  { names: ['安永'], first: 1772, last: 1781 },
  { names: ['天明'], first: 1781, last: 1789 },
  { names: ['寛政'], first: 1789, last: 1801 },
  { names: ['享和'], first: 1801, last: 1804 },
  { names: ['文化'], first: 1804, last: 1818 },
  { names: ['文政'], first: 1818, last: 1830 },
  { names: ['天保', 'tenpo'], first: 1830, last: 1844 },
  { names: ['弘化', 'koka'], first: 1844, last: 1848 },
  { names: ['嘉永', 'kaei'], first: 1848, last: 1854 },
  { names: ['安政', 'ansei'], first: 1854, last: 1860 },
  { names: ['万延', 'manen'], first: 1860, last: 1861 },
  { names: ['文久', 'bunkyu'], first: 1861, last: 1864 },
  { names: ['元治', 'genji'], first: 1864, last: 1865 },
  { names: ['慶応', '慶應', 'keio'], first: 1865, last: 1868 },
  { names: ['明治', 'meiji'], letters: ['明', 'm'], first: 1868, last: 1912 },
  { names: ['大正', 'taisho'], letters: ['大', 't'], first: 1912, last: 1926 },
  { names: ['昭和', 'showa'], letters: ['昭', 's'], first: 1926, last: 1989 },
  { names: ['平成', 'heisei'], letters: ['平', 'h'], first: 1989, last: 2019 },
  { names: ['令和', 'reiwa'], letters: ['令', 'r'], first: 2019, last: 2117 },
  { names: ['道光'], first: 1821, last: 1850 },
  { names: ['咸豊', '咸豐'], first: 1851, last: 1861 },
  { names: ['同治'], first: 1862, last: 1874 },
  { names: ['光緒', '光绪'], first: 1875, last: 1908 },
  { names: ['宣統', '宣统'], first: 1909, last: 1911 },
  { names: ['民国', '民國'], first: 1912, last: 2111 },
  { names: ['皇紀'], first: -659, last: 2140 },
];

/** The names of eras, as the alternatives of a pattern. */
export const ERA_NAMES = ERAS.flatMap(({ names }) => names).join('|');
/** The names that always mean the era. The others are also words and names: 文化 is “culture”. */
export const BARE_ERA_NAMES = '江戸|幕末|明治|大正|昭和|平成|令和|edo|bakumatsu|meiji|taisho|showa|heisei|reiwa';
/** Their abbreviations, as a class of a pattern. */
export const ERA_LETTERS = `[${ERAS.flatMap(({ letters = [] }) => letters).join('')}]`;

function findEra(name: string): Era | undefined {
  return ERAS.find(({ names, letters }) => names.includes(name) || letters?.includes(name));
}

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
