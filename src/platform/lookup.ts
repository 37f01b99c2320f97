/** Finds values by name, wherever they are. */

/** Values by name. */
export interface Lookup<Value> {
  get(name: string): Value | undefined;
}

/** Returns the lookup of an object’s own properties. */
export function lookupIn<Value>(values: Readonly<Record<string, Value>>): Lookup<Value> {
  return { get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined) };
}
