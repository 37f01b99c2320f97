/** The search index of shards: each shard hands over the data of its parts, from which the merge makes the tables of all. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fragmentName, NOT_NUMBERED, parseFragmentName } from '../../formats/search/fragment-names.ts';
import type { VocabularyWord } from '../../formats/search/vocabulary.ts';
import { isObject } from '../../model/values.ts';
import { type SiteFile, toSiteFiles } from '../../publish/files/compare-files.ts';
import { writeSearchTables } from '../../publish/packs/search-tables.ts';
import { createFacetPacks } from '../../search/facet-columns.ts';
import type { FoundRow, PartFile } from '../../search/part-file.ts';
import type { SearchParts } from '../../search/update-parts.ts';
import { addWords, toVocabulary } from '../../search/vocabulary-of-parts.ts';
import { listFiles } from '../../snapshot/directory-files.ts';

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
 * Makes the tables of the search page from the data of all parts. `files` has the file of each part by its name, `count` is the
 * number of parts, and `out` a directory for the tables. `fail` returns the error for a part that is missing or damaged.
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

/** The data of a part. */
interface PartData {
  /** In their order. */
  documents: FoundRow[];
  words: VocabularyWord[];
}

/** Returns the data of a part as JSON. */
function encodePartData(file: Pick<PartFile, 'rows' | 'words'>): string {
  const documents = Array.from(file.rows(), ([, row]) => row);
  return JSON.stringify({ documents, words: [...file.words()] } satisfies PartData);
}

/** Returns the data in an untrusted file; undefined if `encodePartData` cannot have made it. `name` is that of the part. */
function decodePartData(text: string, name: string): PartData | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isObject(data) || !Array.isArray(data['documents']) || !Array.isArray(data['words'])) return undefined;
  const isFragment = new RegExp(`^${name}_[0-9a-f]{12,16}$`);
  const isDocument = ({ fragment, filters, sort }: Record<string, unknown>) =>
    typeof fragment === 'string' &&
    isFragment.test(fragment) &&
    hasValues(filters, isTexts) &&
    hasYears(filters as Record<string, string[]>) &&
    hasValues(sort, isText);
  const isWord = ({ word, documents }: Record<string, unknown>) =>
    typeof word === 'string' && /^[^\s]+$/.test(word) && Number.isSafeInteger(documents) && Number(documents) > 0;
  const isValid =
    data['documents'].every((document) => isObject(document) && isDocument(document)) &&
    data['words'].every((word) => isObject(word) && isWord(word)) &&
    haveNumbers(data['documents'] as FoundRow[], name);
  return isValid ? (data as unknown as PartData) : undefined;
}

/** Whether documents are numbered, or have different numbers. */
function haveNumbers(documents: readonly FoundRow[], name: string): boolean {
  const first = documents[0] && parseFragmentName(documents[0].fragment);
  if (!first) return true;
  const numbers = documents.map(({ fragment }, position) =>
    first.hash === NOT_NUMBERED ? parseFragmentName(fragment).number : position,
  );
  const hasName = ({ fragment }: FoundRow, i: number) =>
    fragment === fragmentName({ ...first, name, number: numbers[i] as number });
  return new Set(numbers).size === documents.length && documents.every(hasName);
}

function hasValues(value: unknown, isValue: (value: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isValue);
}

function hasYears({ year = [] }: Record<string, string[]>): boolean {
  return year.every((each) => /^\d{1,5}$/.test(each));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
