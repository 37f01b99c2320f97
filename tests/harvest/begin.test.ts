/** What a harvest begins with: the authors list, and at the same time the roots that the user named. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fill, type Handler, inTurn, record, sends, startUpstream } from '../upstream.ts';
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

it('does not wait for a root where the authors list is none', async () => {
  const up = await startUpstream();
  up.answers.set(AUTHORS, sends(200, {}, '<html>'));
  up.answers.set(ROOT, sends(503));
  const snapshot = aSnapshot();
  const begun = performance.now();
  await expect(harvestHere(up, snapshot, { limits: { attempts: 50 } })).rejects.toThrow(/instead of the authors list/);
  expect([existsSync(snapshot), performance.now() - begun < 3000]).toEqual([false, true]);
});
