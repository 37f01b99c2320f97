/**
 * A list as part of an address, which can be passed on. It is without notes, and without citations: these are on the pages of the
 * items. An item that a page passes to the page of saved items is complete.
 */
import { decodeValue, encodeValue } from './encoded-value.ts';
import { MAX_ITEMS, type SavedItem } from './saved-items.ts';
import { isHeading, type SavedEntry, toEntries, toSavedItem } from './saved-list.ts';

/** The fields of what is passed on, in the order of an address. There, a heading is a row of its own, with its text only. */
export const FIELDS = ['id', 'path', 'title', 'kind', 'date', 'collection', 'image', 'at'] as const;
/** Characters of a title in an address. The complete one is on the page of the item. */
const MAX_TITLE = 120;

/** Returns a list as text for the fragment of an address. */
export function encodeList(entries: readonly SavedEntry[]): string {
  const rows = entries.slice(0, MAX_ITEMS).map((entry) => {
    if (isHeading(entry)) return [entry.heading];
    return FIELDS.map((field) => (entry[field] ?? '').slice(0, field === 'title' ? MAX_TITLE : undefined));
  });
  return encodeValue(rows);
}

/** Returns the item in a text that `encodeValue` made of it; undefined for any other text. */
export const decodeItem = (text: string): SavedItem | undefined => toSavedItem(decodeValue(text));

/** Returns the list in a text that `encodeList` made; empty for any other text. */
export function decodeList(text: string): SavedEntry[] {
  const rows = decodeValue(text);
  if (!Array.isArray(rows)) return [];
  const lists = rows.filter((row): row is unknown[] => Array.isArray(row));
  const named = (row: unknown[]) => Object.fromEntries(FIELDS.map((field, i) => [field, row[i]]));
  return toEntries(lists.map((row) => (row.length === 1 ? { heading: row[0] } : named(row))));
}
