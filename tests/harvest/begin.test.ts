/** What a harvest begins with: the authors list, and at the same time the roots that the user named. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporary } from '../support.ts';
import { answer, fill, type Handler, inTurn, record, sends, startUpstream } from '../upstream.ts';
import { aSnapshot, failuresOf, harvestHere } from './here.ts';

const ROOT = '/api/0.2/demo-org-1/';
const AUTHORS = '/api/3.0/authors/';

/** Answers after so many milliseconds. */
const late =
  (milliseconds: number, then: Handler): Handler =>
  (request, response) =>
    void setTimeout(() => then(request, response), milliseconds);

it('asks for a root and its list beside the authors list, and for each once', async () => {
  const up = await startUpstream();
  const authors = up.answers.get(AUTHORS);
  let askedBefore: string[] = [];
  up.answers.set(
    AUTHORS,
    late(200, (_, response) => {
      askedBefore = [...up.asked];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(authors));
    }),
  );
  fill(up, 3);
  const report = await harvestHere(up, aSnapshot());
  expect(report.failures).toEqual([]);
  expect(askedBefore.filter((path) => path.startsWith(ROOT))).toEqual([ROOT, `${ROOT}children/?limit=25&offset=0`]);
  expect(up.asked.filter((path, index) => up.asked.indexOf(path) !== index)).toEqual([]);
});

it('tries a root as patiently as any other record, and reports it once', async () => {
  const up = await startUpstream();
  up.answers.set(ROOT, sends(500));
  const report = await harvestHere(up, aSnapshot(), { limits: { attempts: 2 } });
  expect(failuresOf(report)).toEqual([['object:demo-org-1', 500, 'HTTP 500', 2]]);
  up.answers.set(ROOT, inTurn(sends(200, {}, '<html>'), record(up, 'demo-org-1')));
  expect((await harvestHere(up, aSnapshot())).failures).toEqual([]);
});

it('asks once for a root that is named twice, or by a file role of it', async () => {
  const up = await startUpstream();
  fill(up, 3);
  await harvestHere(up, aSnapshot(), { roots: ['demo-org-1-1', 'demo-org-1-1', 'demo-org-1-1-master', 'demo-org-1'] });
  expect(up.asked.filter((path, index) => up.asked.indexOf(path) !== index)).toEqual([]);
});

it('asks a root’s host again that was away when it was asked first', async () => {
  const [guide, catalog] = [await startUpstream(), await startUpstream()];
  fill(catalog, 3);
  const authors = guide.answers.get(AUTHORS);
  let attempts = 0;
  const away: Handler = (request) => {
    attempts++;
    request.socket.destroy();
  };
  const answers = new Map(catalog.answers);
  for (const path of answers.keys()) catalog.answers.set(path, away);
  // By the time that the authors list answers, the host is back.
  guide.answers.set(
    AUTHORS,
    late(1500, (request, response) => {
      for (const [path, what] of answers) catalog.answers.set(path, what);
      answer(authors, request, response);
    }),
  );
  const bases = { authors: guide.url, catalog: catalog.url };
  const report = await harvestHere(catalog, aSnapshot(), { bases, limits: { attempts: 2 } });
  expect([attempts > 0, report.complete, report.failures, report.counts]).toEqual([true, true, [], { collection: 1, entity: 3 }]);
});

/** Never answers. */
const hangs: Handler = () => undefined;

it('ends at once where it cannot begin, whatever else is under way', async () => {
  const [guide, catalog] = [await startUpstream(), await startUpstream()];
  guide.answers.set(AUTHORS, sends(200, {}, '<html>'));
  catalog.answers.set(ROOT, hangs);
  const bases = { authors: guide.url, catalog: catalog.url };
  const begun = performance.now();
  await expect(harvestHere(catalog, aSnapshot(), { bases, limits: { timeout: 20 } })).rejects.toThrow(/authors list/);
  const taken = join(temporary(), 'taken');
  writeFileSync(taken, 'a file where the folder should be');
  fill(catalog, 3);
  catalog.answers.set(ROOT, hangs);
  await expect(harvestHere(catalog, join(taken, 'snapshot'), { limits: { timeout: 20 } })).rejects.toThrow(/taken/);
  expect(performance.now() - begun).toBeLessThan(8000);
});

it('stops when it is asked to, also while it waits for what Retry-After says', async () => {
  const [guide, catalog] = [await startUpstream(), await startUpstream()];
  const authors = guide.answers.get(AUTHORS);
  guide.answers.set(
    AUTHORS,
    late(200, (request, response) => answer(authors, request, response)),
  );
  catalog.answers.set(ROOT, sends(429, { 'retry-after': 30 }));
  const bases = { authors: guide.url, catalog: catalog.url };
  const begun = performance.now();
  const signal = AbortSignal.timeout(700);
  const ended = await harvestHere(catalog, aSnapshot(), { bases, signal }).catch((error: unknown) => error);
  expect(ended).toMatchObject(ended instanceof Error ? { name: 'TimeoutError' } : { complete: false });
  expect(performance.now() - begun).toBeLessThan(5000);
});

it('does not wait for a root where the authors list is none', async () => {
  const up = await startUpstream();
  up.answers.set(AUTHORS, sends(200, {}, '<html>'));
  up.answers.set(ROOT, sends(503));
  const snapshot = aSnapshot();
  const begun = performance.now();
  await expect(harvestHere(up, snapshot, { limits: { attempts: 50 } })).rejects.toThrow(/instead of the authors list/);
  expect([existsSync(snapshot), performance.now() - begun < 3000]).toEqual([false, true]);
});
