/** Snapshots whose database, lock or report Microfiche did not write: commands print one sentence, or skip the damaged parts. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CommandResult,
  createSharedDirectory,
  createTestDirectory,
  runMicrofiche,
  upstreamOptions,
} from '../../support/commands.ts';
import { createRecordWithImage } from '../../support/file-server.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

const CANARY = 'canary: no command may read this';
const { path: directory, remove } = createSharedDirectory();
const original = join(directory, 'snapshot');

beforeAll(async () => {
  const upstream = await startTestUpstream({ shared: true });
  const id = 'demo-org-1-1';
  upstream.routes.set(`/api/0.2/${id}/`, createRecordWithImage(id, `${upstream.url}/a.jpg`));
  const args = [...upstreamOptions(upstream.url), '--snapshot', original, '--root', id];
  expect((await runMicrofiche(['harvest', ...args])).code).toBe(0);
  await upstream.close();
});
afterAll(remove);

/** Copies the snapshot and runs SQL on the copy, with a writable schema. */
function tamper(sql = ''): string {
  const snapshot = join(createTestDirectory(), 'snapshot');
  cpSync(original, snapshot, { recursive: true });
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { defensive: false });
  db.exec(`PRAGMA writable_schema = ON; ${sql}`);
  db.close();
  return snapshot;
}

function runCommand(name: string, snapshot: string): Promise<CommandResult> {
  const more = { build: ['--out', join(snapshot, '../dist'), '--no-search'], media: ['--kinds', 'audio'] }[name] ?? [];
  return runMicrofiche([name, '--snapshot', snapshot, ...more]);
}

const FAILED = { code: 1, stdout: '' };

describe('a database whose tables differ from those of a snapshot', () => {
  it.each([
    ['a table is missing', 'DROP TABLE media', /its table media is missing/],
    ['a column is missing', 'ALTER TABLE media DROP COLUMN status', /its table media is not as Microfiche creates it/],
    [
      'a table takes values of any type',
      `DROP TABLE orphan_file; CREATE TABLE orphan_file (path TEXT PRIMARY KEY) WITHOUT ROWID`,
      /its table orphan_file is not as Microfiche creates it/,
    ],
    [
      'a table has another key',
      `DROP TABLE meta; CREATE TABLE meta (key TEXT, value TEXT) STRICT`,
      /its table meta is not as Microfiche creates it/,
    ],
    [
      'a column is in a comment that ends where JavaScript, but not SQLite, ends a line',
      `UPDATE sqlite_schema SET sql = replace(sql, '  cause  ', '  --' || char(13) || ' cause  ') WHERE name = 'resource'`,
      /its table resource is not as Microfiche creates it/,
    ],
    [
      'a table is computed',
      `DROP TABLE meta; CREATE VIRTUAL TABLE meta USING fts5(key, value)`,
      /its table meta is not as Microfiche creates it/,
    ],
    [
      'a table needs a module that SQLite does not have',
      `CREATE VIRTUAL TABLE more USING fts5(a);
      UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE more USING no_such_module(a)' WHERE name = 'more'`,
      /it contains a table more, which Microfiche did not create/,
    ],
    [
      'a table of its own name needs a module that SQLite does not have',
      `UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE usage USING no_such_module(a)', rootpage = 0 WHERE name = 'usage'`,
      /its table usage is not as Microfiche creates it/,
    ],
    [
      'an additional column is computed',
      `ALTER TABLE resource ADD COLUMN more TEXT AS (hex(zeroblob(200000000)))`,
      /its table resource is not as Microfiche creates it/,
    ],
    [
      'an index is computed',
      `UPDATE sqlite_schema SET sql = 'CREATE INDEX resource_by_kind ON resource (hex(zeroblob(300000000)))'
      WHERE name = 'resource_by_kind'`,
      /its index resource_by_kind is not as Microfiche creates it/,
    ],
    [
      'a column is computed',
      `ALTER TABLE media DROP COLUMN cause; ALTER TABLE media ADD COLUMN cause TEXT AS (url)`,
      /its table media is not as Microfiche creates it/,
    ],
  ])('is rejected in one sentence if %s', async (_, sql, sentence) => {
    const snapshot = tamper(sql);
    const names = sql.startsWith('DROP TABLE media') ? ['build', 'verify', 'status', 'media'] : ['status', 'media'];
    for (const name of names) {
      const { stderr, ...rest } = await runCommand(name, snapshot);
      expect([name, rest]).toEqual([name, FAILED]);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('is read without rows whose numbers are too large', async () => {
    const strict = `(SELECT sql FROM sqlite_schema WHERE name = 'resource')`;
    const snapshot = tamper(
      `CREATE TEMP TABLE original AS SELECT ${strict} AS sql;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, ', ''), 'name          TEXT NOT NULL', 'name') WHERE name = 'resource';
      PRAGMA writable_schema = RESET; UPDATE resource SET name = 9007199254740993 WHERE kind = 'object';
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = (SELECT sql FROM original) WHERE name = 'resource'`,
    );
    expect(await runCommand('build', snapshot)).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await runCommand('verify', snapshot);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('its row in the table resource is not used');
  });
});

it.each(['snapshot.sqlite', 'snapshot.sqlite-wal', 'snapshot.sqlite-journal'])(
  'a FIFO at the path of %s is rejected without waiting for it',
  async (name) => {
    const snapshot = tamper();
    rmSync(join(snapshot, name), { force: true });
    execFileSync('mkfifo', [join(snapshot, name)]);
    for (const commandName of ['status', 'media']) {
      const { stderr, ...rest } = await runCommand(commandName, snapshot);
      expect([rest, stderr]).toEqual([FAILED, expect.stringContaining(`${name} is not a regular file`)]);
    }
  },
);

it.each([
  ['a text file', (file: string) => writeFileSync(file, CANARY.repeat(100))],
  ['another database', (file: string) => new DatabaseSync(file).exec('CREATE TABLE t (x)')],
  ['a FIFO', (file: string) => void execFileSync('mkfifo', [file])],
  ['a symbolic link', (file: string) => symlinkSync(join(file, '../../canary.txt'), file)],
])('%s at the path of lock.sqlite is replaced by the lock', async (_, create) => {
  const snapshot = tamper();
  const canary = join(snapshot, '../canary.txt');
  writeFileSync(canary, CANARY);
  rmSync(join(snapshot, 'lock.sqlite'), { force: true });
  create(join(snapshot, 'lock.sqlite'));
  const { code, stderr } = await runCommand('media', snapshot);
  expect([code, stderr, readFileSync(canary, 'utf8')]).toEqual([0, '', CANARY]);
});

it.each([
  '7',
  '{"incompleteLists": 7}',
  '{"incompleteLists": [null, {"kind": "children", "name": 7}]}',
  '{"incompleteLists": {"length": 1}}',
])('status works if the report of the last harvest is %s', async (report) => {
  const { code, stderr } = await runCommand('status', tamper(`UPDATE run SET report = '${report}'`));
  expect([code, stderr]).toEqual([0, '']);
});

it('a harvest works if the stored collections are not JSON', async () => {
  const upstream = await startTestUpstream();
  const snapshot = tamper(`INSERT OR REPLACE INTO meta VALUES ('collections', 'not JSON')`);
  const args = ['harvest', ...upstreamOptions(upstream.url), '--new-upstream', '--snapshot', snapshot, '--root', 'demo-org-1'];
  expect((await runMicrofiche(args)).stderr).not.toMatch(/^\s+at /m);
});

it.each(['', 'nonsense', 'javascript:alert(1)', '/etc/hostname'])(
  'verify --repair continues if the URL of a corrupted body is %j',
  async (url) => {
    const snapshot = tamper(`UPDATE response SET url = '${url}', body = x'00' WHERE key LIKE 'object:%'`);
    const { code, stdout, stderr } = await runMicrofiche(['verify', '--repair', '--snapshot', snapshot]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('could not be repaired');
  },
);

describe('status of a tampered site', () => {
  it.each(['microfiche.json', 'about.html', 'index.html'])('opens only regular files at the path of %s', async (name) => {
    const snapshot = tamper();
    const dir = join(snapshot, '../dist');
    mkdirSync(dir);
    writeFileSync(join(dir, 'manifest-sha256.txt'), `${'0'.repeat(64)}  index.html\n`);
    execFileSync('mkfifo', [join(dir, name)]);
    expect(await runMicrofiche(['status', '--snapshot', snapshot, '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
    rmSync(join(dir, name));
    symlinkSync('/etc/hostname', join(dir, name));
    const { code, stdout } = await runMicrofiche(['status', '--snapshot', snapshot, '--dir', dir]);
    expect([code, stdout.includes('Site in')]).toEqual([0, false]);
  });
});
