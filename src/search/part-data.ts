/** What the tables of the search page need of one part, as a file that a shard hands to the merge. */

import { fragmentName, NOT_NUMBERED, parseFragmentName } from '../client/fragment-names.ts';
import type { VocabularyWord } from '../client/vocabulary.ts';
import { isObject } from '../model/values.ts';
import type { FoundRow, PartFile } from './part-file.ts';

/** The data of a part. */
export interface PartData {
  /** In their order. */
  documents: FoundRow[];
  words: VocabularyWord[];
}

/** Returns the data of a part as JSON. */
export function encodePartData(file: Pick<PartFile, 'rows' | 'words'>): string {
  const documents = Array.from(file.rows(), ([, row]) => row);
  return JSON.stringify({ documents, words: [...file.words()] } satisfies PartData);
}

/**
 * Returns the data in a file; undefined if `encodePartData` cannot have made it. The file is untrusted. `name` is that of the part.
 */
export function decodePartData(text: string, name: string): PartData | undefined {
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
