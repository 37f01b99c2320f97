import { expect, it } from 'vitest';
import { cardColumns } from './card-columns.ts';

/** Returns the columns of a list in windows of middle width and in wide ones. */
function columnsOf(count: number): [number, number] {
  const { 'data-middle': middle = 3, 'data-wide': wide = 4 } = cardColumns(count);
  return [middle, wide];
}

it('fills the rows of short lists', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12].map((count) => columnsOf(count)[1])).toEqual([3, 3, 3, 4, 5, 3, 4, 4, 3, 5, 4]);
  expect([3, 4, 5, 6, 7, 8, 9, 12].map((count) => columnsOf(count)[0])).toEqual([3, 4, 3, 3, 4, 4, 3, 3]);
});

it('has no single card in a last row, and fills more than half of it in lists of up to 21', () => {
  for (let count = 2; count <= 60; count++) {
    const [middle, wide] = columnsOf(count);
    const lastRow = (columns: number) => count % columns || columns;
    expect(lastRow(wide), `${count} wide`).toBeGreaterThan(count <= 21 ? wide / 2 : 1);
    expect(count < middle || lastRow(middle) > 1, `${count} middle`).toBe(true);
  }
});
