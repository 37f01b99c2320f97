/** Interrupted harvests: the next run resumes, loses nothing, and repeats only the requests that were in flight. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HarvestReport } from '../../../src/harvest/report.ts';
import { LONG, ROOT, upstreamOptions } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot, summarizeFailures } from '../../support/harvest-in-process.ts';
import {
  addRecords,
  type Handler,
  respond,
  respondInTurn,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../../support/test-upstream.ts';

const CONCURRENCY = 4;
const KILLS = LONG ? 25 : 4;

/** Starts the command `harvest`. `ended` resolves with its exit code, signal and output. */
function startHarvestProcess(upstream: Pick<TestUpstream, 'url'>, snapshot: string, ...more: string[]) {
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts/bin.mjs'), ...args, '--concurrency', String(CONCURRENCY), '--json', ...more],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null; out: string; err: string }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, out, err })),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended };
}

/** Returns everything in a snapshot that came from upstream, list pages included, by key. */
function readContents(snapshot: string): Record<string, unknown>[] {
  return readSnapshot(snapshot, ({ db }) =>
    db
      .prepare(
        `SELECT r.key, r.state, r.status, r.cause, r.referrer IS NOT NULL AS named, p.url, p.sha256, p.body
        FROM resource r LEFT JOIN response p ON p.id = r.response ORDER BY r.key`,
      )
      .all(),
  );
}

/** Delays each response of an upstream, so that a kill can happen at any time, and calls `onResponse` after each. */
function delayResponses(upstream: TestUpstream, delayMs: number, onResponse: () => void): void {
  for (const [path, route] of [...upstream.routes]) {
    upstream.routes.set(path, ((request: IncomingMessage, response: ServerResponse) => {
      response.on('finish', onResponse);
      setTimeout(() => respond(route, request, response), delayMs);
    }) satisfies Handler);
  }
}

it(`produces the same snapshot after ${KILLS} kills at random times as without a kill`, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed of the kills: ${seed}`);
  const random = createRandom(seed);
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 500, (id) => ({ description: `${id} `.repeat(200) }));
  upstream.routes.delete(`/api/0.2/${ids[40]}/`); // other resources name it, but it responds with 404
  upstream.routes.set(`/api/0.2/${ids[77]}/`, { id: 'no such record' });
  let responses = 0;
  let notify = () => {};
  delayResponses(upstream, 8, () => {
    responses++;
    notify();
  });

  const uninterrupted = createSnapshotPath();
  const reference = await startHarvestProcess(upstream, uninterrupted).ended;
  expect(reference.code).toBe(3);
  const needed = upstream.requests.length;

  upstream.requests.length = 0;
  const snapshot = createSnapshotPath();
  let kills = 0;
  for (; kills < KILLS; kills++) {
    const { child, ended } = startHarvestProcess(upstream, snapshot);
    const until = responses + 1 + Math.floor(random() * 16);
    const moment = new Promise<void>((resolve) => {
      notify = () => {
        if (responses >= until) resolve();
      };
    });
    await Promise.race([moment.then(() => new Promise((resolve) => setTimeout(resolve, random() * 12))), ended]);
    child.kill('SIGKILL');
    const { signal } = await ended;
    if (signal !== 'SIGKILL') break; // it finished before the kill
  }
  const last = await startHarvestProcess(upstream, snapshot).ended;
  expect([last.code, kills]).toEqual([3, KILLS]);
  expect(readContents(snapshot)).toEqual(readContents(uninterrupted));
  const report = JSON.parse(last.out) as HarvestReport;
  expect(report.failures.map(({ key, attempts }) => [key, attempts])).toEqual([[`object:${ids[77]}`, 1]]);
  // At most the requests in flight at each kill are repeated. A new run begins with the authors list until something is
  // committed.
  expect(upstream.requests.length - needed).toBeLessThanOrEqual(kills * CONCURRENCY);
});

it('requests what failed with a transient error once more at the end, after everything else', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 30);
  const [ill, list] = [`/api/0.2/${ids[0]}/`, '/api/0.2/demo-org-1/children/'];
  const good = [ill, list].map((path) => upstream.routes.get(path));
  upstream.routes.set(ill, respondInTurn(respondWith(500), good[0]));
  // The second page of the list fails, with the names of five items.
  let failures = 2;
  upstream.routes.set(list, ((request, response) =>
    respond(
      request.url?.includes('offset=25') && failures-- > 0 ? respondWith(501) : good[1],
      request,
      response,
    )) satisfies Handler);
  const report = await harvestInProcess(upstream, createSnapshotPath(), { limits: { maxAttempts: 1 } });
  expect([report.counts, report.failures, report.incompleteLists]).toEqual([{ collection: 1, entity: 30 }, [], []]);
  expect(upstream.requests.lastIndexOf(ill)).toBeGreaterThan(upstream.requests.indexOf(`/api/0.2/${ids[24]}/`));
  expect(upstream.requests.filter((path) => path === ill)).toHaveLength(2);
});

it('requests what failed before an interruption again, when it resumes', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 12);
  const ill = `/api/0.2/${ids[0]}/`;
  const good = upstream.routes.get(ill);
  upstream.routes.set(ill, respondWith(500));
  const stop = new AbortController();
  const snapshot = createSnapshotPath();
  const options = { limits: { maxAttempts: 1 }, concurrency: 1 };
  const onProgress = ({ failed }: { failed: number }) => void (failed > 0 && stop.abort());
  const interrupted = await harvestInProcess(upstream, snapshot, { ...options, signal: stop.signal, onProgress });
  expect([interrupted.complete, summarizeFailures(interrupted)]).toEqual([false, [[`object:${ids[0]}`, 500, 'HTTP 500', 1]]]);
  upstream.routes.set(ill, good);
  const { counts, failures } = await harvestInProcess(upstream, snapshot, options);
  expect([counts, failures]).toEqual([{ collection: 1, entity: 12 }, []]);
});

it('finishes the requests in flight on Ctrl-C, prints a report, and resumes in the next run', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 60);
  let responses = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  delayResponses(upstream, 100, () => {
    if (++responses === 12) resolve();
  });
  const snapshot = createSnapshotPath();
  const { child, ended } = startHarvestProcess(upstream, snapshot);
  await promise;
  child.kill('SIGINT');
  const { code, out, err } = await ended;
  const report = JSON.parse(out) as HarvestReport;
  expect([code, report.complete, report.failures]).toEqual([130, false, []]);
  expect(err).toContain('Finishing requests in flight');
  const requestCount = upstream.requests.length;
  expect(readSnapshot(snapshot, ({ db }) => db.prepare(`SELECT count(*) AS n FROM response`).get()?.['n'])).toBe(requestCount);
  expect(readFileSync(join(snapshot, 'report.txt'), 'utf8')).toMatch(
    /^Harvest interrupted after \d+\.\d s\. Run the same command to resume\./,
  );
  const { counts } = await harvestInProcess(upstream, snapshot, { concurrency: 20 });
  expect(counts).toEqual({ collection: 1, entity: 60 });
  expect(new Set(upstream.requests).size).toBe(upstream.requests.length);
});

it('does not wait for a Retry-After delay on Ctrl-C', async () => {
  const upstream = await startTestUpstream();
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.routes.set('/api/0.2/demo-org-1/', (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(429, { 'retry-after': '600' }).end();
    setTimeout(resolve, 100);
  });
  const { child, ended } = startHarvestProcess(upstream, createSnapshotPath());
  await promise;
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
});

it('ends at once on Ctrl-C while robots.txt demands a delay, with one sentence', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/robots.txt', respondWith(429, { 'retry-after': 300 }));
  const { child, ended } = startHarvestProcess(upstream, createSnapshotPath());
  await new Promise<void>((done) => child.stderr.on('data', (chunk) => String(chunk).includes('asks us to wait') && done()));
  child.kill('SIGINT');
  const { code, err } = await ended;
  expect([code, err.trim().split('\n').at(-1)]).toEqual([
    130,
    'microfiche: The harvest was interrupted before the first record. Run the same command again.',
  ]);
});

it('stops immediately on a second Ctrl-C', async () => {
  const upstream = await startTestUpstream();
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.routes.set('/api/0.2/demo-org-1/', () => resolve()); // never responds
  const snapshot = createSnapshotPath();
  const { child, ended } = startHarvestProcess(upstream, snapshot, '--timeout', '300');
  await promise;
  const noticed = new Promise<void>((done) => {
    child.stderr.on('data', (chunk) => String(chunk).includes('Press Ctrl-C again') && done());
  });
  child.kill('SIGINT');
  await noticed; // two signals that have not been handled yet would be one
  await new Promise((later) => setTimeout(later, 400));
  const pressedAt = performance.now();
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(performance.now() - pressedAt).toBeLessThan(40_000);
  addRecords(upstream, 3);
  expect((await harvestInProcess(upstream, snapshot)).counts).toEqual({ collection: 1, entity: 3 });
});

it('rejects a second harvest of the same snapshot, without a request', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 80);
  const underWay = Promise.withResolvers<void>();
  const secondEnded = Promise.withResolvers<void>();
  let requests = 0;
  for (const [path, route] of [...upstream.routes])
    upstream.routes.set(path, (async (request: IncomingMessage, response: ServerResponse) => {
      if (++requests > 5) {
        underWay.resolve();
        await secondEnded.promise;
      }
      respond(route, request, response);
    }) satisfies Handler);
  const snapshot = createSnapshotPath();
  const first = startHarvestProcess(upstream, snapshot);
  await underWay.promise;
  const other = await startTestUpstream();
  const second = await startHarvestProcess(other, snapshot).ended;
  secondEnded.resolve();
  expect([second.code, second.err, other.requests]).toEqual([
    1,
    `microfiche: Another Microfiche process is writing to the snapshot in ${snapshot}. Wait until it has finished.\n`,
    [],
  ]);
  expect(JSON.parse((await first.ended).out).counts).toEqual({ collection: 1, entity: 80 });
});

/** Starts a host with 40 items that stops listening at its twentieth request. `onDown` gets a function to start it again. */
async function startUnreliableHost(onDown: (restart: () => void) => void) {
  const upstream = await startTestUpstream();
  addRecords(upstream, 40);
  const handlers = new Map(upstream.routes);
  let count = 0;
  const open = (at: number) => {
    const server = createServer((request, response) => {
      if (++count === 20) {
        server.close();
        server.closeAllConnections();
        onDown(() => void open(port));
      } else respond(handlers.get(new URL(request.url ?? '', 'http://x').pathname), request, response);
    }).listen(at, '127.0.0.1');
    onTestFinished(() => void server.close());
    return server;
  };
  const server = open(0);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

it('stops if a host stays unreachable, keeps the queued resources, and resumes when the host is reachable again', async () => {
  let restartHost = () => {};
  const { url, port } = await startUnreliableHost((restart) => {
    restartHost = restart;
  });
  const snapshot = createSnapshotPath();
  const stopped = await harvestInProcess({ url }, snapshot, { limits: { unreachableTimeoutSeconds: 1 } });
  const why = `127.0.0.1:${port} is unreachable (connection refused)`;
  expect(stopped).toMatchObject({ complete: false, stopped: why, failures: [] });
  const queued = `SELECT count(*) AS n FROM resource WHERE state = 'queued'`;
  expect(readSnapshot(snapshot, ({ db }) => db.prepare(queued).get()?.['n'])).toBeGreaterThan(10);
  restartHost();
  const { counts, complete } = await harvestInProcess({ url }, snapshot);
  expect([counts, complete]).toEqual([{ collection: 1, entity: 40 }, true]);
});

it('waits for a host that is briefly unreachable, without a failure', async () => {
  const { url } = await startUnreliableHost((restart) => setTimeout(restart, 1_500));
  const report = await harvestInProcess({ url }, createSnapshotPath(), { limits: { unreachableTimeoutSeconds: 20 } });
  expect([report.counts, report.failures, report.complete]).toEqual([{ collection: 1, entity: 40 }, [], true]);
});

/** Returns a random number generator (mulberry32). The printed seed reproduces the kills. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
