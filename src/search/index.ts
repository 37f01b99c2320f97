/** Builds the search index with Pagefind, from documents in a fixed order, so that every build writes the same bytes. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { close, createIndex } from 'pagefind';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readEntryRecord } from '../catalogue/object-entries.ts';
import { errorMessage, type PageProblem } from '../catalogue/page-problems.ts';
import type { Relations } from '../catalogue/relations.ts';
import { articlePath, authorPath, objectPath } from '../catalogue/urls.ts';
import type { FacetTable } from '../client/facet-table.ts';
import type { CopiedFiles } from '../derivatives/copied-files.ts';
import { compareIds } from '../model/ids.ts';
import { firstImage, placeholderFor, type SiteImages } from '../site/images.ts';
import { readPayload } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { createFacetTable, type FacetRow } from './create-facet-table.ts';
import { articleDocument, authorDocument, objectDocument, type SearchDocument, toIndexable } from './documents.ts';
import { readSpokenTexts } from './spoken-text.ts';

/** The media files that the index needs. */
export interface IndexedMedia {
  /** By URL upstream. */
  images: SiteImages;
  /** By URL upstream. */
  copiedFiles: CopiedFiles;
}

/** Maximum documents that are sent to Pagefind's process before waiting for it. */
const MAX_DOCUMENTS_IN_FLIGHT = 256;

/** The result of building a search index. */
export interface SearchIndexResult {
  /** Number of documents. */
  documents: number;
  /** Pages that are not in it, and why. */
  problems: PageProblem[];
}

/**
 * Writes the search index to the directory `out`, and passes its facet table to `onFacetTable`. A document that cannot be created, or that
 * Pagefind rejects, is left out and listed in the result.
 * @throws {Error} if Pagefind cannot start or cannot write the index.
 */
export async function buildSearchIndex(
  store: Store,
  catalogue: Catalogue,
  relations: Relations,
  shown: IndexedMedia,
  out: string,
  onFacetTable: (table: FacetTable) => void,
  onProgress?: (done: number, total: number) => void,
): Promise<SearchIndexResult> {
  const { index, errors } = await createIndex({ forceLanguage: 'en', keepIndexUrl: true });
  if (!index) throw new Error(`Pagefind could not start: ${errors.join('; ')}`);
  try {
    const total = catalogue.objects.length + catalogue.authors.length + catalogue.articles.length;
    const rows: FacetRow[] = [];
    const problems: PageProblem[] = [];
    const leaveOut = (page: string, cause: string) => problems.push({ page, cause: `it is not in the search index: ${cause}` });
    let done = 0;
    let batch: Array<{ document: SearchDocument; result: Promise<{ errors: string[] }> }> = [];
    for (const { page, create } of eachDocument(store, catalogue, relations, shown)) {
      try {
        const document = toIndexable(create());
        batch.push({ document, result: index.addCustomRecord(document) });
      } catch (error) {
        leaveOut(page, errorMessage(error));
      }
      done++;
      if (batch.length < MAX_DOCUMENTS_IN_FLIGHT && done < total) continue;
      for (const { document, result } of batch) {
        const { errors: refusals } = await result;
        if (refusals.length > 0) leaveOut(document.url, refusals.join('; '));
        else rows.push({ url: document.url, filters: document.filters, sort: document.sort });
      }
      batch = [];
      onProgress?.(done, total);
    }
    const written = await index.writeFiles({ outputPath: out });
    if (written.errors.length > 0) throw new Error(`Pagefind could not write its index: ${written.errors.join('; ')}`);
    // Delete Pagefind's own interface, which the search page replaces.
    for (const name of readdirSync(out))
      if (/^pagefind-(?:ui|modular-ui|component-ui|highlight)/.test(name)) rmSync(join(out, name));
    onFacetTable(createFacetTable(out, rows));
    return { documents: rows.length, problems };
  } finally {
    await close();
  }
}

/** Yields every page that search can find, in a fixed order, with a function that creates its document. */
function* eachDocument(
  store: Store,
  { objects, authors, articles }: Catalogue,
  relations: Relations,
  { images, copiedFiles }: IndexedMedia,
): Generator<{ page: string; create: () => SearchDocument }> {
  const titles = new Map(objects.filter((entry) => entry.model === 'collection').map((entry) => [entry.id, entry.title]));
  const placeholder = placeholderFor({ format: 'doc', model: 'entity' });
  for (const entry of [...objects].sort((a, b) => compareIds(a.id, b.id))) {
    const collection = entry.model === 'collection' ? entry.id : entry.ancestors[0];
    const create = () =>
      objectDocument(
        entry,
        readEntryRecord(entry, store).record,
        firstImage(entry.imageUrls, images)?.thumb ?? placeholderFor(entry),
        collection && titles.get(collection),
        entry.model === 'file' ? [] : readSpokenTexts(relations.files(entry.id), copiedFiles, store),
      );
    yield { page: objectPath(entry.id), create };
  }
  for (const entry of authors) {
    const create = () => authorDocument(entry, readPayload(store, 'author', entry.name), placeholder);
    yield { page: authorPath(entry.slug), create };
  }
  const names = new Map(authors.map((author) => [author.slug, author.title]));
  for (const entry of articles) {
    const authorNames = entry.authors.flatMap((slug) => names.get(slug) ?? []);
    const create = () => articleDocument(entry, readPayload(store, 'article', entry.name), authorNames, placeholder);
    yield { page: articlePath(entry.slug), create };
  }
}
