/** Prepares a search document for a part of the index: limits it, encodes its words, and records what it was made from. */
import { hash } from 'node:crypto';
import type { Recorder } from '../catalogue/dependencies/read-keys.ts';
import { type Reads, toReads } from '../catalogue/dependencies/stored-reads.ts';
import { errorMessage } from '../catalogue/page-problems.ts';
import { createDocument, type DocumentSource, type SearchedPage } from './create-document.ts';
import type { SearchDocument } from './documents.ts';
import { type IndexableDocument, limitDocument, toIndexable } from './indexable.ts';
import type { PartDocument } from './part-file.ts';

/** A document for a part, and what Pagefind gets of it; undefined if it cannot be made. */
export interface PreparedDocument {
  row: PartDocument;
  indexed: IndexableDocument | undefined;
}

/** Prepares documents. `recorder` records what is read through `source`. */
export type PrepareDocument = (page: SearchedPage) => PreparedDocument;

/** Prepares a document. `reads` are what it was created from. */
export function prepareDocument(created: SearchDocument, reads: Reads): PreparedDocument {
  const limited = limitDocument(created);
  const { document, words, keys } = toIndexable(limited);
  const { url: page, filters, sort } = limited;
  const shown = JSON.stringify(limited.shown);
  const hashed = hash('sha256', JSON.stringify([document, keys, filters, sort, shown]));
  const row = { page, filters, sort, reads, hash: hashed, words: [...words], keys, shown, problem: undefined };
  return { row, indexed: document };
}

/** Returns a function that prepares the documents of pages. One that cannot be created has a problem instead. */
export function createPreparation(source: DocumentSource, recorder: Recorder): PrepareDocument {
  return (page) => {
    recorder.start();
    try {
      const document = createDocument(page, source);
      return prepareDocument(document, toReads(recorder.end()));
    } catch (error) {
      const cause = errorMessage(error);
      const nothing = { filters: {}, sort: {}, words: [], keys: [], shown: undefined };
      const known = { page: page.path, hash: hash('sha256', cause), reads: toReads(recorder.end()), problem: notInIndex(cause) };
      return { row: { ...known, ...nothing }, indexed: undefined };
    }
  };
}

/** Says why a document is not in the index. */
export const notInIndex = (cause: string): string => `it is not in the search index: ${cause}`;
