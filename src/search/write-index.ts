/** Writes a search index with Pagefind, from documents in a fixed order, so that every build writes the same bytes. */
import { closeSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { close, createIndex } from 'pagefind';
import { errorMessage, type PageProblem } from '../catalogue/page-problems.ts';
import type { FacetTable } from '../client/facet-table.ts';
import { hiddenEntry, type VocabularyWord } from '../client/vocabulary.ts';
import { createFacetTable, type FacetRow } from './create-facet-table.ts';
import type { SearchDocument } from './documents.ts';
import { limitDocument, toIndexable } from './indexable.ts';
import { replaceFragments } from './pagefind-files.ts';

/** A page that search can find. `create` may throw: then the page is left out. */
export interface PageToIndex {
  page: string;
  create: () => SearchDocument;
}

/** What the search page needs in addition to Pagefind's files. */
export interface SearchTables {
  facets: FacetTable;
  /** Sorted. */
  vocabulary: VocabularyWord[];
}

/** What was written. */
export interface WrittenIndex extends SearchTables {
  /** Number of documents. */
  documents: number;
  /** Pages that are not in it, and why. */
  problems: PageProblem[];
}

/** Maximum documents that are sent to Pagefind's process before waiting for it. */
const MAX_DOCUMENTS_IN_FLIGHT = 256;

/**
 * Writes the search index of `pages` to the directory `out`. A document that cannot be created, or that Pagefind rejects, is left out and listed
 * in the result. `onProgress` gets the number of documents done.
 * @throws {Error} if Pagefind cannot start or cannot write the index.
 */
export async function writeSearchIndex(
  pages: Iterable<PageToIndex>,
  out: string,
  onProgress?: (done: number) => void,
): Promise<WrittenIndex> {
  // Without a language, Pagefind uses words as they are: it does not reduce them to stems.
  const { index, errors } = await createIndex({ forceLanguage: 'unknown', keepIndexUrl: true });
  if (!index) throw new Error(`Pagefind could not start: ${errors.join('; ')}`);
  const spool = openSpool(`${out}-shown`);
  try {
    const rows: FacetRow[] = [];
    const counts = new Map<string, number>();
    const problems: PageProblem[] = [];
    const leaveOut = (page: string, cause: string) => problems.push({ page, cause: `it is not in the search index: ${cause}` });
    let done = 0;
    let batch: Array<{ url: string; add: () => void; result: Promise<{ errors: string[] }> }> = [];
    const finishBatch = async () => {
      for (const { url, add, result } of batch) {
        const { errors: refusals } = await result;
        if (refusals.length > 0) leaveOut(url, refusals.join('; '));
        else add();
      }
      batch = [];
      onProgress?.(done);
    };
    for (const { page, create } of pages) {
      try {
        const limited = limitDocument(create());
        const { document, words, hiddenCodes } = toIndexable(limited);
        const { url, filters, sort } = limited;
        const add = () => {
          rows.push({ url, filters, sort });
          for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
          for (const code of hiddenCodes) counts.set(hiddenEntry(code), (counts.get(hiddenEntry(code)) ?? 0) + 1);
        };
        spool.write(url, JSON.stringify(limited.shown));
        batch.push({ url, add, result: index.addCustomRecord({ ...document }) });
      } catch (error) {
        leaveOut(page, errorMessage(error));
      }
      done++;
      if (batch.length >= MAX_DOCUMENTS_IN_FLIGHT) await finishBatch();
    }
    await finishBatch();
    const written = await index.writeFiles({ outputPath: out });
    if (written.errors.length > 0) throw new Error(`Pagefind could not write its index: ${written.errors.join('; ')}`);
    // Delete Pagefind's own interface, which the search page replaces.
    for (const name of readdirSync(out))
      if (/^pagefind-(?:ui|modular-ui|component-ui|highlight)/.test(name)) rmSync(join(out, name));
    const facets = createFacetTable(replaceFragments(out, spool.read), rows);
    const vocabulary = Array.from(counts, ([word, documents]) => ({ word, documents }));
    return { facets, vocabulary: vocabulary.sort((a, b) => (a.word < b.word ? -1 : 1)), documents: rows.length, problems };
  } finally {
    spool.close();
    await close();
  }
}

/** Opens a temporary file for texts, because those of a large archive may exceed the memory. */
function openSpool(file: string): { write(name: string, text: string): void; read(name: string): string; close(): void } {
  const handle = openSync(file, 'w+');
  const ranges = new Map<string, [offset: number, length: number]>();
  let end = 0;
  return {
    write(name, text) {
      const bytes = Buffer.from(text);
      writeSync(handle, bytes, 0, bytes.length, end);
      ranges.set(name, [end, bytes.length]);
      end += bytes.length;
    },
    read(name) {
      const [offset, length] = ranges.get(name) ?? [0, 0];
      const bytes = Buffer.alloc(length);
      readSync(handle, bytes, 0, length, offset);
      return bytes.toString();
    },
    close() {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}
