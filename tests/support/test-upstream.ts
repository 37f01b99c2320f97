/** Test upstream: an HTTP server that responds with what a test sets for each path, else with 404 and an empty body. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Responds to one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A running test upstream. */
export interface TestUpstream {
  url: string;
  /** Paths with queries of all requests, in order, except for robots.txt. */
  requests: string[];
  /** By path: JSON to send with status 200, or a handler. */
  routes: Map<string, unknown>;
  close(): Promise<void>;
}

/** How to start a test upstream. */
interface StartOptions {
  /** Runs until it is closed, not until the test has finished. */
  shared?: boolean;
  /** By default, a free port. */
  port?: number;
  /** Responds to the requests for all paths that have no route. */
  otherwise?: Handler;
}

/** Starts a test upstream, with an empty authors list. */
export async function startTestUpstream({ shared = false, port = 0, otherwise }: StartOptions = {}): Promise<TestUpstream> {
  const requests: string[] = [];
  const routes = new Map<string, unknown>([['/api/3.0/authors/', { total: 0, objects: [], next_offset: null }]]);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    if (path !== '/robots.txt') requests.push(request.url ?? '');
    respond(routes.get(path) ?? otherwise, request, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  if (!shared) onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, routes, close };
}

/** Responds by a handler, with JSON, or with 404 if the route is undefined. */
export function respond(route: unknown, request: IncomingMessage, response: ServerResponse): void {
  if (typeof route === 'function') (route as Handler)(request, response);
  else if (route === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(route));
}

/** Returns a handler that responds by each route in turn, and then always by the last one. */
export function respondInTurn(...routes: unknown[]): Handler {
  let turn = 0;
  return (request, response) => respond(routes[Math.min(turn++, routes.length - 1)], request, response);
}

/** Returns a handler that sends a status, headers and a body. */
export function respondWith(
  status: number,
  headers: Record<string, string | number> = {},
  body: string | Uint8Array = '',
): Handler {
  return (_, response) => void response.writeHead(status, headers).end(body);
}

/** Returns a record with an ID, a title and a link to itself. */
export function createRecord(
  upstream: Pick<TestUpstream, 'url'>,
  id: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { id, title: `Title of ${id}`, links: { json: `${upstream.url}/api/0.2/${id}/` }, ...more };
}

/** Adds a collection with `count` items to an upstream, listed in pages of 25. Returns the IDs of the items. */
export function addRecords(
  upstream: TestUpstream,
  count: number,
  more: (id: string) => Record<string, unknown> = () => ({}),
): string[] {
  const collection = 'demo-org-1';
  const ids = Array.from({ length: count }, (_, n) => `${collection}-${n + 1}`);
  const children = `/api/0.2/${collection}/children/`;
  upstream.routes.set(
    `/api/0.2/${collection}/`,
    createRecord(upstream, collection, { model: 'collection', links: { children: `${upstream.url}${children}` } }),
  );
  for (const id of ids) upstream.routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, { model: 'entity', ...more(id) }));
  upstream.routes.set(children, (request: IncomingMessage, response: ServerResponse) => {
    const listed = ids.filter((id) => upstream.routes.has(`/api/0.2/${id}/`));
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset') ?? 0);
    const objects = listed
      .slice(offset, offset + 25)
      .map((id) => ({ id, model: 'entity', title: `Title of ${id}`, ...more(id) }));
    const next = offset + 25 < listed.length ? offset + 25 : null;
    respond({ total: listed.length, offset, num_this_page: objects.length, next_offset: next, objects }, request, response);
  });
  return ids;
}
