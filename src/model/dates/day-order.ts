/**
 * Resolves days that could be two, such as “3/4/1942” and “19-Feb-21”: by the other dates of their record, and by the order in
 * which its archive writes days.
 */
import { calendarDate, endOf, startOf } from './calendar.ts';
import { MONTH, monthNumber } from './names.ts';
import { readDate } from './read.ts';

/** Whether the month or the day comes first in days in numbers. */
export type DayOrder = 'month-first' | 'day-first';

/** A day that a text may mean. `order` is undefined if the text means it in any order. */
interface Candidate {
  day: string;
  order: DayOrder | undefined;
}

const TIME = '(?:(?:T|,? )\\d{1,2}:\\d\\d[\\d:.]*(?: ?[AP]\\.?M\\.?)?)?';
/** Days in numbers; and days with a year of two digits, after which a text has no other number. */
const DAY = new RegExp(
  `(?<![\\p{L}\\d]|\\d\\.)(?:(?<first>\\d{1,2})(?<sign>[-./])(?<second>\\d{1,2})\\k<sign>(?<year>\\d{4}|\\d\\d)(?!\\d)|(?:(?<day>\\d{1,2})[-/ ](?<month>${MONTH})\\.?[-/ ,]+['’]?|(?<month>${MONTH})\\.? (?<day>\\d{1,2}),? ['’])(?<year>\\d\\d)(?=${TIME}\\D*$))${TIME}`,
  'giu',
);
/** The years in which archives are digitized. */
const DIGITIZED = /^(?:199[5-9]|20[0-3])/;

/**
 * Resolves a record's days, as `YYYY-MM-DD`; the texts themselves if nothing was resolved. `created` and `modified` are such
 * days; `others` are other dates of what was made, or of what it is about. `order` is its archive's.
 */
export function resolveDays(
  dates: Record<'creation' | 'digitize_date' | 'created' | 'modified', string | undefined> & {
    others?: Array<string | undefined>;
  },
  order?: DayOrder,
) {
  const { creation, digitize_date, created, modified, others = [] } = dates;
  const texts = [creation, ...others];
  const [making, digitizing] = [texts.map(findDays), findDays(digitize_date)];
  if (making.flat().length + digitizing.length === 0) return { creation, digitize_date, others: [...others], stated: undefined };
  const earliest = sorted(making.flat(2))[0] ?? boundsOf(creation)[0];
  const digitized = digitizing.map((days) =>
    select(days, ({ day }) => DIGITIZED.test(day) && day >= (earliest ?? '') && (modified === undefined || day <= modified)),
  );
  const latest = sorted(digitized.flat()).at(-1) ?? boundsOf(digitize_date)[1] ?? created ?? modified;
  const made = making.map((found) => found.map((days) => select(days, ({ day }) => latest === undefined || day <= latest)));
  const all = [...made.flat(), ...digitized];
  const orders = new Set(all.flatMap((days) => commonOrder(days) ?? []));
  const [onlyOrder] = orders.size === 1 ? orders : [];
  const known = onlyOrder ?? order;
  const inOrder = (days: readonly Candidate[]) => select(days, (each) => known === undefined || (each.order ?? known) === known);
  const [resolved, ...resolvedOthers] = texts.map((text, i) => withDays(text, made[i]?.map(inOrder) ?? []));
  return {
    creation: resolved,
    digitize_date: withDays(digitize_date, digitized.map(inOrder)),
    others: resolvedOthers,
    /** The order that the record's own dates show; `open` if they do not, and one of them needs it. */
    stated: onlyOrder ?? (all.some((days) => new Set(days.map((each) => each.order)).size > 1) ? ('open' as const) : undefined),
  };
}

/**
 * Returns a text with the year in place of each day that could be two, such as “2/11/1947”, since either number may be the month.
 * A year of two digits stays so: its century is not known.
 */
export function withoutOpenDays(text: string): string {
  return replaceDays(text, (day, candidates, year) => (isOpen(candidates) ? year : day));
}

/** Whether a text has a day that could be two: in numbers, or of two centuries. */
export const hasTwoReadings = (text: string): boolean => findDays(text).some(isOpen);

/** Whether what is open of the days in a text is only their century. */
export function isOnlyCenturyOpen(text: string): boolean {
  return findDays(text).every((days) => days.every(({ day }) => day.slice(4) === days[0]?.day.slice(4)));
}

/** Returns the order of an archive from how many of its records show each; undefined if they do not agree. */
export function commonDayOrder(counts: Readonly<Record<DayOrder, number>>): DayOrder | undefined {
  const [common, rare]: [DayOrder, DayOrder] =
    counts['month-first'] >= counts['day-first'] ? ['month-first', 'day-first'] : ['day-first', 'month-first'];
  // A typing error is not an order.
  return counts[common] > 0 && counts[rare] * 20 <= counts[common] ? common : undefined;
}

/** Returns, for each day in a text, the days that it may mean; without those that the text says in full. */
function findDays(text: string | undefined): Candidate[][] {
  const found: Candidate[][] = [];
  replaceDays(text ?? '', (day, candidates) => {
    found.push(candidates);
    return day;
  });
  return found;
}

/** Returns a text with what `put` returns for each day in it that may need to be resolved. */
function replaceDays(text: string, put: (day: string, candidates: Candidate[], year: string) => string): string {
  if (!/\d[-./ ,]/.test(text)) return text;
  return text.normalize('NFKC').replace(DAY, (match: string, ...captured: unknown[]) => {
    const groups = captured.at(-1) as Record<'first' | 'second' | 'year' | 'day' | 'month', string | undefined>;
    const candidates = candidatesOf(groups);
    return candidates.length === 0 ? match : put(match, candidates, groups.year ?? '');
  });
}

function candidatesOf({ first, second, year = '', day, month }: Partial<Record<string, string>>): Candidate[] {
  const named = month && String(monthNumber(month.toLowerCase()));
  const inNumbers =
    first === second
      ? [[undefined, first, first]]
      : [
          ['month-first', first, second],
          ['day-first', second, first],
        ];
  // No archive says which century two digits are of.
  const years = year.length === 2 ? [`19${year}`, `20${year}`] : [year];
  return years.flatMap((full) =>
    (named ? [[undefined, named, day]] : inNumbers).flatMap(([order, ...numbers]) => {
      const [monthOfYear, dayOfMonth] = numbers.map(Number);
      const point = calendarDate(Number(full), monthOfYear, dayOfMonth);
      return point ? [{ order: order as DayOrder | undefined, day: point.start }] : [];
    }),
  );
}

/** Whether days are not one and the same. */
const isOpen = (days: readonly Candidate[]): boolean => days.some(({ day }) => day !== days[0]?.day);

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

function commonOrder(days: readonly Candidate[]): DayOrder | undefined {
  const [first, ...others] = days;
  return others.every(({ order }) => order === first?.order) ? first?.order : undefined;
}

/** Returns a text with each day in full that has one reading left. `remaining` has those of the text's days, in their order. */
function withDays(text: string | undefined, remaining: ReadonlyArray<readonly Candidate[]>): string | undefined {
  if (text === undefined || remaining.length === 0) return text;
  const next = remaining.values();
  return replaceDays(text, (day) => {
    const days = next.next().value ?? [];
    if (!isOpen(days)) return days[0]?.day ?? day;
    const [year, ...others] = new Set(days.map((each) => each.day.slice(0, 4)));
    return others.length === 0 ? day.replace(/^(\d+\D\d+\D)\d\d(?!\d)/, `$1${year}`) : day;
  });
}
