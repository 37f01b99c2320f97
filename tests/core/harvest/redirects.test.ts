/** Redirects: allowed hosts, robots.txt and the rate limit apply to every request of a chain. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createSnapshotPath, harvestInProcess, summarizeFailures } from '../../support/harvest-in-process.ts';
import { addRecords, createRecord, respond, respondWith, startTestUpstream } from '../../support/test-upstream.ts';

it('counts each redirect as a request for --rate', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 10);
  const times: number[] = [];
  const timed = (route: unknown) => (request: IncomingMessage, response: ServerResponse) => {
    times.push(performance.now());
    respond(route, request, response);
  };
  for (const [path, route] of [...upstream.routes]) upstream.routes.set(path, timed(route));
  for (const id of ids) {
    upstream.routes.set(`/moved/${id}/`, upstream.routes.get(`/api/0.2/${id}/`));
    upstream.routes.set(`/api/0.2/${id}/`, timed(respondWith(302, { location: `/moved/${id}/` })));
  }
  const { counts } = await harvestInProcess(upstream, createSnapshotPath(), { maxRequestsPerSecond: 25, concurrency: 8 });
  expect(counts).toEqual({ collection: 1, entity: 10 });
  expect(times.length).toBeGreaterThan(20);
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 1) * 38);
});

it('follows no redirect to a URL that robots.txt disallows, on the same host or another', async () => {
  const upstream = await startTestUpstream();
  const other = await startTestUpstream();
  addRecords(upstream, 3);
  const robots = respondWith(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed/\n');
  for (const host of [upstream, other]) {
    host.routes.set('/robots.txt', robots);
    host.routes.set('/closed/x', createRecord(upstream, 'demo-org-1-1', { model: 'entity' }));
  }
  upstream.routes.set('/api/0.2/demo-org-1-1/', respondWith(302, { location: '/closed/x' }));
  upstream.routes.set('/api/0.2/demo-org-1-2/', respondWith(302, { location: `${other.url}/closed/x` }));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { allowHosts: [new URL(other.url).host] });
  expect(summarizeFailures(report)).toEqual([
    ['object:demo-org-1-1', null, `disallowed by ${upstream.url}/robots.txt (override with --ignore-robots)`, 1],
    ['object:demo-org-1-2', null, `disallowed by ${other.url}/robots.txt (override with --ignore-robots)`, 1],
  ]);
  expect([...upstream.requests, ...other.requests].filter((path) => path.startsWith('/closed/'))).toEqual([]);
});

it('fails only the record that redirects to an unreachable host, and continues the harvest', async () => {
  const upstream = await startTestUpstream();
  const unreachable = await startTestUpstream();
  await unreachable.close();
  addRecords(upstream, 3);
  upstream.routes.set('/api/0.2/demo-org-1-1/', respondWith(302, { location: `${unreachable.url}/x` }));
  const report = await harvestInProcess(upstream, createSnapshotPath(), {
    allowHosts: [new URL(unreachable.url).host],
    ignoreRobots: true,
  });
  expect([report.complete, report.counts]).toEqual([true, { collection: 1, entity: 2 }]);
  expect(summarizeFailures(report)).toEqual([
    ['object:demo-org-1-1', null, `${new URL(unreachable.url).host}: connection refused`, 3],
  ]);
});

it('applies a Retry-After delay to the host that a redirect targets', async () => {
  const upstream = await startTestUpstream();
  const other = await startTestUpstream();
  addRecords(upstream, 2);
  let count = 0;
  const times: number[] = [];
  other.routes.set('/x', (request: IncomingMessage, response: ServerResponse) => {
    times.push(performance.now());
    if (count++ === 0) respondWith(429, { 'retry-after': 1 })(request, response);
    else respond(createRecord(upstream, 'demo-org-1-1', { model: 'entity' }), request, response);
  });
  upstream.routes.set('/api/0.2/demo-org-1-1/', respondWith(302, { location: `${other.url}/x` }));
  const { failures } = await harvestInProcess(upstream, createSnapshotPath(), { allowHosts: [new URL(other.url).host] });
  expect([failures, times.length]).toEqual([[], 2]);
  expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(950);
});
