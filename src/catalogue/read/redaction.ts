/** Redacts payloads: removes withheld fields, names of persons, and links to withheld records. */
import type { Parser } from 'htmlparser2';
import { isObjectId } from '../../model/ids.ts';
import { linesOf } from '../../model/people/record-people.ts';
import { escapeUnknownTags, parseMarkup, stripTags } from '../../model/text/markup.ts';
import { elementsOf, isObject } from '../../model/values.ts';

/** Replaces a name or link. */
export const WITHHELD_TEXT = '[withheld]';

/** Fields that repeat another field. `search_hidden` may repeat any. */
const REPEATING_FIELDS: Readonly<Record<string, readonly string[]>> = { topics: ['topics_id'], facility: ['facility_id'] };

/** Returns a payload without the named fields and their copies; the same object if it has none of them. */
export function omitFields<T extends Record<string, unknown>>(payload: T, names: ReadonlySet<string>): T {
  const removed = new Set([...names].flatMap((name) => [name, ...(REPEATING_FIELDS[name] ?? [])]));
  if (removed.size > 0) removed.add('search_hidden');
  const rest = Object.entries(payload).filter(([name]) => !removed.has(name));
  return rest.length === Object.keys(payload).length ? payload : (Object.fromEntries(rest) as T);
}

/** Returns a payload without other records' data: withheld entries, redacted fields, labels repeating a redacted title. */
export function redactCopies(
  payload: Record<string, unknown>,
  isWithdrawn: (id: string) => boolean,
  fieldsOf: (id: string) => Set<string>,
): Record<string, unknown> {
  const isCopy = (value: unknown) => isObject(value) && isObjectId(value['id']) && isWithdrawn(value['id']);
  const redactList = (list: unknown[]): unknown[] => {
    const rest = list.filter((item) => !isCopy(item)).map(redactValue);
    return rest.length === list.length && rest.every((item, i) => item === list[i]) ? list : rest;
  };
  const redactValue = (value: unknown): unknown => {
    const list = elementsOf(value);
    const redacted = list && redactList(list);
    if (redacted) return redacted === list ? value : redacted;
    return isObject(value) ? redactFields(value, isObjectId(value['id']) ? fieldsOf(value['id']) : new Set()) : value;
  };
  const redactFields = (value: Record<string, unknown>, names: Set<string>): Record<string, unknown> => {
    if (names.has('title')) names.add('label');
    const rest = omitFields(value, names);
    const entries = Object.entries(rest).map(([name, field]) => [name, redactValue(field)] as const);
    return entries.some(([name, field]) => field !== rest[name]) ? Object.fromEntries(entries) : rest;
  };
  return redactFields(payload, new Set());
}

/** Returns a record without withheld persons in its lists of names. */
export function omitPersons(payload: Record<string, unknown>, isWithheld: (name: string) => boolean): Record<string, unknown> {
  let result = payload;
  for (const field of ['creators', 'persons']) {
    const value = payload[field];
    // A text may name several people, one in each line.
    const list = (elementsOf(value) ?? [value ?? []]).flatMap((item) => (typeof item === 'string' ? linesOf(item) : item));
    const shown = list.filter(
      (item) => !Object.values(isObject(item) ? item : { item }).some((part) => typeof part === 'string' && isWithheld(part)),
    );
    if (shown.length < list.length) result = { ...result, [field]: shown };
  }
  return result;
}

/** Returns a payload in which `transform` was applied to each string, at any depth; the same object if no string changes. */
export function mapStrings(payload: unknown, transform: (text: string) => string): unknown {
  if (typeof payload === 'string') return transform(payload);
  if (Array.isArray(payload)) {
    const changed = payload.map((item) => mapStrings(item, transform));
    return changed.some((item, i) => item !== payload[i]) ? changed : payload;
  }
  if (!isObject(payload)) return payload;
  const entries = Object.entries(payload).map(([name, value]) => [name, mapStrings(value, transform)] as const);
  return entries.some(([name, value]) => value !== payload[name]) ? Object.fromEntries(entries) : payload;
}

/** Returns functions that find persons' names in text: as given, or with surname and given names exchanged, in any case. */
export function createNameMatcher(persons: readonly string[]) {
  if (persons.length === 0) return { matches: () => false, redact: (text: string) => text };
  const forms = [...new Set(persons.flatMap(nameForms))].sort((a, b) => b.length - a.length);
  const pattern = forms.map(namePattern).join('|');
  const [first, all] = [new RegExp(pattern, 'iu'), new RegExp(pattern, 'giu')];
  return {
    /** Returns whether a text contains one of the names. */
    matches: (text: string) => first.test(text.normalize('NFC')),
    /** Returns the text with each of the names replaced by `WITHHELD_TEXT`. */
    redact: (text: string) => (first.test(text.normalize('NFC')) ? text.normalize('NFC').replace(all, WITHHELD_TEXT) : text),
  };
}

function nameForms(person: string): string[] {
  const name = person.normalize('NFC').trim();
  const [surname, given] = name.split(/\s*,\s*/);
  const words = name.split(/\s+/);
  // “Doe, Jane Q.” is also “Jane Q. Doe”, and the other way round.
  const inverted = words.length < 2 ? name : `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`;
  const reversed = given === undefined ? inverted : `${given} ${surname}`;
  return [name, reversed].flatMap((form) => [form, encodeURIComponent(form)]);
}

/** Scripts whose words follow each other without a space, or with endings after a name. */
const UNSPACED = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
const ALL_UNSPACED = new RegExp(`^[${UNSPACED}\\s]+$`, 'u');
const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, 'u');

/** Returns a pattern for one form of a name, between non-letters; where its script has no spaces, between any characters. */
function namePattern(form: string): string {
  const characters = [...form.replace(/\s+/g, ' ')];
  const isSpaced = (character = '') => !UNSPACED_CHARACTER.test(character);
  // Such names are written with and without a space between surname and given name.
  const name = ALL_UNSPACED.test(form)
    ? characters
        .filter((character) => character !== ' ')
        .map(escapePattern)
        .join('\\s*')
    : escapePattern(form).replace(/\s+/g, '\\s+');
  // Upstream also writes the end of a line as a backslash and a letter.
  const before = isSpaced(characters[0]) ? '(?:(?<=\\\\[nr])|(?<![\\p{L}\\p{N}]))' : '';
  return `${before}${name}${isSpaced(characters.at(-1)) ? '(?![\\p{L}\\p{N}])' : ''}`;
}

const escapePattern = (part: string): string => part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Returns HTML with each link to a withheld URL replaced, including its text. Removes all tags if the nesting is too deep. */
export function redactLinks(text: string, isWithheld: (href: string) => boolean): string {
  if (!/href/i.test(text)) return text;
  const html = escapeUnknownTags(text);
  const ranges: Array<[from: number, to: number]> = [];
  let parser: Parser | undefined;
  let from: number | undefined;
  const isComplete = parseMarkup(html, {
    onparserinit: (created) => {
      parser = created;
    },
    onopentag: (name, { href = '' }) => {
      if (name === 'a' && isWithheld(href)) from = parser?.startIndex;
    },
    onclosetag: (name, isImplied) => {
      if (name !== 'a' || from === undefined || !parser) return;
      // A link without an end tag ends where the next tag begins, or with the text.
      ranges.push([from, isImplied ? Math.max(from, parser.startIndex) : parser.endIndex + 1]);
      from = undefined;
    },
  });
  if (!isComplete) return stripTags(html);
  const last = ranges.at(-1);
  if (last === undefined) return text;
  if (last[1] <= last[0]) last[1] = html.length;
  return ranges.reduceRight((text, [start, end]) => `${text.slice(0, start)}${WITHHELD_TEXT}${text.slice(end)}`, html);
}
