/**
 * Writes one part of the search index: the words of its documents, as Pagefind indexes them, and the file of its documents. They
 * are in a fixed order, so that every build writes the same bytes.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { encodeNumber, SEPARATOR } from '../formats/search/word-codes.ts';
import type { SearchedPage } from './create-document.ts';
import { startPagefind } from './pagefind-process.ts';
import { isWordFile } from './pagefind-words.ts';
import { createPartFile, type PartDocument } from './part-file.ts';
import { notInIndex, type PrepareDocument } from './prepare-document.ts';

/** A part to write. */
export interface PartToWrite {
  name: string;
  /** Directory of the part: it is replaced when the part is complete. */
  directory: string;
  pages: readonly SearchedPage[];
}

/** In the directory of a part: Pagefind's files. */
export const INDEX_DIRECTORY = 'index';
/** In the directory of a part: the file of its documents. */
export const DOCUMENTS_FILE = 'documents.sqlite';

/** Maximum documents that are sent to Pagefind's process before waiting for it. */
const MAX_DOCUMENTS_IN_FLIGHT = 256;

/**
 * Writes a part. A document that cannot be created, or that Pagefind rejects, has a problem in the file of the part. `onProgress`
 * gets the number of documents that were added since it was last called.
 * @throws {Error} if Pagefind cannot start, cannot write the index, or ends before it has
 */
export async function writePart(
  { name, directory, pages }: PartToWrite,
  prepare: PrepareDocument,
  onProgress?: (added: number) => void,
): Promise<void> {
  const unfinished = `${directory}.part`;
  const out = join(unfinished, INDEX_DIRECTORY);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const pagefind = await startPagefind(name);
  try {
    using file = createPartFile(join(unfinished, DOCUMENTS_FILE));
    await addDocuments(pagefind, name, pages, prepare, file, onProgress);
    file.finish();
    await pagefind.write(out);
  } finally {
    pagefind.close();
  }
  // Its engine, and fragments with the codes of all words of a document.
  for (const path of readdirSync(out)) if (!isWordFile(path)) rmSync(join(out, path), { recursive: true });
  rmSync(directory, { recursive: true, force: true });
  renameSync(unfinished, directory);
}

/** Adds documents to an index, each with the code of its number, and to the file of the part. */
async function addDocuments(
  pagefind: Awaited<ReturnType<typeof startPagefind>>,
  language: string,
  pages: readonly SearchedPage[],
  prepare: PrepareDocument,
  file: ReturnType<typeof createPartFile>,
  onProgress?: (added: number) => void,
): Promise<void> {
  let batch: Array<Promise<PartDocument>> = [];
  const finishBatch = async () => {
    for (const row of await Promise.all(batch)) file.add(row);
    onProgress?.(batch.length);
    batch = [];
  };
  const add = async (page: SearchedPage, number: number): Promise<PartDocument> => {
    const { row, indexed } = prepare(page);
    if (!indexed) return row;
    const content = `${encodeNumber(number)} ${indexed.content}`;
    const cause = await pagefind.add({ ...indexed, content, language });
    return cause === undefined ? row : { ...row, words: [], keys: [], shown: undefined, problem: notInIndex(cause) };
  };
  for (const [number, page] of pages.entries()) {
    batch.push(add(page, number));
    if (batch.length >= MAX_DOCUMENTS_IN_FLIGHT) await finishBatch();
  }
  await finishBatch();
  // Pagefind writes no index that has no document.
  await pagefind.add({ url: NO_PAGE, content: SEPARATOR, language });
}

const NO_PAGE = '#';
