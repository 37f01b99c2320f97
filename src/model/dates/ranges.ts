/** One date or range, as an element of a list: “1942–45”, “before 1942”, “between 1942 and 1945”, “1942 or 1943”. */
import { calendarDate, type DatePoint, startOf, WINTER } from './calendar.ts';
import { firstMonth } from './complete.ts';
import { CERTAIN, type Certainty, type DateInterval, intervalBetween, intervalOf } from './interval.ts';
import { type PartialDate, parsePartial, toPoint } from './partial-date.ts';
import type { Token } from './rules.ts';

type Words = Token['is'];

/** A range before its sides are completed. */
export interface ParsedRange {
  from: PartialDate;
  to?: PartialDate;
  /** The one side is excluded, or open. */
  open?: 'before' | 'after' | 'until' | 'since';
  /** “1942 or 1943”: one of them. `to` is the last, and these are all of them. */
  choices?: PartialDate[];
}

/** Splits tokens at the separators. */
export function split(tokens: readonly Token[], separators: readonly Words[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (separators.includes(token.is)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

const isMark = ({ is }: Token) => is === 'approximate' || is === 'uncertain';
const isBlank = (tokens: readonly Token[]) =>
  tokens.length > 0 && tokens.every(({ is }) => is === 'undated' || is === 'uncertain');
const isPresent = ([only, ...others]: readonly Token[]) => only?.is === 'present' && others.length === 0;
const hasRange = (tokens: readonly Token[]) => tokens.some(({ is }) => is === 'to' || is === 'dash');

/** Reads one element of a list. */
export function parseRange(tokens: Token[]): ParsedRange | undefined {
  const start = tokens.findIndex((token) => !isMark(token));
  if (tokens[start]?.is === 'between') return parseBetween(tokens.slice(start + 1), tokens.slice(0, start));
  return parseOpen(tokens) ?? parseSides(tokens);
}

/** “between 1942 and 1945”, perhaps after “circa”. Its “and” is a `to` by now. */
function parseBetween(tokens: Token[], marks: Token[]): ParsedRange | undefined {
  const { from, to, open, choices } = parseSides(tokens) ?? {};
  if (from && open === 'since') return { from, open };
  if (!from || !to || choices) return undefined;
  const isApproximate = marks.some(({ is }) => is === 'approximate');
  const [first, last] = [from, to].map((side) => ({ ...side, approximate: side.approximate || isApproximate, uncertain: true }));
  return first && last && { from: first, to: last };
}

function parseSides(tokens: Token[]): ParsedRange | undefined {
  const sides = split(tokens, ['to', 'dash', 'or']);
  const isChoice = tokens.some(({ is }) => is === 'or');
  if (sides.length === 3 && !isChoice) return parseCrossing(sides.map(parsePartial));
  if (sides.length > 2 && (!isChoice || hasRange(tokens))) return undefined;
  const [first, second] = sides;
  if (sides.length === 2 && first && second && !isChoice) {
    // “1942–?”, “unknown/1946”: one end is not known.
    if (isBlank(second) || isPresent(second)) return openRange(first, 'since');
    if (isBlank(first)) return openRange(second, 'until');
  }
  const partials = sides.map(parsePartial);
  if (partials.some((partial) => partial === undefined)) return undefined;
  const dates = partials as PartialDate[];
  const [from, to] = [dates[0] as PartialDate, dates.at(-1) as PartialDate];
  if (dates.length === 1) return { from };
  return isChoice ? { from, to, choices: dates } : { from, to };
}

/** “Nov.–Jan. 1942–43”: the first month in the first year, the second in the second. */
function parseCrossing([first, middle, last]: Array<PartialDate | undefined>): ParsedRange | undefined {
  if (!first || !middle || !last || middle.year === undefined || first.year !== undefined) return undefined;
  if (firstMonth(first) === undefined || firstMonth(middle) === undefined || middle.day !== undefined) return undefined;
  if (firstMonth(last) !== undefined || (last.year ?? last.number) === undefined) return undefined;
  const end = last.year ?? Math.floor(middle.year / 100) * 100 + (last.number as number);
  return end > middle.year ? { from: { ...first, year: middle.year }, to: { ...middle, year: end } } : undefined;
}

function openRange(tokens: Token[], open: NonNullable<ParsedRange['open']>): ParsedRange | undefined {
  const from = parsePartial(tokens);
  return from && { from, open };
}

const OPENINGS: Readonly<Partial<Record<Words, NonNullable<ParsedRange['open']>>>> = {
  before: 'before',
  after: 'after',
  until: 'until',
  by: 'until',
  since: 'since',
};

/** Reads “before 1942”, “since 1942”, “1942–”, “–1942” and “1942–present”. */
function parseOpen(tokens: Token[]): ParsedRange | undefined {
  const [first, last] = [tokens[0]?.is, tokens.at(-1)?.is];
  const start = tokens.findIndex((token) => !isMark(token));
  if (tokens[start]?.is === 'from') {
    const rest = tokens.toSpliced(start, 1).slice(0, last === 'since' ? -1 : undefined);
    return hasRange(rest) ? parseRange(rest) : openRange(rest, 'since');
  }
  if (last === 'until' && hasRange(tokens)) return parseRange(tokens.slice(0, -1)); // 17年から20年まで
  const lead = tokens[start]?.is;
  const opening = lead && OPENINGS[lead];
  if (opening) {
    const rest = tokens.filter(({ is }) => is !== lead);
    return lead === 'since' && hasRange(rest) ? parseRange(rest) : openRange(rest, opening);
  }
  const end = tokens.findLastIndex((token) => !isMark(token));
  const closing = tokens[end]?.is;
  if (closing === 'since' || closing === 'until' || closing === 'before' || closing === 'after')
    return openRange(tokens.toSpliced(end, 1), closing);
  if (last === 'present') {
    const before = tokens.at(-2)?.is;
    return openRange(tokens.slice(0, before === 'to' || before === 'dash' ? -2 : -1), 'since');
  }
  if (last === 'dash') return openRange(tokens.slice(0, -1), 'since');
  if (first === 'to' || first === 'dash') return openRange(tokens.slice(1), 'until');
  return undefined;
}

/** Ranges in the wrong order are read in the right one, unless they would be longer. */
const MAX_SWAPPED_YEARS = 100;

/** Returns the interval of a range whose sides are completed; undefined if it is not in the calendar, or runs backwards. */
export function toInterval({ from, to, open, choices }: ParsedRange): DateInterval | undefined {
  if (choices) return choiceOf(choices);
  const first = toPoint(from);
  if (!first) return undefined;
  if (open) return openInterval(first, from, open);
  if (!to) return intervalOf(first, from);
  if (isWinter(from, to)) {
    const { approximate, uncertain } = from;
    const year = from.year as number; // “Winter 1943–1944” is December to February. EDTF names a winter by one year.
    return { start: `${year}-12`, end: `${year + 1}-02`, approximate, uncertain, edtf: `${year}-${WINTER}` };
  }
  if (to.season === WINTER && from.season !== undefined && from.year === to.year) {
    const end = calendarDate(to.year as number, 12); // “Fall/Winter 1942” is one stretch of time
    return end && intervalBetween([first, from], [end, to]);
  }
  const second = toPoint(to);
  if (!second || isBackwards(from, to)) return undefined;
  return intervalBetween([first, from], [second, to]);
}

/** “Dec.–Jan. 1943” does not state December's year, nor “fall–spring 1943” that of the fall; “1912-1013” is mistyped. */
function isBackwards(from: PartialDate, to: PartialDate): boolean {
  if (from.year !== undefined && to.year !== undefined && from.year - to.year > MAX_SWAPPED_YEARS) return true;
  const [first, last] = [firstMonth(from), firstMonth(to)];
  return from.year === to.year && first !== undefined && last !== undefined && first > last;
}

/** “1942 or 1943”: the interval from the first to the last of the choices. */
function choiceOf(choices: readonly PartialDate[]): DateInterval | undefined {
  const points = choices.map(toPoint);
  if (points.some((point) => point === undefined)) return undefined;
  const sorted = (points as DatePoint[]).toSorted((a, b) => (startOf(a.start) < startOf(b.start) ? -1 : 1));
  const approximate = choices.some((choice) => choice.approximate);
  const certainty = { approximate, uncertain: false };
  const interval = intervalBetween([sorted[0], certainty], [sorted.at(-1), certainty]);
  return { ...interval, uncertain: true, edtf: `[${points.map((point) => point?.edtf).join(',')}]` };
}

/** Whether a range is “winter 1943–1944” or “1943–1944 winter”. */
function isWinter(from: PartialDate, to: PartialDate): boolean {
  const isYear = ({ year, month, season }: PartialDate) => year !== undefined && month === undefined && season === undefined;
  const seasons = (from.season === WINTER && isYear(to)) || (to.season === WINTER && isYear(from));
  return seasons && from.year !== undefined && to.year === from.year + 1;
}

function openInterval(point: DatePoint, certainty: Certainty, open: NonNullable<ParsedRange['open']>): DateInterval {
  const side: [DatePoint, Certainty] = [point, certainty];
  const none: [undefined, Certainty] = [undefined, CERTAIN];
  const interval = open === 'after' || open === 'since' ? intervalBetween(side, none) : intervalBetween(none, side);
  return open === 'before' || open === 'after' ? { ...interval, excluded: open } : interval;
}
