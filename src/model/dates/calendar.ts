/** Points in the Gregorian calendar: days, months, years, seasons, decades and centuries, as bounds and in EDTF (ISO 8601-2:2019). */

/** A single date, or a single span with a name: a season, decade or century. */
export interface DatePoint {
  start: string;
  end: string;
  /** In EDTF, without marks of certainty. */
  edtf: string;
}

/** Years that a record can state. Years before 1000 do not occur in the archives that this program is for, and four digits sort as text. */
const [MIN_YEAR, MAX_YEAR] = [1000, 2199];

/** Returns a year, month or day; undefined if the calendar has no such date. `month` is 1 to 12. */
export function calendarDate(year: number, month?: number, day?: number): DatePoint | undefined {
  if (year < MIN_YEAR || year > MAX_YEAR) return undefined;
  const parts = [String(year)];
  if (month !== undefined) {
    if (month < 1 || month > 12) return undefined;
    parts.push(String(month).padStart(2, '0'));
    if (day !== undefined) {
      if (day < 1 || day > daysIn(year, month)) return undefined;
      parts.push(String(day).padStart(2, '0'));
    }
  }
  const text = parts.join('-');
  return { start: text, end: text, edtf: text };
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Seasons by their EDTF number. Winter is at the start of its year, because one year is all that a season of one year states. */
const SEASON_MONTHS: Readonly<Record<number, [first: number, last: number]>> = {
  21: [3, 5],
  22: [6, 8],
  23: [9, 11],
  24: [1, 2],
};

/** EDTF's number of winter. */
export const WINTER = 24;

/** Returns a season of the northern hemisphere. `season` is EDTF's number, 21 (spring) to 24 (winter). */
export function seasonOf(year: number, season: number): DatePoint | undefined {
  const months = SEASON_MONTHS[season];
  const [first, last] = [calendarDate(year, months?.[0] ?? 0), calendarDate(year, months?.[1] ?? 0)];
  return first && last && { start: first.start, end: last.end, edtf: `${year}-${season}` };
}

/** The part of a decade or century that “early”, “mid” and “late” mean. The parts overlap, because cataloguers do not count. */
export type Part = 'early' | 'mid' | 'late';

const TENTHS: Readonly<Record<Part, [first: number, last: number]>> = { early: [0, 4], mid: [3, 6], late: [5, 9] };

/** Returns a decade, such as 1940 to 1949, or a part of it. `first` is its first year. */
export function decadeOf(first: number, part?: Part): DatePoint | undefined {
  return spanOf(first, 1, part, `${Math.floor(first / 10)}X`);
}

/** Returns a century, such as 1800 to 1899, or a part of it. `first` is its first year. */
export function centuryOf(first: number, part?: Part): DatePoint | undefined {
  return spanOf(first, 10, part, `${Math.floor(first / 100)}XX`);
}

/** `unit` is a tenth of the span, in years. */
function spanOf(first: number, unit: number, part: Part | undefined, edtf: string): DatePoint | undefined {
  const [from, to] = part ? TENTHS[part] : [0, 9];
  const [start, end] = [calendarDate(first + from * unit), calendarDate(first + (to + 1) * unit - 1)];
  if (!start || !end) return undefined;
  return { start: start.start, end: end.end, edtf: part ? `${start.edtf}~/${end.edtf}~` : edtf };
}

/** Returns the first day of a bound, for comparisons. */
export function startOf(bound: string): string {
  return bound.length === 10 ? bound : bound.length === 7 ? `${bound}-01` : `${bound}-01-01`;
}

/** Returns the last day of a bound, for comparisons. */
export function endOf(bound: string): string {
  if (bound.length === 10) return bound;
  const [year, month = 12] = bound.split('-').map(Number) as [number, number?];
  return `${year}-${String(month).padStart(2, '0')}-${daysIn(year, month)}`;
}
