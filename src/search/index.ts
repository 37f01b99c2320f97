/** Builds the search index from the snapshot with Pagefind, document by document in one fixed order, so that every build gives the same bytes. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { close, createIndex } from 'pagefind';
import type { Mirrored } from '../media/derivatives/mirrored.ts';
import { compareIds } from '../model/ids.ts';
import type { Catalogue } from '../site/catalogue.ts';
import { recordBehind } from '../site/object-entries.ts';
import { type Pictures, pictureOf, placeholderFor } from '../site/pictures.ts';
import type { Relations } from '../site/relations.ts';
import { payloadOf } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { articleDocument, authorDocument, objectDocument, type SearchDocument } from './documents.ts';
import { type FacetRow, writeFacetTable } from './facets.ts';
import { spokenIn } from './spoken.ts';

/** What the index takes from the snapshot's media. */
export interface Indexed {
  pictures: Pictures;
  mirrored: Mirrored;
}

/** Documents under way to Pagefind's process at once. */
const IN_FLIGHT = 256;

/** Writes the index into `out` (dist's `pagefind/`), and the table of its facets into the folder `table`. Returns the number of documents. */
export async function buildSearchIndex(
  store: Store,
  catalogue: Catalogue,
  relations: Relations,
  shown: Indexed,
  out: string,
  table: string,
  onProgress?: (done: number, total: number) => void,
): Promise<number> {
  const { index, errors } = await createIndex({ forceLanguage: 'en', keepIndexUrl: true });
  if (!index) throw new Error(`Pagefind could not start: ${errors.join('; ')}`);
  try {
    const total = catalogue.objects.length + catalogue.authors.length + catalogue.articles.length;
    const rows: FacetRow[] = [];
    let done = 0;
    let batch: Array<Promise<{ errors: string[] }>> = [];
    for (const document of documents(store, catalogue, relations, shown)) {
      batch.push(index.addCustomRecord(document));
      rows.push({ url: document.url, filters: document.filters, sort: document.sort });
      done++;
      if (batch.length >= IN_FLIGHT || done === total) {
        const failed = (await Promise.all(batch)).flatMap((answer) => answer.errors);
        if (failed.length > 0) throw new Error(`Pagefind refused a document: ${failed[0]}`);
        batch = [];
        onProgress?.(done, total);
      }
    }
    const written = await index.writeFiles({ outputPath: out });
    if (written.errors.length > 0) throw new Error(`Pagefind could not write its index: ${written.errors.join('; ')}`);
    // Its own interface: ours takes its place.
    for (const name of readdirSync(out))
      if (/^pagefind-(?:ui|modular-ui|component-ui|highlight)/.test(name)) rmSync(join(out, name));
    writeFacetTable(out, rows, table);
    return done;
  } finally {
    await close();
  }
}

function* documents(
  store: Store,
  { objects, authors, articles }: Catalogue,
  relations: Relations,
  { pictures, mirrored }: Indexed,
): Generator<SearchDocument> {
  const titles = new Map(objects.filter((entry) => entry.model === 'collection').map((entry) => [entry.id, entry.title]));
  const nothing = placeholderFor({ format: 'doc', model: 'entity' });
  for (const entry of [...objects].sort((a, b) => compareIds(a.id, b.id))) {
    const { record } = recordBehind(entry, store);
    const collection = entry.model === 'collection' ? entry.id : entry.ancestors[0];
    yield objectDocument(
      entry,
      record,
      pictureOf(entry.images, pictures)?.thumb ?? placeholderFor(entry),
      collection && titles.get(collection),
      entry.model === 'file' ? [] : spokenIn(relations.files(entry.id), mirrored, store.dir),
    );
  }
  for (const entry of authors) yield authorDocument(entry, payloadOf(store, 'author', entry.name), nothing);
  const names = new Map(authors.map((author) => [author.slug, author.name]));
  for (const entry of articles) {
    yield articleDocument(
      entry,
      payloadOf(store, 'article', entry.name),
      entry.authors.flatMap((slug) => names.get(slug) ?? []),
      nothing,
    );
  }
}
