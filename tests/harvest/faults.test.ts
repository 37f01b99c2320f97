/** The harvest against a server that misbehaves on demand: one test a fault, and each ends with the right snapshot and report. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readBytes } from '../../src/snapshot/rows.ts';
import { answer, fill, type Handler, inTurn, record, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, bodyIn, failuresOf, harvestHere, look } from './here.ts';

const COLLECTION = '/api/0.2/demo-org-1/';
const KEY = 'object:demo-org-1';
const json = (up: Upstream) => JSON.stringify(record(up, 'demo-org-1', { model: 'collection' }));

/** Harvests one collection whose record is answered by these in turn, the last one being the record itself. */
async function after(...faults: Handler[]) {
  const up = await startUpstream();
  up.answers.set(COLLECTION, inTurn(...faults, record(up, 'demo-org-1', { model: 'collection' })));
  return harvestOne(up);
}

/** Harvests one collection whose record is always answered by this. */
async function always(fault: (up: Upstream) => Handler) {
  const up = await startUpstream();
  up.answers.set(COLLECTION, fault(up));
  return harvestOne(up);
}

async function harvestOne(up: Upstream) {
  const snapshot = aSnapshot();
  const begun = performance.now();
  const report = await harvestHere(up, snapshot, { limits: { timeout: 1, bodyTimeout: 1, attempts: 3 } });
  return {
    up,
    report,
    seconds: (performance.now() - begun) / 1000,
    stored: bodyIn(snapshot, 'demo-org-1'),
    asked: up.asked.filter((path) => path === COLLECTION).length,
    snapshot,
  };
}

it('429 with Retry-After in seconds: waits so long, then has it', async () => {
  const { up, report, stored, seconds } = await after(sends(429, { 'retry-after': 1 }));
  expect([report.failures, stored]).toEqual([[], json(up)]);
  expect(seconds).toBeGreaterThan(1);
});

it('429 with Retry-After as a date, read by the server’s own clock', async () => {
  const clock = Date.now() + 3_600_000; // the server's clock is an hour fast
  const date = (milliseconds: number) => new Date(milliseconds).toUTCString();
  const { up, report, stored, seconds } = await after(sends(429, { date: date(clock), 'retry-after': date(clock + 2_000) }));
  expect([report.failures, stored]).toEqual([[], json(up)]);
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThan(20);
});

it('429 without end: gives up in the end and says so', async () => {
  const { report, asked } = await always(() => sends(429, { 'retry-after': 0 }));
  expect(failuresOf(report)).toEqual([[KEY, 429, 'HTTP 429', asked]]);
  expect(asked).toBeGreaterThan(10);
});

it('500 in a burst: is patient', async () => {
  const { up, report, stored, asked } = await after(sends(500), sends(500));
  expect([report.failures, stored, asked]).toEqual([[], json(up), 3]);
});

it('500 without end: names it after so many tries', async () => {
  const { report, asked } = await always(() => sends(500, {}, 'oops'));
  expect([failuresOf(report), asked]).toEqual([[[KEY, 500, 'HTTP 500', 3]], 3]);
});

it('503: is patient', async () => {
  const { up, report, stored } = await after(sends(503, { 'retry-after': 'soon' }));
  expect([report.failures, stored]).toEqual([[], json(up)]);
});

it('403 and other final answers: asked once', async () => {
  const { report, asked } = await always(() => sends(403));
  expect([failuresOf(report), asked]).toEqual([[[KEY, 403, 'HTTP 403', 1]], 1]);
});

/** Sends the beginning of an answer, then drops the connection. */
const resets: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
  response.write('{"id": "demo-org-1", ');
  setTimeout(() => response.socket?.resetAndDestroy(), 20);
};

it('connection reset mid-body: asks again', async () => {
  const { up, report, stored } = await after(resets);
  expect([report.failures, stored]).toEqual([[], json(up)]);
});

it('connection reset mid-body without end: named', async () => {
  const { report, stored } = await always(() => resets);
  expect(report.failures).toMatchObject([
    { key: KEY, status: null, attempts: 3, cause: expect.stringMatching(/reset|half-way|abort/) },
  ]);
  expect(stored).toBeUndefined();
});

it('truncated JSON with the right framing: asks again, and has it when it heals', async () => {
  const { up, report, stored } = await after(sends(200, {}, '{"id": "demo-org-1", "tit'));
  expect([report.failures, stored]).toEqual([[], json(up)]);
});

it('truncated JSON without end: named, and nothing of it stored', async () => {
  const { report, stored } = await always(() => sends(200, {}, '{"id": "demo-org-1", "tit'));
  expect(failuresOf(report)).toEqual([[KEY, 200, 'the answer is cut short or broken, not JSON', 3]]);
  expect(stored).toBeUndefined();
});

it('gzip bomb: refused at the limit, without a second try', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
  const { report, asked } = await always(() => sends(200, { 'content-encoding': 'gzip' }, bomb));
  expect(failuresOf(report)).toEqual([[KEY, null, 'the body unpacks to more than 32.0 MB, the limit that --max-body sets', 1]]);
  expect(asked).toBe(1);
});

it('gzip that is none: named', async () => {
  const { report } = await always(() => sends(200, { 'content-encoding': 'gzip' }, 'plain'));
  expect(report.failures).toMatchObject([{ key: KEY, cause: 'the body’s gzip encoding is broken' }]);
});

it('gzip that is good, though nobody asked for it: stored unpacked', async () => {
  const { report, stored } = await always((up: Upstream) => sends(200, { 'content-encoding': 'gzip' }, gzipSync(json(up))));
  expect([report.failures, JSON.parse(stored ?? '').id]).toEqual([[], 'demo-org-1']);
});

it('a body over the limit, declared or not: refused', async () => {
  const declared = await always(() => sends(200, { 'content-length': 40_000_000 }, '{'));
  const streamed = await always(() => (_, response) => {
    response.writeHead(200);
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1_000_000, ' ')));
      response.once('drain', pour);
    };
    pour();
  });
  for (const { report } of [declared, streamed])
    expect(report.failures).toMatchObject([
      { key: KEY, cause: 'the body is larger than 32.0 MB, the limit that --max-body sets', attempts: 1 },
    ]);
});

it('HTML with status 200: named for what it is', async () => {
  const { report, stored } = await always(() => sends(200, { 'content-type': 'text/html' }, '<!doctype html><p>Please log in'));
  expect(failuresOf(report)).toEqual([[KEY, 200, 'the answer is a web page, not JSON', 3]]);
  expect(stored).toBeUndefined();
});

it('404 with an empty body: named, asked once', async () => {
  const { report, asked } = await always(() => sends(404));
  expect([failuresOf(report), asked]).toEqual([[[KEY, 404, 'HTTP 404', 1]], 1]);
});

it('redirects: followed, recorded, and the resource fetched once', async () => {
  const { up, snapshot, report, asked } = await always((up: Upstream) => {
    up.answers.set('/moved/', sends(301, { location: '/moved/again/' }));
    up.answers.set('/moved/again/', record(up, 'demo-org-1', { model: 'collection' }));
    return sends(302, { location: '/moved/' });
  });
  expect([report.failures, asked]).toEqual([[], 1]);
  const rows = look(snapshot, ({ db }) => db.prepare(`SELECT url, redirects FROM response WHERE key = '${KEY}'`).all());
  expect(rows).toEqual([
    { url: `${up.url}/moved/again/`, redirects: JSON.stringify([`${up.url}${COLLECTION}`, `${up.url}/moved/`]) },
  ]);
});

it('a redirect loop: ends, named', async () => {
  const { report } = await always((up: Upstream) => {
    up.answers.set('/a/', sends(302, { location: '/b/' }));
    up.answers.set('/b/', sends(302, { location: '/a/' }));
    return sends(302, { location: '/a/' });
  });
  expect(report.failures).toMatchObject([{ key: KEY, cause: 'it redirects to itself', attempts: 1 }]);
});

it('redirects to ever new addresses: bounded, named', async () => {
  const { report, asked } = await always((up: Upstream) => {
    for (let n = 0; n < 20; n++) up.answers.set(`/hop/${n}/`, sends(302, { location: `/hop/${n + 1}/` }));
    return sends(302, { location: '/hop/0/' });
  });
  expect(report.failures).toMatchObject([
    { key: KEY, cause: 'it redirects more than 5 times, the limit that --max-redirects sets' },
  ]);
  expect(asked).toBe(1);
});

it.each([
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:9/',
  'http://localhost:9/',
  'file:///etc/passwd',
])('a redirect to %s: not followed', async (location) => {
  const { report, seconds } = await always(() => sends(302, { location }));
  expect(report.failures).toMatchObject([{ key: KEY, status: null, attempts: 1 }]);
  expect(report.failures[0]?.cause).toMatch(/not a host that was named|cannot be followed/);
  expect(seconds).toBeLessThan(3);
});

it('headers that never come: given up after --timeout', async () => {
  const { report, seconds } = await always(() => () => {});
  expect(failuresOf(report)).toEqual([[KEY, null, 'no answer in time', 3]]);
  expect(seconds).toBeLessThan(15);
});

it('one byte a second: given up after --body-timeout', async () => {
  const { report, seconds } = await always(() => (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  });
  expect(failuresOf(report)).toEqual([[KEY, null, 'the answer was not there in 1 s, the limit that --body-timeout sets', 3]]);
  expect(seconds).toBeLessThan(15);
});

it('keep-alive connections closed without notice: nothing is lost', async () => {
  const up = await startUpstream();
  const ids = fill(up, 60);
  for (const id of ids) {
    const good = up.answers.get(`/api/0.2/${id}/`);
    up.answers.set(`/api/0.2/${id}/`, (request: IncomingMessage, response: ServerResponse) => {
      response.on('finish', () => setTimeout(() => request.socket.destroy(), 1));
      answer(good, request, response);
    });
  }
  const report = await harvestHere(up, aSnapshot(), { limits: { attempts: 5 } });
  expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 60 }, []]);
});

it('a Content-Length that promises more: asked again, named', async () => {
  const { report } = await always((up: Upstream) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': 9_999 });
    response.write(json(up));
    setTimeout(() => response.socket?.end(), 20);
  });
  expect(report.failures).toMatchObject([
    { key: KEY, status: null, attempts: 3, cause: expect.stringMatching(/half-way|Content-Length/) },
  ]);
});

it('a Content-Length that promises less: the rest is not taken for another answer', async () => {
  const { report, stored } = await always((up: Upstream) => (request: IncomingMessage) => {
    request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n${json(up)}`);
  });
  expect(report.failures).toMatchObject([{ key: KEY, attempts: 3 }]);
  expect(stored).toBeUndefined();
});

it('bytes that are no HTTP: named', async () => {
  const { report } = await always(() => (request) => void request.socket.end('I am a teapot\r\n\r\n'));
  expect(report.failures).toMatchObject([{ key: KEY, status: null, cause: 'the answer is no HTTP that can be read' }]);
});

it('a wrong charset: the bytes are stored as they came, and read as what they are', async () => {
  const utf8 = await always((up: Upstream) =>
    sends(200, { 'content-type': 'application/json; charset=iso-8859-1' }, json(up).replace('Title', 'Tïtle 日')),
  );
  expect(utf8.stored).toContain('Tïtle 日');
  const latin = Buffer.from('{"id":"demo-org-1","model":"collection","title":"Caf\xe9"}', 'latin1');
  const broken = await always(() => sends(200, { 'content-type': 'application/json; charset=utf-8' }, latin));
  expect([utf8.report.failures, broken.report.failures]).toEqual([[], []]);
  const bytes = look(broken.snapshot, ({ db }) => db.prepare(`SELECT body FROM response WHERE key = '${KEY}'`).get());
  expect(Buffer.from(readBytes(bytes, 'body')).equals(latin)).toBe(true);
});
