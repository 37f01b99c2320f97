/** Even-handed reading of untrusted JSON: absent, null, "" and [] are all “no value” (upstream-facts, “Records”). A reader never throws. */

export type Reader<T> = (value: unknown) => T;

/** Text or nothing. Numbers and booleans become text; anything else is no value. */
export const text: Reader<string | undefined> = (value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'boolean' ? String(value) : undefined;
};

/** A finite number or nothing; digits in a string count (`"640"`). */
export const number: Reader<number | undefined> = (value) => {
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim())) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** A list of what `element` makes of each member; a lone value counts as a list of one, and members without value are dropped. */
export function list<T>(element: Reader<T | undefined>): Reader<T[]> {
  return (value) => {
    if (value === undefined || value === null || value === '') return [];
    if (!Array.isArray(value)) return present(element(value));
    return value.flatMap((member) => present(element(member)));
  };
}

/** An object of which any field may be missing: each is read by its own reader. Nothing for whatever is no object. */
export function fields<S extends Record<string, Reader<unknown>>>(
  shape: S,
): Reader<{ [K in keyof S]: ReturnType<S[K]> } | undefined> {
  const readers = Object.entries(shape);
  return (value) => {
    if (!isObject(value)) return undefined;
    const read: Record<string, unknown> = {};
    for (const [name, reader] of readers) read[name] = reader(value[name]);
    return read as { [K in keyof S]: ReturnType<S[K]> };
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value of a record says anything: the one definition of “unset”. */
export function hasValue(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.some(hasValue);
  return isObject(value) ? Object.keys(value).length > 0 : true;
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
