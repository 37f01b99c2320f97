/** Readers for untrusted JSON. A missing key, null, "" and [] all mean “no value” (docs/upstream-api.md, “Record fields”). Readers never throw. */

import { toLegible } from './legible.ts';
import { MAX_LIST_MEMBERS, MAX_TEXT_LENGTH } from './limits.ts';

/** Converts any JSON value to a `T`. Never throws. */
export type Reader<T> = (value: unknown) => T;

/**
 * Returns text as received, for IDs, names and URLs, which must not change. Numbers and booleans become text. Blank text and anything else is
 * undefined.
 */
export const verbatim: Reader<string | undefined> = (value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'boolean' ? String(value) : undefined;
};

/** Returns text to be shown: legible, and cut after `MAX_TEXT_LENGTH` characters. Undefined if there is none. */
export const text: Reader<string | undefined> = (value) => {
  const read = verbatim(value);
  if (read === undefined) return undefined;
  const shown = toLegible(read.length > MAX_TEXT_LENGTH ? read.slice(0, MAX_TEXT_LENGTH) : read);
  return shown.trim() === '' ? undefined : shown;
};

/** Returns a finite number, also from digits in a string (`"640"`, `"+640"`); undefined for anything else. */
export const number: Reader<number | undefined> = (value) => {
  const read = typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};

/** Returns a reader for lists of up to `maxElements` elements. A single value counts as a list of one. Elements without value are dropped. */
export function list<T>(element: Reader<T | undefined>, maxElements = MAX_LIST_MEMBERS): Reader<T[]> {
  return (value) => {
    if (value === undefined || value === null || value === '') return [];
    if (!Array.isArray(value)) return asList(element(value));
    return value.slice(0, maxElements).flatMap((item) => asList(element(item)));
  };
}

/** Returns a reader for objects. Each field of `shape` has a reader, and may be missing. It returns undefined if the value is not an object. */
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

/** Returns whether a value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value of a record is set. This is the only definition of “unset”. */
export function hasValue(value: unknown): boolean {
  // Not recursive, since lists may be nested thousands of levels deep.
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (Array.isArray(next)) for (const item of next) stack.push(item);
    else if (isObject(next) ? Object.keys(next).length > 0 : verbatim(next) !== undefined || typeof next === 'number')
      return true;
  }
  return false;
}

/** Returns the names of the fields of a payload that are too long to be read completely. Only the snapshot has the rest of them. */
export function findTruncatedFields(payload: Record<string, unknown>): string[] {
  return Object.entries(payload)
    .filter(([, value]) =>
      Array.isArray(value) ? value.length > MAX_LIST_MEMBERS : typeof value === 'string' && value.length > MAX_TEXT_LENGTH,
    )
    .map(([name]) => name);
}

function asList<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
