/** Computes values once. */

/** Returns a function that computes the value of each name once. */
export function memoized<T>(compute: (name: string) => T): (name: string) => T {
  const cache = new Map<string, T>();
  return (name) => {
    if (!cache.has(name)) cache.set(name, compute(name));
    return cache.get(name) as T;
  };
}

/** Returns a function that computes a value when it is first needed. */
export function lazy<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
