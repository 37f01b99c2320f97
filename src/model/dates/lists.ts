/** Lists of dates and ranges: “1927–1931, 1936”, “March 3 and 5, 1942”, “not before 1942 and not after 1945”. */
import { completeDates, type Neighbors } from './complete.ts';
import type { DateInterval } from './interval.ts';
import type { PartialDate } from './partial-date.ts';
import { type ParsedRange, parseRange, split, toInterval } from './ranges.ts';
import type { Token } from './rules.ts';

/** Returns the intervals of a list of dates and ranges; `'undated'` if it says so; undefined if it cannot be read. */
export function parseList(all: Token[]): DateInterval[] | 'undated' | undefined {
  const positive = foldNegations(all);
  if (!positive) return undefined;
  const tokens = separateBounds(joinChoices(joinBetween(positive.filter((token, at) => !isInnerComma(token, at, positive)))));
  const items = split(tokens, [',', ';', 'and']).filter((item) => item.length > 0);
  const dated = items.filter((item) => !item.every(({ is }) => is === 'undated'));
  if (items.length > 0 && dated.length === 0) return 'undated';
  if (dated.length === 0) return undefined;
  const parsed = dated.map(parseRange);
  if (parsed.some((range) => range === undefined)) return undefined;
  const ranges = parsed as ParsedRange[];
  completeDates(neighborsOf(ranges));
  const intervals = joinBounds(ranges).map(toInterval);
  return intervals.every((interval) => interval !== undefined) ? (intervals as DateInterval[]) : undefined;
}

function neighborsOf(ranges: readonly ParsedRange[]): Neighbors[] {
  const dates = ranges.flatMap(({ from, to, choices }) =>
    (choices ?? [from, to])
      .filter((date) => date !== undefined)
      .map((date: PartialDate) => ({ date, isEnd: date === to && !choices })),
  );
  return dates.slice(1).map(({ date, isEnd }, i) => ({
    earlier: (dates[i] as { date: PartialDate }).date,
    later: date,
    isRange: isEnd,
  }));
}

const OPPOSITES = { before: 'since', after: 'until' } as const;

/** “not before” is “since”, “not after” is “until”. A “not” before anything else has no reading. */
function foldNegations(tokens: readonly Token[]): Token[] | undefined {
  const folded: Token[] = [];
  for (const token of tokens) {
    if (folded.at(-1)?.is !== 'not') {
      folded.push(token);
      continue;
    }
    if (token.is !== 'before' && token.is !== 'after') return undefined;
    folded[folded.length - 1] = { is: OPPOSITES[token.is] };
  }
  return folded.at(-1)?.is === 'not' ? undefined : folded;
}

/** The “and” of “between 1942 and 1945” separates no elements of a list. */
function joinBetween(tokens: readonly Token[]): Token[] {
  let isOpen = false;
  return tokens.map((token): Token => {
    if (token.is === 'between') isOpen = true;
    else if (token.is === 'and' && isOpen) {
      isOpen = false;
      return { is: 'to' };
    }
    return token;
  });
}

/** “1942, 1943, or 1944”: the commas are an “or”. */
function joinChoices(tokens: readonly Token[]): Token[] {
  const isComma = (at: number) => tokens[at]?.is === ',';
  if (!tokens.some(({ is }, at) => is === 'or' && isComma(at - 1))) return [...tokens];
  return tokens
    .filter((_, at) => !(isComma(at) && tokens[at + 1]?.is === 'or'))
    .map((token) => (token.is === ',' ? { is: 'or' } : token));
}

const isLower = (is: string | undefined) => is === 'after' || is === 'since';
const isUpper = (is: string | undefined) => is === 'before' || is === 'until';

/** Puts a comma between the bounds of “after 1942 before 1945”, “since 1942 – before 1945” and 1942年以降1945年以前. */
function separateBounds(tokens: readonly Token[]): Token[] {
  const isPrefixed = isLower(tokens[0]?.is) || isUpper(tokens[0]?.is);
  const isInside = (at: number) => at > 0 && at + 1 < tokens.length && !SEPARATORS.has(tokens[at + 1]?.is);
  return tokens.flatMap((token, at): Token[] => {
    const next = tokens[at + 1]?.is;
    if (isPrefixed && (token.is === 'dash' || token.is === 'to') && isUpper(next)) return [];
    if (!isInside(at) || !(isLower(token.is) || isUpper(token.is))) return [token];
    if (isPrefixed) return isUpper(token.is) && isLower(tokens[0]?.is) ? [COMMA, token] : [token];
    if (MARKS.has(tokens[at + 1]?.is)) return [token];
    const isPostfix = (token.is === 'since' || token.is === 'until') && tokens.slice(0, at).some(isDated);
    return isPostfix ? [token, COMMA] : [token];
  });
}

const isDated = ({ is }: Token) => is === 'year' || is === 'date' || is === 'decade' || is === 'century';
const MARKS: ReadonlySet<string | undefined> = new Set(['uncertain', 'approximate']);
const COMMA: Token = { is: ',' };
const SEPARATORS: ReadonlySet<string | undefined> = new Set([',', ';', 'and', 'or']);

/** “after 1942, before 1945” is one interval, whose ends are not certain. */
function joinBounds(ranges: readonly ParsedRange[]): readonly ParsedRange[] {
  const [first, second, ...others] = ranges;
  if (!first || !second || others.length > 0) return ranges;
  const [from, to] = isUpper(first.open) ? [second, first] : [first, second];
  if (!isLower(from.open) || !isUpper(to.open)) return ranges;
  return [{ from: { ...from.from, uncertain: true }, to: { ...to.from, uncertain: true } }];
}

/** Whether a token is a comma within a date, which separates no dates: “March 4, 1942”, “1942, March”, “1942, circa”. */
function isInnerComma(token: Token, at: number, tokens: readonly Token[]): boolean {
  if (token.is !== ',') return false;
  const next = tokens[at + 1]?.is;
  const [before, beforeThat] = [placeBefore(tokens, at), placeBefore(tokens, placeBefore(tokens, at))].map((i) => tokens[i]?.is);
  if (before === undefined || next === undefined || before === ',') return true;
  if (next === 'uncertain' || next === 'approximate' || next === 'since' || next === 'until') return tokens[at + 2] === undefined;
  if (next === 'number') return before === 'month' && hasYearBefore(tokens, placeBefore(tokens, at)) && isDay(tokens, at + 1);
  if (next === 'year') {
    if (isYearFirst(tokens)) return false;
    if (before === 'month' || before === 'season' || before === 'holiday') return beforeThat !== 'year';
    return before === 'number' && belongsToMonth(tokens, at - 1);
  }
  if (next === 'part') return DIVISIBLE.has(before) && isLast(tokens, at + 2);
  return before === 'year' && (next === 'month' || next === 'season') && beforeThat !== 'month' && !hasYear(tokens, at + 1);
}

/** What may have a part after a comma: “siglo XIX, segunda mitad”. */
const DIVISIBLE: ReadonlySet<string> = new Set(['year', 'decade', 'century', 'era']);

/** The index of the token before, without marks of certainty: “May 13?, 1942”. */
function placeBefore(tokens: readonly Token[], at: number): number {
  let i = at - 1;
  while (tokens[i]?.is === 'uncertain' || tokens[i]?.is === 'approximate') i--;
  return i;
}

/** Whether a number is a day: its date has, on its left, a month that has no year yet, or a day of that month. */
function belongsToMonth(tokens: readonly Token[], at: number): boolean {
  for (let i = at; i >= 0; i--) {
    const is = tokens[i]?.is;
    if (is === 'year' || is === 'date') return false;
    if (is === 'month') return tokens[i - 1]?.is !== 'year';
  }
  return false;
}

/** Whether the year of a month precedes it, perhaps with a comma: “1941, December”. */
function hasYearBefore(tokens: readonly Token[], month: number): boolean {
  return tokens[tokens[month - 1]?.is === ',' ? month - 2 : month - 1]?.is === 'year';
}

/** Whether a number is a day of the month before it, and not of one after it: not in “1942, May, 5–7 June”. */
function isDay(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.is !== 'number' || token.number > 31) return false;
  let next = at + 1;
  while (tokens[next]?.is === 'number' || (JOINS.has(tokens[next]?.is) && tokens[next + 1]?.is === 'number')) next++;
  return tokens[next]?.is !== 'month' && tokens[at + 1]?.is !== 'year';
}

const JOINS: ReadonlySet<string | undefined> = new Set([',', 'and', 'to', 'dash']);

/** Whether every year of a text precedes its month: “1941, December 7, 1942, January 3”. */
function isYearFirst(tokens: readonly Token[]): boolean {
  const isMonth = (is: string | undefined) => is === 'month' || is === 'season';
  const dated = tokens.filter(({ is }) => is === 'year' || is === 'number' || is === 'date' || isMonth(is));
  const isFirst = ({ is }: Token, at: number) =>
    is !== 'year' ||
    (isMonth(tokens[tokens[at + 1]?.is === ',' ? at + 2 : at + 1]?.is) &&
      !isMonth(tokens[at - 1]?.is) &&
      tokens[at - 1]?.is !== 'number');
  return dated[0]?.is === 'year' && tokens.every(isFirst);
}

/** Whether a year follows in the same element, also after “June 2,”. In “1942, March – 1943”, the last one is not March's. */
function hasYear(tokens: readonly Token[], from: number): boolean {
  if (isYearFirst(tokens)) return false;
  for (let i = from; i < tokens.length && tokens[i]?.is !== ';'; i++) {
    if (tokens[i]?.is === 'year') return tokens[i - 1]?.is !== 'dash' && tokens[i - 1]?.is !== 'to';
    if (tokens[i]?.is === ',') return tokens[i - 1]?.is === 'number' && tokens[i + 1]?.is === 'year' && isLast(tokens, i + 2);
  }
  return false;
}

const isLast = (tokens: readonly Token[], at: number) => tokens[at] === undefined || SEPARATORS.has(tokens[at].is);
