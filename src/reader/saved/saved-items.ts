/**
 * The list of saved items in the browser's storage. Every page has this: it only looks for IDs, and leaves everything else as it
 * is. The page of saved items checks what it shows (saved-list.ts).
 */
import type { CitedFacts } from '../../formats/result-data.ts';
import { ofSite, parseList, readPreference, writePreference } from '../browser/preferences.ts';

/** A saved record. All texts are untrusted: another person may have made the list. */
export interface SavedItem {
  id: string;
  /** Path of its page, below the top of a language. */
  path: string;
  title: string;
  /** Such as “Photograph”. */
  kind: string;
  date: string;
  collection: string;
  /** Its creators, places and rights; undefined as long as only a list was read, which does not say them. */
  creator?: string;
  place?: string;
  rights?: string;
  /** What the search index has for a citation; undefined if the page of the record was read, which has the citations. */
  cited?: CitedFacts;
  /** URL of its page in the live archive, if that is known. */
  source?: string;
  /** Path of its thumbnail in the site; empty without one. */
  image: string;
  /** Citations by style; empty in a list of another person. */
  citations: Readonly<Record<string, string>>;
  /** A moment of its recording, or a clip, as in an address: `#t=83,97`. A record can be saved with several. */
  at?: string | undefined;
  /** What the reader notes. */
  note?: string | undefined;
}

/** What is stored of an item or a heading, unchecked. */
type Stored = { readonly [name in 'id' | 'at' | 'note' | 'key']?: string | undefined };

/** The saved items of one site. */
export type SavedItems = ReturnType<typeof openSavedItems>;

/** Items and headings. More would fill the storage. */
export const MAX_ITEMS = 500;

/** Of the window, after the list has changed in this page. */
export const SAVED_EVENT = 'microfiche-saved';

/** Whether the browser separates the storage of file:// pages, as Firefox does: the saved-items page then has to save. */
export const hasStoragePerPage = (): boolean => location.protocol === 'file:' && /\bFirefox\//.test(navigator.userAgent);

/** Returns what tells items and headings apart. */
export const keyOf = ({ id = '', at = '', key = id + at }: Stored): string => key;

/** Opens the saved items of the site whose top is at `root`, a URL or relative path: several sites can be on one host. */
export function openSavedItems(root: string) {
  const key = ofSite('saved', root);
  const stored = () => parseList(readPreference(key)).filter((one): one is Stored => typeof one === 'object' && one !== null);
  /** Returns false if the storage has no space for it. A browser that denies storage has none of the first item, either. */
  const write = (entries: ReadonlyArray<Stored | object>) => {
    const text = JSON.stringify(entries);
    writePreference(key, text);
    dispatchEvent(new Event(SAVED_EVENT));
    return entries.length < 2 || readPreference(key) === text;
  };
  /** Returns the list with what is known now of a record, in each of its items. What the reader added stays. */
  const withFacts = (item: SavedItem) =>
    stored().map((one) => (one.id === item.id ? { ...item, at: one.at, note: one.note } : one));
  return {
    stored,
    ids: () => stored().flatMap(({ id }) => id ?? []),
    /** Adds an item at the end, or replaces what is known of it. Returns false if the list is full. */
    add(item: SavedItem): boolean {
      const list = withFacts(item);
      if (list.some((one) => keyOf(one) === keyOf(item))) return write(list);
      return list.length < MAX_ITEMS && write([...list, item]);
    },
    /** Replaces what is known of a record that is saved. */
    update: (item: SavedItem) => write(withFacts(item)),
    /** Removes a record; not one with a note or moments, for which it returns false. */
    remove(id: string): boolean {
      const isPlain = stored().every((one) => one.id !== id || !(one.note || one.at));
      return isPlain && write(stored().filter((one) => one.id !== id));
    },
    /** Replaces all items and headings. */
    write,
  };
}
