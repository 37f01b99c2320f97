/** `build`: equal input gives equal bytes, and an incremental build gives the same site as a full one. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import { buildLines } from '../scripts/build.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { readBytes, readInteger } from '../src/snapshot/rows.ts';
import { canMount, filesBelow, microfiche, microficheJson, SAMPLE, smallDisk, temporary } from './support.ts';

const build = (snapshot: string, out: string, ...more: string[]) =>
  microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...more]);

function expectSameFiles(a: string, b: string): void {
  const [left, right] = [filesBelow(a), filesBelow(b)];
  expect([...left.keys()]).toEqual([...right.keys()]);
  for (const [path, content] of left) expect(content.equals(right.get(path) as Buffer), `${path} differs`).toBe(true);
}

/** Copies the snapshot of the sample mirror, so that a test can change its bodies. */
function copySnapshot(): {
  dir: string;
  change: (id: string, edit: (record: Record<string, unknown>) => void) => void;
  remove: (id: string) => void;
  receiveAgain: (id: string, at: string) => void;
} {
  const dir = join(temporary(), 'snapshot');
  cpSync(inject('mirror').snapshot, dir, { recursive: true });
  const edit = (work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(join(dir, 'snapshot.sqlite'));
    work(db);
    db.close();
  };
  return {
    dir,
    change: (id, change) =>
      edit((db) => {
        const row = db
          .prepare('SELECT p.id, p.body FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?')
          .get(`object:${id}`);
        const record = JSON.parse(Buffer.from(readBytes(row, 'body')).toString());
        change(record);
        db.prepare('UPDATE response SET body = ?, sha256 = ? WHERE id = ?').run(
          Buffer.from(JSON.stringify(record)),
          `changed-${Math.random()}`,
          readInteger(row, 'id'),
        );
      }),
    receiveAgain: (id, at) =>
      edit((db) => db.prepare('UPDATE response SET fetched_at = ? WHERE key = ?').run(at, `object:${id}`)),
    remove: (id) => edit((db) => db.prepare('DELETE FROM resource WHERE key = ?').run(`object:${id}`)),
  };
}

/** A full build creates all derivatives, and several of them take long on a busy machine. */
const LONG_TIMEOUT = { timeout: 180_000 };

describe('two builds of one snapshot', LONG_TIMEOUT, () => {
  it('give the same bytes if both are full', async () => {
    const folder = temporary();
    await build(inject('mirror').snapshot, join(folder, 'a'), '--clean');
    await build(inject('mirror').snapshot, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });

  it('write no file the second time', async () => {
    const out = join(temporary(), 'dist');
    const first = await build(inject('mirror').snapshot, out);
    const second = await build(inject('mirror').snapshot, out);
    expect([second.files, second.written, second.removed]).toEqual([first.files, 0, 0]);
  });
});

describe('an incremental build', LONG_TIMEOUT, () => {
  it('equals a full one after records were changed, withheld and deleted', async () => {
    const copy = copySnapshot();
    const folder = temporary();
    await build(copy.dir, join(folder, 'a'));
    copy.change('lica-quay-1-20', (record) => {
      record['title'] = 'A new title that its siblings and its collection show';
      record['genre'] = 'map';
    });
    copy.change('lica-ferry-2-3', (record) => {
      record['public'] = '0';
    });
    copy.remove('lica-ferry-1-12');
    const second = await build(copy.dir, join(folder, 'a'));
    await build(copy.dir, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
    expect(existsSync(join(folder, 'a/browse/genre/map.html'))).toBe(true);
    expect(existsSync(join(folder, 'a/objects/lica-ferry-2-3.html'))).toBe(false);
    expect(second.removed).toBeGreaterThan(0);
    expect(second.written).toBeLessThan(second.files / 2);
  });

  it('equals a full one if the date of a response is all that changed', async () => {
    const copy = copySnapshot();
    const folder = temporary();
    await build(copy.dir, join(folder, 'a'));
    copy.receiveAgain('lica-quay-1-20', '2031-05-06T07:08:09.000Z');
    await build(copy.dir, join(folder, 'a'));
    await build(copy.dir, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });

  it('equals a full one if the URL of the site is all that changed', async () => {
    const folder = temporary();
    await build(inject('mirror').snapshot, join(folder, 'a'), '--site', 'https://one.example/');
    await build(inject('mirror').snapshot, join(folder, 'a'));
    await build(inject('mirror').snapshot, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });
});

it('D38: works in any working directory, and creates its cache there', async () => {
  const folder = temporary();
  const { code, stderr } = await microfiche(['build', '--snapshot', inject('mirror').snapshot, '--json'], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(existsSync(join(folder, 'dist/index.html'))).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['.microfiche', 'dist']);
  expect(readFileSync(join(folder, '.microfiche/cache/.gitignore'), 'utf8')).toBe('*\n');
});

/** Expects one line on standard error, exit code 1, and no stack trace. */
function expectRefused({ code, stderr }: { code: number | null; stderr: string }, message: RegExp): void {
  expect([code, stderr.trim().split('\n').length, stderr]).toEqual([1, 1, expect.stringMatching(message)]);
}

describe('the output directory', () => {
  it('D34: is written by one build at a time, while other directories can be written', async () => {
    const folder = temporary();
    const env = { MICROFICHE_CACHE: join(folder, 'cache') };
    const run = (out: string) => microfiche(['build', '--snapshot', SAMPLE, '--out', join(folder, out)], { env });
    const all = await Promise.all([run('a'), run('a'), run('b')]);
    const failed = all.filter(({ code }) => code !== 0);
    expect(failed).toHaveLength(1);
    expectRefused(
      failed[0] as (typeof all)[0],
      /Another build is writing to .*a\. Wait until it has finished, or choose another directory/,
    );
    expect(all[2]?.code).toBe(0);
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
    expect(readdirSync(join(folder, 'a')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('D32: is not overwritten by another archive’s site', async () => {
    const out = join(temporary(), 'dist');
    cpSync(inject('mirror').dist, out, { recursive: true });
    const before = filesBelow(out);
    expectRefused(
      await microfiche(['build', '--snapshot', SAMPLE, '--out', out]),
      /contains the site of http:\/\/127\.0\.0\.1:\d+, not of Lantern Islands Community Archive\. Choose another directory with --out, or empty this one/,
    );
    expect(filesBelow(out)).toEqual(before);
  });

  it('S13: is rejected if it contains a symbolic link to a directory, and nothing is written through it', async () => {
    const folder = temporary();
    const out = join(folder, 'dist');
    cpSync(inject('mirror').dist, out, { recursive: true });
    mkdirSync(join(folder, 'outside'));
    rmSync(join(out, 'objects'), { recursive: true });
    symlinkSync(join(folder, 'outside'), join(out, 'objects'));
    expectRefused(
      await microfiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out]),
      /objects is a symbolic link or is inside one.*\. Remove the link, or choose another directory with --out/,
    );
    expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  });

  it.runIf(canMount())('D40: is rejected with one line if it cannot be written', async () => {
    const disk = smallDisk(64);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expectRefused(
      await microfiche(['build', '--snapshot', SAMPLE, '--out', join(disk, 'dist')]),
      /dist cannot be created: its file system is read-only/,
    );
    expectRefused(
      await microfiche(['usb', '--dir', inject('mirror').dist, '--to', disk]),
      /No permission to write|Not enough disk space|read-only/,
    );
    const below = join(temporary(), 'file');
    writeFileSync(below, '');
    expectRefused(await microfiche(['build', '--snapshot', SAMPLE, '--out', below]), /is a file\. Name a directory with --out/);
    expectRefused(
      await microfiche(['build', '--snapshot', SAMPLE, '--out', join(below, 'dist')]),
      /: part of this path is a file, not a directory/,
    );
  });
});

it('D41: reports that the last harvest was interrupted', async () => {
  const copy = copySnapshot();
  const db = new DatabaseSync(join(copy.dir, 'snapshot.sqlite'));
  db.exec(
    `UPDATE run SET finished_at = NULL; UPDATE resource SET state = 'queued', response = NULL WHERE key = 'object:lica-ferry-1-12'`,
  );
  db.close();
  const report = await build(copy.dir, join(temporary(), 'dist'));
  expect(report.interrupted).toEqual({ waiting: 1 });
  expect(buildLines(report, 'dist')[0]).toBe(
    'Warning: the last harvest was interrupted or is still running, with 1 resource queued. The site contains what was harvested so far.',
  );
  expect(inject('mirror').build.interrupted).toBeUndefined();
});
