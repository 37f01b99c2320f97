/** Ranges and lists of dates: “1942–45”, “before 1942”, “1927–1931, 1936”. */
import { calendarDate, type DatePoint, startOf, WINTER } from './calendar.ts';
import { CERTAIN, type Certainty, type DateInterval, intervalBetween, intervalOf } from './interval.ts';
import { completeDates, type PartialDate, parsePartial, toPoint } from './partial-date.ts';
import type { Token } from './rules.ts';

type Words = Token['is'];

/** Returns the intervals that a list of dates and ranges states; `'undated'` if it only says that there is no date; undefined if it cannot be read. */
export function parseList(all: Token[]): DateInterval[] | 'undated' | undefined {
  const tokens = all.filter((token, at) => !isInnerComma(token, at, all));
  const items = split(tokens, [',', ';', 'and']).filter((item) => item.length > 0);
  const dated = items.filter((item) => !item.every(({ is }) => is === 'undated'));
  if (items.length > 0 && dated.length === 0) return 'undated';
  if (dated.length === 0 || dated.some((item) => item.some(({ is }) => is === 'undated'))) return undefined;
  if (dated.length > 1 && tokens[0]?.is === 'between') return parseBetween(tokens.slice(1));
  const parsed = dated.map(parseRange);
  if (parsed.some((range) => range === undefined)) return undefined;
  const ranges = parsed as ParsedRange[];
  completeDates(ranges.flatMap(({ from, to }) => [from, to]).filter((date) => date !== undefined));
  const intervals = ranges.map(toInterval);
  return intervals.every((interval) => interval !== undefined) ? (intervals as DateInterval[]) : undefined;
}

/** Whether a token is a comma within a date, which separates no dates: “March 4, 1942”, “1942, March”, “1942, circa”. */
function isInnerComma(token: Token, at: number, tokens: Token[]): boolean {
  if (token.is !== ',') return false;
  const [before, after] = [tokens[at - 1]?.is, tokens[at + 1]?.is];
  if (before === undefined || after === undefined || before === ',') return true;
  if (after === 'uncertain' || after === 'approximate' || after === 'since' || after === 'until')
    return tokens[at + 2] === undefined;
  if (after === 'year') {
    if (before === 'month' || before === 'season' || before === 'holiday') return tokens[at - 2]?.is !== 'year';
    return before === 'number' && belongsToMonth(tokens, at - 1);
  }
  return (
    before === 'year' && (after === 'month' || after === 'season') && tokens[at - 2]?.is !== 'month' && !hasYear(tokens, at + 1)
  );
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
  for (let i = from; i < tokens.length && tokens[i]?.is !== ',' && tokens[i]?.is !== ';'; i++)
    if (tokens[i]?.is === 'year') return true;
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
  from?: PartialDate;
  to?: PartialDate;
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
  if (first === 'from')
    return tokens.some(({ is }) => is === 'to') ? parseRange(tokens.slice(1)) : side(tokens.slice(1), 'since');
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
