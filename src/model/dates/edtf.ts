/** Reads dates that are written in EDTF (ISO 8601-2:2019), with the library `edtf`. */
import { type EdtfNode, parse } from 'edtf';
import { attempt } from '../../platform/expected-errors.ts';
import { calendarDate, centuryOf, type DatePoint, decadeOf, monthSpan, seasonOf } from './calendar.ts';
import { CERTAIN, type Certainty, type DateInterval, intervalBetween, intervalOf } from './interval.ts';

/** Signs that occur in EDTF. Texts with other ones are not given to the parser, which takes long to reject them. */
const EDTF_SIGNS = /^(?=.*(?:\d{4}|\d{3}X|\d\dXX))[\dX?~%.,/{}[\]:TZ+-]{4,60}$/;
/**
 * Left to the grammar: plain dates, which it reads faster; years in brackets, which the cataloguer supplied; and two years with a
 * hyphen, which are a range.
 */
const NOT_ONLY_EDTF = /^\d{4}(?:-\d\d-\d\d)?$|^\[[\dX?~%-]*\]$|^\d{4}-\d{4}$/;

/** Of a date with a time; the date is all that is read. */
const TIME_OF_DAY = /(?<=^\d{4}-\d\d-\d\d)T\d\d:\d\d.*$/;

/** Returns a text's intervals in EDTF; undefined if it is not EDTF, or of a form that no archive's date has. Never throws. */
export function readEdtf(text: string): DateInterval[] | undefined {
  const date = text.replace(TIME_OF_DAY, '');
  if (!EDTF_SIGNS.test(date) || NOT_ONLY_EDTF.test(date) || mayBeRange(date)) return undefined;
  const node = parseText(date);
  if (!node) return undefined;
  if (node.type === 'List' || node.type === 'Set') return listOf(node, date);
  const interval = node.type === 'Interval' ? intervalFrom(node.values) : singleOf(node);
  return interval && [{ ...interval, edtf: date }];
}

/** Whether a text of four digits, hyphen and two digits means a month or a range's end, not a season of EDTF level 2. */
function mayBeRange(text: string): boolean {
  const [, year = '', digits = ''] = /^\d\d(\d\d)-(\d\d)$/.exec(text) ?? [];
  return digits !== '' && (digits > year || digits < '25');
}

/** Undefined for what is not EDTF. */
const parseText = (text: string): EdtfNode | undefined => attempt(() => parse(text));

function singleOf(node: unknown): DateInterval | undefined {
  const point = pointOf(node);
  return point && intervalOf(...point);
}

function intervalFrom([from, to]: unknown[]): DateInterval | undefined {
  const [start, end] = [pointOf(from), pointOf(to)];
  if ((isNode(from) && !start) || (isNode(to) && !end)) return undefined;
  if (!start && !end) return undefined;
  return intervalBetween(start ?? [undefined, CERTAIN], end ?? [undefined, CERTAIN]);
}

/** `{…}`: all of the dates. `[…]`: one of them, so that they are one interval. */
function listOf({ type, values, earlier, later }: EdtfNode, text: string): DateInterval[] | undefined {
  const intervals = values.map((value) => (Array.isArray(value) ? intervalFrom(value) : singleOf(value)));
  if (intervals.length === 0 || intervals.some((interval) => interval === undefined)) return undefined;
  const found = intervals as DateInterval[];
  if (type === 'List' && !earlier && !later) return found;
  const [first, last] = [found[0] as DateInterval, found.at(-1) as DateInterval];
  return [
    {
      start: earlier ? undefined : first.start,
      end: later ? undefined : last.end,
      approximate: found.some(({ approximate }) => approximate),
      uncertain: true,
      edtf: text,
    },
  ];
}

/** An open end is infinite in the parser's output, an unknown one null. */
const isNode = (value: unknown): value is EdtfNode => typeof value === 'object' && value !== null;

function pointOf(value: unknown): [DatePoint, Certainty] | undefined {
  if (!isNode(value)) return undefined;
  const { type, values, approximate, uncertain, unspecified = 0 } = value;
  const certainty = { approximate: Boolean(approximate), uncertain: Boolean(uncertain) };
  const [year, second, third] = values as [number, number?, number?];
  const point =
    type === 'Season'
      ? seasonPoint(year, second ?? 0)
      : type === 'Date'
        ? datePoint(year, second, third, unspecified)
        : undefined;
  return point && [point, certainty];
}

/** The digits of a year in the mask of unspecified digits. */
const YEAR_DIGITS = 15;
const LAST_DIGIT = 8;
const LAST_TWO_DIGITS = 12;
const MONTH_DIGITS = 48;
const DAY_DIGITS = 192;

function datePoint(year: number, month: number | undefined, day: number | undefined, unspecified: number): DatePoint | undefined {
  const inYear = unspecified & YEAR_DIGITS;
  if (inYear === LAST_DIGIT) return decadeOf(year);
  if (inYear === LAST_TWO_DIGITS) return centuryOf(year);
  if (inYear !== 0) return undefined;
  if (month === undefined || unspecified & MONTH_DIGITS) return calendarDate(year);
  return calendarDate(year, month + 1, unspecified & DAY_DIGITS ? undefined : day);
}

/** EDTF level 2: southern seasons (29 to 32), quarters (33 to 36), thirds (37 to 39) and halves (40, 41) of a year. */
function seasonPoint(year: number, season: number): DatePoint | undefined {
  if (season <= 24) return seasonOf(year, season);
  if (season <= 28) return seasonOf(year, season - 4);
  const lengths = season <= 32 ? undefined : season <= 36 ? [3, season - 33] : season <= 39 ? [4, season - 37] : [6, season - 40];
  if (!lengths) return calendarDate(year);
  const [months, index] = lengths as [number, number];
  return monthSpan(year, months * index + 1, months * (index + 1), `${year}-${season}`);
}
