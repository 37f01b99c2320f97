/**
 * Upstream of the media benchmark, in its own process: one collection with file records, and their files, which differ in their
 * first bytes. Arguments: number of files, and bytes per file. Prints its URL, then serves until it is stopped.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { commonFields, type Json } from './records.ts';
import { createPage, sendJson, serveUpstream } from './upstream-server.ts';

const [files = 1, bytes = 1000] = process.argv.slice(2).map(Number);
const CHUNK = 4 * 1024 * 1024;
const COLLECTION = 'bench-files-1';
const START = 64;

/** The bytes after the first ones, the same in all files. */
const body = Buffer.alloc(bytes - START, 'the gulls knew it before we did ');
const beginning = (n: number) => Buffer.alloc(START, `\0file ${n} `);

const bodies = new Map<string, Buffer>();
const items: Json[] = [];
const put = (path: string, payload: unknown) => bodies.set(path, Buffer.from(JSON.stringify(payload)));

/** Adds a file record with all its declared values, and returns its list entry. */
function putFile(entity: string, url: string, n: number): Json {
  const sha1 = createHash('sha1').update(beginning(n)).update(body).digest('hex');
  const id = `${entity}-master-${sha1.slice(0, 10)}`;
  put(`/api/0.2/${id}/`, { ...commonFields(id, n), links: { download: url }, sha1, size: bytes, role: 'master' });
  return { id, model: 'file' };
}

function createRecords(base: string): void {
  put(`/api/0.2/${COLLECTION}/`, commonFields(COLLECTION, 1));
  put('/api/3.0/authors/', { total: 0, objects: [], next_offset: null });
  for (let n = 0; n < files; n++) {
    const entity = `${COLLECTION}-${n + 1}`;
    const url = `${base}/f/${n}`;
    items.push({ id: entity, model: 'entity' });
    put(`/api/0.2/${entity}/children/`, { total: 0, next_offset: null, objects: [] });
    put(`/api/0.2/${entity}/files/`, { total: 1, next_offset: null, objects: [putFile(entity, url, n)] });
    put(`/api/0.2/${entity}/`, commonFields(entity, n));
  }
}

function sendFile(response: ServerResponse, n: number): void {
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
  response.write(beginning(n));
  writeChunks();
}

serveUpstream((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const [, file] = /^\/f\/(\d+)$/.exec(pathname) ?? [];
  if (file !== undefined) return sendFile(response, Number(file));
  const isList = pathname === `/api/0.2/${COLLECTION}/children/`;
  sendJson(response, isList ? createPage(items.length, (n) => items[n] as Json, searchParams) : bodies.get(pathname));
}, createRecords);
