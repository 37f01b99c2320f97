/** How many columns show cards, so that their last row is full or nearly full. The style sheet has a rule for each attribute. */

/** Columns in middle and wide windows, the usual first. Five are only for cards that would be alone in the last row. */
const MIDDLE = [3, 4];
const WIDE = [4, 3, 5];
const MANY = 5;

/** Returns the attributes of a list of `count` cards; undefined if it has the usual number of columns. */
export function cardColumns(count: number) {
  const middle = findFullest(count, MIDDLE);
  const isAlone = count > middle && lastRow(count, middle) === 1;
  return {
    'data-middle': unlessUsual(isAlone ? MANY : middle, MIDDLE),
    'data-wide': unlessUsual(findFullest(count, WIDE), WIDE),
  };
}

/** Returns the number of columns with the fullest last row; of equal ones, the first. */
function findFullest(count: number, columns: readonly number[]): number {
  const share = (n: number) => lastRow(count, n) / n;
  return columns.reduce((best, n) => (share(n) > share(best) ? n : best));
}

/** Returns the number of cards in the last row. */
const lastRow = (count: number, columns: number): number => ((count - 1) % columns) + 1;

const unlessUsual = (columns: number, [usual]: readonly number[]): number | undefined =>
  columns === usual ? undefined : columns;
