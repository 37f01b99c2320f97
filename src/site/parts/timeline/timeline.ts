/** The view model of the timeline: decades with their years, also those without records. */
import type { NameLine } from '../names/name-lists.ts';

/** A year or decade. */
export interface TimelineYear {
  /** The first year. */
  year: number;
  /** Undefined without records. */
  line: NameLine | undefined;
  /** Its number of records, compared with the year or decade that has most: from 0 to 1. */
  share: number;
}

/** The timeline. */
export type Timeline = ReturnType<typeof createTimeline>;

/** A decade; or some without records that are not listed one by one, by the first year of the first and of the last of them. */
type TimelineRow = (TimelineYear & { years: TimelineYear[] }) | { from: number; to: number };

/** More decades without records in a row are a gap. */
const MAX_EMPTY = 3;

/** Returns the timeline of the values of the facet “time”. The `sort` of a value is its slug: `1940s`, `1943`. */
export function createTimeline(lines: readonly NameLine[]) {
  const bySlug = new Map(lines.map((line) => [line.sort, line]));
  const starts = lines.flatMap(({ sort }) => (/^\d+s$/.test(sort) ? [Number(sort.slice(0, -1))] : [])).sort((a, b) => a - b);
  const shown = new Set(starts.flatMap((start) => [`${start}s`, ...yearsOf(start).map(String)]));
  const most = (pattern: RegExp) => Math.max(1, ...lines.map(({ sort, count }) => (pattern.test(sort) ? (count ?? 0) : 0)));
  const [mostOfDecades, mostOfYears] = [most(/s$/), most(/^\d+$/)];
  const lineOf = (year: number, slug: string, greatest: number): TimelineYear => {
    const line = bySlug.get(slug);
    return { year, line, share: (line?.count ?? 0) / greatest };
  };
  const decade = (start: number) => ({
    ...lineOf(start, `${start}s`, mostOfDecades),
    years: yearsOf(start).map((year) => lineOf(year, String(year), mostOfYears)),
  });
  const rows = starts.flatMap((start, i): TimelineRow[] => {
    const before = starts[i - 1] ?? start - 10;
    const empty = (start - before) / 10 - 1;
    const between =
      empty > MAX_EMPTY
        ? [{ from: before + 10, to: start - 10 }]
        : Array.from({ length: empty }, (_, n) => decade(before + 10 * (n + 1)));
    return [...between, decade(start)];
  });
  return {
    /** From the first decade with records to the last one. */
    rows,
    /** Values that are not in a decade, such as that of undated records. */
    others: lines.filter(({ sort }) => !shown.has(sort)),
  };
}

const yearsOf = (decade: number): number[] => Array.from({ length: 10 }, (_, n) => decade + n);
