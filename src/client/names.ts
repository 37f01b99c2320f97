/**
 * The names that are suggested while a reader types: people, places, topics, facilities, and titles. They are sorted in packs, which are loaded as
 * needed, by each beginning of a word in them.
 */
import { foldText } from './fold-text.ts';
import type { Ranges } from './pack-format.ts';
import { openSortedPacks } from './sorted-packs.ts';

/** The kinds of names, in the order in which they are suggested. */
export const NAME_KINDS = ['person', 'place', 'topic', 'facility', 'collection', 'exhibit', 'page', 'article', 'item'] as const;
/** One of `NAME_KINDS`. */
export type NameKind = (typeof NAME_KINDS)[number];

/** Whether names of a kind are titles, of which there are many. */
export function isTitleKind(kind: NameKind): boolean {
  return kind === 'article' || kind === 'item' || kind === 'page' || kind === 'exhibit';
}

/** A name with a page. */
export interface Name {
  kind: NameKind;
  label: string;
  /** Path of the page, below the top of a language. */
  path: string;
  /** The number of records; 0 for a title. */
  count: number;
}

/** A name by one of its keys. */
export interface KeyedName extends Name {
  key: string;
}

/** Finds names. */
export interface Names {
  /**
   * Returns names in which a word begins as typed, with all that follows; the best ones first.
   * @throws {Error} if a pack cannot be loaded
   */
  find(typed: string): Promise<Name[]>;
}

/** The directory of the packs, in `assets/`. */
export const NAMES_DIRECTORY = 'names';
/** The name of the only entry of each pack. */
export const NAMES_ENTRY = 'names';

const MAX_KEY_LENGTH = 40;
/** A long title is not found by its last words. */
const MAX_KEYS = 8;
/** Packs that are loaded for one text: names that begin with one letter are in many. */
const MAX_PACKS = 3;

/** Returns a text as names are compared: words without case, accents and punctuation. */
export function comparableText(text: string): string {
  return foldText(text)
    .folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the text from each of its first `max` words on, as far as keys have it. */
export function keysOf(text: string, max = MAX_KEYS): string[] {
  const words = comparableText(text).split(' ');
  const keys = words.slice(0, max).map((_, i) => words.slice(i).join(' ').slice(0, MAX_KEY_LENGTH));
  return [...new Set(keys)].filter((key) => key !== '');
}

/** Returns names as text, one per line. */
export function encodeNames(names: readonly KeyedName[]): string {
  return names
    .map(({ key, kind, count, path, label }) => [key, NAME_KINDS.indexOf(kind), count, path, label].join('\t'))
    .join('\n');
}

/** Returns the names from the text that `encodeNames` made. */
export function decodeNames(text: string): KeyedName[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const [key = '', kind = '', count = '', path = '', label = ''] = line.split('\t');
    return { key, kind: NAME_KINDS[Number(kind)] ?? 'item', count: Number(count), path, label };
  });
}

/** Returns the names in the packs of `ranges`. `loadText` returns the text of a pack. */
export function createNames(ranges: Ranges, loadText: (pack: string) => Promise<string>): Names {
  const packs = openSortedPacks(ranges, loadText, decodeNames);
  return {
    async find(typed) {
      const text = comparableText(typed);
      const prefix = text.slice(0, MAX_KEY_LENGTH);
      if (prefix === '') return [];
      const names = await packs.from(prefix, MAX_PACKS);
      const found = names.filter(
        ({ key, label }) => key.startsWith(prefix) && (text === prefix || comparableText(label).includes(text)),
      );
      return rank(found, text);
    },
  };
}

/** Returns each page once: those with exactly the name first, then by kind and number of records. */
function rank(found: readonly KeyedName[], text: string): Name[] {
  const byPath = new Map([...found].reverse().map((name) => [name.path, name]));
  const isTitle = ({ kind }: Name) => (isTitleKind(kind) ? 1 : 0);
  return [...byPath.values()]
    .map((name) => ({ name, isOther: comparableText(name.label) === text ? 0 : 1 }))
    .sort(
      (a, b) =>
        a.isOther - b.isOther ||
        isTitle(a.name) - isTitle(b.name) ||
        b.name.count - a.name.count ||
        NAME_KINDS.indexOf(a.name.kind) - NAME_KINDS.indexOf(b.name.kind) ||
        (a.name.label < b.name.label ? -1 : 1),
    )
    .map(({ name }) => name);
}
