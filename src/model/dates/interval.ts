/** Intervals of dates: their bounds, their certainty, and their form in EDTF (ISO 8601-2:2019). */
import { type DatePoint, endOf, startOf } from './calendar.ts';

/** Marks of certainty. */
export interface Certainty {
  /** Whether the text says “circa”, “early”, “late” and so on. */
  approximate: boolean;
  /** Whether the text says “?”, “probably”, “between” and so on. */
  uncertain: boolean;
}

/** A span of time. Bounds are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as precise as the text, and included unless `open` says no. */
export interface DateInterval extends Certainty {
  /** The first date; undefined if the interval has no beginning, as in “before 1942”. */
  start: string | undefined;
  /** The last date; undefined if the interval has no end, as in “1942–” and “after 1942”. */
  end: string | undefined;
  /** `before` and `after`: the one bound is not part of the interval. */
  excluded?: 'before' | 'after';
  /** The interval in EDTF, such as `1942-03~`, `194X` or `1942/..`. */
  edtf: string;
}

/** No doubts. */
export const CERTAIN: Certainty = { approximate: false, uncertain: false };

/** Returns the interval of one point. */
export function intervalOf(point: DatePoint, certainty: Certainty): DateInterval {
  const { start, end } = point;
  const approximate = certainty.approximate || point.edtf.includes('~'); // “first half of the 20th century”
  return { start, end, approximate, uncertain: certainty.uncertain, edtf: marked(point, certainty) };
}

/** Returns the interval between two points, in either order: one date if they are the same. Undefined is an open end. */
export function intervalBetween(
  [from, fromCertainty]: [DatePoint | undefined, Certainty],
  [to, toCertainty]: [DatePoint | undefined, Certainty],
): DateInterval {
  if (from && from.edtf === to?.edtf) return intervalOf(from, eitherOf(fromCertainty, toCertainty));
  if (from && to && startOf(from.start) > endOf(to.end)) return intervalBetween([to, toCertainty], [from, fromCertainty]);
  const edge = (point: DatePoint | undefined, certainty: Certainty) => (point ? marked(point, certainty) : '..');
  // EDTF has no interval between two spans, such as two decades: the outer years are the bounds.
  const left = from && (isInterval(from) ? { ...from, edtf: from.start } : from);
  const right = to && (isInterval(to) ? { ...to, edtf: to.end } : to);
  return {
    start: from?.start,
    end: to?.end,
    ...eitherOf(fromCertainty, toCertainty),
    edtf: `${edge(left, fromCertainty)}/${edge(right, toCertainty)}`,
  };
}

/** The marks that one of two sides has. */
function eitherOf(one: Certainty, other: Certainty): Certainty {
  return { approximate: one.approximate || other.approximate, uncertain: one.uncertain || other.uncertain };
}

const isInterval = ({ edtf }: DatePoint): boolean => edtf.includes('/') || edtf.includes('X');

function marked(point: DatePoint, { approximate, uncertain }: Certainty): string {
  const mark = (isApproximate: boolean) => (isApproximate && uncertain ? '%' : isApproximate ? '~' : uncertain ? '?' : '');
  const ends = point.edtf.split('/').map((end) => `${end.replace('~', '')}${mark(approximate || end.endsWith('~'))}`);
  return ends.join('/');
}
