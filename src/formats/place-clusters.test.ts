import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clusterPoints, labelMark, nameMark } from './place-clusters.ts';

const point = fc.record({
  x: fc.double({ min: 0, max: 500, noNaN: true }),
  y: fc.double({ min: 0, max: 300, noNaN: true }),
  count: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99_999 })),
  label: fc.string(),
});

it('has every point in one mark, and no marks that overlap, unless there would be too many', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (points, maxMarks) => {
      const marks = clusterPoints(points, maxMarks);
      expect(marks.length).toBeLessThanOrEqual(maxMarks);
      expect(new Set(marks.flatMap((mark) => mark.points))).toEqual(new Set(points));
      for (const mark of marks) expect(mark.count).toBe(mark.points.reduce((total, { count }) => total + count, 0));
      for (const [i, a] of marks.entries())
        for (const b of marks.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(a.radius + b.radius);
    }),
  );
});

it('names a mark by its place, or by the first of its places', () => {
  const names = {
    language: 'en',
    place: { one: '{label}: 1 record', other: '{label}: {n} records' },
    group: '{label}: {n} records nearby',
  };
  const mark = (places: number, count: number, label = 'Quay') => nameMark(names, { label, places, count }, String);
  expect([mark(1, 1), mark(1, 5), mark(3, 9), mark(1, 2, '$& {n}')]).toEqual([
    'Quay: 1 record',
    'Quay: 5 records',
    'Quay +2: 9 records nearby',
    '$& {n}: 2 records',
  ]);
});

it('labels a mark with its first place, and with the number of others', () => {
  expect([labelMark('Quay', 1, String), labelMark('Quay', 3, String)]).toEqual(['Quay', 'Quay +2']);
});
