/** Divides the years of results into bars: one for each year, decade or century, also for those without results. */

/** The years that one bar covers. */
export interface YearBar {
  from: number;
  to: number;
  /** The number of results in these years. A result of several years is in several bars. */
  count: number;
}

/** Widths of bars, in years. */
const WIDTHS = [1, 10, 100] as const;
const MAX_BARS = 40;

/**
 * Returns the bars for the years of results, from the first to the last of them, or of the chosen years. Empty without years. `spans` are the
 * first and last year of each result.
 */
export function yearBars(
  spans: ReadonlyArray<readonly [first: number, last: number]>,
  chosen: { from: number | undefined; to: number | undefined },
): YearBar[] {
  if (spans.length === 0) return [];
  let [least, greatest] = spans[0] as readonly [number, number];
  for (const [first, last] of spans) {
    least = Math.min(least, first);
    greatest = Math.max(greatest, last);
  }
  const from = chosen.from ?? least;
  const to = Math.max(chosen.to ?? greatest, from);
  const width = WIDTHS.find((years) => (to - from) / years < MAX_BARS) ?? 1000;
  const start = Math.floor(from / width);
  const counts = new Uint32Array(Math.floor(to / width) - start + 1);
  for (const [first, last] of spans) {
    const end = Math.min(Math.floor(last / width) - start, counts.length - 1);
    for (let bar = Math.max(Math.floor(first / width) - start, 0); bar <= end; bar++) counts[bar] = (counts[bar] as number) + 1;
  }
  return Array.from(counts, (count, bar) => ({ from: (start + bar) * width, to: (start + bar + 1) * width - 1, count }));
}
