/** Chooses by the day. */

/** Milliseconds. */
const DAY = 86_400_000;

/** Returns the number of a day, which is 1 more the next day. Days begin at midnight of the reader. */
export const dayOf = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY;

/** Returns the day of the year, such as `06-12`. */
export function monthAndDay(date: Date): string {
  return [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

/** Returns elements in the same order, beginning with the one at `position`, counted over and over. */
export function rotate<T>(elements: readonly T[], position: number): T[] {
  const first = elements.length === 0 ? 0 : position % elements.length;
  return [...elements.slice(first), ...elements.slice(0, first)];
}
