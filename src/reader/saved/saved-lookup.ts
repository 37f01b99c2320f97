/**
 * Looks saved records up in the search index, which can be read from file:// too: for facts that a list does not say, and for
 * their images as they are now, since a content warning may have covered them, or a label may belong before them, after they were
 * saved.
 */
import { CREATOR_WITH_ROLE, type ResultData } from '../../formats/result-data.ts';
import { type IndexedRecord, lookUpRecords } from '../search/find-records.ts';
import type { SavedItem } from './saved-items.ts';
import { VALUE_SEPARATOR } from './saved-records.ts';

/** What the page says of the index, and of rights in words. */
export interface LookupData {
  /** Whether the site has content warnings or cultural-protocol labels. */
  hasNotices: boolean;
  /** Labels of rights codes, and what they permit. */
  rights: Readonly<Record<'labels' | 'notes', Readonly<Record<string, string>>>>;
}

/** Returns a lookup for the site whose top is at `root`, a relative path. */
export function createSavedLookup(root: string, { hasNotices, rights }: LookupData) {
  const known = new Map<string, IndexedRecord>();
  const missing = new Set<string>();
  const inWords = (code: string) => [rights.labels[code] ?? code, rights.notes[code]].filter(Boolean).join(VALUE_SEPARATOR);
  return {
    /** Looks up the records that are not known yet. Those of which the index has nothing stay unknown. */
    async load(items: readonly SavedItem[]) {
      const unknown = items.filter(({ path }) => !known.has(path));
      if (unknown.length === 0) return;
      for (const [path, record] of await lookUpRecords(unknown, root)) known.set(path, record);
      for (const { path } of unknown) if (!known.has(path)) missing.add(path);
    },
    /** Whether this copy does not have the record of an item: its page is not there, or not in the index. */
    isMissing: ({ path }: SavedItem) => missing.has(path),
    /** Remembers that an item has no page. */
    setMissing: ({ path }: SavedItem) => void missing.add(path),
    /** Returns an item with the facts of the index that it does not have; undefined if the record is not known. */
    complete(item: SavedItem) {
      const record = known.get(item.path);
      return (
        record && {
          ...item,
          collection: item.collection || (record.meta.collection ?? ''),
          creator: item.creator ?? valuesOf(record.meta, 'creators'),
          place: item.place ?? valuesOf(record.meta, 'location', 'geography'),
          rights: item.rights ?? inWords(record.rights),
          ...(record.meta.cited === undefined ? {} : { cited: record.meta.cited }),
        }
      );
    },
    /**
     * Returns the path of an item’s image. Where the site has notices, it is the image that lists show now without a label, and
     * none as long as that is unknown.
     */
    imageOf({ path, image }: SavedItem) {
      if (!hasNotices || image === '') return image;
      const { labels = [], image: listed = '' } = known.get(path)?.meta ?? {};
      return labels.length > 0 && listed.startsWith('thumbs/') ? '' : listed;
    },
  };
}

/** Returns the values of fields, each once. */
export function valuesOf(meta: ResultData, ...names: string[]): string {
  const nameOf = (field: string) => (field.startsWith(CREATOR_WITH_ROLE) ? 'creators' : field);
  const values = names.flatMap((name) => meta.fields.filter(([field]) => nameOf(field) === name).map(([, text]) => text));
  return [...new Set(values)].join(VALUE_SEPARATOR);
}
