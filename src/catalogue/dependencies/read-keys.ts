/**
 * Names what a page reads of the catalogue. Each read has a key; if the result of the read changes, the key is among the changed
 * keys (src/catalogue/dependencies/compare-catalogues.ts).
 */
import type { Facet } from '../../model/facets.ts';
import type { Lookup } from '../../platform/lookup.ts';

/** The key of a list of records. */
export const LISTS = {
  children: (parent: string) => `children ${parent}`,
  files: (parent: string) => `files ${parent}`,
  withValue: (facet: Facet, slug: string) => `with ${facet} ${slug}`,
} as const;

/** The keys of reads. `list` is one of `LISTS`. */
export const READS = {
  /** The complete entry of a record. */
  entry: (id: string) => `entry ${id}`,
  /** What other pages show of a record. */
  listed: (id: string) => `listed ${id}`,
  has: (id: string) => `has ${id}`,
  /** Which record has a page of this name. */
  page: (name: string) => `page ${name}`,
  count: (list: string) => `count ${list}`,
  /** Which records are in a part of a list, and in which order. Parts have `BLOCK_LENGTH` records, and are counted from 0. */
  block: (list: string, block: number) => `block ${block} ${list}`,
  /** Which records are in a list, and in which order. */
  all: (list: string) => `all ${list}`,
  siblings: (id: string) => `siblings ${id}`,
  related: (id: string) => `related ${id}`,
  narrator: (key: string) => `narrator ${key}`,
  /** The page of a URL of the live archive. `url` is its `urlKey`. */
  live: (url: string) => `live ${url}`,
  article: (slug: string) => `article ${slug}`,
  author: (slug: string) => `author ${slug}`,
  /** Who has a page among people. */
  people: 'people',
  person: (slug: string) => `person ${slug}`,
  personOfAuthor: (author: string) => `person of ${author}`,
  /** A value in a table of the catalogue file by kind and name: authors, guide pages, sources, media. */
  lookup: (kind: string, name: string) => `${kind} ${name}`,
  /** The guide pages that mention a record. */
  about: (id: string) => `about ${id}`,
  terms: (facet: Facet) => `terms ${facet}`,
  term: (facet: Facet, slug: string) => `term ${facet} ${slug}`,
  /** What the records with a value are. */
  summary: (facet: Facet, slug: string) => `summary ${facet} ${slug}`,
  /** The values and the guide pages of a name. `name` is a `nameKey`. */
  named: (name: string) => `named ${name}`,
  /** Whether a place has a name, which is a `nameKey`; not what is known of the place. */
  placeNamed: (name: string) => `place named ${name}`,
} as const;

/** Records in one part of a list. */
export const BLOCK_LENGTH = 50;

/** Collects the keys of what is read (src/catalogue/dependencies/read-keys.ts), for one page at a time. */
export type Recorder = ReturnType<typeof createRecorder>;

/** Creates a recorder that ignores reads until `start`. */
export function createRecorder() {
  let keys: Set<string> | undefined;
  return {
    /** Called with the key of each read. */
    onRead: (key: string): void => void keys?.add(key),
    /** Begins with the next page. */
    start: () => {
      keys = new Set();
    },
    /** Returns the keys since `start`, and ends recording. */
    end: () => {
      const read = keys ?? new Set<string>();
      keys = undefined;
      return read;
    },
  };
}

/** Returns a lookup that calls `onRead` with the key of each read. `kind` is that of the table. */
export function recordLookup<Value>(kind: string, lookup: Lookup<Value>, onRead: Recorder['onRead']): Lookup<Value> {
  return {
    get(name) {
      onRead(READS.lookup(kind, name));
      return lookup.get(name);
    },
  };
}
