/** A date as it is written, in any order of its parts, and perhaps incomplete: in “Jan.–Feb. 1943” the year is stated once. */
import { calendarDate, centuryOf, type DatePoint, decadeOf, type Part, partOfYear, seasonOf } from './calendar.ts';
import { CERTAIN, type Certainty } from './interval.ts';
import type { Token } from './rules.ts';

/** One side of a range, or one element of a list. What it lacks may be stated by its neighbor: “Jan.–Feb. 1943”. */
export interface PartialDate extends Certainty {
  year?: number;
  month?: number;
  day?: number;
  season?: number;
  decade?: number;
  /** A decade without its century: “1930s–40s”. */
  tens?: number;
  century?: number;
  part?: Part;
  /** A number of one or two digits that may be a day, a month's neighbor, the end of a year or a century. */
  number?: number;
}

/** Reads one date, complete or not. The order of its parts may be that of any country. */
export function parsePartial(tokens: Token[]): PartialDate | undefined {
  const partial: PartialDate = { ...CERTAIN };
  const order: Array<Token['is']> = [];
  for (const token of tokens) {
    if (token.is === 'approximate' || token.is === 'uncertain') {
      partial[token.is] = true;
      continue;
    }
    if (order.includes(token.is)) return undefined;
    order.push(token.is);
    if (!setPart(partial, token)) return undefined;
  }
  if (order.length === 0 || !ORDERS.has(order.join(' '))) return undefined;
  if (order.includes('number') && order.includes('month')) {
    partial.day = partial.number as number;
    delete partial.number;
  }
  if (partial.part && !/half|quarter/.test(partial.part)) partial.approximate = true;
  return partial;
}

function setPart(partial: PartialDate, token: Token): boolean {
  switch (token.is) {
    case 'year':
      partial.year = token.year;
      return true;
    case 'month':
      partial.month = token.month;
      return true;
    case 'number':
      partial.number = token.number;
      return true;
    case 'date':
      [partial.year, partial.month] = [token.year, token.month];
      if (token.day !== undefined) partial.day = token.day;
      return true;
    case 'holiday':
      [partial.month, partial.day] = [token.month, token.day];
      return true;
    case 'season':
      partial.season = token.season;
      return true;
    case 'decade':
      partial.decade = token.year;
      return true;
    case 'short decade':
      partial.tens = token.tens;
      return true;
    case 'century':
      partial.century = token.year;
      return true;
    case 'part':
      partial.part = token.part;
      return true;
    default:
      return false;
  }
}

/** The orders in which the parts of a date occur. */
const ORDERS: ReadonlySet<string> = new Set([
  ...['year', 'date', 'decade', 'century', 'short decade', 'season', 'month', 'number', 'holiday', 'part'],
  ...['month year', 'year month', 'month number year', 'number month year', 'year month number', 'year number month'],
  ...['month number', 'number month', 'number year', 'season year', 'year season', 'holiday year', 'year holiday'],
  ...['part year', 'year part', 'part decade', 'decade part', 'part century', 'century part', 'part number', 'part short decade'],
  ...['part month year', 'part month', 'year month part', 'part season year', 'part year month'],
]);

/** Returns the date of a completed partial; undefined if it lacks a year, has a number without a meaning, or is not in the calendar. */
export function toPoint({ year, month, day, season, decade, century, part, number, tens }: PartialDate): DatePoint | undefined {
  if (number !== undefined || tens !== undefined) return undefined;
  if (decade !== undefined) return decadeOf(decade, part);
  if (century !== undefined) return centuryOf(century, part);
  if (year === undefined) return undefined;
  if (season !== undefined) return seasonOf(year, season);
  if (part !== undefined && month === undefined) return partOfYear(year, part);
  return calendarDate(year, month, day);
}

/** Completes the dates of a list or range from each other, in place: “March 3 and 5, 1942”, “1942 March, May”. */
export function completeDates(dates: PartialDate[]): void {
  for (let i = 0; i + 1 < dates.length; i++) completeForward(dates[i] as PartialDate, dates[i + 1] as PartialDate);
  for (let i = dates.length - 1; i > 0; i--) completeBackward(dates[i - 1] as PartialDate, dates[i] as PartialDate);
}

const hasNoYear = ({ year, decade, century, tens }: PartialDate) =>
  year === undefined && decade === undefined && century === undefined && tens === undefined;

/** Completes the later of two neighbors: “1942 March 4–10”, “1942–45”, “1930s–40s”. */
function completeForward(earlier: PartialDate, later: PartialDate): void {
  if (later.tens !== undefined) {
    const base = earlier.decade ?? earlier.year;
    if (base !== undefined) later.decade = Math.floor(base / 100) * 100 + later.tens;
    delete later.tens;
  }
  if (later.number !== undefined && earlier.day !== undefined && later.month === undefined) {
    later.day = later.number;
    delete later.number;
    if (earlier.month !== undefined) later.month = earlier.month;
  } else if (later.number !== undefined && earlier.year !== undefined && later.year === undefined) {
    const year = Math.floor(earlier.year / 100) * 100 + later.number;
    if (year > earlier.year) {
      later.year = year;
      delete later.number;
    }
  }
  if (hasNoYear(later) && earlier.year !== undefined && (later.month !== undefined || later.season !== undefined))
    later.year = earlier.year;
}

/** Completes the earlier of two neighbors: “Jan.–Feb. 1943”, “December 24–26, 1942”, “18th–19th century”, “mid- to late 1940s”. */
function completeBackward(earlier: PartialDate, later: PartialDate): void {
  if (!hasNoYear(earlier)) return;
  if (earlier.number !== undefined) {
    if (later.century !== undefined) {
      earlier.century = (earlier.number - 1) * 100;
      delete earlier.number;
    } else if (later.month !== undefined && later.day !== undefined) {
      [earlier.day, earlier.month] = [earlier.number, later.month];
      delete earlier.number;
    }
  }
  const isBare = earlier.part !== undefined && earlier.month === undefined && earlier.season === undefined;
  if (isBare && later.decade !== undefined) earlier.decade = later.decade;
  else if (isBare && later.century !== undefined && earlier.century === undefined) earlier.century = later.century;
  if (later.year !== undefined && (earlier.month !== undefined || earlier.season !== undefined || isBare))
    earlier.year = later.year;
}
