/** Parses list pages of upstream, in the specified form and in older ones (docs/upstream-api.md, “List envelope”). */
import { isObjectId } from './ids.ts';
import { type BaseUrls, objectIdInUrl } from './resources.ts';
import { isObject, number, verbatim } from './values.ts';

/** One parsed list page. */
export type ListPage = NonNullable<ReturnType<typeof parseListPage>>;

/** Parses a list page; undefined if the payload is not a list of a known form. A bare array says nothing about a next page. */
export function parseListPage(raw: unknown) {
  const page = Array.isArray(raw) ? { objects: raw } : raw;
  if (!isObject(page)) return undefined;
  const items = Array.isArray(page['objects']) ? page['objects'] : page['results'];
  if (!Array.isArray(items)) return undefined;
  const next = NEXT_PAGE_KEYS.filter((name) => name in page).map((name) => page[name]);
  const offset = count(page['offset']);
  const declaredTotal = count(page['total']) ?? count(page['count']);
  const isWrong = declaredTotal !== undefined && declaredTotal < (offset ?? 0) + items.length;
  return {
    /** The list entries. A bare string is the ID of one. */
    items: items.flatMap((item) => (isObject(item) ? [item] : typeof item === 'string' ? [{ id: item }] : [])),
    /** Number of entries on the page: `num_this_page` if upstream gives it, else the number of elements. */
    entryCount: count(page['num_this_page']) || items.length,
    /** Entries in the complete list; undefined if upstream does not give it, or a number that this page exceeds. */
    total: isWrong ? undefined : declaredTotal,
    /** Position of the first entry, counted from 0; undefined if upstream does not give it. */
    offset,
    /** Offset of the next page; undefined if upstream does not give it. */
    nextOffset: count(page['next_offset']) ?? offsetInUrl(verbatim(page['next_api']) ?? verbatim(page['next'])),
    /** Whether upstream declares that this is the last page. */
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
