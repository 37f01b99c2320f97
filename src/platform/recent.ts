/** Keeps what was used last. */

/** Values by key, of which those that were not used for the longest time are forgotten. */
export interface Recent<Key, Value> {
  /** Returns the value of a key; makes it if it is not known. */
  get(key: Key, make: (key: Key) => Value): Value;
}

/** Returns an empty store for values whose sizes add up to `max`. The size of a value is 1 unless `sizeOf` says otherwise. */
export function createRecent<Key, Value>(max: number, sizeOf: (value: Value) => number = () => 1): Recent<Key, Value> {
  const values = new Map<Key, Value>();
  let total = 0;
  return {
    get(key, make) {
      if (values.has(key)) {
        const value = values.get(key) as Value;
        values.delete(key);
        values.set(key, value); // now the last one
        return value;
      }
      const value = make(key);
      values.set(key, value);
      total += sizeOf(value);
      for (const [oldest, old] of values) {
        if (total <= max || oldest === key) break;
        values.delete(oldest);
        total -= sizeOf(old);
      }
      return value;
    },
  };
}
