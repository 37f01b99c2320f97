/** The items that a reader has saved, in the browser's storage. */
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
}

/** The saved items of one site. */
export type SavedItems = ReturnType<typeof openSavedItems>;

/** More items would fill the storage. */
export const MAX_ITEMS = 500;
const MAX_TEXT = 4_000;

/** Of the window, after the list has changed in this page. */
export const SAVED_EVENT = 'microfiche-saved';

/** Whether the browser separates the storage of file:// pages, as Firefox does: the saved-items page then has to save. */
export function hasStoragePerPage(): boolean {
  return location.protocol === 'file:' && /\bFirefox\//.test(navigator.userAgent);
}

/** Opens the saved items of the site whose top is at `root`, a URL or relative path: several sites can be on one host. */
export function openSavedItems(root: string) {
  const key = ofSite('saved', root);
  const list = () => parseList(readPreference(key)).flatMap((one) => toSavedItem(one) ?? []);
  const write = (items: readonly SavedItem[]) => {
    writePreference(key, JSON.stringify(items.slice(0, MAX_ITEMS)));
    dispatchEvent(new Event(SAVED_EVENT));
  };
  return {
    list,
    has: (id: string) => list().some((item) => item.id === id),
    /** Adds an item at the end, or replaces it in its position. Returns false if the list is full. */
    add(item: SavedItem) {
      const saved = list();
      const at = saved.findIndex(({ id }) => id === item.id);
      if (at === -1 && saved.length >= MAX_ITEMS) return false;
      write(at === -1 ? [...saved, item] : saved.map((each, i) => (i === at ? item : each)));
      return true;
    },
    remove: (id: string) => write(list().filter((item) => item.id !== id)),
    /** Replaces all items. */
    replace: write,
  };
}

/** What only the page of a record says of it. */
const PAGE_FACTS = ['creator', 'place', 'rights'] as const;

/** Paths that a list may link to: pages of records, and thumbnails. */
const PAGE_PATH = /^objects\/[\p{L}\p{N}._~-]+\.html$/u;
/** Has only characters that a URL may have, so that it cannot end a field of BibTeX. */
const SOURCE_URL = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;
const IMAGE_PATH = /^thumbs\/[\p{L}\p{N}._~/-]+$/u;

/** Authors of one item. */
const MAX_AUTHORS = 50;

function toCitedFacts(value: unknown): Pick<SavedItem, 'cited'> {
  if (typeof value !== 'object' || value === null) return {};
  const { type, authors, year, accessed } = value as Record<string, unknown>;
  if (typeof type !== 'string' || !/^[A-Z]{1,10}$/.test(type) || !Array.isArray(authors)) return {};
  const named = authors.slice(0, MAX_AUTHORS).flatMap((author: unknown) => {
    const { name, isWhole } = (author ?? {}) as Record<string, unknown>;
    return typeof name === 'string' ? [{ name: name.slice(0, MAX_TEXT), isWhole: isWhole === true }] : [];
  });
  return {
    cited: {
      type,
      authors: named,
      ...(Number.isInteger(year) ? { year: year as number } : {}),
      ...(typeof accessed === 'string' && /^\d{4}-\d\d-\d\d$/.test(accessed) ? { accessed } : {}),
    },
  };
}

/** Returns an item if a value is one. Texts are shortened; a path that leads elsewhere makes it none. */
export function toSavedItem(value: unknown): SavedItem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name].slice(0, MAX_TEXT) : '');
  const [id, path, image] = [text('id'), text('path'), text('image')];
  if (id === '' || !PAGE_PATH.test(path)) return undefined;
  const ofPage = PAGE_FACTS.flatMap((name) => (typeof fields[name] === 'string' ? [[name, text(name)]] : []));
  const citations = Object.entries(fields['citations'] ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    id,
    path,
    title: text('title') || id,
    kind: text('kind'),
    date: text('date'),
    collection: text('collection'),
    ...Object.fromEntries(ofPage),
    ...toCitedFacts(fields['cited']),
    ...(SOURCE_URL.test(text('source')) ? { source: text('source') } : {}),
    image: IMAGE_PATH.test(image) && !image.includes('..') ? image : '',
    citations: Object.fromEntries(citations.map(([style, citation]) => [style, citation.slice(0, MAX_TEXT)])),
  };
}
