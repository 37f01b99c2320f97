/** Builds the search index of a catalogue. */
import { type Catalogue, itemLanguages } from '../catalogue/catalogue.ts';
import { readEntryRecord } from '../catalogue/object-entries.ts';
import type { Relations } from '../catalogue/relations.ts';
import { articlePath, authorPath, objectPath } from '../catalogue/urls.ts';
import type { CopiedFiles } from '../derivatives/copied-files.ts';
import { compareIds } from '../model/ids.ts';
import type { ArchiveLanguages } from '../model/text-language.ts';
import { lookupIn } from '../platform/lookup.ts';
import { firstImage, placeholderFor, type SiteImages } from '../site/images.ts';
import type { Locale } from '../site/language/locale.ts';
import { readPayload } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { articleDocument, authorDocument, objectDocument, withLanguages } from './documents.ts';
import { readSpokenTexts } from './spoken-text.ts';
import { type PageToIndex, type WrittenIndex, writeSearchIndex } from './write-index.ts';

/** What the index needs in addition to records. */
export interface IndexSettings {
  /** By URL upstream. */
  images: SiteImages;
  /** By URL upstream. */
  copiedFiles: CopiedFiles;
  /** Those of the site: labels of codes, decades and months are found in all of them. */
  locales: readonly Locale[];
  archiveLanguages: ArchiveLanguages;
}

/**
 * Writes the search index to the directory `out`. A document that cannot be created, or that Pagefind rejects, is left out and listed in the
 * result.
 * @throws {Error} if Pagefind cannot start or cannot write the index.
 */
export function buildSearchIndex(
  store: Store,
  catalogue: Catalogue,
  relations: Relations,
  settings: IndexSettings,
  out: string,
  onProgress?: (done: number, total: number) => void,
): Promise<WrittenIndex> {
  const total = catalogue.objects.length + catalogue.authors.length + catalogue.articles.length;
  return writeSearchIndex(eachPage(store, catalogue, relations, settings), out, (done) => onProgress?.(done, total));
}

/** Yields every page that search can find, in a fixed order, with a function that creates its document. */
function* eachPage(
  store: Store,
  { objects, authors, articles }: Catalogue,
  relations: Relations,
  settings: IndexSettings,
): Generator<PageToIndex> {
  const { locales, archiveLanguages } = settings;
  const [images, copiedFiles] = [lookupIn(settings.images), lookupIn(settings.copiedFiles)];
  const titles = new Map(objects.filter((entry) => entry.model === 'collection').map((entry) => [entry.id, entry.title]));
  const placeholder = placeholderFor({ format: 'doc', model: 'entity' });
  for (const entry of [...objects].sort((a, b) => compareIds(a.id, b.id))) {
    const collection = entry.model === 'collection' ? entry.id : entry.ancestors[0];
    const create = () => {
      const isPart = entry.model === 'segment' || entry.model === 'file';
      const document = objectDocument(entry, readEntryRecord(entry, store).record, {
        image: firstImage(entry.imageUrls, images)?.thumb ?? placeholderFor(entry),
        collection: collection && titles.get(collection),
        parent: isPart && entry.parent !== undefined ? relations.object(entry.parent)?.title : undefined,
        spokenTexts: entry.model === 'file' ? [] : readSpokenTexts([...relations.files(entry.id)], copiedFiles, store),
        locales,
      });
      return withLanguages(document, archiveLanguages, itemLanguages(entry));
    };
    yield { page: objectPath(entry.id), create };
  }
  for (const entry of authors) {
    const create = () =>
      withLanguages(authorDocument(entry, readPayload(store, 'author', entry.name), placeholder), archiveLanguages);
    yield { page: authorPath(entry.slug), create };
  }
  const names = new Map(authors.map((author) => [author.slug, author.title]));
  for (const entry of articles) {
    const authorNames = entry.authors.flatMap((slug) => names.get(slug) ?? []);
    const create = () =>
      withLanguages(
        articleDocument(entry, readPayload(store, 'article', entry.name), authorNames, placeholder),
        archiveLanguages,
      );
    yield { page: articlePath(entry.slug), create };
  }
}
