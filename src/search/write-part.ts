/**
 * Writes one part of the search index: an index of Pagefind, and the file of its documents. The documents are in a fixed order, so that every build
 * writes the same bytes.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { close, createIndex, type PagefindIndex } from 'pagefind';
import type { SearchedPage } from './create-document.ts';
import { encodeFragment, type FragmentNaming, type Fragments, replaceFragments } from './pagefind-files.ts';
import { type PartDocument, writePartFile } from './part-file.ts';
import { PRIMARY } from './plan-parts.ts';
import { notInIndex, type PrepareDocument, type PreparedDocument } from './prepare-document.ts';

/** A part to write. */
export interface PartToWrite extends FragmentNaming {
  /** What the names of its fragments begin with: letters and digits, the same in every build. */
  name: string;
  /** Directory of the part: it is replaced when the part is complete. */
  directory: string;
  pages: readonly SearchedPage[];
}

/** In the directory of a part: Pagefind's files. */
export const INDEX_DIRECTORY = 'index';
/** In the directory of a part: the file of its documents. */
export const DOCUMENTS_FILE = 'documents.sqlite';

/** Pagefind's own interface, which the search page replaces. */
const INTERFACE = /^pagefind-(?:ui|modular-ui|component-ui|highlight)/;
/** All scripts, styles and programs of Pagefind, which are the same in all parts. */
const ENGINE = /\.(?:js|css|pagefind)$/;

/** Maximum documents that are sent to Pagefind's process before waiting for it. */
const MAX_DOCUMENTS_IN_FLIGHT = 256;

/**
 * Writes a part. A document that cannot be created, or that Pagefind rejects, has a problem in the file of the part. `onProgress` gets the number
 * of documents that were added since it was last called.
 * @throws {Error} if Pagefind cannot start or cannot write the index.
 */
export async function writePart(
  { name, isNumbered, directory, pages }: PartToWrite,
  prepare: PrepareDocument,
  onProgress?: (added: number) => void,
): Promise<void> {
  const unfinished = `${directory}.part`;
  const out = join(unfinished, INDEX_DIRECTORY);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  // Pagefind has no such language, and uses words as they are: it does not reduce them to stems.
  const { index, errors } = await createIndex({ forceLanguage: name, keepIndexUrl: true });
  if (!index) throw new Error(`Pagefind could not start: ${errors.join('; ')}`);
  const fragments = openSpool(join(unfinished, 'fragments'));
  try {
    const rows = await addDocuments(index, name, pages, prepare, fragments, onProgress);
    const written = await index.writeFiles({ outputPath: out });
    if (written.errors.length > 0) throw new Error(`Pagefind could not write its index: ${written.errors.join('; ')}`);
    const unused = name === PRIMARY ? INTERFACE : ENGINE;
    for (const file of readdirSync(out)) if (unused.test(file)) rmSync(join(out, file), { recursive: true });
    const names = replaceFragments(out, { name, isNumbered }, fragments);
    writePartFile(join(unfinished, DOCUMENTS_FILE), rows, names);
  } finally {
    fragments.close();
    await close();
  }
  rmSync(directory, { recursive: true, force: true });
  renameSync(unfinished, directory);
}

/** Adds documents to an index, and their fragments to `fragments`. Returns what is stored of each. */
async function addDocuments(
  index: PagefindIndex,
  language: string,
  pages: readonly SearchedPage[],
  prepare: PrepareDocument,
  fragments: Spool,
  onProgress?: (added: number) => void,
): Promise<PartDocument[]> {
  const rows: PartDocument[] = [];
  let hasContent = false;
  let batch: Array<{ row: PartDocument; hasWords: boolean; result: Promise<{ errors: string[] }> | undefined }> = [];
  const finishBatch = async () => {
    for (const { row, hasWords, result } of batch) {
      const rejections = (await result)?.errors ?? [];
      hasContent ||= hasWords && rejections.length === 0;
      rows.push(rejections.length > 0 ? rejected(row, rejections.join('; ')) : row);
    }
    onProgress?.(batch.length);
    batch = [];
  };
  const add = ({ row, indexed }: PreparedDocument) => {
    if (indexed) fragments.write(row.page, encodeFragment(row.page, indexed.shown));
    const result = indexed && index.addCustomRecord({ ...indexed.document, language });
    batch.push({ row, hasWords: indexed !== undefined && indexed.document.content !== '', result });
  };
  for (const page of pages) {
    add(prepare(page));
    if (batch.length >= MAX_DOCUMENTS_IN_FLIGHT) await finishBatch();
  }
  await finishBatch();
  // Pagefind's engine cannot open an index without documents.
  if (!hasContent) await index.addCustomRecord({ url: NO_PAGE, content: UNUSED_CODE, language, meta: {} });
  return rows;
}

const NO_PAGE = '#';
/** The code of no word. */
const UNUSED_CODE = 'q3q0';

/** Returns what is stored of a document that Pagefind rejected. */
function rejected(row: PartDocument, cause: string): PartDocument {
  return { ...row, words: [], problem: notInIndex(cause) };
}

/** A temporary file of what results show, by the paths of pages. */
interface Spool extends Fragments {
  write(page: string, bytes: Buffer): void;
  close(): void;
}

/** Opens a temporary file for what results show, because that of a large archive may exceed the memory. */
function openSpool(file: string): Spool {
  const handle = openSync(file, 'w+');
  const ranges = new Map<string, [offset: number, length: number]>();
  let end = 0;
  return {
    write(page, bytes) {
      writeSync(handle, bytes, 0, bytes.length, end);
      ranges.set(page, [end, bytes.length]);
      end += bytes.length;
    },
    pages: () => ranges.keys(),
    read(page) {
      const range = ranges.get(page);
      if (!range) return undefined;
      const [offset, length] = range;
      const bytes = Buffer.alloc(length);
      readSync(handle, bytes, 0, length, offset);
      return bytes;
    },
    close() {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}
