/** Builds the search index with Pagefind, from documents in a fixed order, so that every build writes the same bytes. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { close, createIndex } from 'pagefind';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { recordBehind } from '../catalogue/object-entries.ts';
import { messageOf, type PageProblem } from '../catalogue/page-problems.ts';
import type { Relations } from '../catalogue/relations.ts';
import { articlePath, authorPath, objectPath } from '../catalogue/urls.ts';
import type { FacetTable } from '../client/facet-table.ts';
import type { Mirrored } from '../derivatives/mirrored.ts';
import { compareIds } from '../model/ids.ts';
import { type Pictures, pictureOf, placeholderFor } from '../site/pictures.ts';
import { payloadOf } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { articleDocument, authorDocument, indexable, objectDocument, type SearchDocument } from './documents.ts';
import { type FacetRow, facetTableOf } from './facets.ts';
import { spokenIn } from './spoken.ts';

/** The media files that the index needs. */
/** Images by URL. */
export interface Indexed {
  /** Media files in the site, by URL. */
  pictures: Pictures;
  mirrored: Mirrored;
}

/** Maximum documents that are sent to Pagefind's process before waiting for it. */
const IN_FLIGHT = 256;

/** What a search index contains. */
export interface SearchIndex {
  /** Number of documents. */
  documents: number;
  /** Pages that are not in it, and why. */
  problems: PageProblem[];
}

/**
 * Writes the search index to the directory `out`, and hands its facet table to `keepTable`. A document that cannot be created, or that Pagefind
 * refuses, is left out and listed in the result.
 * @throws {Error} if Pagefind cannot start or cannot write the index.
 */
export async function buildSearchIndex(
  store: Store,
  catalogue: Catalogue,
  relations: Relations,
  shown: Indexed,
  out: string,
  keepTable: (table: FacetTable) => void,
  onProgress?: (done: number, total: number) => void,
): Promise<SearchIndex> {
  const { index, errors } = await createIndex({ forceLanguage: 'en', keepIndexUrl: true });
  if (!index) throw new Error(`Pagefind could not start: ${errors.join('; ')}`);
  try {
    const total = catalogue.objects.length + catalogue.authors.length + catalogue.articles.length;
    const rows: FacetRow[] = [];
    const problems: PageProblem[] = [];
    const leaveOut = (page: string, cause: string) => problems.push({ page, cause: `it is not in the search index: ${cause}` });
    let done = 0;
    let batch: Array<{ document: SearchDocument; result: Promise<{ errors: string[] }> }> = [];
    for (const { page, create } of documents(store, catalogue, relations, shown)) {
      try {
        const document = indexable(create());
        batch.push({ document, result: index.addCustomRecord(document) });
      } catch (error) {
        leaveOut(page, messageOf(error));
      }
      done++;
      if (batch.length < IN_FLIGHT && done < total) continue;
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
    // Pagefind's own interface, which ours replaces.
    for (const name of readdirSync(out))
      if (/^pagefind-(?:ui|modular-ui|component-ui|highlight)/.test(name)) rmSync(join(out, name));
    keepTable(facetTableOf(out, rows));
    return { documents: rows.length, problems };
  } finally {
    await close();
  }
}

/** Yields every page that search can find, in a fixed order, with a function that creates its document. */
function* documents(
  store: Store,
  { objects, authors, articles }: Catalogue,
  relations: Relations,
  { pictures, mirrored }: Indexed,
): Generator<{ page: string; create: () => SearchDocument }> {
  const titles = new Map(objects.filter((entry) => entry.model === 'collection').map((entry) => [entry.id, entry.title]));
  const placeholder = placeholderFor({ format: 'doc', model: 'entity' });
  for (const entry of [...objects].sort((a, b) => compareIds(a.id, b.id))) {
    const collection = entry.model === 'collection' ? entry.id : entry.ancestors[0];
    const create = () =>
      objectDocument(
        entry,
        recordBehind(entry, store).record,
        pictureOf(entry.images, pictures)?.thumb ?? placeholderFor(entry),
        collection && titles.get(collection),
        entry.model === 'file' ? [] : spokenIn(relations.files(entry.id), mirrored, store),
      );
    yield { page: objectPath(entry.id), create };
  }
  for (const entry of authors) {
    const create = () => authorDocument(entry, payloadOf(store, 'author', entry.name), placeholder);
    yield { page: authorPath(entry.slug), create };
  }
  const names = new Map(authors.map((author) => [author.slug, author.title]));
  for (const entry of articles) {
    const authorNames = entry.authors.flatMap((slug) => names.get(slug) ?? []);
    const create = () => articleDocument(entry, payloadOf(store, 'article', entry.name), authorNames, placeholder);
    yield { page: articlePath(entry.slug), create };
  }
}
