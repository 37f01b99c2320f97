import { expect, it } from 'vitest';
import { createTimeline } from './timeline.ts';

const line = (slug: string, count = 1) => ({ label: slug, path: `p/${slug}`, sort: slug, count });

it('has ten years in each decade, also those without records', () => {
  const { rows, others } = createTimeline([line('1940s', 8), line('1943', 4), line('1949', 2), line('undated', 2), line('1863')]);
  expect(rows).toHaveLength(1);
  const [decade] = rows;
  if (!decade || !('years' in decade)) throw new Error('no decade');
  expect([decade.year, decade.share, decade.years.length]).toEqual([1940, 1, 10]);
  expect(decade.years.map(({ share }) => share)).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0, 0.5]);
  expect(decade.years[0]).toEqual({ year: 1940, line: undefined, share: 0 });
  expect(others.map(({ label }) => label)).toEqual(['undated', '1863']);
});

it('draws empty decades, and says how long a longer gap is', () => {
  const { rows } = createTimeline([line('1210s'), line('1900s'), line('1930s')]);
  expect(rows.map((row) => ('years' in row ? [row.year, row.line?.count ?? 0] : [row.from, row.to, 'gap']))).toEqual([
    [1210, 1],
    [1220, 1890, 'gap'],
    [1900, 1],
    [1910, 0],
    [1920, 0],
    [1930, 1],
  ]);
});

it('is empty without dates', () => expect(createTimeline([line('undated')])).toMatchObject({ rows: [] }));
