/** IIIF Collections: one for each collection of the archive, and one at the top. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { Records } from '../../catalogue/records.ts';
import { HOME_PATH, IIIF_COLLECTION_PATH, iiifPath } from '../../catalogue/urls.ts';
import { compareIds } from '../../model/ids.ts';
import { hasManifest, listCanvases } from '../../site/parts/media/iiif-canvases.ts';
import { createProvider, describeRecord } from './iiif-manifest.ts';
import { IIIF_CONTEXT, type IiifSource, type Json, optionalList, thumbnailsOf, urlOf, webPage } from './iiif-parts.ts';

/** Returns the records that a collection lists, in the archive's order. */
export function listCollectionItems(collection: ListedEntry, site: IiifSource['site']): ListedEntry[] {
  return [...site.relations.children(collection.id)].filter((entry) => hasManifest(entry, site));
}

/** Returns the IIIF Collection of a collection. */
export function createCollection(collection: ListedEntry, source: IiifSource): Json {
  const { site, content, texts } = source;
  const items = listCollectionItems(collection, site);
  const { record } = content.object(collection, 1);
  return {
    '@context': IIIF_CONTEXT,
    id: urlOf(iiifPath(collection.id, 'collection.json'), site),
    type: 'Collection',
    ...describeRecord(record, collection, source),
    ...optionalList(
      'thumbnail',
      thumbnailsOf(
        collection,
        items.slice(0, 1).flatMap((item) => listCanvases(item, site)),
        site,
      ),
    ),
    partOf: [{ id: urlOf(IIIF_COLLECTION_PATH, site), type: 'Collection', label: texts.text(site.facts.title) }],
    items: items.map((item) => manifestReference(item, source)),
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
export function createTopCollection(objects: Records, source: IiifSource): Json {
  const { site, texts } = source;
  const { title, description } = site.facts;
  const label = texts.text(title);
  const items = listTopItems(objects, site).map((entry) =>
    entry.model === 'collection'
      ? {
          id: urlOf(iiifPath(entry.id, 'collection.json'), site),
          type: 'Collection',
          label: texts.text(entry.title, entry),
          ...optionalList('thumbnail', thumbnailsOf(entry, [], site)),
        }
      : manifestReference(entry, source),
  );
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

function manifestReference(entry: ListedEntry, { site, texts }: IiifSource): Json {
  return {
    id: urlOf(iiifPath(entry.id, 'manifest.json'), site),
    type: 'Manifest',
    label: texts.text(entry.title, entry),
    ...optionalList('thumbnail', thumbnailsOf(entry, listCanvases(entry, site).slice(0, 1), site)),
  };
}
