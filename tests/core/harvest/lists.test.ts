/** Lists that change, repeat or drop entries, or report wrong totals: the harvest always ends, and stores all entries served. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseListPage } from '../../../src/model/lists.ts';
import { readResourceNames } from '../../../src/snapshot/read.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import {
  createRecord,
  type Handler,
  respond,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../../support/test-upstream.ts';

const names = (count: number) => Array.from({ length: count }, (_, n) => `Author ${n + 1}`);
const offsetOf = (request: { url?: string | undefined }, name = 'offset') =>
  Number(new URL(request.url ?? '', 'http://x').searchParams.get(name) ?? 0);

/** Adds authors to an upstream, and the test's own list of them. */
function addAuthors(upstream: TestUpstream, all: string[], list: Handler): void {
  for (const name of all) upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  upstream.routes.set('/api/3.0/authors/', list);
}

const entries = (all: string[]) => all.map((id) => ({ id, title: id }));
/** A list page in the envelope of the service. */
const page = (all: string[], offset: number, count: number, more: Record<string, unknown> = {}) => ({
  total: all.length,
  offset,
  num_this_page: all.slice(offset, offset + count).length,
  next_offset: offset + count < all.length ? offset + count : null,
  objects: entries(all.slice(offset, offset + count)),
  ...more,
});

async function harvestList(list: (upstream: TestUpstream, all: string[]) => Handler, count = 60) {
  const upstream = await startTestUpstream();
  const all = names(count);
  addAuthors(upstream, all, list(upstream, all));
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot, { seeds: [] });
  return {
    report,
    count: report.counts['author'] ?? 0,
    requests: upstream.requests.filter((path) => path.startsWith('/api/3.0/authors/?')),
  };
}

it.each<[string, (upstream: TestUpstream, all: string[]) => Handler]>([
  ['clamps the limit to 7', (_, all) => (request, response) => respond(page(all, offsetOf(request), 7), request, response)],
  [
    'ignores limit and offset, and returns all entries',
    (_, all) => (request, response) => respond(page(all, 0, 60), request, response),
  ],
  ['is a bare array of all entries', (_, all) => (request, response) => respond(entries(all), request, response)],
  [
    'is a bare array of up to 25',
    (_, all) => (request, response) => respond(entries(all.slice(offsetOf(request), offsetOf(request) + 25)), request, response),
  ],
  [
    'has the older shape, with URLs of pages',
    (upstream, all) => (request, response) => {
      const offset = offsetOf(request);
      const next = offset + 25 < all.length ? `${upstream.url}/api/3.0/authors/?limit=25&offset=${offset + 25}` : null;
      respond({ count: all.length, prev: null, next, results: entries(all.slice(offset, offset + 25)) }, request, response);
    },
  ],
  [
    'names no next page at all',
    (_, all) => (request, response) => respond(page(all, offsetOf(request), 25, { next_offset: undefined }), request, response),
  ],
  [
    'calls every page the last one',
    (_, all) => (request, response) =>
      respond(page(all, offsetOf(request), 25, { next_offset: null, next_api: '' }), request, response),
  ],
  [
    'always names the first page as the next',
    (_, all) => (request, response) => respond(page(all, offsetOf(request), 25, { next_offset: 0 }), request, response),
  ],
  [
    'always names the same page as the next',
    (_, all) => (request, response) =>
      respond(page(all, offsetOf(request), 25, { next_offset: offsetOf(request) }), request, response),
  ],
  [
    'names its pages out of order',
    (_, all) => (request, response) => {
      const offset = offsetOf(request);
      respond(page(all, offset, 20, { next_offset: offset === 0 ? 40 : offset === 40 ? 20 : 0 }), request, response);
    },
  ],
  [
    'has two empty pages before its end',
    (_, all) => (request, response) => {
      const offset = offsetOf(request);
      if (offset === 10 || offset === 11) return respond({ total: 60, next_offset: offset + 1, objects: [] }, request, response);
      const start = offset > 11 ? offset - 2 : offset;
      respond(page(all, start, 10, { offset, next_offset: start + 10 < 60 ? offset + 10 : null }), request, response);
    },
  ],
  [
    'repeats the last entry of a page on the next one, and drops an entry for it',
    (_, all) => (request, response) => {
      const offset = offsetOf(request);
      respond({ ...page(all, offset, 25), objects: entries(all.slice(Math.max(0, offset - 1), offset + 24)) }, request, response);
    },
  ],
  [
    'decreases its total from page to page',
    (_, all) => (request, response) =>
      respond(page(all, offsetOf(request), 25, { total: all.length - offsetOf(request) / 25 }), request, response),
  ],
  [
    'always fails on one page',
    (_, all) => (request, response) => {
      const offset = offsetOf(request);
      if (offset === 25) response.writeHead(500).end();
      else respond(page(all, offset, offsetOf(request, 'limit')), request, response);
    },
  ],
])('harvests all 60 authors of a list that %s', async (_, list) => {
  const { report, count, requests } = await harvestList(list);
  expect([count, report.incompleteLists]).toEqual([60, []]);
  expect(requests.length).toBeLessThan(40);
});

it('requests each page once per pass, and makes no second pass over a complete list', async () => {
  const { requests } = await harvestList(
    (_, all) => (request, response) => respond(page(all, offsetOf(request), 25), request, response),
  );
  expect(requests.map((path) => path.split('?')[1])).toEqual(['limit=25&offset=0', 'limit=25&offset=25', 'limit=25&offset=50']);
});

it('finds in a second pass the entries that the first one dropped', async () => {
  let pages = 0;
  const { count, report } = await harvestList((_, all) => (request, response) => {
    const complete = page(all, offsetOf(request), 25);
    respond(++pages <= 3 ? { ...complete, objects: complete.objects.slice(1) } : complete, request, response);
  });
  expect([count, report.incompleteLists]).toEqual([60, []]);
});

it('reports an incomplete list after three passes', async () => {
  const { count, report } = await harvestList(
    (_, all) => (request, response) => respond({ ...page(all, offsetOf(request), 25), total: 63 }, request, response),
  );
  expect([count, report.incompleteLists]).toEqual([60, [{ kind: 'authors', name: '', seen: 60, total: 63, passes: 3 }]]);
});

it('stops reading a list that never ends', async () => {
  let n = 0;
  const { report } = await harvestList(
    (upstream) => (request, response) => {
      const name = `Author ${++n}`;
      if (n < 200) upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
      respond(
        { total: 1e9, next_offset: offsetOf(request) + 1, objects: entries([n < 200 ? name : 'Author 1']) },
        request,
        response,
      );
    },
    0,
  );
  expect(report.counts).toEqual({ author: 199 });
  expect(report.incompleteLists).toMatchObject([{ kind: 'authors', seen: 199, total: 1e9 }]);
});

/** Adds a collection of `total` items whose list fails from offset `maxOffset`. The first item's breadcrumbs name `known`. */
function addLimitedList(upstream: TestUpstream, total: number, maxOffset: number, known: number[] = []): void {
  const id = (n: number) => `demo-org-1-${n}`;
  const children = '/api/0.2/demo-org-1/children/';
  upstream.routes.set(
    '/api/0.2/demo-org-1/',
    createRecord(upstream, 'demo-org-1', { model: 'collection', links: { children: `${upstream.url}${children}` } }),
  );
  for (let n = 1; n <= total; n++) {
    const crumbs = n === 1 ? known.map((other) => ({ id: id(other), model: 'entity' })) : [];
    upstream.routes.set(`/api/0.2/${id(n)}/`, createRecord(upstream, id(n), { model: 'entity', breadcrumbs: crumbs }));
  }
  upstream.routes.set(children, (request: Parameters<Handler>[0], response: Parameters<Handler>[1]) => {
    const offset = offsetOf(request);
    if (offset >= maxOffset) return respondWith(400)(request, response);
    const all = Array.from({ length: total }, (_, n) => id(n + 1));
    respond(page(all, offset, 25), request, response);
  });
}

it('reports the entries beyond the maximum offset, counts those that breadcrumbs name, and makes no second pass', async () => {
  const upstream = await startTestUpstream();
  addLimitedList(upstream, 130, 50, [120, 121]);
  const { counts, incompleteLists, failures } = await harvestInProcess(upstream, createSnapshotPath());
  expect(counts).toEqual({ collection: 1, entity: 52 });
  expect(incompleteLists).toEqual([{ kind: 'children', name: 'demo-org-1', seen: 52, total: 130, passes: 1 }]);
  expect(failures.map(({ key, status }) => [key, status])).toEqual([['children:demo-org-1?limit=25&offset=50', 400]]);
  expect(upstream.requests.filter((path) => path.includes('offset=0'))).toHaveLength(2); // of the authors and the children
});

it('finds the entries beyond the maximum offset by their numbers with --probe', async () => {
  const upstream = await startTestUpstream();
  addLimitedList(upstream, 130, 50);
  upstream.routes.delete('/api/0.2/demo-org-1-77/');
  const snapshot = createSnapshotPath();
  const { counts, incompleteLists, failures } = await harvestInProcess(upstream, snapshot, { probeGaps: true });
  expect(counts).toEqual({ collection: 1, entity: 129 });
  expect(incompleteLists).toEqual([{ kind: 'children', name: 'demo-org-1', seen: 129, total: 130, passes: 1 }]);
  // an ID that does not exist is not a failure
  expect(failures.map(({ key }) => key)).toEqual(['children:demo-org-1?limit=25&offset=50']);
  expect(readSnapshot(snapshot, (store) => readResourceNames(store, 'object'))).toContain('demo-org-1-129');
});

/** One response of a list server that fast-check generates. */
interface Generated {
  items: number[];
  total: number | null | undefined;
  next: number | null | undefined | 'right';
  shape: 'objects' | 'results' | 'array';
  status: number;
}

const generated: fc.Arbitrary<Generated> = fc.record({
  items: fc.array(fc.nat(30), { maxLength: 8 }),
  total: fc.oneof(fc.nat(40), fc.constantFrom(null, undefined, 1e12)),
  next: fc.oneof(fc.nat(60), fc.constantFrom(null, undefined, 'right' as const)),
  shape: fc.constantFrom('objects', 'results', 'array'),
  status: fc.constantFrom(200, 200, 200, 200, 200, 200, 404),
});

it('stores every entry that was served, for any list server that fast-check generates', async () => {
  const upstream = await startTestUpstream();
  for (const name of names(40)) upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  const seed = Date.now() % 2 ** 31;
  console.log(`fast-check seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.array(generated, { minLength: 1, maxLength: 12 }), async (pages) => {
      const served = new Set<string>();
      let turn = 0;
      upstream.requests.length = 0;
      upstream.routes.set('/api/3.0/authors/', (request: Parameters<Handler>[0], response: Parameters<Handler>[1]) => {
        const { items, total, next, shape, status } = pages[turn++ % pages.length] as Generated;
        if (status !== 200 && turn > 1) return respondWith(status)(request, response);
        const list = entries(items.map((n) => `Author ${n + 1}`));
        for (const { id } of list) served.add(id);
        const next_offset = next === 'right' ? offsetOf(request) + list.length : next;
        respond(shape === 'array' ? list : { total, next_offset, [shape]: list }, request, response);
      });
      const snapshot = createSnapshotPath();
      const report = await harvestInProcess(upstream, snapshot, { seeds: ['demo-org-1'], concurrency: 8 });
      expect(report.complete).toBe(true);
      expect(readSnapshot(snapshot, (store) => readResourceNames(store, 'author')).sort()).toEqual([...served].sort());
      expect(report.counts['author'] ?? 0).toBe(served.size);
      expect(upstream.requests.length).toBeLessThan(400);
    }),
    { seed, numRuns: 60 },
  );
});

it('completes a list that drops entries at first, changes its total and repeats entries at page boundaries', async () => {
  const upstream = await startTestUpstream();
  const all = names(70);
  for (const name of all) upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 1 }),
      fc.array(fc.nat(69), { maxLength: 5 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 4 }),
      async (size, repeat, dropped, moves) => {
        const passes = new Set<string>();
        let calls = 0;
        upstream.routes.set('/api/3.0/authors/', (request: Parameters<Handler>[0], response: Parameters<Handler>[1]) => {
          const limit = new URL(request.url ?? '', 'http://x').searchParams.get('limit') ?? '';
          passes.add(limit);
          const offset = offsetOf(request);
          const complete = page(all, offset, size, { total: 70 + (moves[calls++ % moves.length] as number) });
          const shown = all.slice(Math.max(0, offset - repeat), offset + size);
          const objects = entries(shown).filter(({ id }) => passes.size > 2 || !dropped.includes(all.indexOf(id)));
          respond({ ...complete, objects }, request, response);
        });
        const report = await harvestInProcess(upstream, createSnapshotPath(), { seeds: [], concurrency: 8 });
        expect(report.counts['author']).toBe(70);
      },
    ),
    { numRuns: 25 },
  );
});

it('uses test pages that the model parses as list pages', () => {
  expect(parseListPage(page(names(3), 0, 2))).toMatchObject({ entryCount: 2, total: 3, nextOffset: 2, isLast: false });
});
