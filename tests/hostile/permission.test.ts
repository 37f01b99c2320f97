/** A URL in a snapshot gives no permission: private hosts are contacted only if the operator named them on this computer. */

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

/** Runs SQL on a snapshot, as an attacker could. */
function tamper(snapshot: string, sql: string): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** Creates a snapshot of a record with an image on the test upstream. */
async function snapshotOf(up: Upstream): Promise<string> {
  up.answers.set('/a.jpg', sends(200, { 'content-type': 'image/jpeg' }, await picture()));
  return harvested(up, [pictured('demo-org-1-1', `${up.url}/a.jpg`)]);
}

it('S5: media contacts the private host that the operator named for an earlier harvest, and no other', async () => {
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

it('S5: verify --repair contacts no private host that only the snapshot names', async () => {
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

it('S5: on another computer, a private host is contacted only after the operator names it there', async () => {
  const up = await startUpstream();
  const snapshot = await snapshotOf(up);
  const elsewhere = { env: { XDG_STATE_HOME: temporary() } };
  const requestsBefore = up.asked.length;
  const first = await microficheJson<MediaReport>(['media', '--snapshot', snapshot], elsewhere);
  expect([first.fetched, first.elsewhere.length, up.asked.length]).toEqual([0, 1, requestsBefore]);
  const named = ['media', '--snapshot', snapshot, '--allow-host', new URL(up.url).host];
  expect((await microficheJson<MediaReport>(named, elsewhere)).fetched).toBe(1);
});

it('S5: a harvest that cannot remember its hosts warns and continues', async () => {
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

it('S5: a snapshot gains nothing from hosts that the operator named for another one', async () => {
  const [up, other] = [await startUpstream(), await startUpstream()];
  await snapshotOf(other);
  const snapshot = await snapshotOf(up);
  const requestsBefore = other.asked.length;
  tamper(snapshot, `UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '${up.url}', '${other.url}') AS BLOB)`);
  tamper(snapshot, `UPDATE meta SET value = '../../../etc/passwd' WHERE key = 'identity'`);
  expect((await media(snapshot)).fetched).toBe(0);
  expect(other.asked.length).toBe(requestsBefore);
});

it('announces the public hosts that only the snapshot names', async () => {
  const up = await startUpstream();
  const snapshot = await snapshotOf(up);
  tamper(snapshot, `UPDATE meta SET value = 'https://archive.example.org' WHERE key = 'catalog_url'`);
  const store = openSnapshot(snapshot);
  const announced: string[][] = [];
  const hosts = hostsOf(store, { allowHosts: [] });
  store.close();
  announceMentioned([{ url: 'https://archive.example.org/a' }, { url: `${up.url}/a.jpg` }], hosts, {
    onMentioned: (mentioned) => void announced.push(mentioned),
  });
  expect(announced).toEqual([['archive.example.org']]);
});
