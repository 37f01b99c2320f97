/** Tests that snapshots of earlier versions stay usable: each one is migrated, verified, built into a site and harvested into again. */
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

/** The directories of snapshots. Each name starts with the format version, followed by how it differs from others of that version. */
const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const REDACTIONS_IN_RESPONSES = '4-redactions-in-responses';

/** What the row of a URL without a file has of it. */
const NO_FILE = { path: null, sha256: null, size: null, mimetype: null };

function copyOf(name: string): string {
  const snapshot = join(createTestDirectory(), 'snapshot');
  cpSync(join(import.meta.dirname, name), snapshot, { recursive: true });
  return snapshot;
}

function inDatabase<T>(snapshot: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function change(snapshot: string, action: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    action(db);
  } finally {
    db.close();
  }
}

/** Opens a snapshot as every command does, which migrates it. Returns its directory. */
function migrated(snapshot: string): string {
  openSnapshot(snapshot).close();
  return snapshot;
}

type Rows = Array<Record<string, unknown>>;

const PRAGMAS = ['table_xinfo', 'index_list', 'foreign_key_list'];

/** Returns everything that SQLite reports about the tables, without comments and insignificant white space. */
function schemaOf(snapshot: string): Record<string, unknown> {
  return inDatabase(snapshot, (db) => {
    const objects = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
    const described = objects.map(({ type, name, sql }) => {
      const rows =
        type === 'table' ? PRAGMAS.map((pragma) => db.prepare(`SELECT * FROM pragma_${pragma}(?)`).all(name as string)) : [];
      const columns = type === 'index' ? db.prepare('SELECT * FROM pragma_index_xinfo(?)').all(name as string) : [];
      return [`${type} ${name}`, { sql: sql === null ? null : withoutComments(String(sql)), rows, columns }];
    });
    const one = (pragma: string) => db.prepare(`PRAGMA ${pragma}`).get();
    return { ...Object.fromEntries(described), version: one('user_version'), application: one('application_id') };
  });
}

function withoutComments(sql: string): string {
  return sql
    .replace(/--[^\n]*|\/\*.*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1');
}

/** Returns the rows of a table, with the given columns only. */
function rowsOf(snapshot: string, table: string, columns: readonly string[] = []): Rows {
  return inDatabase(snapshot, (db) => db.prepare(`SELECT ${columns.join(', ') || '*'} FROM ${table} ORDER BY 1`).all());
}

it('has a snapshot of each earlier version', () => {
  const numbers = new Set(VERSIONS.map((name) => Number.parseInt(name, 10)));
  expect([...numbers].sort()).toEqual(Array.from({ length: SCHEMA_VERSION - 1 }, (_, n) => n + 1));
  for (const name of VERSIONS)
    expect(inDatabase(copyOf(name), (db) => db.prepare('PRAGMA user_version').get())).toEqual({
      user_version: Number.parseInt(name, 10),
    });
});

it.each(['4', REDACTIONS_IN_RESPONSES])('migrates what was purged from the lists of a snapshot of version %s', (name) => {
  const snapshot = migrated(copyOf(name));
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

it('migrates one use of each media file, and finds the others in the next run of media', async () => {
  const snapshot = migrated(copyOf('4'));
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

it('downloads media files again if the rows of an earlier version are incomplete', async () => {
  const snapshot = copyOf('4');
  change(snapshot, (db) => {
    db.exec('PRAGMA ignore_check_constraints = ON');
    db.exec(`UPDATE media SET sha256 = NULL WHERE url LIKE '%/quay.jpg'; UPDATE media SET state = 'lent' WHERE url LIKE '%/bell-small.jpg';
      UPDATE media SET sha256 = '${'0'.repeat(64)}' WHERE url LIKE '%/same-bell.jpg'`); // differs from the SHA-256 in the other row with this path
  });
  const known = rowsOf(migrated(snapshot), 'media', ['url', 'state', 'cause']).map(({ url, state, cause }) => [
    String(url).replace(/^.*\//, ''),
    state,
    cause,
  ]);
  const unknown = ['failed', 'the snapshot did not say what its file is'];
  expect(known).toEqual([
    ['bell-small.jpg', ...unknown],
    ['bell.jpg', 'stored', null],
    ['lost.jpg', 'failed', 'HTTP 404'],
    ['quay.jpg', ...unknown],
    ['same-bell.jpg', ...unknown],
    ['scan.jpg', 'quarantined', expect.any(String)],
    ['tide.mp4', 'failed', 'HTTP 503'],
  ]);
  await startArchive(3);
  expect(await runMedia(snapshot, '--allow-host', '127.0.0.1:43218')).toMatchObject({ fetched: 3, kept: 1 });
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it('rejects a snapshot whose values do not match the tables of its version', async () => {
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
      expect.stringMatching(
        /^microfiche: .* has format version 4, but it contains values that its tables do not allow \(.*size\)\. [^\n]*\n$/,
      ),
    ]);
  }
});

describe.each(VERSIONS)('a snapshot of version %s', (name) => {
  it('has the same tables as a new one after the migration', () => {
    const fresh = join(createTestDirectory(), 'snapshot');
    createSnapshot(fresh).close();
    const snapshot = migrated(copyOf(name));
    // Two columns stay, unused: dropping them would rewrite every body.
    if (name === REDACTIONS_IN_RESPONSES)
      change(snapshot, (db) => {
        for (const column of ['redacted_at', 'received_sha256']) db.exec(`ALTER TABLE response DROP COLUMN ${column}`);
      });
    expect(schemaOf(snapshot)).toEqual(schemaOf(fresh));
  });

  it('keeps every version of every record, and every row of media', () => {
    const before = copyOf(name);
    const after = migrated(copyOf(name));
    for (const table of ['meta', 'run', 'resource', 'response']) {
      const rows = rowsOf(before, table);
      expect(rows.length).toBeGreaterThan(0);
      expect([table, rowsOf(after, table, Object.keys(rows[0] ?? {}))]).toEqual([table, rows]);
    }
    const store = openSnapshot(after);
    const media = readMediaRows(store);
    store.close();
    const files = Number(name[0]) < 5 ? [] : rowsOf(before, 'blob');
    const fileOf = (path: unknown) => files.find((file) => file['path'] === path) ?? (files.length > 0 ? NO_FILE : {});
    const known = rowsOf(before, 'media').map(({ fetched_at: _, ...row }) => ({ proven: null, ...row, ...fileOf(row['path']) }));
    expect(known.length).toBeGreaterThan(4);
    expect(media).toEqual(known);
  });

  it('is migrated and verified without findings', async () => {
    const snapshot = copyOf(name);
    const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Snapshot: checked \d+ response bodies and [3-6] distinct media files of .*; 0 findings\.\n$/),
    ]);
  });

  it('is built into a site with its records and images', async () => {
    const { out } = await buildSnapshot(copyOf(name), '--no-search');
    const pages = readFiles(out);
    const page = (id: string) => pages.get(`objects/${id}.html`)?.toString() ?? '';
    expect(page(`${COLLECTION}-3`)).toContain('The ferry Heron');
    expect(page(`${COLLECTION}-1`)).toMatch(/<img[^>]* src="\.\.\/(?:media|thumbs)\/demo-org-1\/demo-org-1-1\.webp"/);
    expect(page(`${COLLECTION}-4`)).not.toBe(''); // removed upstream
    expect([...pages.keys()]).toContain('guide/harbour-bells.html');
  });

  it('is updated by a harvest, and missing media files are downloaded', async () => {
    const snapshot = copyOf(name);
    const upstream = await startArchive(3);
    const requests = serveVideo(upstream);
    const path = `/api/0.2/${COLLECTION}-2/`;
    upstream.routes.set(path, { ...(upstream.routes.get(path) as object), title: 'A bell, later' });
    const harvest = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo', '--full', '--snapshot', snapshot];
    const first = await runMicroficheJson<HarvestReport>(harvest);
    expect([first.complete, first.changes]).toEqual([true, { new: 0, changed: 1, returned: 0 }]);
    const second = await runMicroficheJson<HarvestReport>(harvest);
    expect(second.gone).toEqual(name === '1' ? [`object:${COLLECTION}-4`] : []); // the other snapshots had already marked it
    const report = await runMedia(snapshot, '--kinds', 'thumb,image,audio,video,transcript,original');
    expect(report.failures.map(({ url }) => url)).toEqual([`${upstream.url}/lost.jpg`]);
    expect([report.resumed, requests[0]?.range]).toEqual(Number(name[0]) >= 4 ? [1, 'bytes=20000-'] : [0, undefined]);
    expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
  });
});
