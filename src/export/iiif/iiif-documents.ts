/** Lists an archive's IIIF documents, for an export or build: manifests, Collections, and the JSON of described records. */
import type { ListedEntry, ObjectEntry } from '../../catalogue/entries.ts';
import type { Records } from '../../catalogue/records.ts';
import { HOME_PATH, IIIF_COLLECTION_PATH, iiifPath } from '../../catalogue/urls.ts';
import { compareIds } from '../../model/ids.ts';
import { payloadJson } from '../../model/records.ts';
import { hasManifest, listCanvases } from '../../site/parts/media/iiif-canvases.ts';
import { createManifest, createProvider, describeRecord } from './iiif-manifest.ts';
import { IIIF_CONTEXT, type IiifSource, type Json, optionalList, thumbnailsOf, urlOf, webPage } from './iiif-parts.ts';

/** One file for IIIF viewers. */
export interface IiifDocument {
  /** Path in the site. */
  path: string;
  /** Whether it depends on data of the entire archive. */
  isWhole?: boolean;
  /**
   * Returns the text of the file. Everything on which it depends is read now, through relations, lookups and content.
   * @throws {Error} if the record cannot be read from the snapshot.
   */
  create: () => string;
}

/** Returns the documents of all records and collections that have images or recordings, sorted by path. */
export function listIiifDocuments(objects: Records, source: IiifSource): IiifDocument[] {
  const { site } = source;
  const documents = Iterator.from(objects.allListed())
    .flatMap((listed): IiifDocument[] => {
      const document = (name: Parameters<typeof iiifPath>[1], create: (entry: ObjectEntry) => string): IiifDocument => ({
        path: iiifPath(listed.id, name),
        create: () => create(objects.entry(listed.id) as ObjectEntry),
      });
      // As the archive gives it, without the text that is only for search.
      const formatRecord = (entry: ObjectEntry) => `${payloadJson(source.content.object(entry, 1).record)}\n`;
      const record = listed.origin === 'record' ? [document('record.json', formatRecord)] : [];
      if (hasManifest(listed, site))
        return [document('manifest.json', (entry) => format(createManifest(entry, source))), ...record];
      if (listed.model !== 'collection' || listCollectionItems(listed, site).length === 0) return [];
      return [document('collection.json', (entry) => format(createCollection(entry, source))), ...record];
    })
    .toArray();
  if (documents.length > 0)
    documents.push({
      path: IIIF_COLLECTION_PATH,
      isWhole: true,
      create: () => format(createTopCollection(objects, source)),
    });
  return documents.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const format = (document: Json): string => `${JSON.stringify(document)}\n`;

/** Returns the records that a collection lists, in the archive's order. */
function listCollectionItems(collection: ListedEntry, site: IiifSource['site']): ListedEntry[] {
  return [...site.relations.children(collection.id)].filter((entry) => hasManifest(entry, site));
}

function createCollection(collection: ListedEntry, source: IiifSource): Json {
  const { site, content, texts } = source;
  const items = listCollectionItems(collection, site);
  const canvases = items.slice(0, 1).flatMap((item) => listCanvases(item, site));
  const { record } = content.object(collection, 1);
  return {
    '@context': IIIF_CONTEXT,
    id: urlOf(iiifPath(collection.id, 'collection.json'), site),
    type: 'Collection',
    ...describeRecord(record, collection, source),
    ...optionalList('thumbnail', thumbnailsOf(collection, canvases, site)),
    partOf: [{ id: urlOf(IIIF_COLLECTION_PATH, site), type: 'Collection', label: texts.text(site.facts.title) }],
    items: items.map((item) => referenceTo(item, source)),
  };
}

/** Returns what the collection at the top lists: collections with items, and items without a collection. */
function listTopItems(objects: Records, site: IiifSource['site']): ListedEntry[] {
  const isLoose = (entry: ListedEntry) => {
    const parent = site.relations.object(entry.parent ?? '');
    const isListed = parent?.model === 'collection' || (entry.model === 'segment' && parent !== undefined);
    return !isListed && hasManifest(entry, site);
  };
  return Iterator.from(objects.allListed())
    .filter((entry) => (entry.model === 'collection' ? listCollectionItems(entry, site).length > 0 : isLoose(entry)))
    .toArray()
    .sort((a, b) => Number(a.model !== 'collection') - Number(b.model !== 'collection') || compareIds(a.id, b.id));
}

/** Returns the IIIF Collection of the entire archive. */
function createTopCollection(objects: Records, source: IiifSource): Json {
  const { site, texts } = source;
  const { title, description } = site.facts;
  const label = texts.text(title);
  const items = listTopItems(objects, site).map((entry) => referenceTo(entry, source));
  return {
    '@context': IIIF_CONTEXT,
    id: urlOf(IIIF_COLLECTION_PATH, site),
    type: 'Collection',
    label,
    ...(description === '' ? {} : { summary: texts.text(description) }),
    ...createProvider(source),
    homepage: site.locale.alternatives.map(({ pathPrefix, language }) =>
      webPage(urlOf(`${pathPrefix}${HOME_PATH}`, site), label, language),
    ),
    items,
  };
}

/** Returns a reference to the Collection of a collection, or to the manifest of another record. */
function referenceTo(entry: ListedEntry, { site, texts }: IiifSource): Json {
  const isCollection = entry.model === 'collection';
  const canvases = isCollection ? [] : listCanvases(entry, site).slice(0, 1);
  return {
    id: urlOf(iiifPath(entry.id, isCollection ? 'collection.json' : 'manifest.json'), site),
    type: isCollection ? 'Collection' : 'Manifest',
    label: texts.text(entry.title, entry),
    ...optionalList('thumbnail', thumbnailsOf(entry, canvases, site)),
  };
}
