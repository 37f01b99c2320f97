/** A URL in a snapshot is no permission to reach inside a network: private hosts are asked only if the user named them on this machine. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { MediaReport } from '../../src/media/fetch.ts';
import { announceMentioned, hostsOf } from '../../src/media/fetch.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { harvested, media, picture, pictured } from '../media/files.ts';
import { microfiche, microficheJson, temporary, upstreamAt } from '../support.ts';
import { sends, startUpstream, type Upstream } from '../upstream.ts';

/** Runs SQL on a snapshot, as somebody who has it in hands may. */
function tamper(snapshot: string, sql: string): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** A snapshot of a record with a picture on the upstream itself. */
async function snapshotOf(up: Upstream): Promise<string> {
  up.answers.set('/a.jpg', sends(200, { 'content-type': 'image/jpeg' }, await picture()));
  return harvested(up, [pictured('demo-org-1-1', `${up.url}/a.jpg`)]);
}

it('S5: media asks the private host that the user named for an earlier harvest, and no other', async () => {
  const up = await startUpstream();
  const canary = await startUpstream();
  const snapshot = await snapshotOf(up);
  tamper(
    snapshot,
    `UPDATE meta SET value = '${canary.url}' WHERE key IN ('catalog_url', 'authors_url');
    UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '${up.url}', '${canary.url}') AS BLOB)`,
  );
  const report = await media(snapshot);
  expect([report.fetched, report.elsewhere]).toEqual([0, [{ host: new URL(canary.url).host, count: 1 }]]);
  expect(canary.asked).toEqual([]);
});

it('S5: verify --repair asks no host that only the snapshot names and that is private', async () => {
  const up = await startUpstream();
  const canary = await startUpstream();
  const snapshot = await snapshotOf(up);
  await media(snapshot);
  tamper(
    snapshot,
    `UPDATE meta SET value = '${canary.url}'; UPDATE media SET url = '${canary.url}/a.jpg'; UPDATE blob SET size = size + 1, sha256 = '${'0'.repeat(64)}';
    UPDATE response SET url = '${canary.url}/x', body = x'00' WHERE key LIKE 'object:%'`,
  );
  const { code, stdout } = await microfiche(['verify', '--repair', '--snapshot', snapshot]);
  expect(code).toBe(1);
  expect(stdout).toContain('is not on the public internet');
  expect(canary.asked).toEqual([]);
});

it('S5: on another machine, where nobody named it, the private host is not asked until it is named', async () => {
  const up = await startUpstream();
  const snapshot = await snapshotOf(up);
  const elsewhere = { env: { XDG_STATE_HOME: temporary() } };
  const asked = up.asked.length;
  const first = await microficheJson<MediaReport>(['media', '--snapshot', snapshot], elsewhere);
  expect([first.fetched, first.elsewhere.length, up.asked.length]).toEqual([0, 1, asked]);
  const named = ['media', '--snapshot', snapshot, '--allow-host', new URL(up.url).host];
  expect((await microficheJson<MediaReport>(named, elsewhere)).fetched).toBe(1);
});

it('S5: a harvest that cannot remember the hosts says so, and goes on', async () => {
  const up = await startUpstream();
  up.answers.set('/a.jpg', sends(200, { 'content-type': 'image/jpeg' }, await picture()));
  up.answers.set('/api/0.2/demo-org-1-1/', pictured('demo-org-1-1', `${up.url}/a.jpg`));
  const snapshot = join(temporary(), 'snapshot');
  const file = join(temporary(), 'a-file');
  writeFileSync(file, '');
  const nowhere = { env: { XDG_STATE_HOME: file } };
  const args = [...upstreamAt(up.url), '--snapshot', snapshot, '--root', 'demo-org-1-1'];
  const { code, stderr } = await microfiche(['harvest', ...args], nowhere);
  expect([code, stderr]).toEqual([0, expect.stringContaining('could not be remembered')]);
  const first = await microficheJson<MediaReport>(['media', '--snapshot', snapshot], nowhere);
  expect([first.fetched, first.elsewhere.length]).toEqual([0, 1]);
});

it('S5: a snapshot cannot borrow what the user named for another one', async () => {
  const [up, other] = [await startUpstream(), await startUpstream()];
  await snapshotOf(other);
  const snapshot = await snapshotOf(up);
  const asked = other.asked.length;
  tamper(snapshot, `UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '${up.url}', '${other.url}') AS BLOB)`);
  tamper(snapshot, `UPDATE meta SET value = '../../../etc/passwd' WHERE key = 'identity'`);
  expect((await media(snapshot)).fetched).toBe(0);
  expect(other.asked.length).toBe(asked);
});

it('says which public hosts it will ask because the snapshot names them', async () => {
  const up = await startUpstream();
  const snapshot = await snapshotOf(up);
  tamper(snapshot, `UPDATE meta SET value = 'https://archive.example.org' WHERE key = 'catalog_url'`);
  const store = openSnapshot(snapshot);
  const told: string[][] = [];
  const hosts = hostsOf(store, { allowHosts: [] });
  store.close();
  announceMentioned([{ url: 'https://archive.example.org/a' }, { url: `${up.url}/a.jpg` }], hosts, {
    onMentioned: (some) => void told.push(some),
  });
  expect(told).toEqual([['archive.example.org']]);
});
