/** Reads the dates that cataloguers write. Everything that shows, sorts, finds or cites a date uses this one reading, beside the record's own words. */
import { readEdtf } from './edtf.ts';
import {
  CERTAIN,
  type Certainty,
  calendarDate,
  centuryOf,
  type DateInterval,
  type DatePoint,
  decadeOf,
  intervalBetween,
  intervalOf,
  type Part,
  seasonOf,
  startOf,
  WINTER,
} from './interval.ts';
import { normalize, type Token, tokenize } from './tokens.ts';

/** What the text of a date says. */
export interface DateReading {
  /** At least one; several if the text lists dates, such as “1942 and 1945”. In chronological order. */
  intervals: DateInterval[];
  /** The whole reading in EDTF, such as `1942-03~` or `{1942,1945}`. */
  edtf: string;
}

/** Returns what a text says about a date; `'undated'` if it says that there is none; undefined if it cannot be read. Never throws. */
export function readDate(text: string | undefined): DateReading | 'undated' | undefined {
  const normal = text === undefined ? undefined : normalize(text);
  if (text === undefined || !normal) return undefined;
  const edtf = readEdtf(text.trim());
  if (edtf) return toReading(edtf);
  for (const candidate of candidates(normal)) {
    const tokens = tokenize(candidate);
    const found = tokens && parseList(tokens);
    if (found === 'undated') return found;
    if (found && found.length > 0) return toReading(found);
  }
  const year = onlyYear(normal);
  return year && toReading([intervalOf(year, { approximate: true, uncertain: false })]);
}

/** The text without what is not its date: the dates of copies, and notes in parentheses. */
function candidates(text: string): string[] {
  const parts = text.split(/;|,(?=[^,]*\()/);
  const originals = parts.filter((part) => /\boriginals?\b/.test(part));
  if (originals.length > 0 && originals.length < parts.length) return [originals.join(';')];
  const withoutNotes = text.replace(/\([^()]*\)/g, ' ').trim();
  return withoutNotes !== '' && withoutNotes !== text ? [text, withoutNotes] : [text];
}

/** Returns the year of a text that states a single one, if nothing around it suggests that it is another number. */
function onlyYear(text: string): DatePoint | undefined {
  if (/\b(?:box|folder|no|number|item|vol|page|pp?|lot|acc|photo|img|file|id)\b\.? *#?\d|#/.test(text)) return undefined;
  const numbers = [...text.matchAll(/[\p{L}\p{N}./-]*\d[\p{L}\p{N}./-]*/gu)].map(([found]) => found.replace(/[.]+$/, ''));
  const years = numbers.filter((found) => /^(?:1[4-9]\d\d|20\d\d)年?$/.test(found));
  const others = numbers.filter((found) => /\d{3}/.test(found) && !years.includes(found));
  return years.length === 1 && others.length === 0 ? calendarDate(Number(years[0]?.slice(0, 4))) : undefined;
}

function toReading(intervals: DateInterval[]): DateReading {
  const sorted = [...intervals].sort((a, b) => compare(sortKeyOf(a), sortKeyOf(b)));
  const [first] = sorted as [DateInterval];
  return { intervals: sorted, edtf: sorted.length === 1 ? first.edtf : `{${sorted.map(({ edtf }) => edtf.replace('/', '..')).join(',')}}` };
}

function sortKeyOf({ start, end }: DateInterval): string {
  return start ?? end ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One side of a range, or one element of a list. What it lacks may be stated by its neighbor: “Jan.–Feb. 1943”. */
interface Partial extends Certainty {
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

type Words = Token['is'];

/** Reads a list of dates and ranges. */
function parseList(all: Token[]): DateInterval[] | 'undated' | undefined {
  const tokens = all.filter((token, at) => !isInnerComma(token, at, all));
  const items = split(tokens, [',', ';', 'and']).filter((item) => item.length > 0);
  const dated = items.filter((item) => !item.every(({ is }) => is === 'undated'));
  if (items.length > 0 && dated.length === 0) return 'undated';
  if (dated.length === 0 || dated.some((item) => item.some(({ is }) => is === 'undated'))) return undefined;
  if (dated.length > 1 && tokens[0]?.is === 'between') return parseBetween(tokens.slice(1));
  const parsed = dated.map(parseRange);
  if (parsed.some((range) => range === undefined)) return undefined;
  const ranges = parsed as ParsedRange[];
  completeList(ranges);
  const intervals = ranges.map(toInterval);
  return intervals.every((interval) => interval !== undefined) ? (intervals as DateInterval[]) : undefined;
}

/** Whether a token is a comma within a date, which separates no dates: “March 4, 1942”, “1942, March”, “1942, circa”. */
function isInnerComma(token: Token, at: number, tokens: Token[]): boolean {
  if (token.is !== ',') return false;
  const [before, after] = [tokens[at - 1]?.is, tokens[at + 1]?.is];
  if (before === undefined || after === undefined || before === ',') return true;
  if (after === 'uncertain' || after === 'approximate' || after === 'since' || after === 'until') return tokens[at + 2] === undefined;
  if (after === 'year') {
    if (before === 'month' || before === 'season' || before === 'holiday') return tokens[at - 2]?.is !== 'year';
    return before === 'number' && belongsToMonth(tokens, at - 1);
  }
  return before === 'year' && (after === 'month' || after === 'season') && tokens[at - 2]?.is !== 'month' && !hasYear(tokens, at + 1);
}

/** Whether a number is a day: on its left, in the same date, is a month that has no year yet. Or on the left a day of that month. */
function belongsToMonth(tokens: Token[], at: number): boolean {
  for (let i = at; i >= 0; i--) {
    const is = tokens[i]?.is;
    if (is === 'year' || is === 'date') return false;
    if (is === 'month') return tokens[i - 1]?.is !== 'year';
  }
  return false;
}

/** Whether a year follows in the same element of a list. */
function hasYear(tokens: Token[], from: number): boolean {
  for (let i = from; i < tokens.length && tokens[i]?.is !== ',' && tokens[i]?.is !== ';'; i++) if (tokens[i]?.is === 'year') return true;
  return false;
}

function split(tokens: Token[], separators: Words[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (separators.includes(token.is)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** “between 1942 and 1945” */
function parseBetween(tokens: Token[]): DateInterval[] | undefined {
  const sides = split(tokens, ['and', 'to']);
  if (sides.length !== 2) return undefined;
  const [from, to] = sides.map((side) => parsePartial(side));
  if (!from || !to) return undefined;
  const interval = toInterval({ from: { ...from, uncertain: true }, to: { ...to, uncertain: true } });
  return interval && [interval];
}

/** A range before its sides are completed. */
interface ParsedRange {
  from?: Partial;
  to?: Partial;
  /** The one side is excluded, or open. */
  open?: 'before' | 'after' | 'until' | 'since';
  /** “1942 or 1943”: one of both. */
  isChoice?: boolean;
}

function parseRange(tokens: Token[]): ParsedRange | undefined {
  const open = parseOpen(tokens);
  if (open) return open;
  const isChoice = tokens.some(({ is }) => is === 'or');
  const sides = split(tokens[0]?.is === 'between' ? tokens.slice(1) : tokens, ['to', 'or']);
  if (sides.length > 2) return undefined;
  const partials = sides.map(parsePartial);
  const [from, to] = partials;
  if (!from || (sides.length === 2 && !to)) return undefined;
  return to ? { from, to, ...(isChoice ? { isChoice } : {}) } : { from };
}

/** Reads “before 1942”, “since 1942”, “1942–”, “–1942” and “1942–present”. */
function parseOpen(tokens: Token[]): ParsedRange | undefined {
  const [first, last] = [tokens[0]?.is, tokens.at(-1)?.is];
  const side = (part: Token[], open: NonNullable<ParsedRange['open']>): ParsedRange | undefined => {
    const partial = parsePartial(part);
    return partial && { from: partial, open };
  };
  const certain = tokens.filter(({ is }) => is !== 'approximate' && is !== 'uncertain');
  const lead = certain[0]?.is;
  if (lead === 'before' || lead === 'after' || lead === 'until' || lead === 'since')
    return side(
      tokens.filter(({ is }) => is !== lead),
      lead,
    );
  if (last === 'since' || last === 'until' || last === 'before' || last === 'after') return side(tokens.slice(0, -1), last);
  if (last === 'present') return side(tokens.slice(0, tokens.at(-2)?.is === 'to' ? -2 : -1), 'since');
  if (last === 'to') return side(tokens.slice(0, -1), 'since');
  if (first === 'to') return side(tokens.slice(1), 'until');
  return undefined;
}

/** Reads one date, complete or not. The order of its parts may be that of any country. */
function parsePartial(tokens: Token[]): Partial | undefined {
  const partial: Partial = { ...CERTAIN };
  const order: Words[] = [];
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
  if (partial.part) partial.approximate = true;
  return partial;
}

function setPart(partial: Partial, token: Token): boolean {
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
const ORDERS: ReadonlySet<string> = new Set(
  [
    ...['year', 'date', 'decade', 'century', 'short decade', 'season', 'month', 'number', 'holiday', 'part'],
    ...['month year', 'year month', 'month number year', 'number month year', 'year month number', 'year number month'],
    ...['month number', 'number month', 'season year', 'year season', 'holiday year', 'year holiday'],
    ...['part year', 'year part', 'part decade', 'decade part', 'part century', 'century part', 'part number', 'part short decade'],
    ...['part month year', 'part month', 'year month part', 'part season year', 'part year month'],
  ],
);

/** Completes the elements of a list from each other: “March 3 and 5, 1942”, “1942 March, May”. */
function completeList(ranges: ParsedRange[]): void {
  const flat = ranges.flatMap(({ from, to }) => [from, to]).filter((partial) => partial !== undefined);
  for (let i = 0; i + 1 < flat.length; i++) completeForward(flat[i] as Partial, flat[i + 1] as Partial);
  for (let i = flat.length - 1; i > 0; i--) completeBackward(flat[i - 1] as Partial, flat[i] as Partial);
}

const hasNoYear = ({ year, decade, century, tens }: Partial) =>
  year === undefined && decade === undefined && century === undefined && tens === undefined;

/** Completes the later of two neighbors: “1942 March 4–10”, “1942–45”, “1930s–40s”. */
function completeForward(earlier: Partial, later: Partial): void {
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
function completeBackward(earlier: Partial, later: Partial): void {
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
  if (later.year !== undefined && (earlier.month !== undefined || earlier.season !== undefined || isBare)) earlier.year = later.year;
}

function toInterval({ from, to, open, isChoice }: ParsedRange): DateInterval | undefined {
  const first = from && toPoint(from);
  if (!from || !first) return undefined;
  if (open) return openInterval(first, from, open);
  if (!to) return intervalOf(first, from);
  if (from.season === WINTER && to.season === undefined && to.month === undefined && to.year === (from.year ?? 0) + 1)
    return winterInterval(from.year as number, from);
  if (to.season === WINTER && from.season !== undefined && from.year === to.year) {
    const end = calendarDate(to.year as number, 12); // “Fall/Winter 1942” is one stretch of time
    return end && intervalBetween([first, from], [end, to]);
  }
  const second = toPoint(to);
  if (!second) return undefined;
  if (from.year === to.year && from.month !== undefined && to.month !== undefined && startOf(first.start) > startOf(second.start))
    return undefined; // “Dec.–Jan. 1943” does not state the year of December
  if (!isChoice) return intervalBetween([first, from], [second, to]);
  const choice = intervalBetween([first, { ...from, uncertain: false }], [second, { ...to, uncertain: false }]);
  return { ...choice, uncertain: true, edtf: `[${first.edtf},${second.edtf}]` };
}

/** “Winter 1943–1944”: December to February. */
function winterInterval(year: number, { approximate, uncertain }: Certainty): DateInterval {
  return { start: `${year}-12`, end: `${year + 1}-02`, approximate, uncertain, edtf: `${year}-12/${year + 1}-02` };
}

function openInterval(point: DatePoint, certainty: Certainty, open: NonNullable<ParsedRange['open']>): DateInterval {
  const side: [DatePoint, Certainty] = [point, certainty];
  const none: [undefined, Certainty] = [undefined, CERTAIN];
  const interval = open === 'after' || open === 'since' ? intervalBetween(side, none) : intervalBetween(none, side);
  return open === 'before' || open === 'after' ? { ...interval, excluded: open } : interval;
}

/** Returns the date of a completed partial; undefined if it lacks a year, has a number without a meaning, or is not in the calendar. */
function toPoint({ year, month, day, season, decade, century, part, number, tens }: Partial): DatePoint | undefined {
  if (number !== undefined || tens !== undefined) return undefined;
  if (decade !== undefined) return decadeOf(decade, part);
  if (century !== undefined) return centuryOf(century, part);
  if (year === undefined) return undefined;
  if (season !== undefined) return seasonOf(year, season);
  return calendarDate(year, month, day);
}
