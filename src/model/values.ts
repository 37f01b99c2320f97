/** Readers for untrusted JSON, which never throw. A missing key, null, "" and [] mean “no value” (docs/upstream-api.md). */
import { languageTag } from './text/language-tag.ts';
import { toLegible } from './text/legible.ts';
import { MAX_LIST_MEMBERS, MAX_TEXT_LENGTH } from './text/limits.ts';

/** Converts any JSON value to a `T`. Never throws. */
export type Reader<T> = (value: unknown) => T;

/** Returns text as received, for IDs, names and URLs; numbers and booleans as text. Blank text and all else is undefined. */
export const verbatim: Reader<string | undefined> = (value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'boolean' ? String(value) : undefined;
};

/**
 * Returns text to be shown: legible, and cut after `MAX_TEXT_LENGTH` characters. Undefined if there is none. Of a list, the texts
 * are joined, as paragraphs if they are sentences; an object may have one; of texts by language, the one in
 * `language` counts, else the first.
 */
export function statedText(value: unknown, language?: string): string | undefined {
  const texts = typeof value === 'object' ? textsIn(value, language) : [verbatim(value) ?? ''];
  const areSentences = texts.slice(0, -1).every((each) => /[.!?。]["”’)\]]?\s*$/.test(each.slice(-MAX_SENTENCE_END)));
  const read = texts.join(areSentences ? '\n\n' : '; ');
  const shown = toLegible(read.length > MAX_TEXT_LENGTH ? read.slice(0, MAX_TEXT_LENGTH) : read);
  return shown.trim() === '' ? undefined : shown;
}

/** Returns text like `statedText`, for titles, names and dates: “unknown” is one, since it says something else than nothing. */
export const stated: Reader<string | undefined> = (value) => statedText(value);

/** Returns text like `statedText`; undefined also for words that say that there is none, such as “Unknown” and “n/a”. */
export const text: Reader<string | undefined> = (value) => {
  const words = statedText(elementsOf(value)?.filter((each) => typeof each !== 'string' || !isPlaceholder(each)) ?? value);
  return words === undefined || isPlaceholder(words) ? undefined : words;
};

/** Characters in which the end of a sentence is. */
const MAX_SENTENCE_END = 10;

/** Returns the texts in lists and in texts by language. Not recursive, since they may be nested thousands of levels deep. */
function textsIn(value: unknown, language?: string): string[] {
  const texts: string[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0 && texts.length < MAX_LIST_MEMBERS) {
    const next = pending.pop();
    const several = elementsOf(next) ?? (isTextObject(next) ? next : undefined);
    if (several) {
      for (const each of inLanguage(several, language).reverse()) pending.push(each);
      continue;
    }
    const own = ownText(next);
    if (own !== undefined) pending.push(own);
    else texts.push(...asList(verbatim(next)));
  }
  return texts;
}

/** Keys of the text in an object, as WordPress and converters of XML write them; and of what only describes it. */
const TEXT_KEYS = 'expression value text rendered html content label name title term #text _ $t $date code'.split(' ');
const DESCRIBING_KEY = /^(?:[@-]?(?:id|type|(?:xml:)?lang|language)|format|markup|protected|code|slug|\$)$/;
/** Keys of the start and end of a period, and of the parts of a date. */
const DATE_KEYS = ['(?:start|begin|from|earliest|gte)', '(?:end|to|until|latest|lte)', 'year', 'month', 'day'].map(
  (key) => new RegExp(`^(?:date[_-]?)?${key}(?:[_-]?(?:date|year))?$`, 'i'),
);

/** Returns the text of an object that has nothing else to say, or a date with its parts; undefined for others. */
function ownText(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const key = TEXT_KEYS.find((each) => Object.hasOwn(value, each)) ?? '';
  const isDate = key === '' || key === 'expression';
  const isKnown = (each: string) =>
    each === key || DESCRIBING_KEY.test(each) || (isDate && DATE_KEYS.some((date) => date.test(each)));
  if (!Object.keys(value).every(isKnown)) return undefined;
  return hasValue(value[key]) ? value[key] : dateIn(Object.entries(value));
}

/** Returns a date in parts as a date of EDTF: `1942-03`, `1940/1945`; undefined if there is none. */
function dateIn(entries: ReadonlyArray<[key: string, value: unknown]>): string | undefined {
  const read = DATE_KEYS.map((date) => verbatim(entries.find(([key]) => date.test(key))?.[1]));
  const [start, end, ...parts] = read.map((each) => (each !== undefined && /^[^/]*\d[^/]*$/.test(each) ? each : undefined));
  if (end !== undefined) return start === end ? start : `${start ?? ''}/${end}`;
  const known = parts.slice(0, [...parts, undefined].indexOf(undefined)).map((part, i) => part?.padStart(i === 0 ? 4 : 2, '0'));
  return start ?? (known.join('-') || undefined);
}

/** Of texts in several languages, where the page’s language is not known. */
const DEFAULT_LANGUAGE = 'en';
const LANGUAGE_KEY = /^(?:und|@?none)$|^(?<code>[a-z]{2,3})(?:[-_][a-z0-9]{1,8})*$/i;

/** Returns a list's values, or those of texts by language in `language` or else in the first; those without one are in any. */
export function inLanguage(values: readonly unknown[] | Record<string, unknown>, language = DEFAULT_LANGUAGE): unknown[] {
  const all: Array<[key: string | undefined, value: unknown]> = Array.isArray(values)
    ? values.slice(0, MAX_LIST_MEMBERS).map((each) => [languageOf(each), each])
    : '@value' in values
      ? [[undefined, values['@value']]]
      : Object.entries(values).filter(([, each]) => (Array.isArray(each) ? each.length > 0 : isObject(each) || verbatim(each)));
  const keys = all.flatMap(([key]) => asList(key));
  const shown = keys.find((key) => languageTag(LANGUAGE_KEY.exec(key)?.groups?.['code'] ?? '') === language) ?? keys[0];
  return all.filter(([key]) => key === undefined || key === shown).map(([, each]) => each);
}

/** Returns texts by language, or a list of them, each with the code of its language. */
export function textsByLanguage(value: unknown): Array<[code: string, text: unknown]> {
  const all = Array.isArray(value)
    ? value.slice(0, MAX_LIST_MEMBERS).map((each): [unknown, unknown] => [languageOf(each), each])
    : isTextObject(value) && !('@value' in value)
      ? Object.entries(value)
      : [];
  return all.filter((each): each is [string, unknown] => /^[a-z]{2,3}(?:[-_](?:[a-z]{2}){1,2})?$/i.test(String(each[0])));
}

/** Returns the language of a text of JSON-LD, or of a text by language that has only one. */
function languageOf(value: unknown): string | undefined {
  if (!isTextObject(value)) return undefined;
  if ('@value' in value) return verbatim(value['@language']);
  const [key, ...others] = Object.keys(value);
  return others.length === 0 ? key : undefined;
}

/**
 * Returns whether a value is a text of JSON-LD (`@value`), or a text in several languages, by their codes. An object with an ID
 * alone is not one in Indonesian.
 */
export function isTextObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  if ('@value' in value) return true;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    (entries.length > 1 || !('id' in value)) &&
    entries.every(([key, each]) => isLanguageKey(key) && (!isObject(each) || '@value' in each))
  );
}

function isLanguageKey(key: string): boolean {
  const { code } = LANGUAGE_KEY.exec(key)?.groups ?? { code: '' };
  return code === undefined || languageTag(code) !== undefined;
}

const FIELD =
  'author|contributor|creator|credit|date|description|dimensions?|duration|extent|format|genre|language|length|location|name|organi[sz]ation|photographer|place|provenance|publisher|size|source|subject|title|topic';
/** What a field says that has no value, or is of an empty form. Titles and names may have these words: see `statedText`. */
const PLACEHOLDER = new RegExp(
  `^(?:(?:(?:${FIELD}):? )?unknown|unknown (?:${FIELD})|n\\.? ?/ ?a\\.?|n\\.a|placeholder|unspecified|not (?:applicable|available|given|known|provided|specified|stated)|t\\.?b\\.?[ad]\\.?|to be (?:added|announced|determined)|null|undefined|nan|no (?:${FIELD}) (?:available|given|provided)|(?:add|enter|insert|type) (?:${FIELD}|text) here|(?:[\\p{L}/ -]+ )?text (?:goes )?here|desconocid[oa]s?|sin especificar|不明|未詳|不詳|[-–—_.?*]+)$`,
  'iu',
);
/** Characters. */
const MAX_PLACEHOLDER = 80;

/** Returns whether a text only says that there is none, or is that of an empty form. */
export function isPlaceholder(words: string): boolean {
  if (words.length > MAX_PLACEHOLDER) return false;
  const bare = words
    .replace(/<\/?(?:b|br|div|em|i|p|span|strong)\b[^<>]*>|&nbsp;|&#160;/gi, ' ')
    .replace(/^[\s[(]+|[\s\])?.!]+$/g, '')
    .replace(/\s+/g, ' ');
  return bare === '' || PLACEHOLDER.test(bare);
}

/** Returns a finite number, also from digits in a string (`"640"`, `"+640"`); undefined for anything else. */
export const number: Reader<number | undefined> = (value) => {
  const read = typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};

/** Returns a reader for lists of up to `maxElements` elements. A single value is a list of one. Drops elements without value. */
export function list<T>(element: Reader<T | undefined>, maxElements = MAX_LIST_MEMBERS): Reader<T[]> {
  return (value) => {
    if (value === undefined || value === null || value === '') return [];
    const items = elementsOf(value) ?? [value];
    return items.slice(0, maxElements).flatMap((item) => asList(element(item)));
  };
}

/** Returns a reader for objects, undefined for other values. Each field of `shape` has a reader, and may be missing. */
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

/** Returns the elements of a list, also of one that PHP wrote as an object by index, which are no years; undefined for others. */
export function elementsOf(value: unknown): unknown[] | undefined {
  if (!isObject(value)) return Array.isArray(value) ? value : undefined;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key, i) => /^\d{1,3}$/.test(key) || key === String(i)) ? Object.values(value) : undefined;
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

/** Returns the names of a payload's fields that are too long to be read completely. Only the snapshot has the rest. */
export function findTruncatedFields(payload: Record<string, unknown>): string[] {
  return Object.entries(payload)
    .filter(([, value]) =>
      Array.isArray(value) ? value.length > MAX_LIST_MEMBERS : typeof value === 'string' && value.length > MAX_TEXT_LENGTH,
    )
    .map(([name]) => name);
}

const asList = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);
