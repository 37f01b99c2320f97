/** Even-handed reading of untrusted JSON: absent, null, "" and [] are all “no value” (docs/upstream-api.md, “Record fields”). A reader never throws. */

import { legible } from './legible.ts';
import { LONGEST_TEXT, MOST_MEMBERS } from './limits.ts';

export type Reader<T> = (value: unknown) => T;

/** Text or nothing, as it came: for ids, names and addresses, which must stay what they are. Numbers and booleans become text; anything else is no value. */
export const verbatim: Reader<string | undefined> = (value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'boolean' ? String(value) : undefined;
};

/** Text to be shown, or nothing: of legible characters, and never longer than `LONGEST_TEXT`. */
export const text: Reader<string | undefined> = (value) => {
  const read = verbatim(value);
  if (read === undefined) return undefined;
  const shown = legible(read.length > LONGEST_TEXT ? read.slice(0, LONGEST_TEXT) : read);
  return shown.trim() === '' ? undefined : shown;
};

/** A finite number or nothing; digits in a string count (`"640"`). */
export const number: Reader<number | undefined> = (value) => {
  const read = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};

/** A list of what `element` makes of each member, of `most` members at most; a lone value counts as a list of one, and members without value are dropped. */
export function list<T>(element: Reader<T | undefined>, most = MOST_MEMBERS): Reader<T[]> {
  return (value) => {
    if (value === undefined || value === null || value === '') return [];
    if (!Array.isArray(value)) return present(element(value));
    return value.slice(0, most).flatMap((member) => present(element(member)));
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
  // A loop, since lists may stand in lists thousands of times over.
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) for (const member of next) waiting.push(member);
    else if (isObject(next) ? Object.keys(next).length > 0 : verbatim(next) !== undefined || typeof next === 'number')
      return true;
  }
  return false;
}

/** The fields of a payload that are too long to be read to their ends: the rest of them stands in the snapshot alone. */
export function cutFields(payload: Record<string, unknown>): string[] {
  return Object.entries(payload)
    .filter(([, value]) =>
      Array.isArray(value) ? value.length > MOST_MEMBERS : typeof value === 'string' && value.length > LONGEST_TEXT,
    )
    .map(([name]) => name);
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
