import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { postJson } from './post-json.ts';

/** Starts a server, and returns its host and what it has received. */
async function startServer(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const received: Array<{
    url: string | undefined;
    headers: IncomingMessage['headers'];
    body: string;
    method: string | undefined;
  }> = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url, headers: request.headers, body, method: request.method });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

it('posts JSON once, with the credentials of the URL in a header', async () => {
  const { host, received } = await startServer((_, response) => response.writeHead(204).end());
  expect(await postJson(`http://jane:p%20w@${host}/hook?key=1`, '{"a":1}', 'Test/1')).toBeUndefined();
  expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([['POST', '/hook?key=1', '{"a":1}']]);
  expect(received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Test/1',
    authorization: `Basic ${Buffer.from('jane:p w').toString('base64')}`,
  });
});

it('does not follow redirects', async () => {
  const other = await startServer((_, response) => response.end());
  const { host, received } = await startServer((_, response) =>
    response.writeHead(307, { location: `http://${other.host}/` }).end(),
  );
  expect(await postJson(`http://${host}/`, '{}', 'Test/1')).toBe('HTTP 307; redirects are not followed');
  expect([received.length, other.received.length]).toEqual([1, 0]);
});

it('returns the status of a failure', async () => {
  const { host } = await startServer((_, response) => response.writeHead(500).end('x'.repeat(1_000_000)));
  expect(await postJson(`http://${host}/`, '{}', 'Test/1')).toBe('HTTP 500');
});

it('waits for a response only as long as the timeout', async () => {
  const { host } = await startServer(() => undefined);
  expect(await postJson(`http://${host}/`, '{}', 'Test/1', 100)).toBe('no response in 0.1 s');
});

it('returns why no connection was made', async () => {
  expect(await postJson('http://127.0.0.1:1/', '{}', 'Test/1')).toBe('connection refused');
});
