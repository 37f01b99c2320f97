/** One page of a list: the envelope, and the older shapes (docs/upstream-api.md, “List envelope”). */
import { isObject, number, verbatim } from './values.ts';

export interface ListPage {
  items: Record<string, unknown>[];
  /** How many entries the page stands for by the server's word (`num_this_page`), else how many it shows. */
  count: number;
  total: number | undefined;
  offset: number | undefined;
  /** Where the next page begins by the server's word; undefined where it does not say. */
  nextOffset: number | undefined;
  /** The server says in so many words that no page follows. */
  last: boolean;
}

/** Reads a page; undefined when the payload is no list of any known shape. A bare array says nothing of what follows it. */
export function readListPage(raw: unknown): ListPage | undefined {
  if (Array.isArray(raw)) {
    return { items: entries(raw), count: raw.length, total: undefined, offset: undefined, nextOffset: undefined, last: false };
  }
  if (!isObject(raw)) return undefined;
  const items = Array.isArray(raw['objects']) ? raw['objects'] : raw['results'];
  if (!Array.isArray(items)) return undefined;
  const named = whole(raw['num_this_page']);
  const said = NEXT.filter((name) => name in raw).map((name) => raw[name]);
  return {
    items: entries(items),
    count: named === undefined || named === 0 ? items.length : named,
    total: whole(raw['total']) ?? whole(raw['count']),
    offset: whole(raw['offset']),
    nextOffset: whole(raw['next_offset']) ?? offsetOf(verbatim(raw['next_api']) ?? verbatim(raw['next'])),
    last: said.length > 0 && said.every((value) => value === null || value === ''),
  };
}

/** What identifies an entry within its list: its id, else its title. */
export function entryName(item: Record<string, unknown>): string | undefined {
  return verbatim(item['id']) ?? verbatim(item['title']);
}

/** An entry is an object; a bare string is the id of one. */
function entries(items: unknown[]): Record<string, unknown>[] {
  return items.flatMap((item) => (isObject(item) ? [item] : typeof item === 'string' ? [{ id: item }] : []));
}

/** A whole number of 0 or more that counts exactly. */
function whole(value: unknown): number | undefined {
  const read = number(value);
  return read !== undefined && Number.isSafeInteger(read) && read >= 0 ? read : undefined;
}

const NEXT = ['next_offset', 'next_api', 'next'];

function offsetOf(url: string | undefined): number | undefined {
  const query = url?.split('?')[1];
  return query === undefined ? undefined : whole(new URLSearchParams(query).get('offset'));
}
