/** The search index of shards: each shard hands over the data of its parts, from which the merge makes the tables of all. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX_DIRECTORY as SITE_INDEX } from '../../formats/search/start-file.ts';
import type { VocabularyWord } from '../../formats/search/vocabulary.ts';
import { tryParse } from '../../model/json.ts';
import { isObject } from '../../model/values.ts';
import { type SiteFile, toSiteFiles } from '../../publish/files/compare-files.ts';
import { writeSearchTables } from '../../publish/packs/search-tables.ts';
import { createFacetPacks } from '../../search/facet-columns.ts';
import { DamagedWordsError } from '../../search/pagefind-words.ts';
import type { FoundResult, FoundRow, PartFile } from '../../search/part-file.ts';
import type { SearchParts } from '../../search/update-parts.ts';
import { addWords, toVocabulary } from '../../search/vocabulary-of-parts.ts';
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
export function mergeSearch(
  directories: ReadonlyMap<string, string>,
  count: number,
  out: string,
  fail: (part: string) => Error,
): SiteFile[] {
  if (count === 0) return [];
  const counts = new Map<string, number>();
  const parts: Array<PartData & { directory: string }> = [];
  for (let number = 0; number < count; number++) {
    const name = `p${number}`;
    const directory = directories.get(name);
    const data = directory === undefined ? undefined : readPartData(join(directory, PART_DATA_FILE));
    if (directory === undefined || !data) throw fail(name);
    addWords(counts, data.words);
    parts.push({ ...data, directory });
  }
  const tables = join(out, 'tables');
  writeSearchTables(
    { facets: createFacetPacks(parts.flatMap(({ documents }) => documents)), vocabulary: toVocabulary(counts) },
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

function readPartData(file: string): PartData | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  return size > MAX_BYTES ? undefined : decodePartData(readFileSync(file, 'utf8'));
}

/** The data of a part. */
interface PartData {
  /** Number of its documents, with those that are not in the index. */
  count: number;
  /** Those that are, in their order. */
  documents: Array<FoundRow & FoundResult>;
  words: VocabularyWord[];
}

/** Returns the data of a part as JSON. */
function encodePartData(file: Pick<PartFile, 'rows' | 'results' | 'words'>, count: number): string {
  const rows = new Map(Array.from(file.rows(), ([, row]) => [row.number, row]));
  const documents = Array.from(file.results(), (result) => ({ ...(rows.get(result.number) as FoundRow), ...result }));
  return JSON.stringify({ count, documents, words: [...file.words()] } satisfies PartData);
}

/** Returns the data in a file; undefined if `encodePartData` cannot have made it. The file is untrusted. */
function decodePartData(text: string): PartData | undefined {
  const data = tryParse(text);
  if (!isObject(data) || !Array.isArray(data['documents']) || !Array.isArray(data['words'])) return undefined;
  const { count, documents, words } = data as { count: unknown; documents: unknown[]; words: unknown[] };
  if (!Number.isSafeInteger(count) || Number(count) < 0 || Number(count) > MAX_DOCUMENTS) return undefined;
  const isDocument = ({ number, page, keys, shown, bytes, filters, sort }: Record<string, unknown>, before: unknown) =>
    Number.isSafeInteger(number) &&
    Number(number) > (isObject(before) ? Number(before['number']) : -1) &&
    Number(number) < Number(count) &&
    isText(page) &&
    isTexts(keys) &&
    (keys as string[]).every((key) => /^[0-9a-z]+$/.test(key)) &&
    isResult(shown) &&
    Number.isSafeInteger(bytes) &&
    hasValues(filters, isTexts) &&
    hasYears(filters as Record<string, string[]>) &&
    hasValues(sort, isText);
  const isWord = ({ word, documents: own }: Record<string, unknown>) =>
    typeof word === 'string' && /^[^\s]+$/.test(word) && Number.isSafeInteger(own) && Number(own) > 0;
  const isValid =
    documents.every((document, i) => isObject(document) && isDocument(document, documents[i - 1])) &&
    words.every((word) => isObject(word) && isWord(word));
  return isValid ? (data as unknown as PartData) : undefined;
}

/** A part of a site has no more. */
const MAX_DOCUMENTS = 1_000_000;

function hasValues(value: unknown, isValue: (value: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isValue);
}

function hasYears({ year = [] }: Record<string, string[]>): boolean {
  return year.every((each) => /^\d{1,5}$/.test(each));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Whether a value is JSON of an object, in one line. */
function isResult(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\n') && isObject(tryParse(value));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
