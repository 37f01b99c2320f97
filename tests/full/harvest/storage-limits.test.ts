/** Limits of what a harvest stores: it stops before it exceeds them, and a later run with higher ones resumes. */
import { expect, it } from 'vitest';
import { harvestExitCode, harvestLines } from '../../../src/harvest/report.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { respondWith, startTestUpstream } from '../../support/test-upstream.ts';

/** Starts an upstream of which each record names the next one, as its parent, without an end. Each has a text of 100 KB. */
async function startEndlessUpstream() {
  const upstream = await startTestUpstream();
  let end = Number.POSITIVE_INFINITY;
  const recordAt = (path: string) => {
    const n = Number(/^\/api\/0\.2\/demo-org-(\d+)\/$/.exec(path)?.[1]);
    if (!(n <= end)) return respondWith(404);
    const parent = n === end ? {} : { parent_id: `demo-org-${n + 1}` };
    return { id: `demo-org-${n}`, model: 'collection', title: 'Endless', description: 'x'.repeat(100_000), ...parent };
  };
  upstream.routes.get = (path: string) => (path.startsWith('/api/0.2/') ? recordAt(path) : { total: 0, objects: [] });
  const endAt = (n: number) => {
    end = n;
  };
  return { upstream, endAt };
}

const databaseBytes = (snapshot: string) =>
  readSnapshot(snapshot, ({ db }) =>
    Number(db.prepare('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size').get()?.['n']),
  );

it.each([
  ['--max-records', { maxRecords: 8 }, 'it reached the limit of 8 records'],
  ['--max-bytes', { maxDatabaseBytes: 1_000_000 }, 'the snapshot reached the limit of 1.0 MB'],
])('stops an endless upstream at %s, keeps what it has, and resumes with a higher limit', async (limit, limits, cause) => {
  const { upstream, endAt } = await startEndlessUpstream();
  const snapshot = createSnapshotPath();
  const stopped = await harvestInProcess(upstream, snapshot, { limits });
  expect(stopped).toMatchObject({ complete: false, stopped: cause, limit, counts: { collection: 8 } });
  expect(databaseBytes(snapshot)).toBeLessThan(1_000_000);
  expect([harvestExitCode(stopped), harvestLines(stopped)[0]]).toEqual([
    3,
    expect.stringMatching(
      new RegExp(`^Harvest stopped after [\\d.]+ s: ${cause}\\. Run the same command with a higher ${limit} to resume\\.`),
    ),
  ]);
  const requestCount = upstream.requests.length;
  expect(await harvestInProcess(upstream, snapshot, { limits })).toMatchObject({ complete: false, counts: { collection: 8 } });
  endAt(12);
  const { complete, counts, failures } = await harvestInProcess(upstream, snapshot, { limits: { maxRecords: 12 } });
  expect([complete, counts, failures]).toEqual([true, { collection: 12 }, []]);
  // The record that did not fit is requested again, and no other one.
  expect(upstream.requests.slice(requestCount).filter((path) => path === '/api/0.2/demo-org-8/')).toEqual([]);
});

it('does not stop a harvest of exactly as many records as the limit allows, nor an incremental one of as many', async () => {
  const { upstream, endAt } = await startEndlessUpstream();
  endAt(4);
  const snapshot = createSnapshotPath();
  for (const run of ['first', 'incremental'])
    expect([run, (await harvestInProcess(upstream, snapshot, { limits: { maxRecords: 4 } })).complete]).toEqual([run, true]);
});
