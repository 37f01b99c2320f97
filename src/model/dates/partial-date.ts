/** A date as it is written, in any order of its parts, and perhaps incomplete: in “Jan.–Feb. 1943” the year is stated once. */
import { calendarDate, centuryOf, type DatePoint, decadeOf, type Part, partOfYear, seasonOf, yearSpan } from './calendar.ts';
import { eraSpan } from './eras.ts';
import { CERTAIN, type Certainty } from './interval.ts';
import orders from './orders.json' with { type: 'json' };
import type { Token } from './rules.ts';

/** One side of a range, or one element of a list. What it lacks may be stated by its neighbor: “Jan.–Feb. 1943”. */
export interface PartialDate extends Certainty {
  year?: number;
  /** Of a year of an era, what is added to its number. */
  eraStart?: number;
  /** A year without its century or era: 昭和17年～20年. */
  shortYear?: number;
  month?: number;
  day?: number;
  season?: number;
  decade?: number;
  /** A decade without its century: “1930s–40s”. */
  tens?: number;
  century?: number;
  /** The name of a whole era. */
  era?: string;
  /** The years by which the year may be wrong. */
  margin?: number;
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
    if (token.is === 'year' && token.year === partial.year) continue; // 昭和17年(1942年)
    const role = token.is === 'short year' ? 'year' : token.is;
    if (order.includes(role)) return undefined;
    order.push(role);
    const { is: _, ...parts } = token;
    Object.assign(partial, parts);
  }
  if (order.length === 0 || !ORDERS.has(order.join(' '))) return undefined;
  if (order.includes('number') && order.includes('month')) {
    partial.day = partial.number as number;
    delete partial.number;
  }
  if (partial.tens !== undefined && partial.century !== undefined) partial.decade = partial.century + partial.tens;
  if (partial.decade !== undefined) delete partial.tens;
  if (partial.part && (partial.era || !/half|quarter|third/.test(partial.part))) partial.approximate = true;
  if (partial.margin !== undefined) partial.approximate = true;
  return partial;
}

/** The orders in which the parts of a date occur. */
const ORDERS: ReadonlySet<string> = new Set(orders);

/** Returns the date of a completed partial; undefined if it lacks a year, has a meaningless number, or does not exist. */
export function toPoint(partial: PartialDate): DatePoint | undefined {
  const { year, month, day, season, decade, century, era, margin, part } = partial;
  if (partial.number !== undefined || partial.tens !== undefined || partial.shortYear !== undefined) return undefined;
  if (decade !== undefined) return decadeOf(decade, part);
  if (century !== undefined) return centuryOf(century, part);
  const span = era === undefined ? undefined : eraSpan(era, part);
  if (span) return yearSpan(...span, part !== undefined);
  if (year === undefined) return undefined;
  if (margin !== undefined) return yearSpan(year - margin, year + margin, true);
  if (season !== undefined) return seasonOf(year, season);
  if (part !== undefined && month === undefined) return partOfYear(year, part);
  return calendarDate(year, month, day);
}
