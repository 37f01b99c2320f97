/** How a host is treated: so many requests at once, so many a second, quiet when it asks for it, slower when it has trouble, and robots.txt obeyed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { microfiche, upstreamAt } from '../support.ts';
import { answer, fill, type Handler, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, failuresOf, harvestHere } from './here.ts';

interface Watched {
  /** The most requests that were under way at once. */
  most: number;
  /** When each request came, in milliseconds. */
  times: number[];
}

/** Watches every request to an upstream, each of which takes a while. */
function watch(up: Upstream, milliseconds: number): Watched {
  const watched: Watched = { most: 0, times: [] };
  let active = 0;
  for (const [address, what] of [...up.answers]) {
    up.answers.set(address, ((request: IncomingMessage, response: ServerResponse) => {
      watched.times.push(performance.now());
      watched.most = Math.max(watched.most, ++active);
      setTimeout(() => {
        active--;
        answer(what, request, response);
      }, milliseconds);
    }) satisfies Handler);
  }
  return watched;
}

it('asks for four things at once where nothing else is said, and uses them', async () => {
  const up = await startUpstream();
  fill(up, 40);
  const watched = watch(up, 10);
  await harvestHere(up, aSnapshot());
  expect(watched.most).toBe(4);
});

it('keeps --concurrency for each host by itself', async () => {
  const guide = await startUpstream();
  const catalog = await startUpstream();
  fill(catalog, 30);
  const names = Array.from({ length: 30 }, (_, n) => `Author ${n}`);
  for (const name of names) guide.answers.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  guide.answers.set('/api/3.0/authors/', { total: 30, next_offset: null, objects: names.map((id) => ({ id })) });
  const watched = [watch(guide, 20), watch(catalog, 20)];
  const bases = { authors: guide.url, catalog: catalog.url };
  const report = await harvestHere(guide, aSnapshot(), { bases, concurrency: 3 });
  expect(report.counts).toEqual({ author: 30, collection: 1, entity: 30 });
  expect(watched.map(({ most }) => most)).toEqual([3, 3]);
});

it('keeps --rate, evenly, whatever the concurrency', async () => {
  const up = await startUpstream();
  fill(up, 20);
  const { times } = watch(up, 1);
  await harvestHere(up, aSnapshot(), { rate: 25, concurrency: 16 });
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  expect(times.length).toBeGreaterThan(20);
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 1) * 38);
  expect(Math.min(...gaps)).toBeGreaterThan(15);
});

it('leaves a host as a whole in peace for as long as Retry-After says', async () => {
  const up = await startUpstream();
  const ids = fill(up, 60);
  const { times } = watch(up, 5);
  let refusedAt: number | undefined;
  const good = up.answers.get(`/api/0.2/${ids[10]}/`);
  up.answers.set(`/api/0.2/${ids[10]}/`, (request: IncomingMessage, response: ServerResponse) => {
    if (refusedAt !== undefined) return answer(good, request, response);
    refusedAt = performance.now();
    sends(429, { 'retry-after': 1 })(request, response);
  });
  const { counts, failures } = await harvestHere(up, aSnapshot());
  expect([counts, failures]).toEqual([{ collection: 1, entity: 60 }, []]);
  const meanwhile = times.filter((time) => time > (refusedAt as number) + 50 && time < (refusedAt as number) + 950);
  expect(meanwhile).toEqual([]);
});

it('asks for less at once when errors rise, and for more again when they are over', async () => {
  const up = await startUpstream();
  const ids = fill(up, 300);
  let bad = true;
  let active = 0;
  const most = { bad: 0, good: 0 };
  let failed = 0;
  for (const id of ids) {
    const good = up.answers.get(`/api/0.2/${id}/`);
    up.answers.set(`/api/0.2/${id}/`, (request: IncomingMessage, response: ServerResponse) => {
      active++;
      if (failed > 40) bad = false;
      // The first errors meet the full concurrency; what counts is what comes after them.
      if (!bad || failed > 20) most[bad ? 'bad' : 'good'] = Math.max(most[bad ? 'bad' : 'good'], active);
      setTimeout(() => {
        active--;
        if (bad) failed++;
        answer(bad ? sends(503) : good, request, response);
      }, 10);
    });
  }
  const { counts, failures } = await harvestHere(up, aSnapshot(), { concurrency: 16, limits: { attempts: 8 } });
  expect([counts, failures]).toEqual([{ collection: 1, entity: 300 }, []]);
  expect(most.bad).toBeLessThanOrEqual(2);
  expect(most.good).toBeGreaterThan(8);
});

it('says who is asking: name, version and --contact', async () => {
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

it('leaves alone what robots.txt asks it to leave alone, and says so', async () => {
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

it('obeys the rules for itself before those for everybody', async () => {
  const up = await startUpstream();
  fill(up, 2);
  up.answers.set('/robots.txt', robots('User-agent: *\nDisallow: /\n\nUser-agent: Microfiche\nDisallow: /private/\n'));
  expect((await harvestHere(up, aSnapshot())).counts).toEqual({ collection: 1, entity: 2 });
});

it('keeps the Crawl-delay that robots.txt asks for', async () => {
  const up = await startUpstream();
  fill(up, 6);
  up.answers.set('/robots.txt', robots('User-agent: *\nCrawl-delay: 0.1\n'));
  const { times } = watch(up, 1);
  await harvestHere(up, aSnapshot());
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan((times.length - 2) * 95);
});

it('asks nothing of a host whose robots.txt forbids all, or cannot be read', async () => {
  const up = await startUpstream();
  fill(up, 2);
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot(), '--attempts', '1', '--root', 'demo-org-1'];
  for (const [handler, words] of [
    [robots('User-agent: *\nDisallow: /'), 'disallowed by '],
    [sends(500), 'could not be read (HTTP 500)'],
  ] as const) {
    up.answers.set('/robots.txt', handler);
    const { code, stderr } = await microfiche(args);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toContain(words);
    expect(stderr).toContain('(override with --ignore-robots)');
  }
  expect(up.asked).toEqual([]);
  expect((await microfiche([...args, '--ignore-robots'])).code).toBe(0);
});
