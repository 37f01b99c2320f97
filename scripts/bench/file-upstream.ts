/**
 * Upstream of the media benchmark, in its own process: one collection with file records, and their files, which differ in their first
 * bytes. Arguments: number of files, and bytes per file. Prints its URL, then serves until it is stopped.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commonFields, type Json } from '../sample/records.ts';

const [files = 1, bytes = 1000] = process.argv.slice(2).map(Number);
const PAGE = 25;
const CHUNK = 4 * 1024 * 1024;
const COLLECTION = 'bench-files-1';
const START = 64;

/** The bytes after the first ones, the same in all files. */
const body = Buffer.alloc(bytes - START, 'the gulls knew it before we did ');
const beginning = (n: number) => Buffer.alloc(START, `\0file ${n} `);

const bodies = new Map<string, Buffer>();
const put = (path: string, payload: unknown) => bodies.set(path, Buffer.from(JSON.stringify(payload)));
let base = '';

/** Adds a file record with all its declared values, and returns its list entry. */
function putFile(entity: string, url: string, n: number): Json {
  const sha1 = createHash('sha1').update(beginning(n)).update(body).digest('hex');
  const id = `${entity}-master-${sha1.slice(0, 10)}`;
  put(`/api/0.2/${id}/`, { ...commonFields(id, n), links: { download: url }, sha1, size: bytes, role: 'master' });
  return { id, model: 'file' };
}

function makeRecords(): void {
  put(`/api/0.2/${COLLECTION}/`, commonFields(COLLECTION, 1));
  put('/api/3.0/authors/', { total: 0, objects: [], next_offset: null });
  const items: Json[] = [];
  for (let n = 0; n < files; n++) {
    const entity = `${COLLECTION}-${n + 1}`;
    const url = `${base}/f/${n}`;
    items.push({ id: entity, model: 'entity' });
    put(`/api/0.2/${entity}/children/`, { total: 0, next_offset: null, objects: [] });
    put(`/api/0.2/${entity}/files/`, { total: 1, next_offset: null, objects: [putFile(entity, url, n)] });
    put(`/api/0.2/${entity}/`, commonFields(entity, n));
  }
  for (let offset = 0; offset < items.length; offset += PAGE) {
    const objects = items.slice(offset, offset + PAGE);
    const next = offset + PAGE < items.length ? offset + PAGE : null;
    put(`/api/0.2/${COLLECTION}/children/?${offset}`, { total: items.length, offset, next_offset: next, objects });
  }
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const file = /^\/f\/(\d+)$/.exec(pathname);
  if (file) {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
    let offset = 0;
    const writeChunks = (): void => {
      while (offset < body.length) {
        const chunk = body.subarray(offset, offset + CHUNK);
        offset += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', writeChunks);
      }
      response.end();
    };
    response.write(beginning(Number(file[1])));
    writeChunks();
    return;
  }
  const list = pathname === `/api/0.2/${COLLECTION}/children/` ? `${pathname}?${searchParams.get('offset') ?? 0}` : pathname;
  const known = bodies.get(list);
  if (known) response.writeHead(200, { 'content-type': 'application/json', 'content-length': known.length }).end(known);
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  makeRecords();
  console.log(base);
});
