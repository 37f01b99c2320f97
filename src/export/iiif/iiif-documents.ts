/** Lists an archive's IIIF documents, for an export or build: manifests, Collections, and the JSON of described records. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Records } from '../../catalogue/records.ts';
import { IIIF_COLLECTION_PATH, iiifPath } from '../../catalogue/urls.ts';
import { payloadJson } from '../../model/records.ts';
import { hasManifest } from '../../site/parts/media/iiif-canvases.ts';
import { createCollection, createTopCollection, listCollectionItems } from './iiif-collection.ts';
import { createManifest } from './iiif-manifest.ts';
import type { IiifSource, Json } from './iiif-parts.ts';

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
      const record = listed.origin === 'record' ? [document('record.json', (entry) => formatRecord(entry, source))] : [];
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

/** Returns the record as the archive gives it, without the text that is only for search. */
function formatRecord(entry: ObjectEntry, { content }: IiifSource): string {
  return `${payloadJson(content.object(entry, 1).record)}\n`;
}

function format(document: Json): string {
  return `${JSON.stringify(document)}\n`;
}
