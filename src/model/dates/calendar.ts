/** Points in the Gregorian calendar: days, months, years, seasons, decades, centuries; as bounds and in EDTF (ISO 8601-2). */

/** A single date, or a single span with a name: a season, decade or century. */
export interface DatePoint {
  start: string;
  end: string;
  /** In EDTF, without marks of certainty. */
  edtf: string;
}

/** Years that a record can state. Earlier ones do not occur in the intended archives, and four digits sort as text. */
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

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

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
  return months && monthSpan(year, ...months, `${year}-${season}`);
}

/** Returns the span from one month of a year to another. */
export function monthSpan(year: number, from: number, to: number, edtf?: string): DatePoint | undefined {
  const [first, last] = [calendarDate(year, from), calendarDate(year, to)];
  return first && last && { start: first.start, end: last.end, edtf: edtf ?? `${first.start}/${last.end}` };
}

/** Parts of a year, decade or century, as shares of the whole. They overlap, because cataloguers do not count. */
const SHARES = {
  early: [0, 0.5],
  mid: [0.3, 0.7],
  late: [0.5, 1],
  'first half': [0, 0.5],
  'second half': [0.5, 1],
  'first quarter': [0, 0.25],
  'second quarter': [0.25, 0.5],
  'third quarter': [0.5, 0.75],
  'last quarter': [0.75, 1],
  'first third': [0, 1 / 3],
  'middle third': [1 / 3, 2 / 3],
  'last third': [2 / 3, 1],
} as const;
/** What “early”, “mid”, “late” and the like mean. */
export type Part = keyof typeof SHARES;

/** Returns the months of a half or quarter of a year; the year for the other parts, which say no months. */
export function partOfYear(year: number, part: Part): DatePoint | undefined {
  if (part === 'early' || part === 'mid' || part === 'late') return calendarDate(year);
  const [from, to] = SHARES[part];
  return monthSpan(year, Math.round(12 * from) + 1, Math.round(12 * to));
}

/** Returns a decade, such as 1940 to 1949, or a part of it. `first` is its first year. */
export function decadeOf(first: number, part?: Part): DatePoint | undefined {
  return spanOf(first, 10, part, `${Math.floor(first / 10)}X`);
}

/** Returns a century, such as 1800 to 1899, or a part of it. `first` is its first year. */
export function centuryOf(first: number, part?: Part): DatePoint | undefined {
  return spanOf(first, 100, part, `${Math.floor(first / 100)}XX`);
}

/** `years`: the length of the whole. */
function spanOf(first: number, years: number, part: Part | undefined, edtf: string): DatePoint | undefined {
  const [from, to] = partYears(first, years, part);
  const span = yearSpan(from, to, part !== undefined);
  return span && !part ? { ...span, edtf } : span;
}

/** Returns the first and last year of a part of some years. */
export function partYears(first: number, years: number, part?: Part): [first: number, last: number] {
  const [from, to] = part ? SHARES[part] : [0, 1];
  return [first + Math.floor(from * years), first + Math.ceil(to * years) - 1];
}

/** Returns the span from one year to another. */
export function yearSpan(first: number, last: number, isApproximate: boolean): DatePoint | undefined {
  const [start, end] = [calendarDate(first), calendarDate(last)];
  const mark = isApproximate ? '~' : '';
  return start && end && { start: start.start, end: end.end, edtf: `${start.edtf}${mark}/${end.edtf}${mark}` };
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
