/** The search index of shards: each shard hands over the data of its parts, from which the merge makes the tables of all. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { INDEX_DIRECTORY as SITE_INDEX } from '../../formats/search/start-file.ts';
import { tryParse } from '../../model/json.ts';
import { isObject } from '../../model/values.ts';
import { toSiteFiles } from '../../publish/files/compare-files.ts';
import { writeSearchTables } from '../../publish/packs/search-tables.ts';
import { createFacetPacks } from '../../search/facet-columns.ts';
import { DamagedWordsError } from '../../search/pagefind-words.ts';
import type { FoundRow, PartFile } from '../../search/part-file.ts';
import type { SearchParts } from '../../search/update-parts.ts';
import { countWords } from '../../search/vocabulary-of-parts.ts';
import { INDEX_DIRECTORY } from '../../search/write-part.ts';
import { listFiles } from '../../snapshot/directory-files.ts';
import { writeWholeIndex } from './write-index.ts';

/** In a shard: the directory of the data of its parts, which are not files of the site. */
export const PART_DATA_DIRECTORY = 'search-parts';

/** A larger file was not written by Microfiche: it would exceed the longest string of JavaScript. */
const MAX_BYTES = 500 * 1024 * 1024;

/** Writes the data of the parts of a shard into a directory, and deletes its former content. */
export function writePartData(parts: SearchParts['parts'], directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  for (const { name, file, directory: part, documents } of parts) {
    mkdirSync(join(directory, name), { recursive: true });
    cpSync(join(part, INDEX_DIRECTORY), join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, PART_DATA_FILE), encodePartData(file, documents.size));
  }
}

/** In the directory of a part: its documents and words. Beside it are Pagefind's files. */
export const PART_DATA_FILE = 'documents.json';

/**
 * Makes the index and the tables of the search page from the data of all parts. `directories` has the directory of each part by
 * its name, `count` is the number of parts, and `out` a directory for the files. `fail` returns the error for a part that is
 * missing or damaged.
 */
export function mergeSearch(directories: ReadonlyMap<string, string>, count: number, out: string, fail: (part: string) => Error) {
  if (count === 0) return [];
  const parts: Array<PartData & { directory: string }> = [];
  for (let number = 0; number < count; number++) {
    const name = `p${number}`;
    const directory = directories.get(name);
    const data = directory === undefined ? undefined : readPartData(join(directory, PART_DATA_FILE));
    if (directory === undefined || !data) throw fail(name);
    parts.push({ ...data, directory });
  }
  const tables = join(out, 'tables');
  writeSearchTables(
    {
      facets: createFacetPacks(parts.flatMap(({ documents }) => documents)),
      vocabulary: countWords(parts.map(({ words }) => words)),
    },
    tables,
  );
  const index = join(out, SITE_INDEX);
  const sources = parts.map(({ directory, count: total, documents }) => ({
    directory,
    documents: total,
    results: () => documents,
  }));
  const found = parts.flatMap(({ count: total, documents }) => {
    const numbers = new Set(documents.map(({ number }) => number));
    return Array.from({ length: total }, (_, number) => numbers.has(number));
  });
  try {
    writeWholeIndex(sources, found, index);
  } catch (error) {
    if (!(error instanceof DamagedWordsError)) throw error;
    throw fail(`p${parts.findIndex(({ directory }) => directory === error.directory)}`);
  }
  return toSiteFiles([...listBelow('assets/', tables), ...listBelow(`assets/${SITE_INDEX}/`, index)]);
}

/** Returns the files in a directory by their paths in the site, which begin with `prefix`. */
export function listBelow(prefix: string, directory: string): Array<[path: string, file: string]> {
  return listFiles(directory).map(([path, file]) => [`${prefix}${path}`, file]);
}

/** A part of a site has no more. */
const MAX_DOCUMENTS = 1_000_000;

const count = z.int().min(0);
const documentSchema = z.object({
  number: count,
  page: z.string(),
  keys: z.array(z.string().regex(/^[0-9a-z]+$/)),
  /** JSON of an object, in one line. */
  shown: z.string().refine((text) => !text.includes('\n') && isObject(tryParse(text))),
  bytes: z.int(),
  filters: z.record(z.string(), z.array(z.string())).refine(({ year = [] }) => year.every((each) => /^\d{1,5}$/.test(each))),
  sort: z.record(z.string(), z.string()),
});
/** The data of a part, as its file has it. The file is untrusted. */
const partSchema = z
  .object({
    /** Number of its documents, with those that are not in the index. */
    count: count.max(MAX_DOCUMENTS),
    /** Those that are, in their order. */
    documents: z.array(documentSchema),
    words: z.array(z.object({ word: z.string().regex(/^\S+$/), documents: z.int().positive() })),
  })
  .refine((part) => part.documents.every(({ number }, i, all) => number > (all[i - 1]?.number ?? -1) && number < part.count));
type PartData = z.infer<typeof partSchema>;

/** Returns the data in a file; undefined if `encodePartData` cannot have made it. */
function readPartData(file: string): PartData | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  return size > MAX_BYTES ? undefined : partSchema.safeParse(tryParse(readFileSync(file, 'utf8'))).data;
}

/** Returns the data of a part as JSON. */
function encodePartData(file: Pick<PartFile, 'rows' | 'results' | 'words'>, count: number): string {
  const rows = new Map(Array.from(file.rows(), ([, row]) => [row.number, row]));
  const documents = Array.from(file.results(), (result) => ({ ...(rows.get(result.number) as FoundRow), ...result }));
  return JSON.stringify({ count, documents, words: [...file.words()] } satisfies PartData);
}
