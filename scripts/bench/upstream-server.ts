/** What the upstreams of the benchmarks share: each is a process that prints its URL and serves JSON until it is stopped. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './records.ts';

/** The number of entries in a page of a list, if a URL does not say how many. */
export const PAGE = 25;
const MAX_PAGE = 1000;

/** Returns the page of a list that a URL requests. `record` returns the record at a position in the list. */
export function createPage(total: number, record: (n: number) => Json, query: URLSearchParams): Json {
  const offset = Number(query.get('offset') ?? 0);
  const count = Math.max(0, Math.min(Number(query.get('limit') ?? PAGE), MAX_PAGE, total - offset));
  const objects = Array.from({ length: count }, (_, n) => {
    const { id, model, title, sort, record_lastmod } = record(offset + n);
    return { id, model, title, sort, record_lastmod };
  });
  const next = offset + count < total ? offset + count : null;
  return { total, offset, num_this_page: count, next_offset: next, objects };
}

/** Sends JSON, or the bytes of JSON; without either, 404. */
export function sendJson(response: ServerResponse, payload: Json | Buffer | undefined): void {
  if (!payload) return void response.writeHead(404).end();
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

/** Listens on a free port. Prints the URL after `prepare` has been called with it. */
export function serveUpstream(listener: RequestListener, prepare?: (url: string) => void): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    prepare?.(url);
    console.log(url);
  });
}
