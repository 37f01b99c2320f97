/** Updates the search index of a site and its packs in the cache, unless they were built from the same data. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PageProblem } from '../catalogue/page-problems.ts';
import type { Relations } from '../catalogue/relations.ts';
import { writeIndexPacks } from '../publish/packs/index-packs.ts';
import { writeSearchTables } from '../publish/packs/search-tables.ts';
import { buildSearchIndex, type IndexSettings } from '../search/index.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import type { Store } from '../snapshot/store.ts';
import { minifyPagefind, writeEngine } from './assets.ts';

/** The result of building a search index. */
export interface SearchIndexResult {
  /** Number of documents. */
  documents: number;
  /** Whether the index was made in this build; otherwise its content is that of the last one. */
  isNew: boolean;
  /** Pages that are not in it, and why. */
  problems: PageProblem[];
}

/** Builds the search index in the directory `out`, unless the last one was built from the same data. */
export async function updateSearchIndex(
  out: string,
  buildKey: string,
  store: Store,
  catalogue: Catalogue,
  relations: Relations,
  settings: IndexSettings,
  onProgress?: (step: string, done: number, total: number) => void,
): Promise<SearchIndexResult> {
  const { objects, authors, articles } = catalogue;
  const { images, copiedFiles, archiveLanguages } = settings;
  const key = createHash('sha256')
    .update(JSON.stringify([buildKey, objects, authors, articles, { images, copiedFiles, archiveLanguages }]))
    .digest('hex');
  const resultFile = `${out}.json`;
  const cached = readResult(resultFile);
  if (cached?.key === key) return { documents: cached.documents, problems: cached.problems, isNew: false };
  rmSync(resultFile, { force: true });
  rmSync(out, { recursive: true, force: true });
  const { documents, problems, ...tables } = await buildSearchIndex(store, catalogue, relations, settings, out, (done, total) =>
    onProgress?.('Search index', done, total),
  );
  await minifyPagefind(out);
  writeSearchTables(tables, tablesDirectory(out));
  writeAtOnce(resultFile, JSON.stringify({ key, documents, problems }));
  return { documents, problems, isNew: true };
}

/** Reads what is known of the last index; undefined if there is none, or if the file is not whole. */
function readResult(file: string): (Omit<SearchIndexResult, 'isNew'> & { key: string }) | undefined {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Writes a file in the cache, so that a process that is killed leaves the former one, or none. */
function writeAtOnce(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/** Writes the packs of the search index in the directory `index`, unless they were made from the same index. */
export async function updateSearchPacks(index: string): Promise<void> {
  const out = packsDirectory(index);
  const keyFile = `${out}.json`;
  const key = readFileSync(`${index}.json`, 'utf8');
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return;
  rmSync(keyFile, { force: true });
  writeIndexPacks(index, out);
  await writeEngine(index, out);
  writeAtOnce(keyFile, key);
}

/** Returns the files of the search index by their paths in the site. */
export function listSearchFiles(index: string, wants: { index: boolean; packs: boolean }): Array<[path: string, file: string]> {
  const filesIn = (directory: string, prefix: string) =>
    listFiles(directory).map(([path, file]): [string, string] => [`${prefix}/${path}`, file]);
  return [
    ...(wants.index || wants.packs ? filesIn(tablesDirectory(index), 'assets') : []),
    ...(wants.index ? filesIn(index, 'pagefind') : []),
    ...(wants.packs ? filesIn(packsDirectory(index), 'packs') : []),
  ];
}

function tablesDirectory(index: string): string {
  return `${index}-tables`;
}

function packsDirectory(index: string): string {
  return `${index}-packs`;
}
