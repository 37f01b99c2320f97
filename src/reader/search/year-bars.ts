/** Divides the years of results into bars of equal numbers of years, also for years without results. */

/** Widths of bars, in years. The last one is for every span. */
const WIDTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000] as const;

/**
 * Returns at most `maxBars` bars for the years of results, from the first to the last of them, or of the chosen years. Empty
 * without years. `spans` are the first and last year of each result; one of several years counts in several bars.
 */
export function yearBars(
  spans: ReadonlyArray<readonly [first: number, last: number]>,
  chosen: { from: number | undefined; to: number | undefined },
  maxBars: number,
): Array<{ from: number; to: number; count: number }> {
  if (spans.length === 0) return [];
  let [least, greatest] = spans[0] as readonly [number, number];
  for (const [first, last] of spans) {
    least = Math.min(least, first);
    greatest = Math.max(greatest, last);
  }
  const from = chosen.from ?? least;
  const to = Math.max(chosen.to ?? greatest, from);
  const countBars = (years: number) => Math.floor(to / years) - Math.floor(from / years) + 1;
  const width = WIDTHS.find((years) => countBars(years) <= maxBars) ?? 10_000;
  const start = Math.floor(from / width);
  const counts = new Uint32Array(countBars(width));
  for (const [first, last] of spans) {
    const end = Math.min(Math.floor(last / width) - start, counts.length - 1);
    for (let bar = Math.max(Math.floor(first / width) - start, 0); bar <= end; bar++) counts[bar] = (counts[bar] as number) + 1;
  }
  return Array.from(counts, (count, bar) => ({ from: (start + bar) * width, to: (start + bar + 1) * width - 1, count }));
}
