/** What lists, filters and sorting need of a date: the years and decades that it covers. */
import { startOf } from './calendar.ts';
import type { DateInterval } from './interval.ts';
import type { DateReading } from './read.ts';

/** Longer intervals have no list of years, and no more decades than this. */
const MAX_LISTED_YEARS = 10;
const MAX_DECADES = 30;

/**
 * Returns the decades that a date touches, such as `1940`, and its years if an interval has up to ten. An open interval has the
 * year that is stated; “before 1942” and “after 1942” have no year, only the decade of the year beside it.
 */
export function coveredYears({ intervals }: DateReading): { decades: number[]; years: number[] } {
  const decades = new Set<number>();
  const years = new Set<number>();
  for (const interval of intervals) {
    const [first, last] = yearSpan(interval);
    for (let decade = first - (first % 10); decade <= last && decades.size < MAX_DECADES; decade += 10) decades.add(decade);
    if (interval.excluded || last - first >= MAX_LISTED_YEARS) continue;
    for (let year = first; year <= last; year++) years.add(year);
  }
  return { decades: [...decades], years: [...years] };
}

/** Returns the first and last year of a date, as `coveredYears` understands open intervals. */
export function outerYears({ intervals }: DateReading): [first: number, last: number] {
  const spans = intervals.map(yearSpan);
  return [Math.min(...spans.map(([first]) => first)), Math.max(...spans.map(([, last]) => last))];
}

/** Returns every year of a date, in order, up to `max`, so that a span of years finds it. */
export function allYears({ intervals }: DateReading, max: number): number[] {
  const years = new Set<number>();
  for (const interval of intervals) {
    const [first, last] = yearSpan(interval);
    for (let year = first; year <= last && years.size < max; year++) years.add(year);
  }
  return [...years].sort((a, b) => a - b);
}

/** Returns the text by which dates are sorted: the beginning, as precisely as it is stated. */
export function dateSortKey({ intervals: [first] }: DateReading): string {
  if (!first) return '';
  return first.excluded || first.start === undefined ? String(yearSpan(first)[0]) : first.start;
}

/**
 * Returns the date as in ISO 8601: `1942-03`, `1942/1945`, `1942/..`, without marks of certainty. A list is given as the interval
 * that contains all of it, a season as its year.
 */
export function toIso({ intervals }: DateReading): string {
  const first = intervals[0] as DateInterval;
  const starts = intervals.map(({ start }) => start);
  const ends = intervals.map(({ end }) => end);
  const start = starts.includes(undefined) ? undefined : first.start;
  const end = ends.includes(undefined)
    ? undefined
    : (ends as string[]).reduce((last, bound) => (startOf(bound) > startOf(last) ? bound : last));
  const isSeason = intervals.length === 1 && /^\d{4}-2[1-4]/.test(first.edtf) && start?.slice(0, 4) === end?.slice(0, 4);
  if (isSeason) return first.edtf.slice(0, 4);
  return start === end && start !== undefined ? start : `${start ?? '..'}/${end ?? '..'}`;
}

/** Returns an interval's first and last year; for an open end, the stated year, or the one beside it if that is excluded. */
function yearSpan({ start, end, excluded }: DateInterval): [first: number, last: number] {
  const year = (bound: string) => Number(bound.slice(0, 4));
  if (start !== undefined && end !== undefined) return [year(start), year(end)];
  const bound = (start ?? end) as string;
  // A month or day that is excluded leaves the rest of its year.
  const step = bound.length > 4 ? 0 : excluded === 'before' ? -1 : excluded === 'after' ? 1 : 0;
  const nearest = year(bound) + step;
  return [nearest, nearest];
}
