/** The search index of shards: each shard hands over the data of the parts that it has made, of which the merge makes the tables of all. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSearchTables } from '../publish/packs/search-tables.ts';
import { createFacetPacks } from '../search/facet-columns.ts';
import { decodePartData, encodePartData, type PartData } from '../search/part-data.ts';
import type { SearchParts } from '../search/update-parts.ts';
import { addWords, toVocabulary } from '../search/vocabulary-of-parts.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import type { SiteFile } from './compare-files.ts';
import { toSiteFiles } from './complete-site.ts';

/** In a shard: the directory of the data of its parts, which are not files of the site. */
export const PART_DATA_DIRECTORY = 'search-parts';

/** A larger file was not written by Microfiche: JavaScript could not read it as one text. */
const MAX_BYTES = 500 * 1024 * 1024;

/** Writes the data of the parts of a shard into a directory, and deletes its former content. */
export function writePartData(parts: SearchParts['parts'], directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const { name, file } of parts) writeFileSync(join(directory, `${name}.json`), encodePartData(file));
}

/**
 * Makes the tables of the search page from the data of all parts. `files` has the file of each part by its name, `count` is the number of parts,
 * and `out` a directory for the tables. `fail` returns the error for a part that is missing or damaged.
 */
export function mergeSearchTables(
  files: ReadonlyMap<string, string>,
  count: number,
  out: string,
  fail: (part: string) => Error,
): SiteFile[] {
  if (count === 0) return [];
  const counts = new Map<string, number>();
  const parts: Array<{ name: string; documents: PartData['documents'] }> = [];
  for (let number = 0; number < count; number++) {
    const name = `p${number}`;
    const data = readPartData(files.get(name), name);
    if (!data) throw fail(name);
    addWords(counts, data.words);
    parts.push({ name, documents: data.documents });
  }
  const facets = createFacetPacks(
    parts.map(({ name, documents }) => ({ name, documents: documents.length })),
    parts.flatMap(({ documents }) => documents),
  );
  writeSearchTables({ facets, vocabulary: toVocabulary(counts) }, out);
  return toSiteFiles(listFiles(out).map(([path, file]) => [`assets/${path}`, file]));
}

function readPartData(file: string | undefined, name: string): PartData | undefined {
  return file === undefined || statSync(file).size > MAX_BYTES ? undefined : decodePartData(readFileSync(file, 'utf8'), name);
}
