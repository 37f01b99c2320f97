/** Dates in citations: in numbers, which a style writes its own way, or in the archive's own words. */
import { hasTwoReadings } from '../../model/dates/day-order.ts';
import type { DateInterval } from '../../model/dates/interval.ts';
import type { DateReading } from '../../model/dates/read.ts';

/** The date of an item. Without `parts`, `words` are cited. */
export interface CitedDate {
  /** The archive's words; empty if there are none. */
  words: string;
  /** Year, month, day of the first and last date, of the same precision; one element if both are the same. */
  parts: number[][] | undefined;
  /** Whether the words only say that the date is not known, or are missing. */
  isUndated: boolean;
  /** Whether the date in `parts` is approximate. */
  circa: boolean;
  /** The whole reading in EDTF; undefined if there is none, or if it is a set. */
  edtf: string | undefined;
  /** The year, if the date lies within one; or the first year of a range, if the words state its years. */
  year: number | undefined;
}

/** A date or range in EDTF that a citation style can write in numbers. */
const PLAIN_EDTF = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?~?(?:\/\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?~?)?$/;
/** What says “circa”. Other words, such as “early”, are cited. */
const CIRCA = /^\W*(?:c|ca|circa|cca|about|abt|approx|approximately|around|hacia)(?!\p{L})|~|[頃约約]/iu;
/** A plain date's words: months, weekdays, eras, “circa”. With others, such as “Winter”, the archive's words are cited. */
const PLAIN_WORDS =
  /^(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|ene(?:ro)?|febrero|marzo|abr(?:il)?|mayo|junio|julio|ago(?:sto)?|se[pt]tiembre|octubre|noviembre|dic(?:iembre)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|lunes|martes|miércoles|jueves|viernes|sábado|domingo|st|nd|rd|th|t|z|to|through|thru|from|until|a|al|y|hasta|desde|de|del|of|the|on|c|ca|circa|cca|about|abt|approx|approximately|around|hacia|sh[oō]wa|taish[oō]|meiji|heisei|reiwa|明治|大正|昭和|平成|令和|元|年|月|日|頃|ごろ|约|約|年頃|から|まで|曜日)(?![a-z\u00c0-\u024f])|[^\p{L}])*$/iu;
/** A year in numbers, or the first year of an era: an era alone is cited as it is. */
const NUMBER = /[\d元]/;
/** A longer expression is a list. */
const MAX_EDTF_LENGTH = 40;

/**
 * Returns the date of a citation, from the reading of its words. Only a day, month or year, or a range of two of the same
 * precision, is given in numbers; of anything else, the archive's words are cited.
 */
export function readCitedDate(reading: DateReading | undefined, words: string): CitedDate {
  const [only, ...others] = reading?.intervals ?? [];
  if (!only || others.length > 0)
    return { words, parts: undefined, isUndated: false, circa: false, edtf: undefined, year: commonYear(reading) };
  const { start, end, approximate, uncertain, edtf } = only;
  const parts = [...new Set([start, end])].map((bound) => (bound ?? '').split('-').map(Number));
  // Of 2/11/1947, only the year is certain.
  const isYearOnly = hasTwoReadings(words);
  const isPlain =
    !uncertain &&
    !isYearOnly &&
    NUMBER.test(words) &&
    PLAIN_WORDS.test(words) &&
    PLAIN_EDTF.test(edtf) &&
    new Set(parts.map(({ length }) => length)).size === 1 &&
    (!approximate || CIRCA.test(words));
  return {
    words,
    parts: isPlain ? parts : undefined,
    isUndated: false,
    circa: isPlain && approximate,
    edtf: isYearOnly ? start?.slice(0, 4) : edtf.length <= MAX_EDTF_LENGTH ? edtf : undefined,
    year: isPlain ? parts[0]?.[0] : statedYear(only, words),
  };
}

function commonYear(reading: DateReading | undefined): number | undefined {
  const years = new Set(reading?.intervals.flatMap(({ start, end }) => [start?.slice(0, 4), end?.slice(0, 4)]));
  const [year] = years;
  return years.size === 1 && year !== undefined ? Number(year) : undefined;
}

/** Returns the year of a date that is not plain. “1940s” and “between 1942 and 1945” state none in which it surely began. */
function statedYear({ start, end, excluded, uncertain }: DateInterval, words: string): number | undefined {
  if (start === undefined || excluded !== undefined) return undefined;
  const [first, last] = [start.slice(0, 4), end?.slice(0, 4)];
  if (first === last) return Number(first);
  const isStated = yearPattern(first).test(words) && (last === undefined || yearPattern(last).test(words));
  return isStated && !uncertain ? Number(first) : undefined;
}

/** A year with all of its numbers, or its last two as in “1942–45”; never a decade. */
function yearPattern(year: string): RegExp {
  return new RegExp(`(?<!\\d)(?:${year.slice(0, 2)})?${year.slice(2)}(?!\\d|['’]?\\p{Ll}|年?代)`, 'u');
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const SHORT_MONTHS = 'Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.'.split(' ');

/** How a style writes dates. */
export interface DateStyle {
  months: 'long' | 'short';
  /** `month day, year`; `day month year`; `year, month day`. */
  order: 'mdy' | 'dmy' | 'ymd';
  circa: string;
}

/** Returns a date or range in a style, with shared parts once; the archive's words if it is not plain; empty without a date. */
export function formatDate({ parts, words, circa }: CitedDate, style: DateStyle): string {
  const [start, end] = parts ?? [];
  if (!start) return words;
  return `${circa ? `${style.circa} ` : ''}${end ? formatRange(start, end, style) : formatDay(start, style)}`;
}

/** Returns a year, month or day in a style. */
export function formatDay([year, month, day]: number[], { months, order }: DateStyle): string {
  const name = month === undefined ? '' : ((months === 'long' ? MONTHS : SHORT_MONTHS)[month - 1] ?? '');
  if (month === undefined) return String(year);
  if (order === 'ymd') return `${year}, ${name}${day === undefined ? '' : ` ${day}`}`;
  if (day === undefined) return `${name} ${year}`;
  return order === 'mdy' ? `${name} ${day}, ${year}` : `${day} ${name} ${year}`;
}

function formatRange(start: number[], end: number[], style: DateStyle): string {
  const [year, month, day] = start;
  const isSameYear = year === end[0] && month !== undefined;
  const isSameMonth = isSameYear && month === end[1] && day !== undefined;
  const { months, order } = style;
  const name = (number: number | undefined) => (months === 'long' ? MONTHS : SHORT_MONTHS)[(number ?? 1) - 1] ?? '';
  const monthDay = ([, m, d]: number[]) => (d === undefined ? name(m) : order === 'dmy' ? `${d} ${name(m)}` : `${name(m)} ${d}`);
  if (isSameMonth) {
    const days = `${day}–${end[2]}`;
    if (order === 'dmy') return `${days} ${name(month)} ${year}`;
    return order === 'ymd' ? `${year}, ${name(month)} ${days}` : `${name(month)} ${days}, ${year}`;
  }
  if (isSameYear) {
    const span = `${monthDay(start)}–${monthDay(end)}`;
    if (order === 'ymd') return `${year}, ${span}`;
    return day !== undefined && order === 'mdy' ? `${span}, ${year}` : `${span} ${year}`;
  }
  return `${formatDay(start, style)}–${formatDay(end, style)}`;
}
