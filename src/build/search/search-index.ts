/** Updates the search index of a site in its cache: the parts of the index, the tables of the search page, and the packs. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { READS, type Recorder } from '../../catalogue/dependencies/read-keys.ts';
import type { Relations } from '../../catalogue/lists/relations.ts';
import type { PageProblem } from '../../catalogue/page-problems.ts';
import { NAMES_DIRECTORY } from '../../formats/search/names.ts';
import { readCacheNote, takeCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { isDamagedDatabase } from '../../platform/sqlite-errors.ts';
import { listPacks } from '../../publish/packs/index-packs.ts';
import { writeNames, writeSearchTables } from '../../publish/packs/search-tables.ts';
import { listSearchedPages, type SearchedPage } from '../../search/create-document.ts';
import { createFacetPacks } from '../../search/facet-columns.ts';
import { listNames } from '../../search/list-names.ts';
import { ENGINE_SCRIPT, ENTRY_FILE, listIndexFiles } from '../../search/pagefind-files.ts';
import type { FoundRow } from '../../search/part-file.ts';
import { directoryOfPart, PRIMARY } from '../../search/plan-parts.ts';
import { type SearchParts, updateParts } from '../../search/update-parts.ts';
import { countWords } from '../../search/vocabulary-of-parts.ts';
import { INDEX_DIRECTORY } from '../../search/write-part.ts';
import { isOwnKey, LOOKUP, NO_CONTENT, type OwnContent, ownLookup } from '../../site/own/own-content.ts';
import { listFiles } from '../../snapshot/directory-files.ts';
import { openMade } from '../cache/program-cache.ts';
import type { OpenSite, SiteSource } from '../pages/site-source.ts';
import { isFirst, ownsPosition, type Shard } from '../shards/shard.ts';
import { PART_DATA_DIRECTORY, writePartData } from './merge-search.ts';
import { writePacksOfParts } from './pack-thread.ts';
import { partLimits } from './search-limits.ts';
import { prepareFrom, writeParts } from './search-thread.ts';

/** The search index of a site. */
export interface SearchIndex {
  /** Number of documents. */
  documents: number;
  /** The names of its parts, in their order; of a shard, of those that it makes. */
  parts: readonly string[];
  /** The number of the parts of all shards. */
  of: number;
  /** The names of those that were made in this build. */
  made: readonly string[];
  /** Pages that are not in it, and why. */
  problems: PageProblem[];
  /** The names of the fragments of documents that are outdated in their part. They are not published. */
  outdated: readonly string[];
}

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

function keyOf({ buildKey, shard }: IndexSetting): string {
  return JSON.stringify([buildKey, partLimits(), shard]);
}

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
  const isWhole = (name: string) => existsSync(join(indexDirectory(directory, name), ENTRY_FILE));
  if (last && setting.changedKeys?.size === 0 && last.parts.every(isWhole)) return { ...last, made: [] };
  const make = (changedKeys: IndexSetting['changedKeys']) => createIndex(key, { ...setting, changedKeys }, site, onDocuments);
  rmSync(resultFile, { force: true });
  return make(last ? setting.changedKeys : undefined).catch((error: unknown) => {
    if (!isDamagedDatabase(error)) throw error;
    rmSync(directory, { recursive: true, force: true });
    return make(undefined);
  });
}

/**
 * Notes the index of a build that is complete. Without the note, the next build creates all documents again: what changed is only
 * known since the last complete build.
 */
export function noteSearchIndex(setting: IndexSetting, index: SearchIndex): void {
  writeCacheNote(join(setting.directory, RESULT_FILE), keyOf(setting), index);
}

/** Deletes the search index in a directory: a build without one does not keep it up to date. */
export function deleteSearchIndex(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

async function createIndex(
  key: string,
  { directory, shard, changedKeys, source }: IndexSetting,
  site: IndexSite,
  onDocuments: OnDocuments,
): Promise<SearchIndex> {
  const ownContent = source.settings.own ?? NO_CONTENT;
  const pages = listSearchedPages(site.entries, site.relations, ownContent);
  const prepare = prepareFrom(site, site.recorder);
  let [done, total] = [0, 0];
  // A shard has no delta, because the merged site is that of a clean build.
  const limits = shard ? { ...partLimits(), documentsForDelta: Number.POSITIVE_INFINITY } : partLimits();
  using parts = await updateParts(partsDirectory(directory), {
    ...{ key, pages, changedKeys, limits, prepare, removedKeys: findRemovedKeys(changedKeys, site.relations, ownContent) },
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
  const names = parts.parts.map(({ name }) => name);
  const result = {
    parts: names,
    of: parts.of,
    made: parts.made,
    problems: listProblems(pages, parts),
    outdated: [...parts.outdated()].flatMap(({ part, page }) => part.file.fragmentOf(page) ?? []),
  };
  if (shard) {
    writePartData(parts.parts, tablesDirectory(directory));
    return { documents: parts.parts.reduce((total, { count }) => total + count, 0), ...result };
  }
  const rows = listRows(pages, parts);
  const facets = createFacetPacks(
    parts.parts.map(({ name, count }) => ({ name, documents: count })),
    rows,
  );
  writeSearchTables({ facets, vocabulary: countWords(parts) }, tablesDirectory(directory));
  return { documents: rows.length, ...result };
}

/** Returns the keys of the reads of records, authors and guide pages that the site does not show any more. */
function findRemovedKeys(changedKeys: ReadonlySet<string> | undefined, relations: Relations, own: OwnContent): Set<string> {
  const removed = new Set<string>();
  const shown = new Set(Object.keys(ownLookup(own)).map((name) => READS.lookup(LOOKUP, name)));
  for (const key of changedKeys ?? []) if (isOwnKey(key) && !shown.has(key)) removed.add(key);
  for (const key of changedKeys ?? []) {
    const [, kind, name = ''] = /^(has|author|article) (.+)$/.exec(key) ?? [];
    if (kind === 'has' && !relations.has(name)) for (const read of [READS.listed(name), READS.entry(name)]) removed.add(read);
    if (kind === 'author' && !relations.author(name)) removed.add(key);
    if (kind === 'article' && !relations.article(name)) removed.add(key);
  }
  return removed;
}

/** Returns the current documents of all parts, in the order of their pages. */
function listRows(pages: readonly SearchedPage[], parts: SearchParts): FoundRow[] {
  const rows = new Map<string, FoundRow>();
  for (const part of parts.parts)
    for (const [page, row] of part.file.rows()) if (parts.partOf(page) === part) rows.set(page, row);
  return pages.flatMap(({ path }) => rows.get(path) ?? []);
}

function listProblems(pages: readonly SearchedPage[], parts: SearchParts): PageProblem[] {
  const shown = new Set(pages.map(({ path }) => path));
  return parts.parts.flatMap((part) => part.file.problems().filter(({ page }) => shown.has(page) && parts.partOf(page) === part));
}

/** Returns the directory of the engine's scripts; undefined if the first part is in another shard. */
export async function openEngine(directory: string, { parts }: Pick<SearchIndex, 'parts'>): Promise<string | undefined> {
  if (!parts.includes(PRIMARY)) return undefined;
  const index = indexDirectory(directory, PRIMARY);
  const script = hash('sha256', readFileSync(join(index, ENGINE_SCRIPT)));
  return openMade(['engine', script], async (out) => {
    const { writeEngine } = await import('../astro/assets.ts');
    await writeEngine(index, out);
  });
}

/** Writes the packs of each part, unless they were made from the same files. */
export async function updateSearchPacks(
  directory: string,
  { parts, outdated }: Pick<SearchIndex, 'parts' | 'outdated'>,
  key: string,
): Promise<void> {
  const note = join(directory, PACKS_FILE);
  const before = takeCacheNote<Record<string, string>>(note, key) ?? {};
  for (const name of readdirIfAny(join(directory, 'packs')))
    if (!parts.includes(name)) rmSync(join(directory, 'packs', name), { recursive: true, force: true });
  const packs = parts.map((name) => {
    const index = indexDirectory(directory, name);
    const own = outdated.filter((fragment) => fragment.startsWith(`${name}_`));
    const content = JSON.stringify([readFileSync(join(index, ENTRY_FILE), 'utf8'), own]);
    return { name, content, index, out: packsDirectory(directory, name), outdated: own, key };
  });
  await writePacksOfParts(packs.filter(({ name, content }) => before[name] !== content));
  writeCacheNote(note, key, Object.fromEntries(packs.map(({ name, content }) => [name, content])));
}

/** From what the packs of each part were made. */
const PACKS_FILE = 'packs.json';

function readdirIfAny(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

/** Returns the files of the search index by their paths in the site. */
export function listSearchFiles(
  directory: string,
  { parts, outdated }: Pick<SearchIndex, 'parts' | 'outdated'>,
  engine: string | undefined,
  wants: { index: boolean; packs: boolean },
  shard?: Shard,
): Array<[path: string, file: string]> {
  const below = (prefix: string, files: Array<[path: string, file: string]>) =>
    files.map(([path, file]): [string, string] => [`${prefix}${path}`, file]);
  const left = new Set(outdated);
  const scripts = [...(wants.index ? [`pagefind/${ENGINE_SCRIPT}`] : []), ...(wants.packs ? ['packs/engine.js'] : [])];
  const engineFiles = scripts.flatMap(
    (path): Array<[string, string]> => (engine === undefined ? [] : [[path, join(engine, basename(path))]]),
  );
  const ofParts = parts.flatMap((name) => [
    ...(wants.index ? below(`pagefind/${directoryOfPart(name)}`, listIndexFiles(indexDirectory(directory, name), left)) : []),
    ...(wants.packs ? below(`packs/${directoryOfPart(name)}`, listPacks(packsDirectory(directory, name))) : []),
  ]);
  return [
    ...below(shard ? `${PART_DATA_DIRECTORY}/` : 'assets/', listFiles(tablesDirectory(directory))),
    ...below(`assets/${NAMES_DIRECTORY}/`, isFirst(shard) ? listFiles(namesDirectory(directory)) : []),
    ...ofParts.filter(([path]) => path !== `pagefind/${ENGINE_SCRIPT}`),
    ...engineFiles,
  ];
}

const partsDirectory = (directory: string) => join(directory, 'parts');
const tablesDirectory = (directory: string) => join(directory, 'tables');
const namesDirectory = (directory: string) => join(directory, 'names');
const packsDirectory = (directory: string, part: string) => join(directory, 'packs', part);
const indexDirectory = (directory: string, part: string) => join(partsDirectory(directory), part, INDEX_DIRECTORY);
