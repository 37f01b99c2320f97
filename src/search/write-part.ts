/**
 * Writes one part of the search index: an index of Pagefind, and the file of its documents. The documents are in a fixed order,
 * so that every build writes the same bytes.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchedPage } from './create-document.ts';
import { encodeFragment, type FragmentNaming, type Fragments, replaceFragments } from './pagefind-files.ts';
import { type PagefindProcess, startPagefind } from './pagefind-process.ts';
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
 * Writes a part. A document that cannot be created, or that Pagefind rejects, has a problem in the file of the part. `onProgress`
 * gets the number of documents that were added since it was last called.
 * @throws {Error} if Pagefind cannot start, cannot write the index, or ends before it has
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
  const pagefind = await startPagefind(name);
  const fragments = openSpool(join(unfinished, 'fragments'));
  try {
    const rows = await addDocuments(pagefind, name, pages, prepare, fragments, onProgress);
    await pagefind.write(out);
    const unused = name === PRIMARY ? INTERFACE : ENGINE;
    for (const file of readdirSync(out)) if (unused.test(file)) rmSync(join(out, file), { recursive: true });
    const names = replaceFragments(out, { name, isNumbered }, fragments);
    writePartFile(join(unfinished, DOCUMENTS_FILE), rows, names);
  } finally {
    fragments.close();
    pagefind.close();
  }
  rmSync(directory, { recursive: true, force: true });
  renameSync(unfinished, directory);
}

/** Adds documents to an index, and their fragments to `fragments`. Returns what is stored of each. */
async function addDocuments(
  pagefind: PagefindProcess,
  language: string,
  pages: readonly SearchedPage[],
  prepare: PrepareDocument,
  fragments: Spool,
  onProgress?: (added: number) => void,
): Promise<PartDocument[]> {
  const rows: PartDocument[] = [];
  let hasContent = false;
  let batch: Array<Promise<{ row: PartDocument; hasWords: boolean; cause: string | undefined }>> = [];
  const finishBatch = async () => {
    for (const { row, hasWords, cause } of await Promise.all(batch)) {
      hasContent ||= hasWords && cause === undefined;
      rows.push(cause === undefined ? row : { ...row, words: [], problem: notInIndex(cause) });
    }
    onProgress?.(batch.length);
    batch = [];
  };
  const add = async ({ row, indexed }: PreparedDocument) => {
    if (indexed) fragments.write(row.page, encodeFragment(row.page, indexed.shown));
    const cause = indexed && (await pagefind.add({ ...indexed.document, language }));
    return { row, hasWords: indexed !== undefined && indexed.document.content !== '', cause };
  };
  for (const page of pages) {
    batch.push(add(prepare(page)));
    if (batch.length >= MAX_DOCUMENTS_IN_FLIGHT) await finishBatch();
  }
  await finishBatch();
  // Pagefind's engine cannot open an index without documents.
  if (!hasContent) await pagefind.add({ url: NO_PAGE, content: UNUSED_CODE, language, meta: {} });
  return rows;
}

const NO_PAGE = '#';
/** The code of no word. */
const UNUSED_CODE = 'q3q0';

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
