/** A snapshot whose database, locks and notes are not what Microfiche makes: each command ends with one sentence, or goes on without what is damaged. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictured } from '../media/files.ts';
import { microfiche, type Ran, SAMPLE, temporary, temporaryFolder, upstreamAt } from '../support.ts';
import { startUpstream } from '../upstream.ts';

const CANARY = 'canary: nobody may read this';
const { path: folder, remove } = temporaryFolder();
const made = join(folder, 'snapshot');

beforeAll(async () => {
  const up = await startUpstream({ shared: true });
  const id = 'demo-org-1-1';
  up.answers.set(`/api/0.2/${id}/`, pictured(id, `${up.url}/a.jpg`));
  const args = [...upstreamAt(up.url), '--snapshot', made, '--root', id];
  expect((await microfiche(['harvest', ...args])).code).toBe(0);
  await up.close();
});
afterAll(remove);

/** A copy of the snapshot after some SQL, with the schema open to it. */
function tampered(sql = ''): string {
  const snapshot = join(temporary(), 'snapshot');
  cpSync(made, snapshot, { recursive: true });
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { defensive: false });
  db.exec(`PRAGMA writable_schema = ON; ${sql}`);
  db.close();
  return snapshot;
}

function command(name: string, snapshot: string): Promise<Ran> {
  const more = { build: ['--out', join(snapshot, '../dist'), '--no-search'], media: ['--kinds', 'audio'] }[name] ?? [];
  return microfiche([name, '--snapshot', snapshot, ...more]);
}

const ENDS = { code: 1, stdout: '' };

describe('a database whose tables are not those of a snapshot', () => {
  it.each([
    ['a table is missing', 'DROP TABLE media', /its table media is missing/],
    ['a column is missing', 'ALTER TABLE media DROP COLUMN proven', /its table media has no column proven/],
    [
      'a table takes values of any type',
      `DROP TABLE orphan_file; CREATE TABLE orphan_file (path TEXT PRIMARY KEY) WITHOUT ROWID`,
      /its table orphan_file takes values of any type/,
    ],
    [
      'a table has another key',
      `DROP TABLE meta; CREATE TABLE meta (key TEXT, value TEXT) STRICT`,
      /its table meta has another primary key/,
    ],
    ['a table is computed', `DROP TABLE meta; CREATE VIRTUAL TABLE meta USING fts5(key, value)`, /its table meta/],
    [
      'a column is computed',
      `ALTER TABLE media DROP COLUMN cause; ALTER TABLE media ADD COLUMN cause TEXT AS (url)`,
      /its table media has no column cause/,
    ],
  ])('is refused in one sentence: %s', async (_, sql, sentence) => {
    const snapshot = tampered(sql);
    const names = sql.startsWith('DROP TABLE media') ? ['build', 'verify', 'status', 'media'] : ['status', 'media'];
    for (const name of names) {
      const { stderr, ...rest } = await command(name, snapshot);
      expect([name, rest]).toEqual([name, ENDS]);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('is read without the rows in which a number is larger than any of ours', async () => {
    const strict = `(SELECT sql FROM sqlite_schema WHERE name = 'resource')`;
    const snapshot = tampered(
      `CREATE TEMP TABLE kept AS SELECT ${strict} AS sql;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, ', ''), 'name          TEXT NOT NULL', 'name') WHERE name = 'resource';
      PRAGMA writable_schema = RESET; UPDATE resource SET name = 9007199254740993 WHERE kind = 'object';
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = 'resource'`,
    );
    expect(await command('build', snapshot)).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await command('verify', snapshot);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('its row in the table resource is not used');
  });
});

it.each(['snapshot.sqlite', 'snapshot.sqlite-wal', 'snapshot.sqlite-journal'])(
  'a FIFO in the place of %s is refused, and not waited for',
  async (name) => {
    const snapshot = tampered();
    rmSync(join(snapshot, name), { force: true });
    execFileSync('mkfifo', [join(snapshot, name)]);
    for (const one of ['status', 'media']) {
      const { stderr, ...rest } = await command(one, snapshot);
      expect([rest, stderr]).toEqual([ENDS, expect.stringContaining(`${name} is no regular file`)]);
    }
  },
);

it.each([
  ['a text', (file: string) => writeFileSync(file, CANARY.repeat(100))],
  ['another database', (file: string) => new DatabaseSync(file).exec('CREATE TABLE t (x)')],
  ['a FIFO', (file: string) => void execFileSync('mkfifo', [file])],
  ['a symbolic link', (file: string) => symlinkSync(join(file, '../../canary.txt'), file)],
])('%s in the place of lock.sqlite gives way to the lock', async (_, put) => {
  const snapshot = tampered();
  const canary = join(snapshot, '../canary.txt');
  writeFileSync(canary, CANARY);
  rmSync(join(snapshot, 'lock.sqlite'), { force: true });
  put(join(snapshot, 'lock.sqlite'));
  const { code, stderr } = await command('media', snapshot);
  expect([code, stderr, readFileSync(canary, 'utf8')]).toEqual([0, '', CANARY]);
});

it.each(['7', '{"shortfalls": 7}', '{"shortfalls": [null, {"kind": "children", "name": 7}]}', '{"shortfalls": {"length": 1}}'])(
  'status goes on where the report of the last harvest is %s',
  async (report) => {
    const { code, stderr } = await command('status', tampered(`UPDATE run SET report = '${report}'`));
    expect([code, stderr]).toEqual([0, '']);
  },
);

it('a harvest goes on where the collections of the last one are no JSON', async () => {
  const up = await startUpstream();
  const snapshot = tampered(`INSERT OR REPLACE INTO meta VALUES ('collections', 'not JSON')`);
  const args = ['harvest', ...upstreamAt(up.url), '--new-upstream', '--snapshot', snapshot, '--root', 'demo-org-1'];
  expect((await microfiche(args)).stderr).not.toMatch(/^\s+at /m);
});

it.each(['', 'nonsense', 'javascript:alert(1)', '/etc/hostname'])(
  'verify --repair goes on where a damaged body is said to be from %j',
  async (url) => {
    const snapshot = tampered(`UPDATE response SET url = '${url}', body = x'00' WHERE key LIKE 'object:%'`);
    const { code, stdout, stderr } = await microfiche(['verify', '--repair', '--snapshot', snapshot]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('could not be mended');
  },
);

describe('a snapshot that says it is a readable archive', () => {
  it('is not read through a symbolic link', async () => {
    const snapshot = tampered();
    const canary = join(snapshot, '../canary.txt');
    writeFileSync(canary, CANARY);
    symlinkSync(canary, join(snapshot, 'archive.json'));
    const { code, stdout, stderr } = await command('status', snapshot);
    expect([code, stderr, stdout.includes('canary')]).toEqual([0, '', false]);
    expect((await command('verify', snapshot)).stderr).toBe('');
  });

  it.each(['archive.json', 'authors.json', 'objects/lica-ferry-1-1-1.json', 'sources/ls-1-1.json'])(
    'is told in one sentence where %s is no JSON',
    async (name) => {
      const archive = join(temporary(), 'sample');
      cpSync(SAMPLE, archive, { recursive: true });
      expect(existsSync(join(archive, name))).toBe(true);
      for (const text of [CANARY, 'null']) {
        writeFileSync(join(archive, name), text);
        const { stderr, ...rest } = await command('verify', archive);
        expect([rest, stderr]).toEqual([ENDS, expect.stringMatching(/^microfiche: [^\n]+\n$/)]);
        expect(stderr).not.toContain('canary');
      }
    },
  );

  it.each(['objects', 'media', 'articles'])('is not read through a symbolic link in the place of %s', async (name) => {
    const archive = join(temporary(), 'sample');
    cpSync(SAMPLE, archive, { recursive: true });
    const outside = join(archive, '../outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.json'), JSON.stringify({ id: 'lica-1', title: CANARY }));
    rmSync(join(archive, name), { recursive: true });
    symlinkSync(outside, join(archive, name));
    const { stdout, stderr } = await command('verify', archive);
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^microfiche: [^\n]*symbolic link[^\n]*\n$/)]);
  });
});

describe('status of a site that was tampered with', () => {
  it.each(['microfiche.json', 'about.html', 'index.html'])('opens nothing but files in the place of %s', async (name) => {
    const snapshot = tampered();
    const dir = join(snapshot, '../dist');
    mkdirSync(dir);
    writeFileSync(join(dir, 'manifest-sha256.txt'), `${'0'.repeat(64)}  index.html\n`);
    execFileSync('mkfifo', [join(dir, name)]);
    expect(await microfiche(['status', '--snapshot', snapshot, '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
    rmSync(join(dir, name));
    symlinkSync('/etc/hostname', join(dir, name));
    const { code, stdout } = await microfiche(['status', '--snapshot', snapshot, '--dir', dir]);
    expect([code, stdout.includes('The site in')]).toEqual([0, false]);
  });
});
