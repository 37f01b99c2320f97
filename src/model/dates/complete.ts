/** Completes the dates of a list or range from each other: what several have in common is often stated once. */
import { WINTER } from './calendar.ts';
import type { PartialDate } from './partial-date.ts';

/** Two dates side by side; `isRange` if they are the ends of a range. */
export interface Neighbors {
  earlier: PartialDate;
  later: PartialDate;
  isRange: boolean;
}

/** Completes dates in place, given in their order: “March 3 and 5, 1942”, “1942 March, May”. */
export function completeDates(neighbors: readonly Neighbors[]): void {
  for (const pair of neighbors) completeForward(pair);
  for (const { earlier, later } of neighbors.toReversed()) completeBackward(earlier, later);
}

/** The month in which a date begins; undefined for winter, which begins in one year and ends in the next. */
export function firstMonth({ month, season }: PartialDate): number | undefined {
  return month ?? (season === undefined || season === WINTER ? undefined : 3 * (season - 20));
}

const hasNoYear = ({ year, shortYear, decade, century, era, tens }: PartialDate) =>
  [year, shortYear, decade, century, era, tens].every((value) => value === undefined);

/** Completes the later of two neighbors: “1942 March 4–10”, “1942–45”, “1930s–40s”. */
function completeForward({ earlier, later, isRange }: Neighbors): void {
  completeDecade(earlier, later);
  if (later.shortYear !== undefined) {
    completeYear(earlier, later, later.shortYear);
  } else if (later.number !== undefined && earlier.day !== undefined && later.month === undefined) {
    later.day = later.number;
    delete later.number;
    if (earlier.month !== undefined) later.month = earlier.month;
  } else if (later.number !== undefined && later.year === undefined && later.month === undefined) {
    completeYear(earlier, later, later.number);
  }
  if (!hasNoYear(later) || earlier.year === undefined) return;
  const [from, to] = [firstMonth(earlier), firstMonth(later)];
  if (later.month === undefined && later.season === undefined) return;
  // “Nov. 1942–Jan.” ends in the next year.
  later.year = earlier.year + (isRange && from !== undefined && to !== undefined && to < from ? 1 : 0);
}

function completeDecade(earlier: PartialDate, later: PartialDate): void {
  if (later.tens === undefined || earlier.eraStart !== undefined) return;
  const base = earlier.decade ?? earlier.year;
  if (base !== undefined) {
    later.decade = Math.floor(base / 100) * 100 + later.tens;
    delete later.tens;
  }
}

/** Completes a year of two digits from the century or era of the earlier date. */
function completeYear(earlier: PartialDate, later: PartialDate, digits: number): void {
  const base = earlier.year ?? earlier.decade;
  if (base === undefined) return;
  const year = digits + (earlier.eraStart ?? Math.floor(base / 100) * 100);
  const isLater = later.month !== undefined && later.shortYear !== undefined ? year >= base : year > base;
  if (!isLater) return;
  later.year = year;
  if (earlier.eraStart !== undefined) later.eraStart = earlier.eraStart;
  delete later.number;
  delete later.shortYear;
}

/** Completes the earlier of two: “Jan.–Feb. 1943”, “December 24–26, 1942”, “18th–19th century”, “mid- to late 1940s”. */
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
  else if (isBare && later.era !== undefined) earlier.era = later.era;
  if (later.year !== undefined && (earlier.month !== undefined || earlier.season !== undefined || isBare))
    earlier.year = later.year;
}
