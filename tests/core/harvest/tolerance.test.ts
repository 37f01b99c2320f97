/** Responses that a browser reads although they break a rule: they are fetched at the first attempt, and stored as received. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HarvestLimits } from '../../../src/harvest/harvest.ts';
import { parseRecord } from '../../../src/model/records.ts';
import { readPayload } from '../../../src/snapshot/read.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot, readStoredBody } from '../../support/harvest-in-process.ts';
import { createRecord, type Handler, respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const RECORD = '/api/0.2/demo-org-1/';
const json = (upstream: TestUpstream) => JSON.stringify(createRecord(upstream, 'demo-org-1', { model: 'collection' }));

/** Harvests one collection, and returns its failures, its body as stored, and the number of requests for it. */
async function harvestRecord(route: (upstream: TestUpstream) => Handler, limits: Partial<HarvestLimits> = {}) {
  const upstream = await startTestUpstream();
  upstream.routes.set(RECORD, route(upstream));
  const snapshot = createSnapshotPath();
  const { failures } = await harvestInProcess(upstream, snapshot, { limits });
  const requests = upstream.requests.filter((path) => path === RECORD).length;
  return { upstream, snapshot, failures, stored: readStoredBody(snapshot, 'demo-org-1'), requests };
}

it('stores a record with NaN and infinite numbers as received, and reads these as unset', async () => {
  const body =
    '{"id":"demo-org-1","model":"collection","title":"Quay","geography":[{"term":"Quay NaN","geo_lat":NaN,"geo_lng":-Infinity}]}';
  const { snapshot, failures, stored, requests } = await harvestRecord(() => respondWith(200, {}, body));
  expect([failures, stored, requests]).toEqual([[], body, 1]);
  const record = parseRecord(readSnapshot(snapshot, (store) => readPayload(store, 'object', 'demo-org-1')));
  expect(record?.geography).toEqual([{ term: 'Quay NaN' }]);
});

const PLAIN = ['utf-8', 'none', 'aws-chunked', 'binary, UTF8', 'gzip', 'deflate', 'br', 'zstd'];

it.each(PLAIN)('reads a plain body with the content encoding %s', async (encoding) => {
  const { upstream, failures, stored, requests } = await harvestRecord((up) =>
    respondWith(200, { 'content-encoding': encoding }, json(up)),
  );
  expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
});

it.each([
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['aws-chunked, gzip', gzipSync],
  ['deflate, x-gzip', (text: string) => gzipSync(deflateRawSync(text))],
  ['gzip, gzip', gzipSync],
  ['deflate', gzipSync],
  ['gzip', deflateSync],
  ['gzip;q=1.0', gzipSync],
  ['gzip', (text: string) => Buffer.concat([text.slice(0, 9), text.slice(9)].map((part) => gzipSync(part)))],
  ['utf-8', gzipSync],
])('decodes a body that was sent with %s', async (encoding, encode) => {
  const { upstream, failures, stored, requests } = await harvestRecord((up) =>
    respondWith(200, { 'content-encoding': encoding }, encode(json(up))),
  );
  expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
});

/** Responds with these header lines, each time on the same connection. */
function respondRaw(lines: (bytes: number) => string, body: string, isChunked = false, before = ''): Handler {
  const bytes = Buffer.byteLength(body);
  const sent = isChunked ? `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return (_: IncomingMessage, response: ServerResponse) =>
    void response.socket?.write(`${before}HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${lines(bytes)}\r\n\r\n${sent}`);
}

it.each([
  ['both Content-Length and Transfer-Encoding', (n: number) => `Content-Length: ${n}\r\nTransfer-Encoding: chunked`, true],
  ['a wrong Content-Length beside Transfer-Encoding', () => 'Content-Length: 7\r\ntransfer-encoding: chunked', true],
  ['Content-Length twice', (n: number) => `Content-Length: ${n}\r\nServer: x\r\ncontent-length: ${n}`, false],
  ['Content-Length as a list of equal values', (n: number) => `Content-Length: ${n}, ${n}`, false],
  [
    'contradictory values of Content-Length beside chunks',
    () => 'Transfer-Encoding: chunked\r\nContent-Length: 9\r\nContent-Length: 7',
    true,
  ],
  ['a negative Content-Length beside chunks', () => 'Transfer-Encoding: chunked\r\nContent-Length: -1', true],
  ['an empty Content-Length beside chunks', () => 'Content-Length:\r\nTransfer-Encoding: chunked', true],
  ['a Transfer-Encoding without chunks', (n: number) => `Transfer-Encoding: identity\r\nContent-Length: ${n}`, false],
  ['a folded header', (n: number) => `X-A: a\r\n\tb\r\n c\r\nContent-Length: ${n}`, false],
  ['white space before a colon', (n: number) => `Server : x\r\nContent-Length : ${n}`, false],
  ['lines that are no headers', (n: number) => `some text\r\nX Y: z\r\n: z\r\nContent-Length: ${n}`, false],
  ['control characters in a header', (n: number) => `X-A: a\0b\rc\x7f\r\nContent-Length: ${n}`, false],
  ['a second Content-Length that is empty', (n: number) => `Content-Length: ${n}\r\nContent-Length:`, false],
  ['a Content-Length that no number holds', () => `Transfer-Encoding: chunked\r\nContent-Length: ${'9'.repeat(30)}`, true],
  ['200 KB in one header', (n: number) => `Content-Length: ${n}\r\nX-Cache-Tags: ${'x'.repeat(200_000)}`, false],
  ['60 KB of headers', (n: number) => `Content-Length: ${n}\r\nX-Cache-Tags: ${'node:12345 '.repeat(5500)}`, false],
])('reads a response with %s', async (_, lines, isChunked) => {
  const { upstream, failures, stored, requests } = await harvestRecord((up) => respondRaw(lines, json(up), isChunked));
  expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
});

it.each(['', '-1', 'unknown', '+5'])('reads a response with a Content-Length of "%s" to its end', async (length) => {
  const { upstream, failures, stored, requests } = await harvestRecord((up) => (_, response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${json(up)}`);
  });
  expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
});

it.each(['\n\n', '\n\r\n', '\r\n\n'])('reads a response whose head ends with %j', async (end) => {
  const { upstream, failures, stored, requests } = await harvestRecord((up) => {
    const body = json(up);
    return (_, response) =>
      void response.socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}${end}${body}`);
  });
  expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
});

it.each(['HTTP/2 200', 'HTTP/1.1  200 ', 'HTTP/1.1\t200\tOK', 'HTTP/01.1 0200 OK', '\uFEFFHTTP/1.0 200 OK', 'ICY 200 OK'])(
  'reads a response with the status line %j',
  async (line) => {
    const { upstream, failures, stored, requests } = await harvestRecord((up) => (_, response) => {
      response.socket?.end(`${line}\r\nContent-Length: ${json(up).length}\r\n\r\n${json(up)}`);
    });
    expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
  },
);

it('says clearly that a status is none', async () => {
  const { failures } = await harvestRecord(() => (_, response) => void response.socket?.end('HTTP/1.1 099 No\r\n\r\n'));
  expect(failures).toMatchObject([{ cause: 'the response is not valid HTTP' }]);
});

it.each(['%s\r\n', '%s  \r\n', ' %s\t\r\n', '%s ; a=b\r\n', '000%s ;x\r\n'])(
  'reads chunks whose sizes are in lines as %j',
  async (form) => {
    const { upstream, failures, stored, requests } = await harvestRecord((up) => (_, response) => {
      const chunks = [json(up).slice(0, 9), `${json(up).slice(9)}${' '.repeat(70_000)}`, ''];
      const body = chunks.map((chunk) => `${form.replace('%s', chunk.length.toString(16))}${chunk}\r\n`).join('');
      const sent = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
      // In pieces that end anywhere, on a connection that stays open.
      const pieces = [...sent.slice(0, 90), sent.slice(90)];
      const timer = setInterval(
        () => (pieces.length > 0 ? response.socket?.write(pieces.shift() ?? '') : clearInterval(timer)),
        1,
      );
    });
    expect([failures, stored?.trim(), requests]).toEqual([[], json(upstream), 1]);
  },
);

it.each([100, 103])('reads a response after an interim one with status %d in the same packet', async (status) => {
  const interim = `HTTP/1.1 ${status} Go on\r\nLink: </a.css>; rel=preload\r\n\r\n`;
  const { upstream, failures, stored, requests } = await harvestRecord((up) =>
    respondRaw((n) => `Content-Length: ${n}\r\nContent-Length: ${n}`, json(up), false, interim),
  );
  expect([failures, stored, requests]).toEqual([[], json(upstream), 1]);
});

it('stores the headers of a repaired response as they were sent', async () => {
  const { snapshot } = await harvestRecord((up) => respondRaw((n) => `content-length: ${n}\r\nContent-Length: ${n}`, json(up)));
  const names = readSnapshot(snapshot, (store) =>
    store.db
      .prepare("SELECT e.headers FROM exchange e JOIN response p ON p.id = e.response WHERE p.key = 'object:demo-org-1'")
      .all()
      .flatMap(({ headers }) => JSON.parse(String(headers)).map(([name]: [string]) => name.toLowerCase())),
  );
  expect(names).toEqual(['content-type', 'content-length', 'content-length']);
});

it('fails if values of Content-Length contradict each other', async () => {
  const { failures } = await harvestRecord((up) => respondRaw((n) => `Content-Length: ${n}\r\nContent-Length: 5`, json(up)));
  expect(failures).toHaveLength(1);
});

it('sends the cookies of a redirect to the same host, in the same chain only', async () => {
  const cookies: Array<string | undefined> = [];
  const { upstream, failures, stored } = await harvestRecord((up) => (request, response) => {
    const { cookie } = request.headers;
    cookies.push(cookie);
    if (cookie?.includes('seen=1')) response.writeHead(200).end(json(up));
    else
      response
        .writeHead(302, {
          location: RECORD,
          'set-cookie': ['seen=1; Path=/; HttpOnly', 'lang=en', 'old=; Max-Age=0', 's=1; Secure'],
        })
        .end();
  });
  expect([failures, stored, cookies]).toEqual([[], json(upstream), [undefined, 'seen=1; lang=en']]);
  const again = await harvestInProcess(upstream, createSnapshotPath());
  expect([again.failures, cookies.slice(2)]).toEqual([[], [undefined, 'seen=1; lang=en']]);
});

it.each([200, 202, 401, 403, 503])(
  'sends the cookies of an unusable response with status %d when it tries again',
  async (status) => {
    const { upstream, failures, stored, requests } = await harvestRecord((up) => (request, response) => {
      if (request.headers.cookie === 'seen=1') response.writeHead(200).end(json(up));
      else response.writeHead(status, { 'set-cookie': 'seen=1; Path=/' }).end('<meta http-equiv="refresh" content="0">');
    });
    expect([failures, stored, requests]).toEqual([[], json(upstream), 2]);
  },
);

it.each(['track=', 'track'])('requests what is refused in spite of its cookies once more only (%s)', async (name) => {
  const { failures, requests } = await harvestRecord(() => (_, response) => {
    response.writeHead(403, { 'set-cookie': `${name}${performance.now().toFixed(9).replace('.', '')}=1` }).end();
  });
  expect([failures.map(({ cause }) => cause), requests]).toEqual([['HTTP 403'], 2]);
});

it.each([201, 202, 226])('reads a record with the status %d', async (status) => {
  const { upstream, failures, stored } = await harvestRecord((up) => respondWith(status, {}, json(up)));
  expect([failures, stored]).toEqual([[], json(upstream)]);
});

it('names the page that it was redirected to, and the cookies that were sent', async () => {
  const { upstream, failures } = await harvestRecord((up) => {
    up.routes.set('/login', respondWith(200, {}, '<!doctype html><title>Log in</title>'));
    return (_, response) => void response.writeHead(302, { location: '/login' }).end();
  });
  expect(failures).toMatchObject([{ cause: `expected JSON, received HTML from ${upstream.url}/login` }]);
  const { failures: loop } = await harvestRecord(() => (_, response) => {
    response.writeHead(302, { location: RECORD, 'set-cookie': ['a=1', 's=2; Secure', 'b=3'] }).end();
  });
  expect(loop).toMatchObject([{ cause: 'it redirects to itself, although its cookies were sent back: a, b' }]);
});

it('sends no cookies to another host', async () => {
  const other = await startTestUpstream();
  const received: unknown[] = [];
  const { upstream, failures } = await harvestRecord((up) => {
    other.routes.set('/there', ((request, response) => {
      received.push(request.headers.cookie);
      response.writeHead(302, { location: `${up.url}/back` }).end();
    }) satisfies Handler);
    up.routes.set('/back', ((request, response) => {
      received.push(request.headers.cookie);
      response.writeHead(200).end(json(up));
    }) satisfies Handler);
    return respondWith(302, { location: `${other.url}/there`, 'set-cookie': 'seen=1' });
  });
  expect(failures).toMatchObject([{ cause: expect.stringContaining('is not an allowed host') }]);
  const allowHosts = [new URL(other.url).host];
  expect((await harvestInProcess(upstream, createSnapshotPath(), { allowHosts })).failures).toEqual([]);
  expect(received).toEqual([undefined, 'seen=1']);
});

it('deletes a cookie that a later redirect of the chain sends as expired', async () => {
  const cookies: Array<string | undefined> = [];
  const expired = [
    'a=; Max-Age=0',
    'b=; Max-Age=-1',
    'c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'd=; expires=Thu, 01-Jan-1970 00:00:01 GMT',
  ];
  const { failures } = await harvestRecord((up) => (request, response) => {
    cookies.push(request.headers.cookie);
    const set = [
      ['a=1', 'b=2', 'c=3', 'd=4', 'e=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60'],
      [...expired, 'f=6; Expires=Fri, 01 Jan 2100 00:00:00 GMT'],
    ][cookies.length - 1];
    if (set) response.writeHead(302, { location: RECORD, 'set-cookie': set }).end();
    else response.writeHead(200).end(json(up));
  });
  expect([failures, cookies]).toEqual([[], [undefined, 'a=1; b=2; c=3; d=4; e=5', 'e=5; f=6']]);
});

it.each([
  ['utf8', '/caf%C3%A9/%C3%BC'],
  ['latin1', '/caf%E9/%FC'],
] as const)('follows a redirect to a location in the bytes of %s', async (encoding, path) => {
  const { failures, upstream } = await harvestRecord((up) => {
    up.routes.set(path, respondWith(200, {}, json(up)));
    const head = Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /café/ü\r\n\r\n', encoding);
    return (_, response) => void response.socket?.write(head);
  });
  expect([failures, upstream.requests.includes(path)]).toEqual([[], true]);
});

it('follows a redirect whose body is shorter than its Content-Length', async () => {
  const { upstream, failures, stored } = await harvestRecord((up) => {
    up.routes.set('/moved/', respondWith(200, {}, json(up)));
    return (_, response) => void response.socket?.end('HTTP/1.1 302 Found\r\nLocation: /moved/\r\nContent-Length: 50\r\n\r\nx');
  });
  expect([failures, stored]).toEqual([[], json(upstream)]);
});

it('follows redirects whose bodies never end, which share the time of one body', async () => {
  const requestedAt: number[] = [];
  const { upstream, failures, stored } = await harvestRecord(
    (up) => {
      const redirect =
        (location: string): Handler =>
        (_, response) => {
          requestedAt.push(performance.now());
          response.writeHead(302, { location });
          const trickle = setInterval(() => response.write('.'), 50);
          response.once('close', () => clearInterval(trickle));
        };
      up.routes.set('/hop-1', redirect('/hop-2'));
      up.routes.set('/hop-2', redirect('/hop-3'));
      up.routes.set('/hop-3', respondWith(200, {}, json(up)));
      return redirect('/hop-1');
    },
    { bodyTimeoutSeconds: 10 },
  );
  expect([failures, stored]).toEqual([[], json(upstream)]);
  // The first one uses all of it. With a time of their own, the other two would take twice as long.
  const [first, second] = requestedAt as [number, number];
  expect(requestedAt).toHaveLength(3);
  expect(performance.now() - second).toBeLessThan(second - first);
});

it('names the cookies if a redirect loops although they were sent back', async () => {
  const { failures, requests } = await harvestRecord(() => respondWith(302, { location: RECORD, 'set-cookie': 'seen=1' }));
  expect(failures).toMatchObject([{ cause: 'it redirects to itself, although its cookies were sent back: seen' }]);
  expect(requests).toBe(2);
});
