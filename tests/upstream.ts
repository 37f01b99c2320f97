/** An upstream of a test's own making: answers what the test has put into `answers`, by path; 404 with an empty body otherwise. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Upstream {
  url: string;
  /** What was asked for, in order. */
  asked: string[];
  /** JSON to answer with status 200, or a handler. */
  answers: Map<string, unknown>;
}

/** Listens on a free port until the test has finished. Its authors list is empty until the test says otherwise. */
export async function startUpstream(): Promise<Upstream> {
  const asked: string[] = [];
  const answers = new Map<string, unknown>([['/api/3.0/authors/', { total: 0, objects: [], next_offset: null }]]);
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.get(new URL(request.url ?? '', 'http://x').pathname);
    if (typeof answer === 'function') (answer as Handler)(request, response);
    else if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answers };
}
