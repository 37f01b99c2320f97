/** A URL in a snapshot permits nothing: private hosts are contacted only if the operator named them on this computer. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { importPackage } from '../../../src/export/import-package.ts';
import { allowedHostsOf, announceSnapshotHosts } from '../../../src/media/download-media.ts';
import type { MediaReport } from '../../../src/media/media-report.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';
import { createHarvestedSnapshot, createImage, createRecordWithImage, runMedia } from '../../support/file-server.ts';
import { readSnapshot } from '../../support/harvest-in-process.ts';
import { exportInProcess } from '../../support/small-packages.ts';
import { respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

/** Runs SQL on a snapshot, as an attacker could. */
function runSql(snapshot: string, sql: string): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** Creates a snapshot of a record with an image on the test upstream. */
async function createImageSnapshot(upstream: TestUpstream): Promise<string> {
  upstream.routes.set('/a.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, await createImage()));
  return createHarvestedSnapshot(upstream, [createRecordWithImage('demo-org-1-1', `${upstream.url}/a.jpg`)]);
}

it('media contacts the private host that the operator named for an earlier harvest, and no other', async () => {
  const upstream = await startTestUpstream();
  const canary = await startTestUpstream();
  const snapshot = await createImageSnapshot(upstream);
  runSql(
    snapshot,
    `UPDATE meta SET value = '${canary.url}' WHERE key IN ('catalog_url', 'authors_url');
    UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '${upstream.url}', '${canary.url}') AS BLOB)`,
  );
  const report = await runMedia(snapshot);
  expect([report.fetched, report.elsewhere]).toEqual([0, [{ host: new URL(canary.url).host, count: 1 }]]);
  expect(canary.requests).toEqual([]);
});

it('verify --repair contacts no private host that only the snapshot names', async () => {
  const upstream = await startTestUpstream();
  const canary = await startTestUpstream();
  const snapshot = await createImageSnapshot(upstream);
  await runMedia(snapshot);
  runSql(
    snapshot,
    `UPDATE meta SET value = '${canary.url}'; UPDATE media SET url = '${canary.url}/a.jpg'; UPDATE blob SET size = size + 1, sha256 = '${'0'.repeat(64)}';
    UPDATE response SET url = '${canary.url}/x', body = x'00' WHERE key LIKE 'object:%'`,
  );
  const { code, stdout } = await runMicrofiche(['verify', '--repair', '--snapshot', snapshot]);
  expect(code).toBe(1);
  expect(stdout).toContain('is not on the public internet');
  expect(canary.requests).toEqual([]);
});

it('on another computer, a private host is contacted only after the operator names it there', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createImageSnapshot(upstream);
  const elsewhere = { env: { XDG_STATE_HOME: createTestDirectory() } };
  const requestsBefore = upstream.requests.length;
  const first = await runMicroficheJson<MediaReport>(['media', '--snapshot', snapshot], elsewhere);
  expect([first.fetched, first.elsewhere.length, upstream.requests.length]).toEqual([0, 1, requestsBefore]);
  const named = ['media', '--snapshot', snapshot, '--allow-host', new URL(upstream.url).host];
  expect((await runMicroficheJson<MediaReport>(named, elsewhere)).fetched).toBe(1);
});

it('a harvest that cannot remember its hosts warns and continues', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/a.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, await createImage()));
  upstream.routes.set('/api/0.2/demo-org-1-1/', createRecordWithImage('demo-org-1-1', `${upstream.url}/a.jpg`));
  const snapshot = join(createTestDirectory(), 'snapshot');
  const file = join(createTestDirectory(), 'a-file');
  writeFileSync(file, '');
  const nowhere = { env: { XDG_STATE_HOME: file } };
  const args = [...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'demo-org-1-1'];
  const { code, stderr } = await runMicrofiche(['harvest', ...args], nowhere);
  expect([code, stderr]).toEqual([0, expect.stringContaining('could not be remembered')]);
  const first = await runMicroficheJson<MediaReport>(['media', '--snapshot', snapshot], nowhere);
  expect([first.fetched, first.elsewhere.length]).toEqual([0, 1]);
});

it('a snapshot gains nothing from hosts that the operator named for another one', async () => {
  const [upstream, other] = [await startTestUpstream(), await startTestUpstream()];
  await createImageSnapshot(other);
  const snapshot = await createImageSnapshot(upstream);
  const requestsBefore = other.requests.length;
  runSql(snapshot, `UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '${upstream.url}', '${other.url}') AS BLOB)`);
  expect((await runMedia(snapshot)).fetched).toBe(0);
  expect(other.requests.length).toBe(requestsBefore);
});

it('a copy of a snapshot, or a package of it, permits no private host, at another place and at the same', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createImageSnapshot(upstream);
  const namedFor = (directory: string) =>
    readSnapshot(directory, (store) => [...allowedHostsOf(store, { allowHosts: [] }).named]);
  expect(namedFor(snapshot)).toEqual([new URL(upstream.url).host]);
  const [copy, bag] = [join(createTestDirectory(), 'copy'), join(createTestDirectory(), 'bag')];
  cpSync(snapshot, copy, { recursive: true });
  await exportInProcess('bagit', snapshot, bag);
  expect(namedFor(copy)).toEqual([]);
  const replace = async (put: () => unknown) => {
    rmSync(snapshot, { recursive: true });
    await put();
    return namedFor(snapshot);
  };
  expect(await replace(() => cpSync(copy, snapshot, { recursive: true }))).toEqual([]);
  expect(await replace(() => importPackage(bag, snapshot))).toEqual([]);
});

it('announces the public hosts that only the snapshot names', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createImageSnapshot(upstream);
  runSql(snapshot, `UPDATE meta SET value = 'https://archive.example.org' WHERE key = 'catalog_url'`);
  const store = openSnapshot(snapshot);
  const announced: string[][] = [];
  const hosts = allowedHostsOf(store, { allowHosts: [] });
  store.close();
  announceSnapshotHosts([{ url: 'https://archive.example.org/a' }, { url: `${upstream.url}/a.jpg` }], hosts, {
    onSnapshotHosts: (mentioned) => void announced.push(mentioned),
  });
  expect(announced).toEqual([['archive.example.org']]);
});
