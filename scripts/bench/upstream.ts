/**
 * Upstream of the harvest benchmark, in memory and in its own process: collections of 500 items with 8 files each. Arguments:
 * number of records, delay of each response in milliseconds (on average, ± 10 %), and a file to write all URLs to, for other
 * programs. Prints its URL, then serves until it is stopped.
 */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { commonFields, createPhotograph, type Json } from './records.ts';
import { createPage, PAGE, sendJson, serveUpstream } from './upstream-server.ts';

const PER_COLLECTION = 500;
const FILES = 8;
const [records = 1000, latency = 0] = process.argv.slice(2, 4).map(Number);
const listing = process.argv[4];

const bodies = new Map<string, Buffer>();
const put = (path: string, payload: unknown) => bodies.set(path, Buffer.from(JSON.stringify(payload)));

function putRecord(record: Json): Json {
  put(`/api/0.2/${record['id']}/`, record);
  return record;
}

function putList(path: string, items: Json[]): void {
  for (let offset = 0; offset === 0 || offset < items.length; offset += PAGE) {
    const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) });
    put(
      `${path}?${query}`,
      createPage(items.length, (n) => items[n] as Json, query),
    );
  }
}

let made = 1;
const collections: Json[] = [];
putRecord(commonFields('lica', 0));
while (made < records) {
  const id = `lica-bench-${collections.length + 1}`;
  collections.push(putRecord({ ...commonFields(id, made++), title: `Collection ${id}` }));
  const entities: Json[] = [];
  for (let n = 1; n <= PER_COLLECTION && made < records; n++) {
    const entity = `${id}-${n}`;
    entities.push(putRecord(createPhotograph(entity, made++)));
    const files: Json[] = [];
    for (let file = 0; file < FILES && made < records; file++) {
      const sha1 = hash('sha1', String(made));
      const fileId = `${entity}-${file ? 'mezzanine' : 'master'}-${sha1.slice(0, 10)}`;
      files.push(
        putRecord({
          ...commonFields(fileId, made++),
          title: `File ${fileId}`,
          sha1,
          size: 123_456,
          mimetype: 'image/tiff',
          basename_orig: `${entity}.tif`,
        }),
      );
    }
    putList(`/api/0.2/${entity}/children/`, []);
    putList(`/api/0.2/${entity}/files/`, files);
  }
  putList(`/api/0.2/${id}/children/`, entities);
}
putList('/api/0.2/lica/children/', collections);
putList('/api/3.0/authors/', []);

serveUpstream(
  (request, response) => {
    const send = () => sendJson(response, bodies.get(request.url ?? ''));
    if (latency > 0) setTimeout(send, latency * (0.9 + 0.2 * Math.random()));
    else send();
  },
  (url) => {
    if (listing) writeFileSync(listing, [...bodies.keys()].map((path) => `${url}${path}\n`).join(''));
  },
);
