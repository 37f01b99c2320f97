import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOf, monthAndDay, rotate } from './daily.ts';

it('counts days as the reader does, also when clocks change', () => {
  const at = (day: number, hour: number) => new Date(2026, 2, day, hour, 30);
  for (let day = 1; day < 31; day++) {
    expect(dayOf(at(day, 0))).toBe(dayOf(at(day, 23)));
    expect(dayOf(at(day + 1, 0)) - dayOf(at(day, 23))).toBe(1);
  }
});

it('names the day of the year as the reader does', () => {
  expect([monthAndDay(new Date(2026, 5, 12, 23, 59)), monthAndDay(new Date(2024, 1, 29))]).toEqual(['06-12', '02-29']);
});

it('keeps all elements and their order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(), (elements, position) => {
      const rotated = rotate(elements, position);
      const first = elements.length === 0 ? 0 : position % elements.length;
      expect(rotated).toHaveLength(elements.length);
      for (const [i, element] of rotated.entries()) expect(element).toBe(elements[(first + i) % elements.length]);
    }),
  );
});
