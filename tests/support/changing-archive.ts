/** A small invented archive that changes from year to year. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { createFileRecord, createRecordWithImage, createSegment, fileHandler } from './file-server.ts';
import { respondWith, type TestUpstream } from './test-upstream.ts';

export const COLLECTION = 'demo-org-1';
const FILE = `${COLLECTION}-2-master-0a1b2c3d4e`;

/**
 * From the second year on, one record is missing, another is new, and a third one has another title. Nothing changes in the third
 * year, so that its harvest marks the missing record as removed.
 */
export type Year = 1 | 2 | 3;

/** A recording whose first downloads are truncated. */
export const VIDEO = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
  Buffer.alloc(300_000, 'tide and bells and '),
]);

/** Adds the archive's contents of one year to a test upstream. The first year's recording is truncated; later it sends 503. */
export async function fill(upstream: TestUpstream, year: Year): Promise<void> {
  const { url, routes } = upstream;
  routes.clear();
  const entry = { title: 'Ada Fern', links: { json: `${url}/api/3.0/authors/Ada%20Fern/` }, published: true };
  routes.set('/api/3.0/authors/', { total: 1, next_offset: null, objects: [{ id: 'Ada Fern', model: 'article', ...entry }] });
  const article = { title: 'Harbour Bells', json: `${url}/api/3.0/articles/Harbour%20Bells/` };
  routes.set('/api/3.0/authors/Ada%20Fern/', { id: 'Ada Fern', ...entry, body: '<p>A bell founder.</p>', articles: [article] });
  routes.set('/api/3.0/articles/Harbour%20Bells/', {
    ...article,
    id: 'Harbour Bells',
    body: '<p>They rang in fog.</p>',
    authors: [{ title: 'Ada Fern', json: `${url}/api/3.0/authors/Ada%20Fern/` }],
    sources: [{ id: 's-1', json: `${url}/api/3.0/sources/s-1/` }],
  });
  routes.set('/api/3.0/sources/s-1/', { id: 's-1', caption: 'The bell', object: `${COLLECTION}-1` });
  const records = recordsOf(url, year);
  for (const record of records) routes.set(`/api/0.2/${record['id']}/`, record);
  for (const [list, entries] of listsOf(records))
    routes.set(`/api/0.2/${list}/`, { total: entries.length, next_offset: null, objects: entries });
  await addFiles(upstream, year);
}

function recordsOf(url: string, year: Year): Array<Record<string, unknown>> {
  const ancestor = (id: string, model: string) => ({
    id,
    model,
    title: `The ${model}`,
    links: { json: `${url}/api/0.2/${id}/`, children: `${url}/api/0.2/${id}/children/` },
  });
  const item = (n: number, image: string) =>
    createRecordWithImage(`${COLLECTION}-${n}`, `${url}/${image}.jpg`, { parent_id: COLLECTION });
  const video = { mimetype: 'video/mp4', url: `${url}/tide.mp4`, size: String(VIDEO.length) };
  return [
    ancestor('demo', 'repository'),
    ancestor('demo-org', 'organization'),
    ancestor(COLLECTION, 'collection'),
    {
      ...item(1, 'bell'),
      links: {
        img: `${url}/bell.jpg`,
        thumb: `${url}/bell-small.jpg`,
        'children-objects': `${url}/api/0.2/${COLLECTION}-1/children/`,
      },
    },
    {
      ...item(2, 'same-bell'),
      links: { img: `${url}/same-bell.jpg`, 'children-files': `${url}/api/0.2/${COLLECTION}-2/files/` },
    },
    { ...item(3, 'lost'), title: year === 1 ? 'A ferry' : 'The ferry Heron' },
    ...(year === 1 ? [item(4, 'bell')] : []),
    ...(year === 1 ? [] : [item(5, 'quay')]),
    { ...item(6, 'portrait'), title: 'A portrait' },
    createSegment(`${COLLECTION}-1-1`, { mp4: video }, { parent_id: `${COLLECTION}-1` }),
    createFileRecord(FILE, `${url}/scan.jpg`, { parent_id: `${COLLECTION}-2`, md5: '0'.repeat(32) }),
  ];
}

/** Returns the lists of children and files of all records, by their paths below `/api/0.2/`. */
function listsOf(records: ReadonlyArray<Record<string, unknown>>): Map<string, unknown[]> {
  const lists = new Map<string, unknown[]>();
  for (const { id, model, title } of records) {
    const name = String(id);
    const list = name === FILE ? `${COLLECTION}-2/files` : `${name.slice(0, Math.max(0, name.lastIndexOf('-')))}/children`;
    lists.set(list, [...(lists.get(list) ?? []), { id, model, title }]);
  }
  return lists;
}

async function addFiles({ routes }: TestUpstream, year: Year): Promise<void> {
  const jpeg = async (color: string) =>
    respondWith(
      200,
      { 'content-type': 'image/jpeg' },
      await sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
        .jpeg()
        .toBuffer(),
    );
  routes.set('/bell.jpg', await jpeg('#a52'));
  routes.set('/same-bell.jpg', await jpeg('#a52'));
  routes.set('/bell-small.jpg', await jpeg('#b63'));
  routes.set('/quay.jpg', await jpeg('#25a'));
  routes.set('/portrait.jpg', await jpeg('#363'));
  routes.set('/scan.jpg', await jpeg('#999'));
  const truncated = fileHandler({
    bytes: VIDEO,
    type: 'video/mp4',
    etag: ETAG,
    supportsRanges: true,
    cutAfterBytes: 20_000,
    cutCount: 1,
  });
  const busy = respondWith(503);
  routes.set('/tide.mp4', (request: Parameters<typeof busy>[0], response: Parameters<typeof busy>[1]) =>
    (year === 1 && truncated.requests.length === 0 ? truncated : busy)(request, response),
  );
}

const ETAG = `"${createHash('sha256').update(VIDEO).digest('hex')}"`;

/** Serves the complete recording from now on. Returns the requests for it, which grow. */
export function serveVideo({ routes }: TestUpstream): ReturnType<typeof fileHandler>['requests'] {
  const handler = fileHandler({ bytes: VIDEO, type: 'video/mp4', etag: ETAG, supportsRanges: true });
  routes.set('/tide.mp4', handler);
  return handler.requests;
}
