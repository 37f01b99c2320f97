/** Makes the search index of a build. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runsAside } from '../../platform/thread-count.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import { SEARCH_DIRECTORY } from '../cache/build-caches.ts';
import * as searchIndex from '../search/search-index.ts';
import type { BuildState } from './build-options.ts';

/** Up to this number of changed records, the search index is brought up to date beside the pages: it seldom takes long. */
const MAX_CHANGED_ASIDE = 1_000;
/** With fewer records, a thread takes longer to start than it saves. */
const MIN_RECORDS_ASIDE = 10_000;

/** Starts to make the search index in a thread, if few records changed in a large archive. Otherwise `finish` makes it. */
export function startSearch(work: BuildState) {
  const { catalogue, changedKeys, changes } = work.prepared;
  const changed = changes ? changes.added + changes.changed + changes.removed : Number.POSITIVE_INFINITY;
  const isUpdate = changedKeys !== undefined && changedKeys.size > 0 && changed <= MAX_CHANGED_ASIDE;
  const isAside = isUpdate && searchIndex.canUpdate(settingOf(work)) && runsAside(catalogue.objects.count() >= MIN_RECORDS_ASIDE);
  if (!isAside) return { isAside, finish: () => createSearch(work, isAside), settle: () => Promise.resolve() };
  const search = createSearch(work, isAside);
  const settled = Promise.allSettled([search]);
  return {
    /** Whether it is being made in a thread. */
    isAside,
    /** Returns the index, which is made now unless it is being made already. */
    finish: () => search,
    /** Waits until a thread that makes it has ended, with a result or not. */
    settle: async () => void (await settled),
  };
}

function settingOf({ prepared, options, cacheDirectory, buildKey }: BuildState): searchIndex.IndexSetting {
  const { changedKeys, source } = prepared;
  return { directory: join(cacheDirectory, SEARCH_DIRECTORY), buildKey, shard: options.shard, changedKeys, source };
}

/** Makes the search index. With `isAside`, in a thread, because this one renders pages. */
async function createSearch(work: BuildState, isAside: boolean) {
  const { prepared, options, pageProblems, timed } = work;
  const { search, shard, onProgress } = options;
  const setting = settingOf(work);
  const { directory } = setting;
  if (!search) {
    rmSync(directory, { recursive: true, force: true }); // this build does not keep it up to date
    return { files: [], documents: 0, index: { parts: 0, made: 0 }, partsOfAll: 0, confirm: () => undefined };
  }
  const onDocuments: searchIndex.OnDocuments = (done, total) => onProgress?.('Search index', done, total);
  const index = await timed('search', () =>
    isAside
      ? searchIndex.updateSearchIndexInThread(setting, onDocuments)
      : searchIndex.updateSearchIndex(setting, prepared, onDocuments),
  );
  for (const { page, cause } of index.problems) pageProblems.addDefect(page, cause);
  return {
    files: searchIndex.listSearchFiles(directory, shard).map(([path, file]): SiteFile => ({ path, file, canLink: true })),
    /** Number of documents. */
    documents: index.documents,
    index: { parts: index.parts.length, made: index.made.length },
    /** The number of parts of all shards. */
    partsOfAll: index.of,
    /** Notes that the build is complete, so that the next one has to make only what changed. */
    confirm: () => searchIndex.noteSearchIndex(setting, index),
  };
}
