/** The shapes in which the real service sends records: complete, and as entries of lists. */
import { parseId } from '../../../src/model/ids.ts';
import type { Archive } from './archive.ts';

type Fields = Record<string, unknown>;

/** The archive, and the base URL at which it is served. */
interface Served {
  archive: Archive;
  url: string;
}

/** Host of thumbnails, which is not reachable from outside. */
export const INTERNAL_HOST = 'media-store.local';

/** Returns the model of a record. */
export const modelOf = ({ records }: Archive, id: string) => String(records.get(id)?.['model'] ?? parseId(id).model);

/** Returns everything below a record that has one of the models, at any depth. */
export function below(archive: Archive, above: string, models: readonly string[]): string[] {
  return [...archive.records.keys()].filter((id) => id.startsWith(`${above}-`) && models.includes(modelOf(archive, id)));
}

/** Returns the creators of a record. */
export function creatorsOf({ records }: Archive, id: string): Fields[] {
  return (records.get(id)?.['creators'] as Fields[] | undefined) ?? [];
}

/** Fields of list entries. The real service leaves out all others, among them `record_lastmod`, `mimetype`, `role` and `sort`. */
const ENTRY_FIELDS =
  `id model index links title description links_children status public contributor creators facility format genre geography label language
  creation location persons rights topics extent search_hidden download_large`.split(/\s+/);

/** Returns a record as the entry of a list. */
export function describeEntry(service: Served, id: string, index?: string): Fields {
  const { html, json, img, thumb } = linksOf(service, id);
  const record = { index, ...describeRecord(service, id), links: { html, json, img, thumb } };
  return Object.fromEntries(Object.entries(record).filter(([key]) => ENTRY_FIELDS.includes(key)));
}

/** Returns a record as its own resource. */
export function describeRecord(service: Served, id: string): Fields {
  const { archive, url } = service;
  const { _ext: _, ...fields } = archive.records.get(id) ?? {};
  const { parent, collection } = parseId(id);
  const model = modelOf(archive, id);
  const links = linksOf(service, id);
  const narrator = creatorsOf(archive, id).find((creator) => creator['id'] !== undefined);
  const isText = String(fields['mimetype']).includes('text');
  const isAboveCollections = collection === undefined;
  return {
    ...{ id, model, collection_id: collection ?? null, links, parent_id: parent ?? '' },
    ...{ organization_id: isAboveCollections ? '' : id.split('-').slice(0, 2).join('-'), signature_id: '' },
    ...(isAboveCollections ? {} : { breadcrumbs: breadcrumbsOf(service, id), _fields: ['id', 'title', 'description'] }),
    ...(model === 'file' ? { links_children: id } : {}),
    ...(isText ? { links_thumb: imageOf(archive, id), links_download: `${collection}/${id}` } : {}),
    ...fields,
    ...(narrator ? { narrator_id: narrator['id'] } : {}),
    download_large: String(links['img'] ?? '')
      .replace(`${url}/media/`, '')
      .split('/')
      .at(-1),
  };
}

function linksOf({ archive, url }: Served, id: string): Record<string, string> {
  const record = archive.records.get(id) ?? {};
  const { parent, collection, role } = parseId(id);
  const model = modelOf(archive, id);
  const image = imageOf(archive, id);
  const api = (of: string, list = '') => `${url}/api/0.2/${of}/${list}`;
  const isText = String(record['mimetype']).includes('text');
  return {
    ...{ html: `${url}/${id}/`, json: api(id) },
    ...(isText ? {} : { img: `${url}/media/${image}`, thumb: `http://${INTERNAL_HOST}/media/${image}` }),
    ...(model === 'file'
      ? { download: `${url}/media/${isText ? image : `${collection}/${id}${record['_ext'] ?? '.jpg'}`}` }
      : {}),
    ...(parent === undefined ? {} : { parent: api(model === 'file' ? `${parent}-${role}` : parent) }),
    ...(model === 'entity' || model === 'segment'
      ? { 'children-objects': api(id, 'children/'), 'children-files': api(id, 'files/') }
      : model === 'file'
        ? {}
        : { children: api(id, 'children/') }),
  };
}

/** Path of a record's image below the media directory: often that of a directory. */
function imageOf({ records }: Archive, id: string): string {
  const { mimetype, access_rel, signature_id } = records.get(id) ?? {};
  const { collection } = parseId(id);
  if (collection === undefined) return `${id}/logo.jpg`;
  if (mimetype !== undefined) return mimetype === 'text/html' ? `${collection}/${id}.htm` : `${collection}/${access_rel ?? ''}`;
  return signature_id === undefined ? '' : `${collection}/${signature_id}-a.jpg`;
}

function breadcrumbsOf(served: Served, id: string): Fields[] {
  const { url } = served;
  const { parent, collection, model } = parseId(id);
  const above = parent === undefined || id === collection ? [] : breadcrumbsOf(served, parent);
  const idpart = { collection: 'cid', entity: 'eid', segment: 'sid', file: 'sha1' }[String(model)];
  return [...above, { id, model, idpart, label: id.split('-').at(-1), api_url: `${url}/api/0.2/${id}/`, url: `${url}/${id}/` }];
}
