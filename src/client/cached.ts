/** A cache of promises. */

/** Returns `load` with a cache of the `size` most recently used values. Failures are not cached. */
export function cached<T>(size: number, load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const values = new Map<string, Promise<T>>();
  return (key) => {
    const found = values.get(key) ?? load(key);
    found.catch(() => {
      if (values.get(key) === found) values.delete(key);
    });
    values.delete(key);
    values.set(key, found);
    for (const oldest of values.keys()) {
      if (values.size <= size) break;
      values.delete(oldest);
    }
    return found;
  };
}
