/** Writes plain dates (plain.ts) in a language, in one style. Scripts in browsers use it too, so it reads no words. */
import type { LANGUAGE_FILES } from '../text/languages.ts';
import type { Texts } from '../text/messages.ts';

/**
 * What Intl does not know: how a language writes dates. `#` becomes a date, a year, or the first year of a decade; `##` the last
 * year, and the second one of two dates.
 */
export type DateWords = Readonly<Record<keyof Texts<(typeof LANGUAGE_FILES)['en']['dates']>, string>>;

const POINT = /^(?:(?<decade>\d{3})X|(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?)(?<mark>[~?%]?)$/;
const SEASONS = ['spring', 'summer', 'autumn', 'winter'] as const;

/** A point of a plain date. */
type Point = NonNullable<ReturnType<typeof readPoint>>;

/** Returns a plain date in a language, which is a BCP 47 tag. Other texts are returned unchanged. */
export function formatPlainDate(plain: string, language: string, words: DateWords): string {
  if (plain === 'undated') return words.undated;
  const { sign, first = '', second } = /^(?<sign>[<>]|\w+ )?(?<first>[^/]*)(?:\/(?<second>.*))?$/s.exec(plain)?.groups ?? {};
  const from = readPoint(first);
  const to = second === undefined ? undefined : readPoint(second);
  if (!from || (second !== undefined && !to)) return plain;
  if (to) return formatSpan(from, to, language, words);
  const date = formatPoint(from, language, words);
  if (sign === '<') return fill(from.day === undefined ? words.before : words.beforeDay, date);
  if (sign === '>') return fill(from.day === undefined ? words.after : words.afterDay, date);
  const part = sign?.trim() as 'early' | 'mid' | 'late' | undefined;
  if (part === undefined) return date;
  return from.decade === undefined ? fill(words[part], String(from.year)) : fill(words[`${part}Decade`], String(from.decade));
}

/** Returns a date that `encodeShownDate` (plain.ts) encoded. */
export function formatShownDate(encoded: string, language: string, words: DateWords): string {
  return encoded.startsWith('=') ? formatPlainDate(encoded.slice(1), language, words) : encoded;
}

/** Returns the archive's words for a date with en dashes in spans of years: “Winter 1943–1944”. `1942-34` is a quarter. */
export function withDashes(text: string): string {
  if (/^\d{4}-\d\d$/.test(text)) return text;
  return text.replace(/(?<![\d-])(\d{4}s?)\s*-\s*(\d{4}s?|\d\ds|1[3-9]|[2-9]\d)(?![\d-])/g, '$1–$2');
}

function readPoint(text: string) {
  const { decade, year, month, day, mark } = POINT.exec(text)?.groups ?? {};
  if (mark === undefined) return undefined;
  return {
    /** The first year of a decade. */
    decade: decade === undefined ? undefined : Number(decade) * 10,
    year: Number(year ?? `${decade}0`),
    month: month === undefined ? undefined : Number(month),
    day: day === undefined ? undefined : Number(day),
    isApproximate: mark === '~' || mark === '%',
    isUncertain: mark === '?' || mark === '%',
  };
}

function formatPoint(point: Point, language: string, words: DateWords): string {
  const { decade } = point;
  const date = formatBare(point, language, words);
  const circa = decade === undefined ? fill(words.circa, date) : fill(words.circaDecade, String(decade));
  const marked = point.isApproximate ? circa : date;
  return point.isUncertain ? fill(words.uncertain, marked) : marked;
}

/** Returns a point without its marks. */
function formatBare(point: Point, language: string, words: DateWords): string {
  const { decade, year, month } = point;
  if (decade !== undefined) return fill(words.decade, String(decade));
  if (month === undefined) return fill(words.year, String(year));
  const season = SEASONS[month - 21];
  if (season !== undefined) return fill(words[season], String(year));
  return formatOf(language, point.day !== undefined).format(timeOf(point));
}

const isBare = (point: Point) => !point.isApproximate && !point.isUncertain && point.decade === undefined;
const isInCalendar = ({ month = 0 }: Point) => month >= 1 && month <= 12;

function formatSpan(from: Point, to: Point, language: string, words: DateWords): string {
  // “c. 1942–1945” says it of both.
  if (from.isApproximate && !from.isUncertain && !to.isUncertain)
    return fill(words.circa, formatSpan({ ...from, isApproximate: false }, { ...to, isApproximate: false }, language, words));
  const areBare = isBare(from) && isBare(to);
  if (areBare && from.month === undefined && to.month === undefined) return fill(words.years, String(from.year), String(to.year));
  const [start, end] = [formatPoint(from, language, words), formatPoint(to, language, words)];
  // Japanese ranges of Intl are in numbers: “1942年12月24日～26日” leaves out what both have.
  const common = [...end.matchAll(/[年月]/g)]
    .map(({ index }) => end.slice(0, index + 1))
    .filter((part) => start.startsWith(part));
  if (common.length > 0) return fill(words.span, start, end.slice(common[common.length - 1]?.length));
  const isSamePrecision = (from.day === undefined) === (to.day === undefined);
  const format = areBare && isInCalendar(from) && isInCalendar(to) && isSamePrecision && !/[年月]/.test(end);
  const range = format ? rangeOf(formatOf(language, from.day !== undefined), from, to) : undefined;
  if (range !== undefined) return range;
  const span = /\s/.test(`${start}${end}`) ? words.span.replace('–', ' – ') : words.span;
  return fill(span, start, end);
}

/** Returns a range as Intl writes it: days of one month without spaces, dates with them. Undefined in engines of 2020. */
function rangeOf(format: Intl.DateTimeFormat, from: Point, to: Point): string | undefined {
  if (typeof format.formatRange !== 'function') return undefined;
  return format
    .formatRange(timeOf(from), timeOf(to))
    .replace(/\s*–\s*/, ' – ')
    .replace(/(^|\D)(\d{1,2}) – (\d{1,2})(?=,| de)/, '$1$2–$3')
    .replace(/^(\p{L}+) – (?=\p{L}+ (?:de )?\d{4}$)/u, '$1–');
}

const fill = (pattern: string, first: string, last = ''): string => pattern.replace('##', () => last).replace('#', () => first);

const timeOf = ({ year, month = 1, day = 1 }: Point): Date => new Date(Date.UTC(year, month - 1, day));

/** Formats are slow to create. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of dates with a month in a language, a BCP 47 tag; in the digits of the archive, since engines differ. */
export function formatOf(language: string, hasDay: boolean, month: 'long' | 'short' = 'long'): Intl.DateTimeFormat {
  const key = `${language} ${month} ${hasDay}`;
  const day = hasDay ? { day: 'numeric' as const } : {};
  const locale = [`${language}-u-nu-latn`, 'en-u-nu-latn'];
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { year: 'numeric', month, timeZone: 'UTC', ...day });
  formats.set(key, format);
  return format;
}
