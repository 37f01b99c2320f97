/** The harvest against a server with faults: one test per fault, each with the expected snapshot and report. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HarvestLimits } from '../../../src/harvest/harvest.ts';
import type { Clock } from '../../../src/http/gate.ts';
import { readBytes } from '../../../src/snapshot/rows.ts';
import {
  createSnapshotPath,
  harvestInProcess,
  readSnapshot,
  readStoredBody,
  summarizeFailures,
} from '../../support/harvest-in-process.ts';
import { createTestClock } from '../../support/test-clock.ts';
import {
  addRecords,
  createRecord,
  type Handler,
  respond,
  respondInTurn,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../../support/test-upstream.ts';

const COLLECTION = '/api/0.2/demo-org-1/';
const KEY = 'object:demo-org-1';
const json = (upstream: TestUpstream) => JSON.stringify(createRecord(upstream, 'demo-org-1', { model: 'collection' }));

/** Harvests one collection. Requests for its record get each fault once, and then the record. */
async function harvestAfter(...faults: Handler[]) {
  const upstream = await startTestUpstream();
  upstream.routes.set(COLLECTION, respondInTurn(...faults, createRecord(upstream, 'demo-org-1', { model: 'collection' })));
  return harvestOne(upstream);
}

/** Harvests one collection. Every request for its record gets the fault. */
async function harvestWith(fault: (upstream: TestUpstream) => Handler, limits?: Partial<HarvestLimits>, clock?: Clock) {
  const upstream = await startTestUpstream();
  upstream.routes.set(COLLECTION, fault(upstream));
  return harvestOne(upstream, limits, clock);
}

async function harvestOne(upstream: TestUpstream, limits: Partial<HarvestLimits> = {}, clock?: Clock) {
  const snapshot = createSnapshotPath();
  const startedAt = performance.now();
  const report = await harvestInProcess(upstream, snapshot, {
    clock,
    limits: { maxAttempts: 3, ...limits },
  });
  return {
    upstream,
    report,
    seconds: (performance.now() - startedAt) / 1000,
    stored: readStoredBody(snapshot, 'demo-org-1'),
    requests: upstream.requests.filter((path) => path === COLLECTION).length,
    snapshot,
  };
}

it('retries after the seconds in Retry-After on 429', async () => {
  const { upstream, report, stored, seconds } = await harvestAfter(respondWith(429, { 'retry-after': 1 }));
  expect([report.failures, stored]).toEqual([[], json(upstream)]);
  expect(seconds).toBeGreaterThan(1);
});

it('reads a date in Retry-After by the clock of the server', async () => {
  const clock = Date.now() + 3_600_000; // the server's clock is an hour fast
  const date = (milliseconds: number) => new Date(milliseconds).toUTCString();
  const { upstream, report, stored, seconds } = await harvestAfter(
    respondWith(429, { date: date(clock), 'retry-after': date(clock + 2_000) }),
  );
  expect([report.failures, stored]).toEqual([[], json(upstream)]);
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThan(60);
});

it('reports a failure after repeated 429, and waits longer each time although Retry-After is 0', async () => {
  const clock = createTestClock();
  const { report, requests } = await harvestWith(() => respondWith(429, { 'retry-after': 0 }), {}, clock);
  expect(summarizeFailures(report)).toEqual([[KEY, 429, 'HTTP 429', requests / 2]]); // once more at the end
  expect(requests).toBeGreaterThan(10);
  expect(clock.slept).toEqual(expect.arrayContaining([10_000, 20_000, 40_000, 80_000, 160_000]));
});

it.each([0, 'Sat, 21 Nov 2020 12:00:00 GMT'])('counts a 503 with the Retry-After %s as an attempt', async (header) => {
  const { report, requests } = await harvestWith(() => respondWith(503, { 'retry-after': header }));
  expect([summarizeFailures(report), requests]).toEqual([[[KEY, 503, 'HTTP 503', 3]], 6]);
});

it('retries after 500', async () => {
  const { upstream, report, stored, requests } = await harvestAfter(respondWith(500), respondWith(500));
  expect([report.failures, stored, requests]).toEqual([[], json(upstream), 3]);
});

it('reports a failure after the last attempt with 500', async () => {
  const { report, requests } = await harvestWith(() => respondWith(500, {}, 'oops'));
  expect([summarizeFailures(report), requests]).toEqual([[[KEY, 500, 'HTTP 500', 3]], 6]); // three times more at the end
});

it('retries after 503', async () => {
  const { upstream, report, stored } = await harvestAfter(respondWith(503, { 'retry-after': 'soon' }));
  expect([report.failures, stored]).toEqual([[], json(upstream)]);
});

it.each([COLLECTION, `${COLLECTION}children/`])(
  'does not give up on %s because of a mix of errors, truncated bodies and HTML, each within its own limit',
  async (path) => {
    const upstream = await startTestUpstream();
    addRecords(upstream, 30);
    const [error, cut] = [respondWith(500), respondWith(200, {}, '{"id": "demo')];
    upstream.routes.set(
      path,
      respondInTurn(error, error, cut, respondWith(200, {}, '<p>Maintenance'), upstream.routes.get(path)),
    );
    const { report, snapshot } = await harvestOne(upstream);
    expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 30 }, []]);
    const sql = 'SELECT attempts FROM resource ORDER BY attempts DESC LIMIT 2';
    expect(readSnapshot(snapshot, ({ db }) => db.prepare(sql).all())).toEqual([{ attempts: 5 }, { attempts: 1 }]);
  },
);

it('does not retry after 403', async () => {
  const { report, requests } = await harvestWith(() => respondWith(403));
  expect([summarizeFailures(report), requests]).toEqual([[[KEY, 403, 'HTTP 403', 1]], 1]);
});

/** A handler that sends the beginning of a body, then resets the connection. */
const resetConnection: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
  response.write('{"id": "demo-org-1", ');
  setTimeout(() => response.socket?.resetAndDestroy(), 20);
};

it('retries after a connection reset within the body', async () => {
  const { upstream, report, stored } = await harvestAfter(resetConnection);
  expect([report.failures, stored]).toEqual([[], json(upstream)]);
});

it('reports a failure after repeated connection resets within the body', async () => {
  const { report, stored } = await harvestWith(() => resetConnection);
  expect(report.failures).toMatchObject([
    { key: KEY, status: null, attempts: 3, cause: expect.stringMatching(/reset|closed before|abort/) },
  ]);
  expect(stored).toBeUndefined();
});

it('retries after truncated JSON in a complete body', async () => {
  const { upstream, report, stored } = await harvestAfter(respondWith(200, {}, '{"id": "demo-org-1", "tit'));
  expect([report.failures, stored]).toEqual([[], json(upstream)]);
});

it('reports a failure after repeated truncated JSON, and stores none of it', async () => {
  const { report, stored } = await harvestWith(() => respondWith(200, {}, '{"id": "demo-org-1", "tit'));
  expect(summarizeFailures(report)).toEqual([[KEY, 200, 'expected JSON, received truncated or malformed JSON', 3]]);
  expect(stored).toBeUndefined();
});

it('fails at the size limit of a gzip bomb, without a retry', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
  const { report, requests } = await harvestWith(() => respondWith(200, { 'content-encoding': 'gzip' }, bomb));
  expect(summarizeFailures(report)).toEqual([[KEY, null, 'the decompressed response body exceeds 32.0 MB (--max-body)', 1]]);
  expect(requests).toBe(1);
});

it('reports a body that is cut off within gzip', async () => {
  const { report } = await harvestWith(() => respondWith(200, { 'content-encoding': 'gzip' }, gzipSync('{}').subarray(0, -8)));
  expect(report.failures).toMatchObject([{ key: KEY, cause: 'the response body is not valid gzip' }]);
});

it('stores an unrequested gzip body decompressed', async () => {
  const { report, stored } = await harvestWith((upstream: TestUpstream) =>
    respondWith(200, { 'content-encoding': 'gzip' }, gzipSync(json(upstream))),
  );
  expect([report.failures, JSON.parse(stored ?? '').id]).toEqual([[], 'demo-org-1']);
});

it('fails if a body exceeds the size limit, declared or not', async () => {
  const limits = { maxBodyBytes: 3_000_000 };
  const declared = await harvestWith(() => respondWith(200, { 'content-length': 4_000_000 }, '{'), limits);
  const streamed = await harvestWith(
    () => (_, response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(100_000, ' ')));
        response.once('drain', pour);
      };
      pour();
    },
    limits,
  );
  for (const { report } of [declared, streamed])
    expect(report.failures).toMatchObject([{ key: KEY, cause: 'the response body exceeds 3.0 MB (--max-body)', attempts: 1 }]);
});

it('reports HTML with status 200 as such', async () => {
  const { report, stored } = await harvestWith(() =>
    respondWith(200, { 'content-type': 'text/html' }, '<!doctype html><p>Please log in'),
  );
  expect(summarizeFailures(report)).toEqual([[KEY, 200, 'expected JSON, received HTML', 3]]);
  expect(stored).toBeUndefined();
});

it('reports 404 with an empty body, without a retry', async () => {
  const { report, requests } = await harvestWith(() => respondWith(404));
  expect([summarizeFailures(report), requests]).toEqual([[[KEY, 404, 'HTTP 404', 1]], 1]);
});

it('follows and stores redirects, and fetches the resource once', async () => {
  const { upstream, snapshot, report, requests } = await harvestWith((up: TestUpstream) => {
    up.routes.set('/moved/', respondWith(301, { location: '/moved/again/' }));
    up.routes.set('/moved/again/', createRecord(up, 'demo-org-1', { model: 'collection' }));
    return respondWith(302, { location: '/moved/' });
  });
  expect([report.failures, requests]).toEqual([[], 1]);
  const rows = readSnapshot(snapshot, ({ db }) => db.prepare(`SELECT url, redirects FROM response WHERE key = '${KEY}'`).all());
  expect(rows).toEqual([
    {
      url: `${upstream.url}/moved/again/`,
      redirects: JSON.stringify([`${upstream.url}${COLLECTION}`, `${upstream.url}/moved/`]),
    },
  ]);
});

it('reports a redirect loop', async () => {
  const { report } = await harvestWith((upstream: TestUpstream) => {
    upstream.routes.set('/a/', respondWith(302, { location: '/b/' }));
    upstream.routes.set('/b/', respondWith(302, { location: '/a/' }));
    return respondWith(302, { location: '/a/' });
  });
  expect(report.failures).toMatchObject([{ key: KEY, cause: 'it redirects to itself', attempts: 1 }]);
});

it('limits the number of redirects', async () => {
  const { report, requests } = await harvestWith((upstream: TestUpstream) => {
    for (let n = 0; n < 20; n++) upstream.routes.set(`/hop/${n}/`, respondWith(302, { location: `/hop/${n + 1}/` }));
    return respondWith(302, { location: '/hop/0/' });
  });
  expect(report.failures).toMatchObject([{ key: KEY, cause: 'it redirects more than 5 times (--max-redirects)' }]);
  expect(requests).toBe(1);
});

it.each([
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:9/',
  'http://localhost:9/',
  'file:///etc/passwd',
])('does not follow a redirect to %s', async (location) => {
  const { report, seconds } = await harvestWith(() => respondWith(302, { location }), { timeoutSeconds: 100 });
  expect(report.failures).toMatchObject([{ key: KEY, status: null, attempts: 1 }]);
  expect(report.failures[0]?.cause).toMatch(/is not an allowed host|cannot be followed/);
  expect(seconds).toBeLessThan(60);
});

it('fails after --timeout if no headers arrive', async () => {
  const { report, seconds } = await harvestWith(() => () => {}, { maxAttempts: 1, timeoutSeconds: 1 });
  expect(summarizeFailures(report)).toEqual([[KEY, null, 'no response in time', 1]]);
  expect(seconds).toBeLessThan(60);
});

it('fails after --body-timeout if a body arrives too slowly', async () => {
  const { report, seconds } = await harvestWith(
    () => (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(timer));
    },
    { maxAttempts: 1, bodyTimeoutSeconds: 1 },
  );
  expect(summarizeFailures(report)).toEqual([[KEY, null, 'no complete response in 1 s (--body-timeout)', 1]]);
  expect(seconds).toBeLessThan(60);
});

it('fetches everything if the server closes keep-alive connections without notice', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 60);
  for (const id of ids) {
    const good = upstream.routes.get(`/api/0.2/${id}/`);
    upstream.routes.set(`/api/0.2/${id}/`, (request: IncomingMessage, response: ServerResponse) => {
      response.on('finish', () => setTimeout(() => request.socket.destroy(), 1));
      respond(good, request, response);
    });
  }
  const report = await harvestInProcess(upstream, createSnapshotPath(), { limits: { maxAttempts: 5 } });
  expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 60 }, []]);
});

it('retries and reports a body that is shorter than its Content-Length', async () => {
  const { report } = await harvestWith((upstream: TestUpstream) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': 9_999 });
    response.write(json(upstream));
    setTimeout(() => response.socket?.end(), 20);
  });
  expect(report.failures).toMatchObject([
    { key: KEY, status: null, attempts: 3, cause: expect.stringMatching(/closed before|Content-Length/) },
  ]);
});

it('does not read the rest of a body that is longer than its Content-Length as another response', async () => {
  const { report, stored } = await harvestWith((upstream: TestUpstream) => (request: IncomingMessage) => {
    request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n${json(upstream)}`);
  });
  expect(report.failures).toMatchObject([{ key: KEY, attempts: 3 }]);
  expect(stored).toBeUndefined();
});

it('reports a response that is not HTTP', async () => {
  const { report } = await harvestWith(() => (request) => void request.socket.end('I am a teapot\r\n\r\n'));
  expect(report.failures).toMatchObject([{ key: KEY, status: null, cause: 'the response is not valid HTTP' }]);
});

it('stores the bytes of a body with a wrong charset unchanged, and detects their encoding', async () => {
  const utf8 = await harvestWith((upstream: TestUpstream) =>
    respondWith(200, { 'content-type': 'application/json; charset=iso-8859-1' }, json(upstream).replace('Title', 'Tïtle 日')),
  );
  expect(utf8.stored).toContain('Tïtle 日');
  const latin = Buffer.from('{"id":"demo-org-1","model":"collection","title":"Caf\xe9"}', 'latin1');
  const broken = await harvestWith(() => respondWith(200, { 'content-type': 'application/json; charset=utf-8' }, latin));
  expect([utf8.report.failures, broken.report.failures]).toEqual([[], []]);
  const bytes = readSnapshot(broken.snapshot, ({ db }) => db.prepare(`SELECT body FROM response WHERE key = '${KEY}'`).get());
  expect(Buffer.from(readBytes(bytes, 'body')).equals(latin)).toBe(true);
});
