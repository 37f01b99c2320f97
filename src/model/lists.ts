/** One page of a list: the envelope of api.md §2.1, and the older shapes of upstream-facts, “Lists”. */
import { isObject, number, text } from './values.ts';

export interface ListPage {
  items: Record<string, unknown>[];
  total: number | undefined;
  offset: number | undefined;
  /** Where the next page begins by the server's word; undefined on the last page. */
  nextOffset: number | undefined;
}

/** Reads a page; undefined when the payload is no list of any known shape. */
export function readListPage(raw: unknown): ListPage | undefined {
  if (Array.isArray(raw)) {
    return { items: raw.filter(isObject), total: raw.length, offset: 0, nextOffset: undefined };
  }
  if (!isObject(raw)) return undefined;
  const items = Array.isArray(raw['objects']) ? raw['objects'] : raw['results'];
  if (!Array.isArray(items)) return undefined;
  return {
    items: items.filter(isObject),
    total: number(raw['total']) ?? number(raw['count']),
    offset: number(raw['offset']),
    nextOffset: number(raw['next_offset']) ?? offsetOf(text(raw['next_api']) ?? text(raw['next'])),
  };
}

function offsetOf(url: string | undefined): number | undefined {
  const query = url?.split('?')[1];
  return query === undefined ? undefined : number(new URLSearchParams(query).get('offset'));
}
