/** How many typing mistakes are between two words. */

/**
 * Returns the number of letters to insert, delete, replace or swap with their neighbor to get from one word to the other (optimal
 * string alignment distance); `max + 1` if there are more than `max`.
 */
export function editDistance(a: string, b: string, max = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY;
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, replaced, swapped);
    }
    if (Math.min(...next) > max) return max + 1;
    [before, row] = [row, next];
  }
  return Math.min(row[b.length] as number, max + 1);
}
