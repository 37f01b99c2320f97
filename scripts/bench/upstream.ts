/**
 * The upstream of the benchmarks, in a process of its own: the records of a generated snapshot, with files. It makes each
 * response when it is requested, so that its memory does not grow with the number of records. Argument: its options as JSON.
 * Prints its URL, then serves until it is stopped.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { collectionRecord, itemId, itemRecord, PER_COLLECTION, TOP_IDS, topRecord } from './generate-snapshot.ts';
import { commonFields, type Json } from './records.ts';

/** What an upstream serves. */
export interface UpstreamOptions {
  /** Number of items, in collections of 500. */
  items: number;
  filesPerItem?: number;
  /** Bytes of each file; without it, files have records only. */
  fileBytes?: number;
  /** Delay of each response in milliseconds, on average; it varies by 10 %. */
  latencyMs?: number;
  /** Whether it keeps each response, so that later requests for it take less time. */
  keepsResponses?: boolean;
}

/** A list of records, of which each is made when it is needed. */
interface List {
  total: number;
  record(n: number): Json;
}

const {
  items,
  filesPerItem = 0,
  fileBytes = 0,
  latencyMs = 0,
  keepsResponses = false,
} = JSON.parse(process.argv[2] as string) as UpstreamOptions;
const CHUNK = 4 * 1024 * 1024;
/** The number of entries in a page of a list, if a URL does not say how many. */
const PAGE = 25;
const MAX_PAGE = 1000;
const START = 64;
const NO_RECORDS: List = { total: 0, record: () => ({}) };
const responses = new Map<string, Buffer>();

/** The bytes after the first ones, the same in all files. */
const body = Buffer.alloc(Math.max(0, fileBytes - START), 'the gulls knew it before we did ');
const beginning = (file: number) => Buffer.alloc(START, `\0file ${file} `);

function fileRecord(item: number, n: number, base: string): Json {
  const file = item * filesPerItem + n;
  const sha1 = hash('sha1', fileBytes > 0 ? Buffer.concat([beginning(file), body]) : String(file));
  const id = `${itemId(item)}-${n ? 'mezzanine' : 'master'}-${sha1.slice(0, 10)}`;
  const about =
    fileBytes > 0
      ? { links: { download: `${base}/f/${file}` }, size: fileBytes, role: 'master' }
      : { size: 123_456, mimetype: 'image/tiff', basename_orig: `${itemId(item)}.tif` };
  return { ...commonFields(id, file), title: `File ${id}`, sha1, ...about };
}

/** Returns the record with an ID, its children and its files; undefined if there is none. */
function find(id: string, base: string): { record: Json; children?: List; files?: List } | undefined {
  const [archive, organization] = TOP_IDS;
  if (id === archive) return { record: topRecord(id), children: { total: 1, record: () => topRecord(organization) } };
  if (id === organization) {
    const total = Math.ceil(items / PER_COLLECTION);
    return { record: topRecord(id), children: { total, record: (n) => collectionRecord(n * PER_COLLECTION) } };
  }
  const [, collection, number = '1', file] = /^lica-bench-([1-9]\d{0,8})(?:-([1-9]\d{0,3})(-\w+-\w+)?)?$/.exec(id) ?? [];
  const item = (Number(collection) - 1) * PER_COLLECTION + Number(number) - 1;
  if (!(item < items) || Number(number) > PER_COLLECTION) return undefined;
  const files = { total: filesPerItem, record: (n: number) => fileRecord(item, n, base) };
  if (file !== undefined) {
    const record = Array.from({ length: filesPerItem }, (_, n) => files.record(n)).find((one) => one['id'] === id);
    return record && { record };
  }
  if (id === itemId(item)) return { record: itemRecord(item), files };
  const total = Math.min(PER_COLLECTION, items - item);
  return { record: collectionRecord(item), children: { total, record: (n) => itemRecord(item + n) } };
}

function respondTo({ pathname, searchParams, origin }: URL): Json | undefined {
  if (pathname === '/api/3.0/authors/') return createPage(NO_RECORDS, searchParams);
  const [, id = '', list] = /^\/api\/0\.2\/([\w-]+)\/(?:(children|files)\/)?$/.exec(pathname) ?? [];
  const found = find(id, origin);
  return list && found ? createPage(found[list as 'children' | 'files'] ?? NO_RECORDS, searchParams) : found?.record;
}

function createPage({ total, record }: List, query: URLSearchParams): Json {
  const offset = Number(query.get('offset') ?? 0);
  const count = Math.max(0, Math.min(Number(query.get('limit') ?? PAGE), MAX_PAGE, total - offset));
  const objects = Array.from({ length: count }, (_, n) => {
    const { id, model, title, sort, record_lastmod } = record(offset + n);
    return { id, model, title, sort, record_lastmod };
  });
  return { total, offset, num_this_page: count, next_offset: offset + count < total ? offset + count : null, objects };
}

function sendFile(response: ServerResponse, file: number): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': fileBytes });
  const chunks = Array.from({ length: Math.ceil(body.length / CHUNK) }, (_, n) => body.subarray(n * CHUNK, (n + 1) * CHUNK));
  Readable.from([beginning(file), ...chunks]).pipe(response);
}

function sendJson(response: ServerResponse, request: IncomingMessage): void {
  const { url = '/', headers } = request;
  const made = responses.get(url) ?? respondTo(new URL(url, `http://${headers.host}`));
  if (!made) return void response.writeHead(404).end();
  const json = Buffer.isBuffer(made) ? made : Buffer.from(JSON.stringify(made));
  if (keepsResponses) responses.set(url, json);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length }).end(json);
}

const server = createServer((request, response) => {
  const [, file] = /^\/f\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (file !== undefined) sendFile(response, Number(file));
  else if (latencyMs > 0) setTimeout(sendJson, latencyMs * (0.9 + 0.2 * Math.random()), response, request);
  else sendJson(response, request);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
