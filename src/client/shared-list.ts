/** A list of items as part of an address, so that it can be passed on: without citations, which are on the pages of the items. */
import { MAX_ITEMS, type SavedItem, toSavedItem } from './saved-items.ts';

/** The fields in an address, in their order. */
const FIELDS = ['id', 'path', 'title', 'kind', 'date', 'collection', 'image'] as const;
/** Characters. Longer texts are not of this program: `MAX_ITEMS` take less. */
const MAX_LENGTH = 1_000_000;
/** Characters of a title. The complete one is on the page of the item. */
const MAX_TITLE = 120;

/** Returns a list as text for the fragment of an address. */
export function encodeList(items: readonly SavedItem[]): string {
  const rows = items
    .slice(0, MAX_ITEMS)
    .map((item) => FIELDS.map((field) => item[field].slice(0, field === 'title' ? MAX_TITLE : undefined)));
  const bytes = new TextEncoder().encode(JSON.stringify(rows));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns the list in a text that `encodeList` made; empty for any other text. */
export function decodeList(text: string): SavedItem[] {
  if (text.length > MAX_LENGTH) return [];
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const rows: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!Array.isArray(rows)) return [];
    return rows.slice(0, MAX_ITEMS).flatMap((row: unknown) => {
      if (!Array.isArray(row)) return [];
      return toSavedItem(Object.fromEntries(FIELDS.map((field, i) => [field, row[i]]))) ?? [];
    });
  } catch {
    return []; // not base64, or not JSON
  }
}
