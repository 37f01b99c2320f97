/** Request policy: concurrency and rate limits, Retry-After delays, adaptive concurrency, User-Agent and robots.txt. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { microfiche, upstreamAt } from '../support.ts';
import { answer, fill, type Handler, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, failuresOf, harvestHere } from './here.ts';

interface Observed {
  /** Maximum concurrent requests. */
  max: number;
  /** When each request arrived, in milliseconds. */
  times: number[];
}

/** Observes every request to an upstream, and delays each response. */
function observe(up: Upstream, delayMs: number): Observed {
  const observed: Observed = { max: 0, times: [] };
  let active = 0;
  for (const [path, route] of [...up.answers]) {
    up.answers.set(path, ((request: IncomingMessage, response: ServerResponse) => {
      observed.times.push(performance.now());
      observed.max = Math.max(observed.max, ++active);
      setTimeout(() => {
        active--;
        answer(route, request, response);
      }, delayMs);
    }) satisfies Handler);
  }
  return observed;
}

it('sends four concurrent requests by default', async () => {
  const up = await startUpstream();
  fill(up, 40);
  const observed = observe(up, 10);
  await harvestHere(up, aSnapshot());
  expect(observed.max).toBe(4);
});

it('applies --concurrency to each host separately', async () => {
  const guide = await startUpstream();
  const catalog = await startUpstream();
  fill(catalog, 30);
  const names = Array.from({ length: 30 }, (_, n) => `Author ${n}`);
  for (const name of names) guide.answers.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  guide.answers.set('/api/3.0/authors/', { total: 30, next_offset: null, objects: names.map((id) => ({ id })) });
  const observed = [observe(guide, 20), observe(catalog, 20)];
  const bases = { authors: guide.url, catalog: catalog.url };
  const report = await harvestHere(guide, aSnapshot(), { bases, concurrency: 3 });
  expect(report.counts).toEqual({ author: 30, collection: 1, entity: 30 });
  expect(observed.map(({ max }) => max)).toEqual([3, 3]);
});

it('spaces requests evenly by --rate, regardless of the concurrency', async () => {
  const up = await startUpstream();
  fill(up, 20);
  const { times } = observe(up, 1);
  await harvestHere(up, aSnapshot(), { rate: 25, concurrency: 16 });
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  expect(times.length).toBeGreaterThan(20);
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 1) * 38);
  expect(Math.min(...gaps)).toBeGreaterThan(15);
});

it('pauses all requests to a host during a Retry-After delay', async () => {
  const up = await startUpstream();
  const ids = fill(up, 60);
  const { times } = observe(up, 5);
  let pausedAt: number | undefined;
  const good = up.answers.get(`/api/0.2/${ids[10]}/`);
  up.answers.set(`/api/0.2/${ids[10]}/`, (request: IncomingMessage, response: ServerResponse) => {
    if (pausedAt !== undefined) return answer(good, request, response);
    pausedAt = performance.now();
    sends(429, { 'retry-after': 1 })(request, response);
  });
  const { counts, failures } = await harvestHere(up, aSnapshot());
  expect([counts, failures]).toEqual([{ collection: 1, entity: 60 }, []]);
  const duringDelay = times.filter((time) => time > (pausedAt as number) + 50 && time < (pausedAt as number) + 950);
  expect(duringDelay).toEqual([]);
});

it('reduces the concurrency while requests fail, and raises it again afterwards', async () => {
  const up = await startUpstream();
  const ids = fill(up, 300);
  let isFailing = true;
  let active = 0;
  const max = { failing: 0, recovered: 0 };
  let failed = 0;
  for (const id of ids) {
    const good = up.answers.get(`/api/0.2/${id}/`);
    up.answers.set(`/api/0.2/${id}/`, (request: IncomingMessage, response: ServerResponse) => {
      active++;
      if (failed > 40) isFailing = false;
      const phase = isFailing ? 'failing' : 'recovered';
      // The first errors occur at full concurrency, so they do not count.
      if (!isFailing || failed > 20) max[phase] = Math.max(max[phase], active);
      setTimeout(() => {
        active--;
        if (isFailing) failed++;
        answer(isFailing ? sends(503) : good, request, response);
      }, 10);
    });
  }
  const { counts, failures } = await harvestHere(up, aSnapshot(), { concurrency: 16, limits: { attempts: 8 } });
  expect([counts, failures]).toEqual([{ collection: 1, entity: 300 }, []]);
  expect(max.failing).toBeLessThanOrEqual(2);
  expect(max.recovered).toBeGreaterThan(8);
});

it('sends name, version and --contact as its User-Agent', async () => {
  const up = await startUpstream();
  const agents = new Set<string | undefined>();
  up.answers.set('/api/3.0/authors/', (request: IncomingMessage, response: ServerResponse) => {
    agents.add(request.headers['user-agent']);
    answer({ total: 0, objects: [], next_offset: null }, request, response);
  });
  const args = [
    'harvest',
    ...upstreamAt(up.url),
    '--snapshot',
    aSnapshot(),
    '--contact',
    'mailto:me@example.org',
    '--root',
    'demo-org-1',
  ];
  expect((await microfiche(args)).code).toBe(0);
  expect([...agents]).toEqual([expect.stringMatching(/^Microfiche\/\d+\.\d+\.\d+ \(mailto:me@example\.org\)$/)]);
});

const robots = (text: string): Handler => sends(200, { 'content-type': 'text/plain' }, text);

it('reports a URL that robots.txt disallows, and does not request it', async () => {
  const up = await startUpstream();
  fill(up, 5);
  up.answers.set('/robots.txt', robots('User-agent: *\nDisallow: /api/0.2/demo-org-1-3/\n'));
  const snapshot = aSnapshot();
  const { counts, ...report } = await harvestHere(up, snapshot);
  expect(counts).toEqual({ collection: 1, entity: 4 });
  expect(failuresOf({ counts, ...report })).toEqual([
    ['object:demo-org-1-3', null, `disallowed by ${up.url}/robots.txt (override with --ignore-robots)`, 0],
  ]);
  expect(up.asked).not.toContain('/api/0.2/demo-org-1-3/');
  expect((await harvestHere(up, snapshot, { retryFailed: true, ignoreRobots: true })).counts).toEqual({
    collection: 1,
    entity: 5,
  });
});

it('applies the robots.txt rules for Microfiche instead of those for all agents', async () => {
  const up = await startUpstream();
  fill(up, 2);
  up.answers.set('/robots.txt', robots('User-agent: *\nDisallow: /\n\nUser-agent: Microfiche\nDisallow: /private/\n'));
  expect((await harvestHere(up, aSnapshot())).counts).toEqual({ collection: 1, entity: 2 });
});

it('applies the Crawl-delay of robots.txt', async () => {
  const up = await startUpstream();
  fill(up, 6);
  up.answers.set('/robots.txt', robots('User-agent: *\nCrawl-delay: 0.1\n'));
  const { times } = observe(up, 1);
  await harvestHere(up, aSnapshot());
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 2) * 95);
});

it('requests nothing from a host whose robots.txt disallows everything, or cannot be read', async () => {
  const up = await startUpstream();
  fill(up, 2);
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot(), '--attempts', '1', '--root', 'demo-org-1'];
  for (const [handler, message] of [
    [robots('User-agent: *\nDisallow: /'), 'disallowed by '],
    [sends(500), 'could not be read (HTTP 500)'],
  ] as const) {
    up.answers.set('/robots.txt', handler);
    const { code, stderr } = await microfiche(args);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toContain(message);
    expect(stderr).toContain('(override with --ignore-robots)');
  }
  expect(up.asked).toEqual([]);
  expect((await microfiche([...args, '--ignore-robots'])).code).toBe(0);
});
