/** Keeps what was used last. */

/** Values by key, of which those that were not used for a long time are forgotten. */
export interface Recent<Key, Value> {
  /** Returns the value of a key; makes it if it is not known. */
  get(key: Key, make: (key: Key) => Value): Value;
}

/**
 * Returns an empty store for values whose sizes add up to `max`. The size of a value is 1 unless `sizeOf` says otherwise. Values
 * are in two generations: when the younger one has half of the maximum, the older one is forgotten, except what was used since.
 * So a hit changes nothing.
 */
export function createRecent<Key, Value>(max: number, sizeOf: (value: Value) => number = () => 1): Recent<Key, Value> {
  let younger = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  let total = 0;
  const add = (key: Key, value: Value) => {
    const size = sizeOf(value);
    if (total + size > max / 2) {
      older = younger;
      younger = new Map();
      total = 0;
    }
    younger.set(key, value);
    total += size;
  };
  return {
    get(key, make) {
      const recent = younger.get(key);
      if (recent !== undefined || younger.has(key)) return recent as Value;
      const value = older.has(key) ? (older.get(key) as Value) : make(key);
      add(key, value);
      return value;
    },
  };
}
