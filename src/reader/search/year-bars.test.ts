import fc from 'fast-check';
import { expect, it } from 'vitest';
import { yearBars } from './year-bars.ts';

const NONE = { from: undefined, to: undefined };

it('draws a bar for each year of a short span, also for those without results', () => {
  expect(
    yearBars(
      [
        [1942, 1942],
        [1942, 1944],
      ],
      NONE,
      10,
    ),
  ).toEqual([
    { from: 1942, to: 1942, count: 2 },
    { from: 1943, to: 1943, count: 1 },
    { from: 1944, to: 1944, count: 1 },
  ]);
});

it('draws decades of a longer span, and years within a chosen decade', () => {
  const spans = [
    [1899, 1899],
    [1942, 1942],
    [1961, 1961],
  ] as const;
  expect(yearBars(spans, NONE, 10).map(({ from, to, count }) => [from, to, count])).toEqual([
    [1890, 1899, 1],
    ...[1900, 1910, 1920, 1930].map((year) => [year, year + 9, 0]),
    [1940, 1949, 1],
    [1950, 1959, 0],
    [1960, 1969, 1],
  ]);
  const decade = yearBars(spans, { from: 1940, to: 1949 }, 10);
  expect(decade).toHaveLength(10);
  expect(decade[2]).toEqual({ from: 1942, to: 1942, count: 1 });
});

it('draws as many years in a bar as there is space for', () => {
  const spans = [
    [1899, 1899],
    [2019, 2019],
  ] as const;
  const widths = [40, 13, 10, 6].map((maxBars) => {
    const [bar] = yearBars(spans, NONE, maxBars);
    return bar && [bar.from, bar.to];
  });
  expect(widths).toEqual([
    [1895, 1899],
    [1890, 1899],
    [1880, 1899],
    [1850, 1899],
  ]);
});

it('has no bars without years', () => expect(yearBars([], NONE, 10)).toEqual([]));

it('has a limited number of bars, which contain each result at its years', () => {
  const year = fc.integer({ min: 1, max: 9999 });
  const span = fc.tuple(year, year).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  const chosen = fc.record({ from: fc.option(year, { nil: undefined }), to: fc.option(year, { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), chosen, fc.integer({ min: 1, max: 60 }), (spans, choice, maxBars) => {
      const bars = yearBars(spans, choice, maxBars);
      expect(bars.length).toBeLessThanOrEqual(maxBars);
      for (const { from, to, count } of bars)
        expect(count).toBe(spans.filter(([first, last]) => first <= to && last >= from).length);
    }),
  );
});
