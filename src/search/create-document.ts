/** Lists the pages that search can find, and creates the search document of each from the catalogue and the snapshot. */
import { type Entries, itemLanguages } from '../catalogue/catalogue.ts';
import { readEntryRecord } from '../catalogue/read/object-entries.ts';
import { articlePath, authorPath, objectPath, ownPath, personPath } from '../catalogue/urls.ts';
import { readArticle, readSource } from '../model/guide/guide.ts';
import { placeholder } from '../site/images.ts';
import type { Locale } from '../site/language/locale.ts';
import type { OwnContent, OwnKind } from '../site/own/own-content.ts';
import {
  findListedImage,
  findSourceThumbnail,
  findThumbnail,
  imageRecordsOf,
  type Thumbnail,
  thumbnailsAmong,
} from '../site/parts/cards/record-thumbnail.ts';
import type { Site } from '../site/site.ts';
import { readPayload } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import * as documents from './documents.ts';
import { readSpokenTexts } from './spoken-text.ts';

/** A page that search can find. */
export interface SearchedPage {
  kind: 'object' | 'author' | 'article' | OwnKind;
  /** The ID or slug. */
  name: string;
  /** Path of the page in the site. */
  path: string;
}

/** Returns the pages that search can find, in the order in which documents are numbered. */
export function listSearchedPages(
  { objects, authors, articles }: Entries,
  relations: PeopleLookup,
  { pages }: Pick<OwnContent, 'pages'>,
): SearchedPage[] {
  return [
    ...pages.map(({ kind, slug }): SearchedPage => ({ kind, name: slug, path: ownPath(kind, slug) })),
    ...objects.ids().map((name): SearchedPage => ({ kind: 'object', name, path: objectPath(name) })),
    ...authors.map(({ slug }): SearchedPage => ({ kind: 'author', name: slug, path: pathOfSearched(slug, relations) })),
    ...articles.map(({ slug }): SearchedPage => ({ kind: 'article', name: slug, path: articlePath(slug) })),
  ];
}

type PeopleLookup = Pick<Site['relations'], 'person' | 'personOfAuthor'>;

/** Returns the path of an author's page. Of several who are one person, only the first has it: a path has one document. */
function pathOfSearched(slug: string, { person, personOfAuthor }: PeopleLookup): string {
  const found = person(personOfAuthor(slug) ?? '');
  return found?.authors[0] === slug ? personPath(found.slug) : authorPath(slug);
}

/** What documents are created from. */
export interface DocumentSource {
  /** The visible snapshot. */
  store: Store;
  /** The site in its main language. */
  site: Pick<Site, 'facts' | 'relations' | 'images' | 'copiedFiles' | 'archiveLanguages' | 'own' | 'notices'>;
  /** Those of the site: labels of codes, decades and months are found in all of them. */
  locales: readonly Locale[];
}

/**
 * Returns the search document of a page.
 * @throws {Error} if the page is not in the catalogue, or the snapshot does not have what it was made from
 */
export function createDocument(
  { kind, name }: Pick<SearchedPage, 'kind' | 'name'>,
  source: DocumentSource,
): documents.SearchDocument {
  const { archiveLanguages } = source.site;
  switch (kind) {
    case 'object':
      return createObjectDocument(name, source);
    case 'author':
      return documents.withLanguages(createAuthorDocument(name, source), archiveLanguages);
    case 'article':
      return documents.withLanguages(createArticleDocument(name, source), archiveLanguages);
    case 'pages':
    case 'exhibits':
      return createOwnDocument(kind, name, source);
  }
}

function createObjectDocument(id: string, { store, site, locales }: DocumentSource): documents.SearchDocument {
  const { relations, copiedFiles, archiveLanguages } = site;
  const entry = inCatalogue(relations.entry(id), id);
  const collectionId = entry.model === 'collection' ? id : entry.ancestors[0];
  const collection = collectionId === undefined ? undefined : relations.object(collectionId);
  const isPart = entry.model === 'segment' || entry.model === 'file';
  const { record, stored } = readEntryRecord(entry, store);
  const { image, shows } = findListedImage(entry, site);
  const document = documents.objectDocument(entry, record, {
    image,
    notices: { warnings: site.notices.of(entry).warnings, labels: site.notices.of(shows).labels },
    collection: collection?.model === 'collection' ? collection.title : undefined,
    parent: isPart && entry.parent !== undefined ? relations.object(entry.parent)?.title : undefined,
    archive: site.facts.title,
    harvestedAt: stored?.fetchedAt,
    spokenTexts: entry.model === 'file' ? [] : readSpokenTexts([...relations.files(id)], copiedFiles, store),
    locales,
  });
  return documents.withLanguages(document, archiveLanguages, itemLanguages(entry));
}

function createAuthorDocument(slug: string, { store, site }: DocumentSource): documents.SearchDocument {
  const entry = inCatalogue(site.relations.author(slug), slug);
  return documents.authorDocument(
    entry,
    readPayload(store, 'author', entry.name),
    placeholder('person'),
    pathOfSearched(slug, site.relations),
  );
}

function createArticleDocument(slug: string, { store, site, locales }: DocumentSource): documents.SearchDocument {
  const entry = inCatalogue(site.relations.article(slug), slug);
  const authorNames = entry.authors.flatMap((author) => site.relations.author(author)?.title ?? []);
  const [thumbnail] = thumbnailsAmong(imageRecordsOf(entry, site), site);
  const payload = readPayload(store, 'article', entry.name);
  const sources = readArticle(payload)?.sources.flatMap(({ name }) => readSource(readPayload(store, 'source', name)) ?? []) ?? [];
  const image = thumbnail ? undefined : findSourceThumbnail(entry, site);
  const shown = image ? { image, labels: [] } : withLabels(thumbnail, site);
  return documents.articleDocument(entry, payload, { authorNames, sources }, shown, locales[0] as Locale);
}

function createOwnDocument(kind: OwnKind, slug: string, { site, locales }: DocumentSource): documents.SearchDocument {
  const page = inCatalogue(site.own.find(kind, slug), slug);
  const record = page.image === undefined ? undefined : site.relations.object(page.image);
  return documents.ownDocument(
    page,
    withLabels(record && findThumbnail(record, site), site),
    locales.map(({ language }) => language),
    site.archiveLanguages,
  );
}

/** Returns the image of a guide page or an own page: a thumbnail, or the placeholder. */
function withLabels(thumbnail: Thumbnail | undefined, { notices }: Pick<Site, 'notices'>): documents.LabeledImage {
  if (!thumbnail) return { image: placeholder('guide'), labels: [] };
  return { image: thumbnail.image, labels: notices.of(thumbnail.shows).labels };
}

function inCatalogue<Entry>(entry: Entry | undefined, name: string): Entry {
  if (entry === undefined) throw new Error(`${name} is not in the catalogue.`);
  return entry;
}
