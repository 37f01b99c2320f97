import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPageSlicer } from './simulated-faults.ts';

const walk = (all: number[], limit: number, cut: ReturnType<typeof createPageSlicer>) => {
  const pages: number[][] = [];
  for (let offset = 0; offset < Math.max(1, all.length); offset += limit) pages.push(cut('list', all, offset, limit).objects);
  return pages;
};

it('boundary-repeat repeats the last entry of the first page as the first of the second, and drops none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 40 }), (length, limit) => {
      const all = Array.from({ length }, (_, n) => n);
      const pages = walk(all, limit, createPageSlicer(new Set(['boundary-repeat'])));
      expect([...new Set(pages.flat())].sort((a, b) => a - b)).toEqual(all);
      if (pages.length > 1) expect(pages[1]?.[0]).toBe(pages[0]?.at(-1));
    }),
  );
});

it('moving-total changes the total of lists that are longer than a page', () => {
  const cut = createPageSlicer(new Set(['moving-total']));
  const all = Array.from({ length: 60 }, (_, n) => n);
  expect(new Set([0, 25, 50].map((offset) => cut('list', all, offset, 25).total)).size).toBe(2);
  expect(cut('list', [1], 0, 25).total).toBe(1);
});
