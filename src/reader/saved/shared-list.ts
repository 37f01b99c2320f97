/**
 * Items as part of an address. A list, which can be passed on, is without citations: these are on the pages of the items. An item
 * that a page passes to the page of saved items is complete.
 */
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
  return encode(rows);
}

/** Returns an item with all that is saved of it, as text for the fragment of an address. */
export function encodeItem(item: SavedItem): string {
  return encode(item);
}

/** Returns the item in a text that `encodeItem` made; undefined for any other text. */
export function decodeItem(text: string): SavedItem | undefined {
  return toSavedItem(decode(text));
}

/** Returns the list in a text that `encodeList` made; empty for any other text. */
export function decodeList(text: string): SavedItem[] {
  const rows = decode(text);
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, MAX_ITEMS).flatMap((row: unknown) => {
    if (!Array.isArray(row)) return [];
    return toSavedItem(Object.fromEntries(FIELDS.map((field, i) => [field, row[i]]))) ?? [];
  });
}

function encode(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decode(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // not base64, or not JSON
  }
}
