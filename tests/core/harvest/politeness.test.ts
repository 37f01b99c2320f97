/** Request policy: concurrency and rate limits, Retry-After delays, adaptive concurrency, User-Agent and robots.txt. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { runMicrofiche, upstreamOptions } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, summarizeFailures } from '../../support/harvest-in-process.ts';
import {
  addRecords,
  type Handler,
  respond,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../../support/test-upstream.ts';

interface Observed {
  /** Maximum concurrent requests. */
  max: number;
  /** Arrival times of the requests, in milliseconds. */
  times: number[];
}

/** Observes every request to an upstream, and delays each response. */
function observe(upstream: TestUpstream, delayMs: number): Observed {
  const observed: Observed = { max: 0, times: [] };
  let active = 0;
  for (const [path, route] of [...upstream.routes]) {
    upstream.routes.set(path, ((request: IncomingMessage, response: ServerResponse) => {
      observed.times.push(performance.now());
      observed.max = Math.max(observed.max, ++active);
      setTimeout(() => {
        active--;
        respond(route, request, response);
      }, delayMs);
    }) satisfies Handler);
  }
  return observed;
}

it('sends four concurrent requests by default', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 40);
  const observed = observe(upstream, 10);
  await harvestInProcess(upstream, createSnapshotPath());
  expect(observed.max).toBe(4);
});

it('applies --concurrency to each host separately', async () => {
  const guide = await startTestUpstream();
  const catalog = await startTestUpstream();
  addRecords(catalog, 30);
  const names = Array.from({ length: 30 }, (_, n) => `Author ${n}`);
  for (const name of names) guide.routes.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  guide.routes.set('/api/3.0/authors/', { total: 30, next_offset: null, objects: names.map((id) => ({ id })) });
  const observed = [observe(guide, 20), observe(catalog, 20)];
  const baseUrls = { authors: guide.url, catalog: catalog.url };
  const report = await harvestInProcess(guide, createSnapshotPath(), { baseUrls, concurrency: 3 });
  expect(report.counts).toEqual({ author: 30, collection: 1, entity: 30 });
  expect(observed.map(({ max }) => max)).toEqual([3, 3]);
});

it('spaces requests evenly by --rate, regardless of the concurrency', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 20);
  observe(upstream, 1);
  // Timed as they are sent: a machine that stalls before one arrives would make the next gap look shorter.
  const times: number[] = [];
  const onRequest = (message: unknown) => {
    const { origin, path } = (message as { request: { origin: string; path: string } }).request;
    if (origin === upstream.url && path.startsWith('/api/')) times.push(performance.now());
  };
  subscribe('undici:request:create', onRequest);
  onTestFinished(() => void unsubscribe('undici:request:create', onRequest));
  await harvestInProcess(upstream, createSnapshotPath(), { maxRequestsPerSecond: 25, concurrency: 16 });
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  expect(times.length).toBeGreaterThan(20);
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 1) * 38);
  expect(Math.min(...gaps)).toBeGreaterThan(15);
});

it('pauses all requests to a host during a Retry-After delay', async () => {
  const upstream = await startTestUpstream();
  // Without the delay, they are requested for some seconds.
  const ids = addRecords(upstream, 400);
  const { times } = observe(upstream, 50);
  let pausedAt: number | undefined;
  const good = upstream.routes.get(`/api/0.2/${ids[10]}/`);
  upstream.routes.set(`/api/0.2/${ids[10]}/`, (request: IncomingMessage, response: ServerResponse) => {
    if (pausedAt !== undefined) return respond(good, request, response);
    pausedAt = performance.now();
    respondWith(429, { 'retry-after': 3 })(request, response);
  });
  const { counts, failures } = await harvestInProcess(upstream, createSnapshotPath());
  expect([counts, failures]).toEqual([{ collection: 1, entity: 400 }, []]);
  // A second after the response, also a busy client has read it.
  const duringDelay = times.filter((time) => time > (pausedAt as number) + 1_000 && time < (pausedAt as number) + 2_950);
  expect(duringDelay).toEqual([]);
  expect(times.filter((time) => time > (pausedAt as number) + 2_950).length).toBeGreaterThan(300);
});

it('reduces the concurrency while requests fail, and raises it again afterwards', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 300);
  let isFailing = true;
  let active = 0;
  const max = { failing: 0, recovered: 0 };
  let failed = 0;
  for (const id of ids) {
    const good = upstream.routes.get(`/api/0.2/${id}/`);
    upstream.routes.set(`/api/0.2/${id}/`, (request: IncomingMessage, response: ServerResponse) => {
      active++;
      if (failed > 40) isFailing = false;
      const phase = isFailing ? 'failing' : 'recovered';
      // The first errors occur at full concurrency, so they do not count.
      if (!isFailing || failed > 20) max[phase] = Math.max(max[phase], active);
      setTimeout(() => {
        active--;
        if (isFailing) failed++;
        respond(isFailing ? respondWith(503) : good, request, response);
      }, 10);
    });
  }
  const { counts, failures } = await harvestInProcess(upstream, createSnapshotPath(), {
    concurrency: 16,
    limits: { maxAttempts: 8 },
  });
  expect([counts, failures]).toEqual([{ collection: 1, entity: 300 }, []]);
  expect(max.failing).toBeLessThanOrEqual(2);
  expect(max.recovered).toBeGreaterThan(8);
});

it('sends name, version and --contact as its User-Agent', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 1);
  const agents = new Set<string | undefined>();
  upstream.routes.set('/api/3.0/authors/', (request: IncomingMessage, response: ServerResponse) => {
    agents.add(request.headers['user-agent']);
    respond({ total: 0, objects: [], next_offset: null }, request, response);
  });
  const args = [
    'harvest',
    ...upstreamOptions(upstream.url),
    '--snapshot',
    createSnapshotPath(),
    '--contact',
    'mailto:me@example.org',
    '--root',
    'demo-org-1',
  ];
  expect((await runMicrofiche(args)).code).toBe(0);
  expect([...agents]).toEqual([expect.stringMatching(/^Microfiche\/\d+\.\d+\.\d+ \(mailto:me@example\.org\)$/)]);
});

const robotsRoute = (text: string): Handler => respondWith(200, { 'content-type': 'text/plain' }, text);

it('reports a URL that robots.txt disallows, and does not request it', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 5);
  upstream.routes.set('/robots.txt', robotsRoute('User-agent: *\nDisallow: /api/0.2/demo-org-1-3/\n'));
  const snapshot = createSnapshotPath();
  const { counts, ...report } = await harvestInProcess(upstream, snapshot);
  expect(counts).toEqual({ collection: 1, entity: 4 });
  expect(summarizeFailures({ counts, ...report })).toEqual([
    ['object:demo-org-1-3', null, `disallowed by ${upstream.url}/robots.txt (override with --ignore-robots)`, 0],
  ]);
  expect(upstream.requests).not.toContain('/api/0.2/demo-org-1-3/');
  expect((await harvestInProcess(upstream, snapshot, { retryFailed: true, ignoreRobots: true })).counts).toEqual({
    collection: 1,
    entity: 5,
  });
});

it('applies the robots.txt rules for Microfiche instead of those for all agents', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  upstream.routes.set('/robots.txt', robotsRoute('User-agent: *\nDisallow: /\n\nUser-agent: Microfiche\nDisallow: /private/\n'));
  expect((await harvestInProcess(upstream, createSnapshotPath())).counts).toEqual({ collection: 1, entity: 2 });
});

it('applies the Crawl-delay of robots.txt', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 6);
  upstream.routes.set('/robots.txt', robotsRoute('User-agent: *\nCrawl-delay: 0.1\n'));
  const { times } = observe(upstream, 1);
  await harvestInProcess(upstream, createSnapshotPath());
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 2) * 95);
});

it('requests nothing from a host whose robots.txt disallows everything, or cannot be read', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  const args = [
    'harvest',
    ...upstreamOptions(upstream.url),
    '--snapshot',
    createSnapshotPath(),
    '--attempts',
    '1',
    '--root',
    'demo-org-1',
  ];
  for (const [handler, message] of [
    [robotsRoute('User-agent: *\nDisallow: /'), 'disallowed by '],
    [respondWith(500), 'could not be read (HTTP 500)'],
  ] as const) {
    upstream.routes.set('/robots.txt', handler);
    const { code, stderr } = await runMicrofiche(args);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toContain(message);
    expect(stderr).toContain('(override with --ignore-robots)');
  }
  expect(upstream.requests).toEqual([]);
  expect((await runMicrofiche([...args, '--ignore-robots'])).code).toBe(0);
});
