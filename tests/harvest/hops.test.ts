/** Every hop of a redirect is a request: allowed hosts, robots.txt and the rate limit apply to it as to the first. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { answer, fill, record, sends, startUpstream } from '../upstream.ts';
import { aSnapshot, failuresOf, harvestHere } from './here.ts';

it('D3: counts each redirect as a request for --rate', async () => {
  const up = await startUpstream();
  const ids = fill(up, 10);
  const times: number[] = [];
  const timed = (route: unknown) => (request: IncomingMessage, response: ServerResponse) => {
    times.push(performance.now());
    answer(route, request, response);
  };
  for (const [path, route] of [...up.answers]) up.answers.set(path, timed(route));
  for (const id of ids) {
    up.answers.set(`/moved/${id}/`, up.answers.get(`/api/0.2/${id}/`));
    up.answers.set(`/api/0.2/${id}/`, timed(sends(302, { location: `/moved/${id}/` })));
  }
  const { counts } = await harvestHere(up, aSnapshot(), { rate: 25, concurrency: 8 });
  expect(counts).toEqual({ collection: 1, entity: 10 });
  expect(times.length).toBeGreaterThan(20);
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 1) * 38);
});

it('D3: follows no redirect to a URL that robots.txt disallows, on the same host or another', async () => {
  const up = await startUpstream();
  const other = await startUpstream();
  fill(up, 3);
  const robots = sends(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed/\n');
  for (const host of [up, other]) {
    host.answers.set('/robots.txt', robots);
    host.answers.set('/closed/x', record(up, 'demo-org-1-1', { model: 'entity' }));
  }
  up.answers.set('/api/0.2/demo-org-1-1/', sends(302, { location: '/closed/x' }));
  up.answers.set('/api/0.2/demo-org-1-2/', sends(302, { location: `${other.url}/closed/x` }));
  const report = await harvestHere(up, aSnapshot(), { allowHosts: [new URL(other.url).host] });
  expect(failuresOf(report)).toEqual([
    ['object:demo-org-1-1', null, `disallowed by ${up.url}/robots.txt (override with --ignore-robots)`, 1],
    ['object:demo-org-1-2', null, `disallowed by ${other.url}/robots.txt (override with --ignore-robots)`, 1],
  ]);
  expect([...up.asked, ...other.asked].filter((path) => path.startsWith('/closed/'))).toEqual([]);
});

it('D3: fails only the record that redirects to an unreachable host, and continues the harvest', async () => {
  const up = await startUpstream();
  const unreachable = await startUpstream();
  await unreachable.close();
  fill(up, 3);
  up.answers.set('/api/0.2/demo-org-1-1/', sends(302, { location: `${unreachable.url}/x` }));
  const report = await harvestHere(up, aSnapshot(), { allowHosts: [new URL(unreachable.url).host], ignoreRobots: true });
  expect([report.complete, report.counts]).toEqual([true, { collection: 1, entity: 2 }]);
  expect(failuresOf(report)).toEqual([['object:demo-org-1-1', null, `${new URL(unreachable.url).host}: connection refused`, 3]]);
});

it('D3: applies a Retry-After delay to the host that a redirect targets', async () => {
  const up = await startUpstream();
  const other = await startUpstream();
  fill(up, 2);
  let count = 0;
  const times: number[] = [];
  other.answers.set('/x', (request: IncomingMessage, response: ServerResponse) => {
    times.push(performance.now());
    if (count++ === 0) sends(429, { 'retry-after': 1 })(request, response);
    else answer(record(up, 'demo-org-1-1', { model: 'entity' }), request, response);
  });
  up.answers.set('/api/0.2/demo-org-1-1/', sends(302, { location: `${other.url}/x` }));
  const { failures } = await harvestHere(up, aSnapshot(), { allowHosts: [new URL(other.url).host] });
  expect([failures, times.length]).toEqual([[], 2]);
  expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(950);
});
