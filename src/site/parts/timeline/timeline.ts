/** The view model of the timeline: decades with their years, also those without records. */
import type { NameLine } from '../names/name-lists.ts';

/** A year in a decade. */
export interface TimelineYear {
  year: number;
  /** Undefined without records. */
  line: NameLine | undefined;
  /** Its number of records, compared with the year that has most: from 0 to 1. */
  share: number;
}

/** A decade. */
export interface TimelineDecade {
  /** The first year. */
  year: number;
  /** Undefined without records. */
  line: NameLine | undefined;
  /** Like that of a year, compared with other decades. */
  share: number;
  years: TimelineYear[];
}

/** Decades without records that are not listed one by one. */
export interface TimelineGap {
  /** First year of the first of them. */
  from: number;
  /** First year of the last of them. */
  to: number;
}

/** The timeline. */
export type Timeline = ReturnType<typeof createTimeline>;

/** More decades without records in a row are a gap. */
const MAX_EMPTY = 3;

/** Returns the timeline of the values of the facet “time”. The `sort` of a value is its slug: `1940s`, `1943`. */
export function createTimeline(lines: readonly NameLine[]) {
  const bySlug = new Map(lines.map((line) => [line.sort, line]));
  const starts = lines.flatMap(({ sort }) => (/^\d+s$/.test(sort) ? [Number(sort.slice(0, -1))] : [])).sort((a, b) => a - b);
  const shown = new Set(starts.flatMap((start) => [`${start}s`, ...yearsOf(start).map(String)]));
  const most = (pattern: RegExp) => Math.max(1, ...lines.map(({ sort, count }) => (pattern.test(sort) ? (count ?? 0) : 0)));
  const [mostOfDecades, mostOfYears] = [most(/s$/), most(/^\d+$/)];
  const decade = (year: number): TimelineDecade => {
    const line = bySlug.get(`${year}s`);
    const years = yearsOf(year).map((one): TimelineYear => {
      const own = bySlug.get(String(one));
      return { year: one, line: own, share: (own?.count ?? 0) / mostOfYears };
    });
    return { year, line, share: (line?.count ?? 0) / mostOfDecades, years };
  };
  const rows = starts.flatMap((start, i): Array<TimelineDecade | TimelineGap> => {
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

function yearsOf(decade: number): number[] {
  return Array.from({ length: 10 }, (_, n) => decade + n);
}
