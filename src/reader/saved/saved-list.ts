/** The list of saved items and of the headings between them, checked: another person may have made it. */
import { MAX_MOMENT } from '../../formats/contribution-link.ts';
import { readMoment, writeMoment } from '../../formats/moments.ts';
import { keyOf, MAX_ITEMS, type SavedItem } from './saved-items.ts';

/** A heading between items. */
export interface SavedHeading {
  heading: string;
  /** No record has this ID. */
  key: string;
}

/** An element of the list. */
export type SavedEntry = SavedItem | SavedHeading;

/** Whether an element of the list is a heading. */
export const isHeading = (entry: SavedEntry): entry is SavedHeading => 'heading' in entry;

/** Characters of a text. */
const MAX_TEXT = 4_000;
/** Characters of a note. */
export const MAX_NOTE = 20_000;
/** Characters of a heading. */
export const MAX_HEADING = 200;

/** Returns a heading that is not in a list yet. */
export function createHeading(heading = ''): SavedHeading {
  return { heading: heading.slice(0, MAX_HEADING), key: `#${Math.random().toString(36).slice(2)}` };
}

/** Returns the items and headings in a list, as far as they are ones, each once. */
export function toEntries(list: readonly unknown[]): SavedEntry[] {
  const entries = list.slice(0, MAX_ITEMS).flatMap((one) => toHeading(one) ?? toSavedItem(one) ?? []);
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

function toHeading(value: unknown): SavedHeading | undefined {
  const { heading, key } = (value ?? {}) as Record<string, unknown>;
  if (typeof heading !== 'string') return undefined;
  const made = createHeading(heading);
  return typeof key === 'string' && /^#\w{1,40}$/.test(key) ? { ...made, key } : made;
}

/**
 * Adds entries to a list, each after the one that it follows in its own list. Those that are there already stay where they are,
 * with both notes if these differ. Returns also those for which there is no space.
 */
export function mergeEntries(own: readonly SavedEntry[], others: readonly SavedEntry[]) {
  const entries = [...own];
  const refused: SavedEntry[] = [];
  const met = new Set<SavedEntry>();
  const find = (other: SavedEntry) => entries.findIndex((entry) => !met.has(entry) && isSame(entry, other));
  // What precedes all that is there already is added before it.
  let at = others.map(find).find((known) => known !== -1) ?? entries.length;
  for (const other of others) {
    const found = find(other);
    const merged = found === -1 ? other : withNote(entries[found] as SavedEntry, other);
    if (merged === undefined || (found === -1 && entries.length >= MAX_ITEMS)) {
      refused.push(other);
      continue;
    }
    if (found !== -1) at = found;
    entries.splice(at++, found === -1 ? 0 : 1, merged);
    met.add(merged);
  }
  return { entries, refused };
}

/** Headings are the same if they say the same. */
function isSame(entry: SavedEntry, other: SavedEntry): boolean {
  return isHeading(entry) ? isHeading(other) && entry.heading === other.heading : keyOf(entry) === keyOf(other);
}

/** Returns an entry with the note of another one added, unless it has it; undefined if that is too long. */
function withNote(entry: SavedEntry, other: SavedEntry): SavedEntry | undefined {
  if (isHeading(entry) || isHeading(other)) return entry;
  const [own, theirs] = [entry.note ?? '', other.note ?? ''];
  if (own.includes(theirs)) return entry;
  const note = theirs.includes(own) ? theirs : `${own}\n\n${theirs}`;
  return note.length > MAX_NOTE ? undefined : { ...entry, note };
}

/** Moves an entry by one place, up or down. Returns false at the end of the list. */
export function moveEntry(entries: SavedEntry[], key: string, step: 1 | -1): boolean {
  const from = entries.findIndex((entry) => keyOf(entry) === key);
  const [moved, other] = [entries[from], entries[from + step]];
  if (!moved || !other) return false;
  [entries[from], entries[from + step]] = [other, moved];
  return true;
}

/** Returns a moment as an item has it: seconds up to a limit, in one form; undefined if it is none. */
export function toMoment(at: unknown): string | undefined {
  const moment = typeof at === 'string' ? readMoment(at) : undefined;
  if (moment === undefined || Math.max(moment.start, moment.end ?? 0) > MAX_MOMENT) return undefined;
  // Rounded, a clip may be a moment.
  return writeMoment(readMoment(writeMoment(moment)) ?? moment);
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
  const at = toMoment(fields['at']);
  const note = typeof fields['note'] === 'string' ? fields['note'].slice(0, MAX_NOTE) : '';
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
    ...(at === undefined ? {} : { at }),
    ...(note === '' ? {} : { note }),
    image: IMAGE_PATH.test(image) && !image.includes('..') ? image : '',
    citations: Object.fromEntries(citations.map(([style, citation]) => [style, citation.slice(0, MAX_TEXT)])),
  };
}
