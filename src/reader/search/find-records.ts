/** Finds records in the index without a search: any record, and those whose IDs are known. */
import type { Column } from '../../formats/search/facet-table.ts';
import type { IndexedResult } from '../../formats/search/result-blocks.ts';
import { encodeKey } from '../../formats/search/word-codes.ts';
import { withEngine } from './load-engine.ts';

/** What a reader who wants to see any record is shown. */
const RANDOM_KINDS: ReadonlySet<string> = new Set(['entity', 'segment']);

/**
 * Returns a random record; undefined if the archive has no item.
 * @throws {Error} if a part of the index could not be loaded
 */
export function findRandom(root: string): Promise<IndexedResult | undefined> {
  return withEngine(root, async ({ total, documents, readResult }) => {
    const { kinds } = await documents();
    const { values, offsets, codes } = kinds;
    const kindOf = (document: number) => values[codes[offsets[document] ?? 0] ?? 0] ?? '';
    const items = Array.from({ length: total }, (_, document) => document).filter((at) => RANDOM_KINDS.has(kindOf(at)));
    const chosen = items[Math.floor(Math.random() * items.length)];
    return chosen === undefined ? undefined : readResult(chosen);
  });
}

/** What the index has of a record beside what its result shows. */
export interface IndexedRecord extends IndexedResult {
  /** Its rights: a code or the name of a license; empty without any. */
  rights: string;
}

/**
 * Returns what the index has of records, by the paths of their pages; nothing of a record that is not in it.
 * @throws {Error} if a part of the index could not be loaded
 */
export function lookUpRecords(
  records: ReadonlyArray<{ id: string; path: string }>,
  root: string,
): Promise<Map<string, IndexedRecord>> {
  return withEngine(root, async ({ words, facets, readResult }) => {
    const rights = (await facets.columns(['rights'])).get('rights') as Column;
    const rightsOf = (document: number) => {
      const [from = 0, to = 0] = rights.offsets.subarray(document, document + 2);
      return from < to ? (rights.values[rights.codes[from] ?? 0] ?? '') : '';
    };
    const found = new Map<string, IndexedRecord>();
    const lookUp = async ({ id, path }: { id: string; path: string }) => {
      const key = encodeKey('id', id);
      // Other records can have the same words in another ID of theirs.
      for (const document of key === undefined ? [] : (await words.search([key])).documents) {
        const result = await readResult(document);
        if (result.url === path) found.set(path, { ...result, rights: rightsOf(document) });
      }
    };
    await Promise.all(records.map(lookUp));
    return found;
  });
}
