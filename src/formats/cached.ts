/** A cache of promises. */

/**
 * Returns `load` with a cache of the `count` most recently used values; with a limit, of so few that their sizes do not exceed
 * its total. Failures are not cached.
 */
export function cached<T>(
  count: number,
  load: (key: string) => Promise<T>,
  limit?: { total: number; sizeOf: (value: T) => number },
): (key: string) => Promise<T> {
  const values = new Map<string, Promise<T>>();
  const sizes = new Map<Promise<T>, number>();
  const evict = () => {
    let total = 0;
    for (const value of values.values()) total += sizes.get(value) ?? 0;
    for (const [oldest, value] of values) {
      if (values.size <= count && total <= (limit?.total ?? Number.POSITIVE_INFINITY)) break;
      values.delete(oldest);
      total -= sizes.get(value) ?? 0;
      sizes.delete(value);
    }
  };
  return (key) => {
    const found = values.get(key) ?? load(key);
    found.then(
      (value) => {
        if (!limit || values.get(key) !== found) return;
        sizes.set(found, limit.sizeOf(value));
        evict();
      },
      () => {
        if (values.get(key) === found) values.delete(key);
      },
    );
    values.delete(key);
    values.set(key, found);
    evict();
    return found;
  };
}
