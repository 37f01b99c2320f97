/** Redacts payloads: removes withheld fields, persons in lists, and links to withheld records. */
import type { Parser } from 'htmlparser2';
import { isObjectId } from '../../model/ids.ts';
import { linesOf } from '../../model/people/record-people.ts';
import { escapeUnknownTags, parseMarkup, stripTags } from '../../model/text/markup.ts';
import { elementsOf, isObject } from '../../model/values.ts';
import { WITHHELD_TEXT } from './name-matcher.ts';

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
