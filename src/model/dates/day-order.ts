/** Resolves days that could be two, such as “3/4/1942” and “19-Feb-21”: by the other dates of their record, and by the order in which its archive writes days. */
import { calendarDate, endOf, startOf } from './calendar.ts';
import { MONTH, monthNumber } from './names.ts';
import { readDate } from './read.ts';

/** Whether the month or the day comes first in days in numbers. */
export type DayOrder = 'month-first' | 'day-first';

/** The texts of a record that bound its dates. */
export interface DatedTexts {
  creation: string | undefined;
  digitize_date: string | undefined;
  /** Days, as `YYYY-MM-DD`. */
  created: string | undefined;
  modified: string | undefined;
}

/** The dates of a record whose day is known now. */
export interface ResolvedDays {
  /** With days as `YYYY-MM-DD`; the text itself if nothing was resolved. */
  creation: string | undefined;
  digitize_date: string | undefined;
  /** The order that the record's own dates show; `open` if they do not, and one of them needs it. */
  stated: DayOrder | 'open' | undefined;
}

/** A day that a text may mean. `order` is undefined if the text means it in any order. */
interface Candidate {
  day: string;
  order: DayOrder | undefined;
}

/** Texts with one day, and without other digits but those of a time. */
const DAY = new RegExp(
  `^(?<before>\\D*?)(?<!\\p{L})(?:(?<first>\\d{1,2})(?<sign>[-/])(?<second>\\d{1,2})\\k<sign>(?<year>\\d{4}|\\d\\d)|(?<day>\\d{1,2})[-/ ](?<month>${MONTH})\\.?[-/ ,]+['’]?(?<short>\\d\\d))(?![\\d/-])(?:(?:[ T]|, )\\d{1,2}:\\d\\d.*|(?<after>\\D*))$`,
  'iu',
);
/** Characters. Longer texts are read as they are. */
const MAX_LENGTH = 60;
/** Years of two digits from here on are of the twentieth century: no item is from the future. */
const FIRST_OF_LAST_CENTURY = 40;
/** Before, hardly any archive was digitized. */
const FIRST_DIGITIZED = '1995-01-01';

/** Resolves the days of a record. `order` is that of its archive. */
export function resolveDays({ creation, digitize_date, created, modified }: DatedTexts, order?: DayOrder): ResolvedDays {
  const [making, digitizing] = [findDays(creation), findDays(digitize_date)];
  if (making.length + digitizing.length === 0) return { creation, digitize_date, stated: undefined };
  const [earliest] = making.length > 0 ? [firstOf(making)] : boundsOf(creation);
  const digitized = select(
    digitizing,
    ({ day }) => day >= FIRST_DIGITIZED && day >= (earliest ?? '') && (modified === undefined || day <= modified),
  );
  const latest = lastOf(digitized) ?? boundsOf(digitize_date)[1] ?? created ?? modified;
  const made = select(making, ({ day }) => latest === undefined || day <= latest);
  const orders = new Set([made, digitized].flatMap((days) => commonOrder(days) ?? []));
  const [own] = orders.size === 1 ? orders : [];
  const known = own ?? order;
  const inOrder = (days: readonly Candidate[]) => select(days, (each) => known === undefined || (each.order ?? known) === known);
  const isOpen = [made, digitized].some((days) => new Set(days.map((each) => each.order)).size > 1);
  return {
    creation: withDay(creation, inOrder(made)),
    digitize_date: withDay(digitize_date, inOrder(digitized)),
    stated: own ?? (isOpen ? 'open' : undefined),
  };
}

/** Returns the order of an archive from how many of its records show each; undefined if they do not agree. */
export function commonDayOrder(counts: Readonly<Record<DayOrder, number>>): DayOrder | undefined {
  const [common, rare]: [DayOrder, DayOrder] =
    counts['month-first'] >= counts['day-first'] ? ['month-first', 'day-first'] : ['day-first', 'month-first'];
  // A typing error is not an order.
  return counts[common] > 0 && counts[rare] * 20 <= counts[common] ? common : undefined;
}

/** Returns the days that a text may mean; none if it has no such day, or says it in full. */
function findDays(text: string | undefined): Candidate[] {
  if (text === undefined || text.length > MAX_LENGTH || !/\d{1,2}[-/ ]/.test(text)) return [];
  const { first, second, year = '', day, month, short = '' } = DAY.exec(text.normalize('NFKC'))?.groups ?? {};
  const candidates: Array<[order: DayOrder | undefined, year: string, month: number, day: number]> = [];
  for (const full of yearsOf(year || short)) {
    if (month !== undefined) candidates.push([undefined, full, Number(monthNumber(month.toLowerCase())), Number(day)]);
    else if (first !== undefined && first === second) candidates.push([undefined, full, Number(first), Number(first)]);
    else if (first !== undefined)
      candidates.push(['month-first', full, Number(first), Number(second)], ['day-first', full, Number(second), Number(first)]);
  }
  return candidates.flatMap(([order, ...parts]) => {
    const point = calendarDate(Number(parts[0]), parts[1], parts[2]);
    return point ? [{ order, day: point.start }] : [];
  });
}

function yearsOf(digits: string): string[] {
  if (digits.length !== 2) return digits === '' ? [] : [digits];
  return Number(digits) < FIRST_OF_LAST_CENTURY ? [`19${digits}`, `20${digits}`] : [`19${digits}`];
}

/** Returns the first and last day of a date that can be read. */
function boundsOf(text: string | undefined): [first: string | undefined, last: string | undefined] {
  const reading = readDate(text);
  if (typeof reading !== 'object') return [undefined, undefined];
  const [start, end] = [reading.intervals[0]?.start, reading.intervals.at(-1)?.end];
  return [start && startOf(start), end && endOf(end)];
}

/** Returns the candidates that pass; all of them if none does, since what excludes them may be wrong. */
function select(days: readonly Candidate[], passes: (candidate: Candidate) => boolean): readonly Candidate[] {
  const selected = days.filter(passes);
  return selected.length > 0 ? selected : days;
}

const sorted = (days: readonly Candidate[]) => days.map(({ day }) => day).sort();
const firstOf = (days: readonly Candidate[]) => sorted(days)[0];
const lastOf = (days: readonly Candidate[]) => sorted(days).at(-1);

function commonOrder(days: readonly Candidate[]): DayOrder | undefined {
  const [first, ...others] = days;
  return others.every(({ order }) => order === first?.order) ? first?.order : undefined;
}

/** Returns a text with its day in full, if only one remains. */
function withDay(text: string | undefined, days: readonly Candidate[]): string | undefined {
  const [only, ...others] = new Set(days.map(({ day }) => day));
  if (text === undefined || only === undefined || others.length > 0) return text;
  const { before = '', after = '' } = DAY.exec(text.normalize('NFKC'))?.groups ?? {};
  return `${before}${only}${after}`;
}
