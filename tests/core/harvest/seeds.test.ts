/** Seeds: the authors list, and the seed records that the operator named. They are requested at the same time. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, summarizeFailures } from '../../support/harvest-in-process.ts';
import {
  addRecords,
  createRecord,
  type Handler,
  respond,
  respondInTurn,
  respondWith,
  startTestUpstream,
} from '../../support/test-upstream.ts';

const ROOT = '/api/0.2/demo-org-1/';
const AUTHORS = '/api/3.0/authors/';

/** A handler that responds after a delay. */
const delayed =
  (milliseconds: number, then: Handler): Handler =>
  (request, response) =>
    void setTimeout(() => then(request, response), milliseconds);

it('requests a seed record and its list together with the authors list, each once', async () => {
  const upstream = await startTestUpstream();
  const authors = upstream.routes.get(AUTHORS);
  const early = [ROOT, `${ROOT}children/?limit=25&offset=0`];
  // Responds only after the others were requested: if they wait for it, the harvest never ends.
  const lastOfAll: Handler = async (_, response) => {
    while (!early.every((path) => upstream.requests.includes(path))) await wait(10);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(authors));
  };
  upstream.routes.set(AUTHORS, lastOfAll);
  addRecords(upstream, 3);
  const report = await harvestInProcess(upstream, createSnapshotPath());
  expect(report.failures).toEqual([]);
  expect(upstream.requests.filter((path) => path.startsWith(ROOT)).slice(0, 2)).toEqual(early);
  expect(upstream.requests.filter((path, index) => upstream.requests.indexOf(path) !== index)).toEqual([]);
});

it('retries a seed record like any other record, and reports its failure once', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set(ROOT, respondWith(500));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { limits: { maxAttempts: 2 } });
  expect(summarizeFailures(report)).toEqual([['object:demo-org-1', 500, 'HTTP 500', 2]]);
  upstream.routes.set(ROOT, respondInTurn(respondWith(200, {}, '<html>'), createRecord(upstream, 'demo-org-1')));
  expect((await harvestInProcess(upstream, createSnapshotPath())).failures).toEqual([]);
});

it('requests a seed record once if it is named twice, or by one of its file roles', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 3);
  await harvestInProcess(upstream, createSnapshotPath(), {
    seeds: ['demo-org-1-1', 'demo-org-1-1', 'demo-org-1-1-master', 'demo-org-1'],
  });
  expect(upstream.requests.filter((path, index) => upstream.requests.indexOf(path) !== index)).toEqual([]);
});

it('requests a seed record again if its host was unreachable at first', async () => {
  const [guide, catalog] = [await startTestUpstream(), await startTestUpstream()];
  addRecords(catalog, 3);
  const authors = guide.routes.get(AUTHORS);
  let attempts = 0;
  const disconnects: Handler = (request) => {
    attempts++;
    request.socket.destroy();
  };
  const routes = new Map(catalog.routes);
  for (const path of routes.keys()) catalog.routes.set(path, disconnects);
  // The host is reachable again when the authors list responds.
  guide.routes.set(
    AUTHORS,
    delayed(1500, (request, response) => {
      for (const [path, route] of routes) catalog.routes.set(path, route);
      respond(authors, request, response);
    }),
  );
  const baseUrls = { authors: guide.url, catalog: catalog.url };
  const report = await harvestInProcess(catalog, createSnapshotPath(), { baseUrls, limits: { maxAttempts: 2 } });
  expect([attempts > 0, report.complete, report.failures, report.counts]).toEqual([true, true, [], { collection: 1, entity: 3 }]);
});

/** A handler that never responds. */
const neverResponds: Handler = () => undefined;

it('fails immediately if the harvest cannot start, even with requests in flight', async () => {
  const [guide, catalog] = [await startTestUpstream(), await startTestUpstream()];
  guide.routes.set(AUTHORS, respondWith(200, {}, '<html>'));
  catalog.routes.set(ROOT, neverResponds);
  const baseUrls = { authors: guide.url, catalog: catalog.url };
  const startedAt = performance.now();
  await expect(harvestInProcess(catalog, createSnapshotPath(), { baseUrls, limits: { timeoutSeconds: 100 } })).rejects.toThrow(
    /authors list/,
  );
  const taken = join(createTestDirectory(), 'taken');
  writeFileSync(taken, 'a file instead of the directory');
  addRecords(catalog, 3);
  catalog.routes.set(ROOT, neverResponds);
  await expect(harvestInProcess(catalog, join(taken, 'snapshot'), { limits: { timeoutSeconds: 100 } })).rejects.toThrow(/taken/);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

it('stops on an abort signal, also during a Retry-After delay', async () => {
  const [guide, catalog] = [await startTestUpstream(), await startTestUpstream()];
  const authors = guide.routes.get(AUTHORS);
  guide.routes.set(
    AUTHORS,
    delayed(200, (request, response) => respond(authors, request, response)),
  );
  catalog.routes.set(ROOT, respondWith(429, { 'retry-after': 300 }));
  const baseUrls = { authors: guide.url, catalog: catalog.url };
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(700);
  const ended = await harvestInProcess(catalog, createSnapshotPath(), { baseUrls, signal }).catch((error: unknown) => error);
  expect(ended).toMatchObject(ended instanceof Error ? { name: 'TimeoutError' } : { complete: false });
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

it('does not wait for a seed record if the authors list is not a list', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set(AUTHORS, respondWith(200, {}, '<html>'));
  upstream.routes.set(ROOT, respondWith(503));
  const snapshot = createSnapshotPath();
  const startedAt = performance.now();
  await expect(harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 50 } })).rejects.toThrow(
    /instead of the authors list/,
  );
  expect([existsSync(snapshot), performance.now() - startedAt < 60_000]).toEqual([false, true]);
});
