/** Delays that upstream demands: how long a harvest waits, when it ends instead, and what it says; and clocks that are wrong. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { harvestExitCode, harvestLines } from '../../../src/harvest/report.ts';
import { RetryLaterError } from '../../../src/model/errors.ts';
import { runMicrofiche, upstreamOptions } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readStoredBody } from '../../support/harvest-in-process.ts';
import { createTestClock } from '../../support/test-clock.ts';
import {
  addRecords,
  type Handler,
  respond,
  respondInTurn,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../../support/test-upstream.ts';

const DAY_S = 86_400;
const robotsOf = (upstream: TestUpstream, ...routes: unknown[]) => upstream.routes.set('/robots.txt', respondInTurn(...routes));

it('waits longer each time while a host refuses everything with 429, which does not count as an attempt', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 40);
  const clock = createTestClock();
  let requests = 0;
  let refused = 0;
  let refusesUntil = Number.POSITIVE_INFINITY;
  for (const id of ids) {
    const good = upstream.routes.get(`/api/0.2/${id}/`);
    upstream.routes.set(`/api/0.2/${id}/`, (request: IncomingMessage, response: ServerResponse) => {
      if (++requests === 11) refusesUntil = clock.now() + 60_000;
      if (requests < 11 || clock.now() >= refusesUntil) return respond(good, request, response);
      refused++;
      response.writeHead(429).end();
    });
  }
  const delays: string[] = [];
  const report = await harvestInProcess(upstream, createSnapshotPath(), {
    clock,
    onWarning: (line) => delays.push(line),
    concurrency: 1,
    limits: { maxAttempts: 2 },
  });
  expect([report.failures, report.counts]).toEqual([[], { collection: 1, entity: 40 }]);
  expect(refused).toBeLessThan(12);
  const { host } = new URL(upstream.url);
  expect(delays).toEqual([10, 20, 40].map((seconds) => `${host} asks us to wait ${seconds} seconds (HTTP 429).`));
});

it('fails a record that is always refused, and fetches the others', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 5);
  upstream.routes.set('/api/0.2/demo-org-1-2/', respondWith(429));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { clock: createTestClock() });
  expect([report.complete, report.failures.map(({ key, cause }) => [key, cause])]).toEqual([
    true,
    [['object:demo-org-1-2', 'HTTP 429']],
  ]);
});

it.each([String(DAY_S), `${DAY_S}, 30`, new Date(Date.now() + DAY_S * 1000).toUTCString()])(
  'ends the harvest if Retry-After is %s, reports from when on it can be resumed, and resumes it',
  async (header) => {
    const upstream = await startTestUpstream();
    addRecords(upstream, 60);
    const path = '/api/0.2/demo-org-1-30/';
    upstream.routes.set(path, respondInTurn(respondWith(429, { 'retry-after': header }), upstream.routes.get(path)));
    const snapshot = createSnapshotPath();
    const startedAt = Date.now();
    const report = await harvestInProcess(upstream, snapshot);
    expect(report).toMatchObject({
      complete: false,
      failures: [],
      resumeAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/),
    });
    expect(Math.abs(Date.parse(report.resumeAt ?? '') - startedAt - DAY_S * 1000)).toBeLessThan(90_000);
    const { host } = new URL(upstream.url);
    expect(harvestLines(report)[0]).toMatch(
      new RegExp(`: ${host} asks us to wait until [-\\d]+ [:\\d]+ UTC \\(HTTP 429\\)\\. Run the same command then to resume\\.`),
    );
    expect([harvestExitCode(report), upstream.requests.length < 50]).toEqual([3, true]);
    const resumed = await harvestInProcess(upstream, snapshot);
    expect([resumed.complete, resumed.counts]).toEqual([true, { collection: 1, entity: 60 }]);
    expect(upstream.requests.filter((one) => one === path)).toHaveLength(2);
  },
);

it('ends the harvest if a host has refused everything for an hour', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 30);
  for (const id of ids) upstream.routes.set(`/api/0.2/${id}/`, respondWith(429));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { clock: createTestClock() });
  expect([report.complete, harvestExitCode(report)]).toEqual([false, 3]);
  expect(report.stopped).toContain('asks us to wait until');
});

it('ends the harvest if each response demands a delay that is not too long, for more than an hour in all', async () => {
  const upstream = await startTestUpstream();
  for (const id of addRecords(upstream, 30)) upstream.routes.set(`/api/0.2/${id}/`, respondWith(503, { 'retry-after': 3_000 }));
  const clock = createTestClock();
  const startedAt = clock.now();
  const report = await harvestInProcess(upstream, createSnapshotPath(), { clock });
  expect([report.complete, harvestExitCode(report), report.failures]).toEqual([false, 3, []]);
  expect(report.stopped).toContain('asks us to wait until');
  expect((clock.now() - startedAt) / 1000).toBeLessThan(3_600);
});

it.each([
  [429, {}],
  [429, { 'retry-after': 600 }],
  [503, { 'retry-after': 600 }],
])('ends with the time to go on, not with advice, if even robots.txt is refused with %d and %j', async (status, headers) => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  robotsOf(upstream, respondWith(status, headers));
  const clock = createTestClock();
  const startedAt = clock.now();
  const ended = await harvestInProcess(upstream, createSnapshotPath(), { clock }).catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(RetryLaterError);
  expect((ended as Error).message).toMatch(/asks us to wait until .* UTC \(HTTP \d+\)\. Run the same command again then\.$/);
  expect(clock.now() - startedAt).toBeLessThanOrEqual(3_600_000);
});

it('reads robots.txt again if it was refused, and then harvests everything', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 3);
  robotsOf(upstream, ...Array(13).fill(respondWith(429)), undefined);
  const report = await harvestInProcess(upstream, createSnapshotPath(), { clock: createTestClock() });
  expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 3 }, []]);
});

it('does not wait because the sitemap is refused, which is not needed', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  upstream.routes.set('/sitemap.xml', respondWith(429));
  const clock = createTestClock();
  const report = await harvestInProcess(upstream, createSnapshotPath(), { clock, discover: true });
  expect([report.counts, clock.slept]).toEqual([{ collection: 1, entity: 2 }, []]);
});

it('fails only the record that redirects to a host that demands a delay of a day', async () => {
  const [upstream, other] = [await startTestUpstream(), await startTestUpstream()];
  addRecords(upstream, 3);
  other.routes.set('/x', respondWith(503, { 'retry-after': DAY_S }));
  upstream.routes.set('/api/0.2/demo-org-1-2/', respondWith(302, { location: `${other.url}/x` }));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { allowHosts: [new URL(other.url).host] });
  expect([report.complete, report.failures.map(({ key, transient }) => [key, transient])]).toEqual([
    true,
    [['object:demo-org-1-2', true]],
  ]);
});

it('exits 3 with one sentence if the first request is to be repeated tomorrow', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', respondWith(429, { 'retry-after': DAY_S }));
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', createSnapshotPath()];
  const { code, stderr } = await runMicrofiche(args);
  expect([code, stderr.trim().split('\n').length]).toEqual([3, 1]);
  expect(stderr).toMatch(/asks us to wait until .* UTC \(HTTP 429\)\. Run the same command again then\./);
});

it('says that robots.txt is to be waited for, and ends at once when it is interrupted', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  robotsOf(upstream, respondWith(429, { 'retry-after': 420 }));
  const stop = new AbortController();
  const warnings: string[] = [];
  const startedAt = performance.now();
  const harvest = harvestInProcess(upstream, createSnapshotPath(), {
    signal: stop.signal,
    onWarning(line) {
      warnings.push(line);
      stop.abort(new Error('interrupted'));
    },
  });
  await expect(harvest).rejects.toThrow('interrupted');
  expect(warnings).toEqual([`${new URL(upstream.url).host} asks us to wait 420 seconds (HTTP 429).`]);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

afterEach(() => void vi.useRealTimers());

it('requests records again that were confirmed by a clock that was wrong, and warns of it', async () => {
  const upstream = await startTestUpstream();
  const dated = () => ({ record_lastmod: '2020-01-01T00:00:00', location: 'Old Quay' });
  addRecords(upstream, 2, dated);
  const withDate =
    (route: unknown, date: string): Handler =>
    (request, response) => {
      response.setHeader('date', date);
      respond(route, request, response);
    };
  const authors = upstream.routes.get('/api/3.0/authors/');
  upstream.routes.set('/api/3.0/authors/', withDate(authors, new Date().toUTCString()));
  const snapshot = createSnapshotPath();
  const warnings: string[] = [];
  const onWarning = (line: string) => warnings.push(line);
  const today = new Date().toISOString().slice(0, 10);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2040-03-01') });
  await harvestInProcess(upstream, snapshot, { onWarning });
  vi.useRealTimers();
  const { host } = new URL(upstream.url);
  expect(warnings.splice(0)).toEqual([
    `Warning: the clock of this computer says 2040-03-01, that of ${host} ${today}. If this computer’s is wrong, set it right and harvest again.`,
  ]);
  // It changes without a new date, and its list entry does not have the field.
  const changed = { id: 'demo-org-1-2', model: 'entity', title: 'Title of demo-org-1-2', ...dated(), location: 'New Quay' };
  upstream.routes.set('/api/0.2/demo-org-1-2/', changed);
  const children = '/api/0.2/demo-org-1/children/';
  const entries = ['demo-org-1-1', 'demo-org-1-2'].map((id) => ({ id, record_lastmod: dated().record_lastmod }));
  upstream.routes.set(children, { total: 2, next_offset: null, objects: entries });
  await harvestInProcess(upstream, snapshot, { onWarning });
  expect(warnings).toEqual([
    'Warning: the last harvest was in the future (2040-03-01): the clock was wrong then, or is now. What it fetched is requested again.',
  ]);
  expect(readStoredBody(snapshot, 'demo-org-1-2')).toContain('New Quay');
});
