/** Updates the search index of a site in its cache: its parts, the files by word, and the tables of the search page. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRecorder, type Recorder } from '../../catalogue/dependencies/read-keys.ts';
import { NAMES_DIRECTORY } from '../../formats/search/names.ts';
import { INDEX_DIRECTORY, START } from '../../formats/search/start-file.ts';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { isDamagedDatabase } from '../../platform/sqlite-errors.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import { writeScript } from '../../publish/packs/pack-writer.ts';
import { writeNames, writeSearchTables } from '../../publish/packs/search-tables.ts';
import { listSearchedPages } from '../../search/create-document.ts';
import { createFacetPacks } from '../../search/facet-columns.ts';
import { listNames } from '../../search/list-names.ts';
import type { FacetRow } from '../../search/part-file.ts';
import { updateParts } from '../../search/update-parts.ts';
import { countWords } from '../../search/vocabulary-of-parts.ts';
import { NO_CONTENT } from '../../site/own/own-content.ts';
import { type OpenSite, openSite, type SiteSource } from '../pages/site-source.ts';
import { isFirst, ownsPosition, type Shard } from '../shards/shard.ts';
import { listBelow, PART_DATA_DIRECTORY, writePartData } from './merge-search.ts';
import { partLimits } from './search-limits.ts';
import { prepareFrom, writeParts } from './search-thread.ts';
import { hasBase, updateIndexes } from './update-indexes.ts';

/**
 * The search index of a site: the number of documents, the names of its parts in their order (of a shard, of those that it
 * makes), the number `of` the parts of all shards, the names of those `made` in this build, and the pages that are not in it.
 */
export type SearchIndex = Awaited<ReturnType<typeof createIndex>>;

/** What decides on an index; may be sent to a thread. */
export interface IndexSetting {
  directory: string;
  /** Of a build of a shard. */
  shard: Shard | undefined;
  /** Hash of the program and options. */
  buildKey: string;
  /** As in `CatalogueFile`. */
  changedKeys: ReadonlySet<string> | undefined;
  source: SiteSource;
}

/** What an index is made from. */
export interface IndexSite extends Pick<OpenSite, 'entries' | 'relations' | 'sites' | 'store'> {
  /** Records what documents read. */
  recorder: Recorder;
}

/** Gets the number of documents that were added, and their total. */
export type OnDocuments = (done: number, total: number) => void;

/** The index of the last complete build is described here. */
const RESULT_FILE = 'index.json';

const keyOf = ({ buildKey, shard }: IndexSetting): string => JSON.stringify([buildKey, partLimits(), shard]);

/** Whether the index of the last build has the same key, so that only what changed is made. */
export function canUpdate(setting: IndexSetting): boolean {
  return readCacheNote(join(setting.directory, RESULT_FILE), keyOf(setting)) !== undefined;
}

/** Brings the search index in a directory up to date. */
export async function updateSearchIndex(setting: IndexSetting, site: IndexSite, onDocuments: OnDocuments): Promise<SearchIndex> {
  const { directory } = setting;
  const key = keyOf(setting);
  const resultFile = join(directory, RESULT_FILE);
  const last = readCacheNote<SearchIndex>(resultFile, key);
  const isWhole = () => existsSync(join(indexDirectory(directory), `${START}.js`));
  if (last && setting.changedKeys?.size === 0 && isWhole()) return { ...last, made: [] };
  const make = (changedKeys: IndexSetting['changedKeys']) => createIndex(key, { ...setting, changedKeys }, site, onDocuments);
  rmSync(resultFile, { force: true });
  return make(last ? setting.changedKeys : undefined).catch((error: unknown) => {
    if (!isDamagedDatabase(error)) throw error;
    rmSync(directory, { recursive: true, force: true });
    return make(undefined);
  });
}

const ROLE = 'microfiche-search-index';

/** Does the same as `updateSearchIndex`, in a thread, while this one renders the pages of the same build. */
export async function updateSearchIndexInThread(setting: IndexSetting, onDocuments: OnDocuments): Promise<SearchIndex> {
  const made: SearchIndex[] = [];
  const program = { module: import.meta.filename, role: ROLE, setting };
  await runInThreads<IndexSetting, object, SearchIndex, { done: number; total: number }>(1, program, [{}], {
    onResult: (index) => made.push(index),
    onProgress: ({ done, total }) => onDocuments(done, total),
  });
  return made[0] as SearchIndex;
}

doTasks<IndexSetting, object, SearchIndex, { done: number; total: number }>(ROLE, (setting) => {
  const recorder = createRecorder();
  const site = { ...openSite(setting.source, recorder.onRead), recorder };
  return (_, post) => updateSearchIndex(setting, site, (done, total) => post({ done, total }));
});

/**
 * Notes the index of a build that is complete. Without the note, the next build creates all documents again: what changed is only
 * known since the last complete build.
 */
export function noteSearchIndex(setting: IndexSetting, index: SearchIndex): void {
  writeCacheNote(join(setting.directory, RESULT_FILE), keyOf(setting), index);
}

async function createIndex(
  key: string,
  { directory, shard, changedKeys, source }: IndexSetting,
  site: IndexSite,
  onDocuments: OnDocuments,
) {
  const ownContent = source.settings.own ?? NO_CONTENT;
  const pages = listSearchedPages(site.entries, site.relations, ownContent);
  const prepare = prepareFrom(site, site.recorder);
  let [done, total] = [0, 0];
  // A shard has no delta, because the merged site is that of a clean build.
  const limits = shard ? { ...partLimits(), documentsForDelta: Number.POSITIVE_INFINITY } : partLimits();
  using parts = await updateParts(join(directory, 'parts'), {
    ...{ key, pages, changedKeys, limits, prepare },
    hasBase: !shard && hasBase(key, indexDirectory(directory)),
    owns: (part) => shard === undefined || ownsPosition(shard, part),
    write: async (stale) => {
      total = stale.reduce((count, part) => count + part.pages.length, 0);
      const onAdded = (added: number) => {
        done += added;
        onDocuments(done, total);
      };
      await writeParts(stale, source, prepare, onAdded);
    },
  });
  if (isFirst(shard)) writeNames(listNames(site.entries, site.relations, ownContent), namesDirectory(directory));
  const { of, made } = parts;
  const problems = parts.parts.flatMap(({ file }) => file.problems());
  const result = { parts: parts.parts.map(({ name }) => name), of, made, problems };
  if (shard) {
    writePartData(parts.parts, tablesDirectory(directory));
    return { documents: parts.parts.reduce((total, { file }) => total + file.count(), 0), ...result };
  }
  const unordered = new Map<string, FacetRow>(parts.parts.flatMap(({ file }) => [...file.rows()]));
  const rows = new Map(pages.flatMap(({ path }) => (unordered.has(path) ? [[path, unordered.get(path) as FacetRow]] : [])));
  writeSearchTables(
    { facets: createFacetPacks(rows.values()), vocabulary: countWords(parts.parts.map(({ file }) => file.words())) },
    tablesDirectory(directory),
  );
  const positions = new Map(Array.from(rows.keys(), (page, position) => [page, position]));
  writeScript(indexDirectory(directory), START, updateIndexes(parts, key, positions, indexDirectory(directory)));
  return { documents: rows.size, ...result };
}

/** Returns the files of the search index by their paths in the site. */
export function listSearchFiles(directory: string, shard?: Shard): Array<[path: string, file: string]> {
  return [
    ...listBelow(shard ? `${PART_DATA_DIRECTORY}/` : 'assets/', tablesDirectory(directory)),
    ...(isFirst(shard) ? listBelow(`assets/${NAMES_DIRECTORY}/`, namesDirectory(directory)) : []),
    ...(shard ? [] : listBelow(`assets/${INDEX_DIRECTORY}/`, indexDirectory(directory))),
  ];
}

const tablesDirectory = (directory: string) => join(directory, 'tables');
const namesDirectory = (directory: string) => join(directory, 'names');
const indexDirectory = (directory: string) => join(directory, 'index');
