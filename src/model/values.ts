/** Even-handed reading of untrusted JSON: absent, null, "" and [] are all “no value” (upstream-facts, “Records”). */
import { z } from 'zod';

/** Text or nothing. Numbers and booleans become text; anything else is no value. */
export const text = z.unknown().transform((value): string | undefined => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'boolean' ? String(value) : undefined;
});

/** A finite number or nothing; digits in a string count (`"640"`). */
export const number = z.unknown().transform((value): number | undefined => {
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim())) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
});

/** A list of what `element` makes of each member; a lone value counts as a list of one, and members without value are dropped. */
export function list<T>(element: z.ZodType<T | undefined>) {
  return z.unknown().transform((value): T[] => {
    if (value === undefined || value === null || value === '') return [];
    const members = Array.isArray(value) ? value : [value];
    return members.flatMap((member) => {
      const read = element.safeParse(member);
      return read.success && read.data !== undefined ? [read.data] : [];
    });
  });
}

/** A plain object, or an empty one for whatever else came. */
export const object = z.unknown().transform((value): Record<string, unknown> => (isObject(value) ? value : {}));

/** A schema for an object of which any field may be missing: each field is read by its own schema, from `undefined` where it is not there. */
export function fields<S extends Record<string, z.ZodType>>(shape: S) {
  const readers = Object.entries(shape);
  return z.unknown().transform((raw, context): { [K in keyof S]: z.output<S[K]> } => {
    if (!isObject(raw)) {
      context.addIssue('expected an object');
      return z.NEVER;
    }
    return Object.fromEntries(readers.map(([name, reader]) => [name, reader.parse(raw[name])])) as {
      [K in keyof S]: z.output<S[K]>;
    };
  });
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
