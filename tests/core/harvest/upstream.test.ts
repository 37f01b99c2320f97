/** A snapshot belongs to one upstream, and an empty upstream is an error. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBaseUrls } from '../../../src/snapshot/read.ts';
import { createTestDirectory, runMicrofiche } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { addRecords, createRecord, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const runHarvest = (baseUrls: { authors: string; catalog: string }, snapshot: string, ...more: string[]) =>
  runMicrofiche([
    'harvest',
    '--authors-url',
    baseUrls.authors,
    '--catalog-url',
    baseUrls.catalog,
    '--snapshot',
    snapshot,
    ...more,
  ]);
const bothBaseUrls = (url: string) => ({ authors: url, catalog: url });

async function startTwoArchives(): Promise<[TestUpstream, TestUpstream]> {
  const [one, other] = [await startTestUpstream(), await startTestUpstream()];
  addRecords(one, 2);
  other.routes.set('/api/0.2/demo-org-9/', createRecord(other, 'demo-org-9', { model: 'collection' }));
  return [one, other];
}

it('rejects a harvest of another archive into a snapshot with one line, and changes nothing', async () => {
  const [one, other] = await startTwoArchives();
  const snapshot = createSnapshotPath();
  await harvestInProcess(one, snapshot);
  for (const baseUrls of [
    bothBaseUrls(other.url),
    { authors: one.url, catalog: other.url },
    { authors: other.url, catalog: one.url },
  ]) {
    for (const more of [[], ['--retry-failed']]) {
      const { code, stdout, stderr } = await runHarvest(baseUrls, snapshot, '--root', 'demo-org-9', ...more);
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
      expect(stderr).toMatch(/contains the archive at http:\/\/127\.0\.0\.1:\d+.*--snapshot.*--new-upstream/);
    }
  }
  expect(other.requests).toEqual([]);
  expect(readSnapshot(snapshot, readBaseUrls)).toEqual(bothBaseUrls(one.url));
});

it('--new-upstream confirms that the archive has moved, and is needed once', async () => {
  const [one, other] = await startTwoArchives();
  const snapshot = createSnapshotPath();
  await harvestInProcess(one, snapshot);
  addRecords(other, 2);
  const moved = await runHarvest(bothBaseUrls(other.url), snapshot, '--root', 'demo-org-1', '--new-upstream');
  expect([moved.code, moved.stderr]).toEqual([0, '']);
  expect(readSnapshot(snapshot, readBaseUrls)).toEqual(bothBaseUrls(other.url));
  expect((await runHarvest(bothBaseUrls(other.url), snapshot, '--root', 'demo-org-1')).code).toBe(0);
  expect((await runHarvest(bothBaseUrls(one.url), snapshot)).code).toBe(1);
});

it('treats another scheme or a trailing slash as the same upstream', async () => {
  const [one] = await startTwoArchives();
  const snapshot = createSnapshotPath();
  await harvestInProcess(one, snapshot);
  expect((await runHarvest(bothBaseUrls(`${one.url}/`), snapshot)).code).toBe(0);
  // The host does not serve HTTPS, so the harvest fails, but for that reason only.
  expect((await runHarvest(bothBaseUrls(one.url.replace('http:', 'https:')), snapshot)).stderr).not.toContain(
    'contains the archive at',
  );
});

it('accepts the sample archive from any port into its snapshot, and never a real archive', async () => {
  const [one, other] = await startTwoArchives();
  const snapshot = createSnapshotPath();
  const meta = { sample: 'The sample' };
  await harvestInProcess(one, snapshot, { meta });
  addRecords(other, 2);
  expect((await harvestInProcess(other, snapshot, { meta })).counts).toEqual({ collection: 1, entity: 2 });
  for (const more of [[], ['--new-upstream']]) {
    const { code, stderr } = await runHarvest(bothBaseUrls(one.url), snapshot, ...more);
    expect([code, stderr]).toEqual([1, expect.stringContaining('contains the sample archive')]);
  }
});

it('mirror uses a separate snapshot directory for the sample archive', async () => {
  const { stdout } = await runMicrofiche(['mirror', '--help']);
  expect(stdout).toMatch(/--snapshot <dir>.*content\/sample-snapshot/s);
});

it('fails if the authors list is empty, and creates no snapshot', async () => {
  const upstream = await startTestUpstream();
  const snapshot = join(createTestDirectory(), 's');
  const { code, stdout, stderr } = await runHarvest(bothBaseUrls(upstream.url), snapshot);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
  expect(stderr).toMatch(/authors list .* is empty.*Check --authors-url.*--root/);
  expect(existsSync(snapshot)).toBe(false);
});

it('fails if a list with a total returns no entries', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', { total: 3, objects: [], next_offset: null });
  const { code, stderr } = await runHarvest(bothBaseUrls(upstream.url), join(createTestDirectory(), 's'));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/Nothing was harvested.*Check --authors-url and --catalog-url/)]);
});

it('updates a snapshot that contains records, even if the authors list is empty now', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  expect((await runHarvest(bothBaseUrls(upstream.url), snapshot)).code).toBe(0);
});
