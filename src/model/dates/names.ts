/** The names of months and seasons in the languages of the interface, and of days and centuries in English and Spanish. */
import { editDistance } from '../text/edit-distance.ts';
import { MONTHS as MONTH_NAMES, OLD_MONTHS, SEASONS as SEASON_NAMES } from '../text/languages.ts';
import type { Token } from './rules.ts';

/** The months by their names and abbreviations, the longest first. */
export const MONTHS: ReadonlyArray<readonly [month: number, names: string]> = MONTH_NAMES.map((names, i) => {
  const all = new Set(`${names} ${OLD_MONTHS[i]}`.split(' '));
  return [i + 1, [...all].sort((a, b) => b.length - a.length).join('|')];
});
/** All names, as the alternatives of a pattern. */
export const MONTH = MONTHS.map(([, names]) => names).join('|');
/** Returns the digits of a month. */
export const monthNumber = (name = ''): string => String(MONTHS.find(([, names]) => names.split('|').includes(name))?.[0]);

/** The seasons by EDTF's numbers. */
export const SEASONS: ReadonlyArray<readonly [season: number, names: string]> = SEASON_NAMES.map((names, i) => [
  21 + i,
  names.replaceAll(' ', '|'),
]);

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first'.split(
    ' ',
  );
/** The ordinals of centuries, the longest first. */
export const CENTURY_ORDINALS = [...ORDINALS].reverse().join('|');
/** Returns the first year of a century, given its ordinal. */
export const ordinalCentury = (ordinal = ''): Token[] => [{ is: 'century', century: ORDINALS.indexOf(ordinal) * 100 }];

const ROMAN: Readonly<Record<string, number>> = { xv: 15, xvi: 16, xvii: 17, xviii: 18, xix: 19, xx: 20, xxi: 21 };
/** The Roman numerals of centuries, the longest first. */
export const ROMAN_NUMBER = Object.keys(ROMAN).reverse().join('|');
/** Returns a century, given its Roman numeral. */
export const romanCentury = (numeral = ''): Token[] => [{ is: 'century', century: ((ROMAN[numeral] ?? 0) - 1) * 100 }];

/** The names of decades. */
export const TENS = 'twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties';
/** Returns a decade of the 20th century, given its name. */
export const namedDecade = (name = ''): Token[] => [{ is: 'decade', decade: 1920 + 10 * TENS.split('|').indexOf(name) }];

const NTH_ES = 'primera segunda tercera cuarta quinta sexta septima octava novena decima'.split(' ');
/** The numbers and ordinals from 1 to 10. */
export const NTH = ['10|\\d', ...ORDINALS.slice(0, 10), ...NTH_ES].join('|');
/** Returns a decade of a century that follows: “segunda década del siglo XX”. */
export function nthDecade(name = ''): Token[] {
  const index = Math.max(ORDINALS.indexOf(name), NTH_ES.indexOf(name), Number(name) - 1 || 0);
  return [{ is: 'short decade', tens: index * 10 }];
}

const DAYS_EN = [
  ...ORDINALS.slice(0, 20),
  ...ORDINALS.slice(0, 9).map((ordinal) => `twenty-${ordinal}`),
  'thirtieth',
  'thirty-first',
];
const DAYS_ES = [
  ...'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve'.split(
    ' ',
  ),
  ...'veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve'.split(' '),
  'treinta',
  'treinta y uno',
];
/** The days of a month in words, the longest first. */
export const DAY_WORDS = [...DAYS_EN, ...DAYS_ES, 'primero'].sort((a, b) => b.length - a.length).join('|');
/** Returns the day that a word names. */
export function dayOf(name = ''): Token[] {
  const index = DAYS_EN.indexOf(name) < 0 ? DAYS_ES.indexOf(name) : DAYS_EN.indexOf(name);
  return [{ is: 'number', number: name === 'primero' ? 1 : index + 1 }];
}

/** The numbers of centuries in Spanish: “siglo diecinueve”. */
export const CENTURY_WORDS_ES = 'dieciseis|diecisiete|dieciocho|diecinueve|veintiuno|veinte';
/** Returns the century that a Spanish number names. */
export const spanishCentury = (name = ''): Token[] => [{ is: 'century', century: DAYS_ES.indexOf(name) * 100 }];

const ROMAN_MONTHS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];

/** Returns the digits of a month, given its Roman numeral; undefined if it is none. */
export function romanMonth(numeral = ''): string | undefined {
  const position = ROMAN_MONTHS.indexOf(numeral);
  return position < 0 ? undefined : String(position + 1);
}

const LONG_MONTHS = MONTH_NAMES.flatMap((names, i) =>
  names
    .split(' ')
    .filter((name) => name.length >= 5)
    .map((name) => ({ month: i + 1, name })),
);

/** “Feburary”: a month with one mistake. Shorter names have none, because other words are as near. */
export function misspelledMonth(word = ''): Token[] | undefined {
  const near = LONG_MONTHS.filter(({ name }) => editDistance(word, name, 1) === 1);
  const [month, ...others] = new Set(near.map((found) => found.month));
  return month === undefined || others.length > 0 ? undefined : [{ is: 'month', month }];
}
