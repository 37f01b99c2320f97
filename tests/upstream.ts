/** An upstream of a test's own making: answers what the test has put into `answers`, by path; 404 with an empty body otherwise. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Upstream {
  url: string;
  /** What was asked for, in order, robots.txt left out. */
  asked: string[];
  /** JSON to answer with status 200, or a handler. */
  answers: Map<string, unknown>;
  close(): Promise<void>;
}

/** Listens on a free port, or on `port`, until the test has finished, or until it is closed where several tests share it. Its authors list is empty until the test says otherwise. */
export async function startUpstream({ shared = false, port = 0 } = {}): Promise<Upstream> {
  const asked: string[] = [];
  const answers = new Map<string, unknown>([['/api/3.0/authors/', { total: 0, objects: [], next_offset: null }]]);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    if (path !== '/robots.txt') asked.push(request.url ?? '');
    answer(answers.get(path), request, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  if (!shared) onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answers, close };
}

/** Answers with JSON, with a handler, or not at all. */
export function answer(what: unknown, request: IncomingMessage, response: ServerResponse): void {
  if (typeof what === 'function') (what as Handler)(request, response);
  else if (what === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(what));
}

/** A handler that answers with each of these in turn, and with the last one from then on. */
export function inTurn(...answers: unknown[]): Handler {
  let turn = 0;
  return (request, response) => answer(answers[Math.min(turn++, answers.length - 1)], request, response);
}

/** A handler with a status, headers and a body of the test's choice. */
export function sends(status: number, headers: Record<string, string | number> = {}, body: string | Uint8Array = ''): Handler {
  return (_, response) => void response.writeHead(status, headers).end(body);
}

export function record(up: Pick<Upstream, 'url'>, id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, title: `Title of ${id}`, links: { json: `${up.url}/api/0.2/${id}/` }, ...more };
}

/** Fills an upstream with a collection and `count` entities below it, listed in pages of 25. Gives their ids. */
export function fill(up: Upstream, count: number, more: (id: string) => Record<string, unknown> = () => ({})): string[] {
  const collection = 'demo-org-1';
  const ids = Array.from({ length: count }, (_, n) => `${collection}-${n + 1}`);
  const children = `/api/0.2/${collection}/children/`;
  up.answers.set(
    `/api/0.2/${collection}/`,
    record(up, collection, { model: 'collection', links: { children: `${up.url}${children}` } }),
  );
  for (const id of ids) up.answers.set(`/api/0.2/${id}/`, record(up, id, { model: 'entity', ...more(id) }));
  up.answers.set(children, (request: IncomingMessage, response: ServerResponse) => {
    const there = ids.filter((id) => up.answers.has(`/api/0.2/${id}/`));
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset') ?? 0);
    const objects = there.slice(offset, offset + 25).map((id) => ({ id, model: 'entity', title: `Title of ${id}`, ...more(id) }));
    const next = offset + 25 < there.length ? offset + 25 : null;
    answer({ total: there.length, offset, num_this_page: objects.length, next_offset: next, objects }, request, response);
  });
  return ids;
}
