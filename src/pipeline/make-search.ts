/** Makes the search index of a build. */
import { join } from 'node:path';
import { SEARCH_DIRECTORY } from './build-caches.ts';
import type { Work } from './build-work.ts';
import type { SiteFile } from './compare-files.ts';
import { toSiteFiles } from './complete-site.ts';
import type { Rebuilt } from './rebuilt.ts';
import {
  deleteSearchIndex,
  listSearchFiles,
  type OnDocuments,
  openEngine,
  updateSearchIndex,
  updateSearchPacks,
} from './search-index.ts';
import { updateSearchIndexInThread } from './search-index-thread.ts';

/** A search index that was made. */
export interface MadeSearch {
  files: SiteFile[];
  /** Number of documents. */
  documents: number;
  index: Rebuilt['index'];
  /** The number of parts of all shards. */
  partsOfAll: number;
}

/** Makes the search index in the forms that the site has. With `isAside`, in a thread, because this one renders pages. */
export async function makeSearch(
  { prepared, options, cacheDirectory, buildKey, pageProblems, timed }: Work,
  { isAside }: { isAside: boolean },
): Promise<MadeSearch> {
  const { searchForms, shard, onProgress } = options;
  const directory = join(cacheDirectory, SEARCH_DIRECTORY);
  if (!searchForms.index && !searchForms.packs) {
    deleteSearchIndex(directory);
    return { files: [], documents: 0, index: { parts: 0, made: 0 }, partsOfAll: 0 };
  }
  const { changedKeys, source } = prepared;
  const setting = { directory, buildKey, shard, changedKeys, source, isAside };
  const onDocuments: OnDocuments = (done, total) => onProgress?.('Search index', done, total);
  const index = await timed('search', () =>
    isAside ? updateSearchIndexInThread(setting, onDocuments) : updateSearchIndex(setting, prepared, onDocuments),
  );
  for (const { page, cause } of index.problems) pageProblems.addDefect(page, cause);
  const engine = await timed('engine', () => openEngine(directory, index));
  if (searchForms.packs) await timed('packs', () => updateSearchPacks(directory, index, buildKey));
  const { documents, parts, made } = index;
  const files = toSiteFiles(listSearchFiles(directory, index, engine, searchForms, shard));
  return { files, documents, index: { parts: parts.length, made: made.length }, partsOfAll: index.of };
}
