/** Parses list pages of upstream, in the specified form and in older ones (docs/upstream-api.md, “List envelope”). */
import { isObjectId } from './ids.ts';
import { type BaseUrls, objectIdInUrl } from './resources.ts';
import { isObject, number, verbatim } from './values.ts';

/** One parsed list page. */
export interface ListPage {
  /** The list entries. */
  items: Record<string, unknown>[];
  /** Number of entries on the page: `num_this_page` if upstream gives it, else the number of elements. */
  entryCount: number;
  /** Entries in the complete list; undefined if upstream does not give it, or a number that this page exceeds. */
  total: number | undefined;
  /** Position of the first entry, counted from 0; undefined if upstream does not give it. */
  offset: number | undefined;
  /** Offset of the next page; undefined if upstream does not give it. */
  nextOffset: number | undefined;
  /** Whether upstream declares that this is the last page. */
  isLast: boolean;
}

/** Parses a list page; undefined if the payload is not a list of a known form. A bare array says nothing about a next page. */
export function parseListPage(raw: unknown): ListPage | undefined {
  if (Array.isArray(raw)) {
    return {
      items: toEntries(raw),
      entryCount: raw.length,
      total: undefined,
      offset: undefined,
      nextOffset: undefined,
      isLast: false,
    };
  }
  if (!isObject(raw)) return undefined;
  const items = Array.isArray(raw['objects']) ? raw['objects'] : raw['results'];
  if (!Array.isArray(items)) return undefined;
  const declaredCount = count(raw['num_this_page']);
  const next = NEXT_PAGE_KEYS.filter((name) => name in raw).map((name) => raw[name]);
  const offset = count(raw['offset']);
  const declaredTotal = count(raw['total']) ?? count(raw['count']);
  const isWrong = declaredTotal !== undefined && declaredTotal < (offset ?? 0) + items.length;
  return {
    items: toEntries(items),
    entryCount: declaredCount === undefined || declaredCount === 0 ? items.length : declaredCount,
    total: isWrong ? undefined : declaredTotal,
    offset,
    nextOffset: count(raw['next_offset']) ?? offsetInUrl(verbatim(raw['next_api']) ?? verbatim(raw['next'])),
    isLast: !isWrong && next.length > 0 && next.every((value) => value === null || value === ''),
  };
}

/** Returns what identifies an entry in its list: its ID, else its title. */
export function entryIdentity(item: Record<string, unknown>): string | undefined {
  return verbatim(item['id']) ?? verbatim(item['title']);
}

/** Returns a list entry's record ID, from the entry or its JSON link; also an invalid one, so that the report names it. */
export function objectIdInEntry(entry: Record<string, unknown>, baseUrls: BaseUrls): string | undefined {
  const id = entryIdentity(entry);
  const json = isObject(entry['links']) ? verbatim(entry['links']['json']) : undefined;
  return isObjectId(id) || json === undefined ? id : (objectIdInUrl(json, baseUrls) ?? id);
}

/** Returns the entries of a page. A bare string is the ID of an entry. */
function toEntries(items: unknown[]): Record<string, unknown>[] {
  return items.flatMap((item) => (isObject(item) ? [item] : typeof item === 'string' ? [{ id: item }] : []));
}

/** Parses an integer of 0 or more that a number represents exactly. */
function count(value: unknown): number | undefined {
  const read = number(value);
  return read !== undefined && Number.isSafeInteger(read) && read >= 0 ? read : undefined;
}

const NEXT_PAGE_KEYS = ['next_offset', 'next_api', 'next'];

function offsetInUrl(url: string | undefined): number | undefined {
  const query = url?.split('?')[1];
  return query === undefined ? undefined : count(new URLSearchParams(query).get('offset'));
}
