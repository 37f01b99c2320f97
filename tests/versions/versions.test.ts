/** Snapshots that the programs of earlier versions wrote can be used forever: each is migrated, checked, shown and refreshed. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { readMediaRows } from '../../src/snapshot/read.ts';
import { SCHEMA_VERSION } from '../../src/snapshot/schema.ts';
import { createSnapshot, openSnapshot } from '../../src/snapshot/store.ts';
import { buildSnapshot, runMedia } from '../media/file-server.ts';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../support.ts';
import { COLLECTION, serveVideo, startArchive } from './archive.ts';

/** Named after the version that the database says, and what sets it apart from others of that number. */
const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const REDACTIONS_IN_RESPONSES = '4-redactions-in-responses';

function copyOf(name: string): string {
  const snapshot = join(createTestDirectory(), 'snapshot');
  cpSync(join(import.meta.dirname, name), snapshot, { recursive: true });
  return snapshot;
}

function inDatabase<T>(snapshot: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

function change(snapshot: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    work(db);
  } finally {
    db.close();
  }
}

/** Opens a snapshot as every command does, which brings it up to date. */
function upToDate(snapshot: string): string {
  openSnapshot(snapshot).close();
  return snapshot;
}

type Rows = Array<Record<string, unknown>>;

const PRAGMAS = ['table_xinfo', 'index_list', 'foreign_key_list'];

/** All that SQLite says of the tables, without comments and white space. */
function schemaOf(snapshot: string): Record<string, unknown> {
  return inDatabase(snapshot, (db) => {
    const objects = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
    const told = objects.map(({ type, name, sql }) => {
      const rows =
        type === 'table' ? PRAGMAS.map((pragma) => db.prepare(`SELECT * FROM pragma_${pragma}(?)`).all(name as string)) : [];
      const columns = type === 'index' ? db.prepare('SELECT * FROM pragma_index_xinfo(?)').all(name as string) : [];
      return [`${type} ${name}`, { sql: sql === null ? null : plain(String(sql)), rows, columns }];
    });
    const one = (pragma: string) => db.prepare(`PRAGMA ${pragma}`).get();
    return { ...Object.fromEntries(told), version: one('user_version'), application: one('application_id') };
  });
}

function plain(sql: string): string {
  return sql
    .replace(/--[^\n]*|\/\*.*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1');
}

/** The rows of a table, with the columns that an earlier version had. */
function rowsOf(snapshot: string, table: string, columns: readonly string[] = []): Rows {
  return inDatabase(snapshot, (db) => db.prepare(`SELECT ${columns.join(', ') || '*'} FROM ${table} ORDER BY 1`).all());
}

it('holds one of every version before this one', () => {
  const numbers = new Set(VERSIONS.map((name) => Number.parseInt(name, 10)));
  expect([...numbers].sort()).toEqual(Array.from({ length: SCHEMA_VERSION - 1 }, (_, n) => n + 1));
  for (const name of VERSIONS)
    expect(inDatabase(copyOf(name), (db) => db.prepare('PRAGMA user_version').get())).toEqual({
      user_version: Number.parseInt(name, 10),
    });
});

it.each(['4', REDACTIONS_IN_RESPONSES])('knows of a snapshot of version %s what was purged from its lists', (name) => {
  const snapshot = upToDate(copyOf(name));
  expect(rowsOf(snapshot, 'withdrawn').map(({ key, reason }) => [key, reason])).toEqual([
    [`object:${COLLECTION}-6`, 'By the sitter’s wish'],
  ]);
  const lists = rowsOf(
    snapshot,
    'redaction JOIN response ON response.id = redaction.response',
    ['response.sha256 AS now', 'redaction.received_sha256 AS received', 'redacted_at AS at'].map((column) =>
      name === REDACTIONS_IN_RESPONSES ? column.replace(/^redacted_at/, 'redaction.redacted_at') : column,
    ),
  );
  expect(lists).toHaveLength(2);
  for (const { now, received, at } of lists) {
    expect([now, received]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect([now === received, Date.parse(String(at)) > 0]).toEqual([false, true]);
  }
});

it('knows of an earlier version one record that names each media file, and of all after the next run of media', async () => {
  const snapshot = upToDate(copyOf('4'));
  const uses = () =>
    rowsOf(snapshot, 'usage').map(({ record, url, kind }) => `${record} ${String(url).replace(/^.*\//, '')} ${kind}`);
  const known = [
    `${COLLECTION}-1 bell-small.jpg thumb`,
    `${COLLECTION}-1 bell.jpg image`,
    `${COLLECTION}-1-1 tide.mp4 video`,
    `${COLLECTION}-2 same-bell.jpg image`,
    `${COLLECTION}-2-master-0a1b2c3d4e scan.jpg original`,
    `${COLLECTION}-3 lost.jpg image`,
    `${COLLECTION}-5 quay.jpg image`,
  ];
  expect(uses().sort()).toEqual(known);
  await startArchive(3);
  await runMedia(snapshot, '--allow-host', '127.0.0.1:43218');
  expect(uses().sort()).toEqual([...known, `${COLLECTION}-4 bell.jpg image`].sort());
});

it('downloads again what an earlier version did not say enough of', async () => {
  const snapshot = copyOf('4');
  change(snapshot, (db) => {
    db.exec('PRAGMA ignore_check_constraints = ON');
    db.exec(`UPDATE media SET sha256 = NULL WHERE url LIKE '%/quay.jpg'; UPDATE media SET state = 'lent' WHERE url LIKE '%/bell-small.jpg';
      UPDATE media SET sha256 = '${'0'.repeat(64)}' WHERE url LIKE '%/same-bell.jpg'`); // another SHA-256 at the path that it shares
  });
  const known = rowsOf(upToDate(snapshot), 'media', ['url', 'state', 'cause']).map(({ url, state, cause }) => [
    String(url).replace(/^.*\//, ''),
    state,
    cause,
  ]);
  const untold = ['failed', 'the snapshot did not say what its file is'];
  expect(known).toEqual([
    ['bell-small.jpg', ...untold],
    ['bell.jpg', 'stored', null],
    ['lost.jpg', 'failed', 'HTTP 404'],
    ['quay.jpg', ...untold],
    ['same-bell.jpg', ...untold],
    ['scan.jpg', 'quarantined', expect.any(String)],
    ['tide.mp4', 'failed', 'HTTP 503'],
  ]);
  await startArchive(3);
  expect(await runMedia(snapshot, '--allow-host', '127.0.0.1:43218')).toMatchObject({ fetched: 3, kept: 1 });
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it('refuses in one sentence what does not fit the tables of its version', async () => {
  const snapshot = copyOf('4');
  const loose = (to: string) =>
    change(snapshot, (db) => {
      db.enableDefensive(false);
      db.exec(
        `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'size       ${to === 'ANY' ? 'INTEGER' : 'ANY'}', 'size       ${to}') WHERE name = 'media'; PRAGMA writable_schema = RESET`,
      );
    });
  loose('ANY');
  change(snapshot, (db) => db.exec(`UPDATE media SET size = 'large'`));
  loose('INTEGER');
  for (const command of ['status', 'media']) {
    const { code, stdout, stderr } = await runMicrofiche([command, '--snapshot', snapshot]);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^microfiche: .* says that it has format 4, but holds what does not fit it \(.*size\): [^\n]*\n$/),
    ]);
  }
});

describe.each(VERSIONS)('a snapshot of version %s', (name) => {
  it('gets the tables that a new one has', () => {
    const fresh = join(createTestDirectory(), 'snapshot');
    createSnapshot(fresh).close();
    const snapshot = upToDate(copyOf(name));
    // Two columns stay, unused: to drop them would be to write every body again.
    if (name === REDACTIONS_IN_RESPONSES)
      change(snapshot, (db) => {
        for (const column of ['redacted_at', 'received_sha256']) db.exec(`ALTER TABLE response DROP COLUMN ${column}`);
      });
    expect(schemaOf(snapshot)).toEqual(schemaOf(fresh));
  });

  it('keeps every record with its versions, and what is known of every media file', () => {
    const before = copyOf(name);
    const after = upToDate(copyOf(name));
    for (const table of ['meta', 'run', 'resource', 'response']) {
      const rows = rowsOf(before, table);
      expect(rows.length).toBeGreaterThan(0);
      expect([table, rowsOf(after, table, Object.keys(rows[0] ?? {}))]).toEqual([table, rows]);
    }
    const store = openSnapshot(after);
    const media = readMediaRows(store);
    store.close();
    const known = rowsOf(before, 'media').map(({ fetched_at: _, ...row }) => ({ proven: null, ...row }));
    expect(known.length).toBeGreaterThan(4);
    expect(media).toEqual(known);
  });

  it('passes verify as it is', async () => {
    const snapshot = copyOf(name);
    const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Snapshot: checked \d+ response bodies and [3-6] distinct media files of .*; 0 findings\.\n$/),
    ]);
  });

  it('shows its records and pictures in a site', async () => {
    const { out } = await buildSnapshot(copyOf(name), '--no-search');
    const pages = readFiles(out);
    const page = (id: string) => pages.get(`objects/${id}.html`)?.toString() ?? '';
    expect(page(`${COLLECTION}-3`)).toContain('The ferry Heron');
    expect(page(`${COLLECTION}-1`)).toMatch(/<img[^>]* src="\.\.\/(?:media|thumbs)\/demo-org-1\/demo-org-1-1\.webp"/);
    expect(page(`${COLLECTION}-4`)).not.toBe(''); // upstream has it no longer
    expect([...pages.keys()]).toContain('guide/harbour-bells.html');
  });

  it('is refreshed by a harvest, and its media are completed', async () => {
    const snapshot = copyOf(name);
    const upstream = await startArchive(3);
    const asked = serveVideo(upstream);
    const path = `/api/0.2/${COLLECTION}-2/`;
    upstream.routes.set(path, { ...(upstream.routes.get(path) as object), title: 'A bell, later' });
    const harvest = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo', '--full', '--snapshot', snapshot];
    const first = await runMicroficheJson<HarvestReport>(harvest);
    expect([first.complete, first.changes]).toEqual([true, { new: 0, changed: 1, returned: 0 }]);
    const { gone } = await runMicroficheJson<HarvestReport>(harvest);
    expect(gone).toEqual(name === '1' ? [`object:${COLLECTION}-4`] : []); // the others had found out before
    const report = await runMedia(snapshot, '--kinds', 'thumb,image,audio,video,transcript,original');
    expect(report.failures.map(({ url }) => url)).toEqual([`${upstream.url}/lost.jpg`]);
    expect([report.resumed, asked[0]?.range]).toEqual(name.startsWith('4') ? [1, 'bytes=20000-'] : [0, undefined]);
    expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
  });
});
