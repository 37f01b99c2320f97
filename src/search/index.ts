/** Builds the search index from the snapshot with Pagefind, document by document in one fixed order, so that every build gives the same bytes. */
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

/** What the index takes from the snapshot's media. */
export interface Indexed {
  pictures: Pictures;
  mirrored: Mirrored;
}

/** Documents under way to Pagefind's process at once. */
const IN_FLIGHT = 256;

export interface SearchIndex {
  /** How many documents are in it. */
  documents: number;
  /** What is not in it, and why. */
  problems: PageProblem[];
}

/**
 * Writes the index into `out` (dist's `pagefind/`), and hands the table of its facets to `keepTable`. A document that cannot be made, or that
 * Pagefind does not take, is left out and told.
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
    let batch: Array<{ document: SearchDocument; added: Promise<{ errors: string[] }> }> = [];
    for (const { page, make } of documents(store, catalogue, relations, shown)) {
      try {
        const document = indexable(make());
        batch.push({ document, added: index.addCustomRecord(document) });
      } catch (error) {
        leaveOut(page, messageOf(error));
      }
      done++;
      if (batch.length < IN_FLIGHT && done < total) continue;
      for (const { document, added } of batch) {
        const { errors: refusals } = await added;
        if (refusals.length > 0) leaveOut(document.url, refusals.join('; '));
        else rows.push({ url: document.url, filters: document.filters, sort: document.sort });
      }
      batch = [];
      onProgress?.(done, total);
    }
    const written = await index.writeFiles({ outputPath: out });
    if (written.errors.length > 0) throw new Error(`Pagefind could not write its index: ${written.errors.join('; ')}`);
    // Its own interface: ours takes its place.
    for (const name of readdirSync(out))
      if (/^pagefind-(?:ui|modular-ui|component-ui|highlight)/.test(name)) rmSync(join(out, name));
    keepTable(facetTableOf(out, rows));
    return { documents: rows.length, problems };
  } finally {
    await close();
  }
}

/** Every page that search finds, in a fixed order, and how its document is made. */
function* documents(
  store: Store,
  { objects, authors, articles }: Catalogue,
  relations: Relations,
  { pictures, mirrored }: Indexed,
): Generator<{ page: string; make: () => SearchDocument }> {
  const titles = new Map(objects.filter((entry) => entry.model === 'collection').map((entry) => [entry.id, entry.title]));
  const nothing = placeholderFor({ format: 'doc', model: 'entity' });
  for (const entry of [...objects].sort((a, b) => compareIds(a.id, b.id))) {
    const collection = entry.model === 'collection' ? entry.id : entry.ancestors[0];
    const make = () =>
      objectDocument(
        entry,
        recordBehind(entry, store).record,
        pictureOf(entry.images, pictures)?.thumb ?? placeholderFor(entry),
        collection && titles.get(collection),
        entry.model === 'file' ? [] : spokenIn(relations.files(entry.id), mirrored, store),
      );
    yield { page: objectPath(entry.id), make };
  }
  for (const entry of authors) {
    const make = () => authorDocument(entry, payloadOf(store, 'author', entry.name), nothing);
    yield { page: authorPath(entry.slug), make };
  }
  const names = new Map(authors.map((author) => [author.slug, author.title]));
  for (const entry of articles) {
    const by = entry.authors.flatMap((slug) => names.get(slug) ?? []);
    const make = () => articleDocument(entry, payloadOf(store, 'article', entry.name), by, nothing);
    yield { page: articlePath(entry.slug), make };
  }
}
