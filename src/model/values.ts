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

/**
 * Returns text to be shown: legible, and cut after `MAX_TEXT_LENGTH` characters. Undefined if there is none. Of a list, the texts are joined, as
 * paragraphs if they are sentences; of texts by language, the one in `language` counts, else the first.
 */
export function statedText(value: unknown, language = DEFAULT_LANGUAGE): string | undefined {
  const read = Array.isArray(value)
    ? joinTexts(value, language)
    : verbatim(isLanguageMap(value) ? inLanguage(value, language) : value);
  if (read === undefined) return undefined;
  const shown = toLegible(read.length > MAX_TEXT_LENGTH ? read.slice(0, MAX_TEXT_LENGTH) : read);
  return shown.trim() === '' ? undefined : shown;
}

/** Returns text like `statedText`; undefined also for words that say that there is none, such as “Unknown” and “n/a”. */
export const text: Reader<string | undefined> = (value) => {
  const stated = statedText(value);
  return stated === undefined || isPlaceholder(stated) ? undefined : stated;
};

/** Of texts in several languages, where the page’s language is not known. */
const DEFAULT_LANGUAGE = 'en';

/** Not recursive: of lists in lists, and of lists in texts by language, only texts count. */
function joinTexts(values: readonly unknown[], language: string): string | undefined {
  const texts = values.slice(0, MAX_LIST_MEMBERS).flatMap((value) => {
    const shown = verbatim(isLanguageMap(value) ? inLanguage(value, language) : value);
    return shown === undefined ? [] : [shown];
  });
  const areSentences = texts.slice(0, -1).every((each) => /[.!?。]["”’)\]]?\s*$/.test(each.slice(-MAX_SENTENCE_END)));
  return texts.length === 0 ? undefined : texts.join(areSentences ? '\n\n' : '; ');
}

/** Characters in which the end of a sentence is. */
const MAX_SENTENCE_END = 10;
const LANGUAGE_KEY = /^(?:[a-z]{2}(?:[-_][A-Za-z0-9]{2,8})*|eng|spa|jpn|und|@?none)$/;

/** Returns whether a value is a text in several languages: by their codes. An object with an ID alone is not one in Indonesian. */
export function isLanguageMap(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  if (entries.length === 0 || (entries.length === 1 && 'id' in value)) return false;
  return entries.every(([key, each]) => LANGUAGE_KEY.test(key) && (typeof each === 'string' || Array.isArray(each)));
}

function inLanguage(map: Record<string, unknown>, language: string): string | undefined {
  const keys = Object.keys(map).filter((key) => hasValue(map[key]));
  const shown = map[keys.find((each) => each.split(/[-_]/)[0] === language) ?? keys[0] ?? ''];
  if (!Array.isArray(shown)) return verbatim(shown);
  const texts = shown.filter((each) => typeof each === 'string');
  return joinTexts(texts, language);
}

const FIELD_WORD =
  'author|contributor|creator|credit|date|description|dimensions?|duration|extent|format|genre|language|length|location|name|organi[sz]ation|photographer|place|provenance|publisher|size|source|subject|title|topic';
const PLACEHOLDER = new RegExp(
  `^(?:(?:(?:${FIELD_WORD}) )?(?:is )?(?:unknown|not known|unspecified|undetermined)|unknown (?:${FIELD_WORD})|n\\.? ?/ ?a\\.?|not (?:applicable|available|given|known|provided|specified|stated)|t\\.?b\\.?[ad]\\.?|to be (?:added|announced|determined)|null|undefined|nan|no (?:${FIELD_WORD})(?: (?:available|given|provided))?|(?:add|enter|insert|put|type) .{0,40} here|(?:[a-z]+ ){0,4}text (?:goes )?here|desconocid[oa]s?|sin especificar|不明|未詳|不詳|[-–—_.?*]+)$`,
  'i',
);
/** Characters. */
const MAX_PLACEHOLDER = 80;

/** Returns whether a text only says that there is none, or is that of an empty form. */
export function isPlaceholder(words: string): boolean {
  if (words.length > MAX_PLACEHOLDER) return false;
  const bare = words.replace(/^[\s[(]+|[\s\])?.!]+$/g, '').replace(/\s+/g, ' ');
  return bare === '' || PLACEHOLDER.test(bare);
}

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
