/** Lists the IIIF documents of an archive, for an export and for a build: IIIF manifests, Collections, and the JSON of the records that they describe. */
import { createHash } from 'node:crypto';
import type { ListedEntry, ObjectEntry } from '../../catalogue/entries.ts';
import type { Records } from '../../catalogue/records.ts';
import { IIIF_COLLECTION_PATH, iiifPath } from '../../catalogue/urls.ts';
import { toLegibleJson } from '../../model/legible.ts';
import { hasManifest, listAccompanyingFiles, listCanvases } from '../../site/views/iiif-canvases.ts';
import { createCollection, createTopCollection, listCollectionItems, listTopItems } from './iiif-collection.ts';
import { createManifest } from './iiif-manifest.ts';
import { type IiifSource, type Json, thumbnailsOf } from './iiif-parts.ts';

/** One file for IIIF viewers. */
export interface IiifDocument {
  /** Path in the site. */
  path: string;
  /** Returns a key that changes if the file does, for the same program, languages and URL of the site. */
  key: () => string;
  /**
   * Returns the text of the file.
   * @throws {Error} if the record cannot be read from the snapshot.
   */
  create: () => string;
}

/** Returns the documents of all records and collections that have images or recordings, sorted by path. */
export function listIiifDocuments(objects: Records, source: IiifSource): IiifDocument[] {
  const { site } = source;
  const documents = Iterator.from(objects.allListed())
    .flatMap((listed): IiifDocument[] => {
      const described: Described = { id: listed.id, read: () => objects.entry(listed.id) as ObjectEntry };
      const record = listed.origin === 'record' ? [recordDocument(described, source)] : [];
      if (hasManifest(listed, site)) return [manifestDocument(described, source), ...record];
      if (listed.model !== 'collection' || listCollectionItems(listed, site).length === 0) return [];
      return [collectionDocument(described, source), ...record];
    })
    .toArray();
  if (documents.length > 0)
    documents.push({
      path: IIIF_COLLECTION_PATH,
      key: () => hashOf([site.facts, listTopItems(objects, site).map((item) => describeItem(item, site))]),
      create: () => format(createTopCollection(objects, source)),
    });
  return documents.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A record, whose entry is read when it is needed. */
interface Described {
  id: string;
  read: () => ObjectEntry;
}

function manifestDocument({ id, read }: Described, source: IiifSource): IiifDocument {
  const { site } = source;
  return {
    path: iiifPath(id, 'manifest.json'),
    key: () => {
      const entry = read();
      const parent = site.relations.object(entry.parent ?? '');
      const canvases = listCanvases(entry, site);
      return hashOf([
        entry,
        canvases,
        canvases.map((canvas) => site.notices.of(canvas.entry)),
        listAccompanyingFiles(entry, site),
        thumbnailOf(entry, site),
        parent?.title,
        parent?.model,
        site.facts.title,
        site.notices.of(entry),
      ]);
    },
    create: () => format(createManifest(read(), source)),
  };
}

function collectionDocument({ id, read }: Described, source: IiifSource): IiifDocument {
  const { site } = source;
  return {
    path: iiifPath(id, 'collection.json'),
    key: () => {
      const entry = read();
      return hashOf([
        entry,
        site.facts.title,
        describeItem(entry, site),
        site.notices.of(entry),
        listCollectionItems(entry, site).map((item) => describeItem(item, site)),
      ]);
    },
    create: () => format(createCollection(read(), source)),
  };
}

/** The record as the archive gives it, without the text that is only for search. */
function recordDocument({ id, read }: Described, { content }: IiifSource): IiifDocument {
  return {
    path: iiifPath(id, 'record.json'),
    key: () => hashOf([read().bodyVersion]),
    create: () => {
      const { raw } = content.object(read(), 1).record;
      return `${toLegibleJson(JSON.stringify({ ...raw, search_hidden: undefined }, undefined, 1))}\n`;
    },
  };
}

/** Returns what a collection says of one of its items. */
function describeItem(entry: ListedEntry, site: IiifSource['site']): unknown {
  return [entry.id, entry.model, entry.title, entry.facets.language, thumbnailOf(entry, site)];
}

function thumbnailOf(entry: ListedEntry, site: IiifSource['site']): unknown {
  return thumbnailsOf(entry, listCanvases(entry, site).slice(0, 1), site);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

function format(document: Json): string {
  return `${JSON.stringify(document)}\n`;
}
