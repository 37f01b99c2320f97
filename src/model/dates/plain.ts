/**
 * Dates whose words say nothing that their reading does not, so that they can be written in any language. “March 1942”, “c. 1942”
 * and “1942-45” are plain; “Winter 1943-1944”, “Christmas 1942” and “3/4/1942”, which has two readings, are not.
 */
import { hasTwoReadings } from './day-order.ts';
import { withDashes } from './format.ts';
import { readDate } from './read.ts';

/**
 * A plain date. A point is `1942-03-04`, `1942-03`, `1942`, `194X` or `1942-21` (spring), and `~`, `?` or `%` after it, as in
 * EDTF. A date is a point, two points with `/` between them, `<` or `>` and a point (before it, after it), `early`, `mid` or
 * `late` and a year or decade, or `undated`.
 */
export type PlainDate = string;

const POINT = '(?:\\d{3}X|\\d{4}(?:-(?:2[1-4]|(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\\d|3[01]))?))?)[~?%]?';
const POINTS = new RegExp(`^${POINT}(?:/${POINT})?$`);

/** Whether a plain date is one point, so that it can be an end of a span. */
export const isPoint = (plain: PlainDate): boolean => POINTS.test(plain) && !plain.includes('/');

/** Returns a date for `formatShownDate`: a plain one with `=` before it, or the words as they are shown. */
export function encodeShownDate(text: string): string {
  const plain = readPlainDate(text);
  return plain === undefined ? withDashes(text) : `=${plain}`;
}

const MONTHS: readonly RegExp[] = [
  /^jan(?:uary)?$|^ene(?:ro)?$/,
  /^feb(?:ruary|rero)?$/,
  /^mar(?:ch|zo)?$/,
  /^apr(?:il)?$|^abr(?:il)?$/,
  /^mayo?$/,
  /^june?$|^junio$/,
  /^july?$|^julio$/,
  /^aug(?:ust)?$|^ago(?:sto)?$/,
  /^sept?(?:ember)?$|^se[pt]tiembre$/,
  /^oct(?:ober|ubre)?$/,
  /^nov(?:ember|iembre)?$/,
  /^dec(?:ember)?$|^dic(?:iembre)?$/,
];
const SEASONS: readonly RegExp[] = [
  /^(?:spring|primavera|春)$/,
  /^(?:summer|verano|夏)$/,
  /^(?:autumn|fall|otoño|秋)$/,
  /^(?:winter|invierno|冬)$/,
];
const CIRCA = /^(?:c|ca|circa|cca|about|abt|approx|approximately|around|hacia|頃|年頃|ごろ)$/;
const DECADE = /\d['’]?s(?!\p{L})|\d-(?:\W|$)|年代|década|años|\dx/u;
/** Small words, and days of the week, which follow from the day. */
const SMALL =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|lunes|martes|miércoles|jueves|viernes|sábado|domingo|s|st|nd|rd|th|x|the|of|to|through|thru|from|on|década|de|del|desde|hasta|al?|el|年代|年|月|日|から|まで)$/;
const BEFORE_OR_AFTER = /^(?:before|antes|after|después)$/;

/** `1908-10` may be years or a month. */
const YEARS_OR_MONTH = /^\D*\d{4}[-–](?:0[1-9]|1[0-2])\D*$/;

const PARTS: ReadonlyArray<readonly [part: string, words: RegExp]> = [
  ['early', /^(?:early|(?:a )?(?:principios|comienzos|inicios) de) (?<when>.*)$/],
  ['mid', /^(?:mid[- ]?|(?:a )?mediados de )(?<when>.*)$/],
  ['late', /^(?:late|(?:a )?(?:finales|fines) de) (?<when>.*)$/],
];

/** Returns a date as a plain one; undefined if its words say more than that, or cannot be read with certainty. */
export function readPlainDate(text: string): PlainDate | undefined {
  const words = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[ t]00:00:00(?:\.0)?$/, '');
  const reading = readDate(text);
  if (reading === 'undated') return 'undated';
  const [only, ...others] = reading?.intervals ?? [];
  if (!only || others.length > 0) return undefined;
  const part = partOfSpan(words);
  if (part !== undefined) return part;
  const { edtf, excluded } = only;
  if (excluded !== undefined) {
    const bound = edtf.replace(/^\.\.\/|\/\.\.$/, '');
    return !bound.includes('X') && saysOnly(words, bound, true) ? `${excluded === 'before' ? '<' : '>'}${bound}` : undefined;
  }
  return saysOnly(words, edtf, false) ? edtf : undefined;
}

/** “early 1942”, “mid-1940s”, “a finales de los años 1930”; not “late 1900s”, which is a century. */
function partOfSpan(text: string): PlainDate | undefined {
  for (const [part, pattern] of PARTS) {
    const when = pattern.exec(text)?.groups?.['when'] ?? '';
    const { decade } =
      /^(?:the )?(?<decade>\d\d[1-9])0s$|^(?:la década de|los años) (?<decade>\d\d[1-9])0$/.exec(when)?.groups ?? {};
    if (decade !== undefined) return `${part} ${decade}X`;
    if (/^\d{4}$/.test(when)) return `${part} ${when}`;
  }
  return undefined;
}

/** Whether a text says nothing but a date in EDTF, and says it in full. */
function saysOnly(text: string, edtf: string, isOpen: boolean): boolean {
  if (!POINTS.test(edtf)) return false;
  if (text === edtf.toLowerCase()) return true;
  const words = text.match(/年代|年頃|から|まで|ごろ|\p{Script=Han}|[\p{Script=Latin}\p{M}]+|\p{L}/gu) ?? [];
  const isCirca = words.some((word) => CIRCA.test(word)) || /[~%]/.test(text);
  return (
    !YEARS_OR_MONTH.test(text) &&
    !hasTwoReadings(text) &&
    words.every((word) => isKnown(word, edtf) || (isOpen && BEFORE_OR_AFTER.test(word))) &&
    hasOnlyNumbersOf(text, edtf) &&
    /[~%]/.test(edtf) === isCirca &&
    /[?%]/.test(edtf) === /[?%]/.test(text) &&
    edtf.includes('X') === DECADE.test(text)
  );
}

/** Whether a word is a month or season of a date, or a small one. */
function isKnown(word: string, edtf: string): boolean {
  if (SMALL.test(word) || CIRCA.test(word)) return true;
  const month = MONTHS.findIndex((pattern) => pattern.test(word)) + 1;
  const season = SEASONS.findIndex((pattern) => pattern.test(word)) + 1;
  if (month > 0) return new RegExp(`\\d{4}-${String(month).padStart(2, '0')}`).test(edtf);
  return season > 0 && new RegExp(`\\d{4}-2${season}`).test(edtf);
}

/** Whether all numbers of a text are years, months and days of a date: “1942 (1943)” has another one. */
function hasOnlyNumbersOf(text: string, edtf: string): boolean {
  const numbers = new Set<number>([Number(edtf.replaceAll('-', ''))]); // “19420304”
  for (const [, decade, year, month, day] of edtf.matchAll(/(\d{3})X|(\d{4})(?:-(\d\d))?(?:-(\d\d))?/g)) {
    if (decade !== undefined) numbers.add(Number(decade)).add(Number(decade) * 10);
    if (year !== undefined) numbers.add(Number(year)).add(Number(year) % 100);
    for (const each of [month, day]) if (each !== undefined) numbers.add(Number(each));
  }
  return (text.match(/\d+/g) ?? []).every((number) => numbers.has(Number(number)));
}
