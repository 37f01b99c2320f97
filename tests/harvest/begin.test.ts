/** Seeds: the authors list, and at the same time the seed records that the operator named. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporary } from '../support.ts';
import { answer, fill, type Handler, inTurn, record, sends, startUpstream } from '../upstream.ts';
import { aSnapshot, failuresOf, harvestHere } from './here.ts';

const ROOT = '/api/0.2/demo-org-1/';
const AUTHORS = '/api/3.0/authors/';

/** A handler that responds after a delay. */
const delayed =
  (milliseconds: number, then: Handler): Handler =>
  (request, response) =>
    void setTimeout(() => then(request, response), milliseconds);

it('requests a seed record and its list together with the authors list, each once', async () => {
  const up = await startUpstream();
  const authors = up.answers.get(AUTHORS);
  let earlyRequests: string[] = [];
  up.answers.set(
    AUTHORS,
    delayed(200, (_, response) => {
      earlyRequests = [...up.asked];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(authors));
    }),
  );
  fill(up, 3);
  const report = await harvestHere(up, aSnapshot());
  expect(report.failures).toEqual([]);
  expect(earlyRequests.filter((path) => path.startsWith(ROOT))).toEqual([ROOT, `${ROOT}children/?limit=25&offset=0`]);
  expect(up.asked.filter((path, index) => up.asked.indexOf(path) !== index)).toEqual([]);
});

it('retries a seed record like any other record, and reports its failure once', async () => {
  const up = await startUpstream();
  up.answers.set(ROOT, sends(500));
  const report = await harvestHere(up, aSnapshot(), { limits: { attempts: 2 } });
  expect(failuresOf(report)).toEqual([['object:demo-org-1', 500, 'HTTP 500', 2]]);
  up.answers.set(ROOT, inTurn(sends(200, {}, '<html>'), record(up, 'demo-org-1')));
  expect((await harvestHere(up, aSnapshot())).failures).toEqual([]);
});

it('requests a seed record once if it is named twice, or by one of its file roles', async () => {
  const up = await startUpstream();
  fill(up, 3);
  await harvestHere(up, aSnapshot(), { roots: ['demo-org-1-1', 'demo-org-1-1', 'demo-org-1-1-master', 'demo-org-1'] });
  expect(up.asked.filter((path, index) => up.asked.indexOf(path) !== index)).toEqual([]);
});

it('requests a seed record again if its host was unreachable at first', async () => {
  const [guide, catalog] = [await startUpstream(), await startUpstream()];
  fill(catalog, 3);
  const authors = guide.answers.get(AUTHORS);
  let attempts = 0;
  const disconnects: Handler = (request) => {
    attempts++;
    request.socket.destroy();
  };
  const answers = new Map(catalog.answers);
  for (const path of answers.keys()) catalog.answers.set(path, disconnects);
  // The host is back when the authors list responds.
  guide.answers.set(
    AUTHORS,
    delayed(1500, (request, response) => {
      for (const [path, what] of answers) catalog.answers.set(path, what);
      answer(authors, request, response);
    }),
  );
  const bases = { authors: guide.url, catalog: catalog.url };
  const report = await harvestHere(catalog, aSnapshot(), { bases, limits: { attempts: 2 } });
  expect([attempts > 0, report.complete, report.failures, report.counts]).toEqual([true, true, [], { collection: 1, entity: 3 }]);
});

/** A handler that never responds. */
const hangs: Handler = () => undefined;

it('fails at once if the harvest cannot start, even with requests in flight', async () => {
  const [guide, catalog] = [await startUpstream(), await startUpstream()];
  guide.answers.set(AUTHORS, sends(200, {}, '<html>'));
  catalog.answers.set(ROOT, hangs);
  const bases = { authors: guide.url, catalog: catalog.url };
  const startedAt = performance.now();
  await expect(harvestHere(catalog, aSnapshot(), { bases, limits: { timeout: 20 } })).rejects.toThrow(/authors list/);
  const taken = join(temporary(), 'taken');
  writeFileSync(taken, 'a file in place of the directory');
  fill(catalog, 3);
  catalog.answers.set(ROOT, hangs);
  await expect(harvestHere(catalog, join(taken, 'snapshot'), { limits: { timeout: 20 } })).rejects.toThrow(/taken/);
  expect(performance.now() - startedAt).toBeLessThan(8000);
});

it('stops on an abort signal, also during a Retry-After delay', async () => {
  const [guide, catalog] = [await startUpstream(), await startUpstream()];
  const authors = guide.answers.get(AUTHORS);
  guide.answers.set(
    AUTHORS,
    delayed(200, (request, response) => answer(authors, request, response)),
  );
  catalog.answers.set(ROOT, sends(429, { 'retry-after': 30 }));
  const bases = { authors: guide.url, catalog: catalog.url };
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(700);
  const ended = await harvestHere(catalog, aSnapshot(), { bases, signal }).catch((error: unknown) => error);
  expect(ended).toMatchObject(ended instanceof Error ? { name: 'TimeoutError' } : { complete: false });
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

it('does not wait for a seed record if the authors list is not a list', async () => {
  const up = await startUpstream();
  up.answers.set(AUTHORS, sends(200, {}, '<html>'));
  up.answers.set(ROOT, sends(503));
  const snapshot = aSnapshot();
  const startedAt = performance.now();
  await expect(harvestHere(up, snapshot, { limits: { attempts: 50 } })).rejects.toThrow(/instead of the authors list/);
  expect([existsSync(snapshot), performance.now() - startedAt < 3000]).toEqual([false, true]);
});
