/** Builds repeat themselves to the byte, and a later build over an earlier one is what a clean build would have been. */

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

/** A copy of the mirror's snapshot whose bodies may be changed. */
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

/** A clean build makes the pictures anew: several of them take their time on a busy machine. */
const SEVERAL_BUILDS = { timeout: 180_000 };

describe('two builds of one snapshot', SEVERAL_BUILDS, () => {
  it('are byte-identical, both clean', async () => {
    const folder = temporary();
    await build(inject('mirror').snapshot, join(folder, 'a'), '--clean');
    await build(inject('mirror').snapshot, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });

  it('over one another write nothing new', async () => {
    const out = join(temporary(), 'dist');
    const first = await build(inject('mirror').snapshot, out);
    const second = await build(inject('mirror').snapshot, out);
    expect([second.files, second.written, second.removed]).toEqual([first.files, 0, 0]);
  });
});

describe('a build over an older one', SEVERAL_BUILDS, () => {
  it('equals a clean build after records changed, lost neighbours and went away', async () => {
    const copy = copySnapshot();
    const folder = temporary();
    await build(copy.dir, join(folder, 'a'));
    copy.change('lica-quay-1-20', (record) => {
      record['title'] = 'A new title that its neighbours and its collection show';
      record['genre'] = 'map';
    });
    copy.change('lica-ferry-2-3', (record) => {
      record['public'] = '0';
    });
    copy.remove('lica-ferry-1-12');
    const again = await build(copy.dir, join(folder, 'a'));
    await build(copy.dir, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
    expect(existsSync(join(folder, 'a/browse/genre/map.html'))).toBe(true);
    expect(existsSync(join(folder, 'a/objects/lica-ferry-2-3.html'))).toBe(false);
    expect(again.removed).toBeGreaterThan(0);
    expect(again.written).toBeLessThan(again.files / 2);
  });

  it('equals a clean build when a body went and came back, so that only its date changes', async () => {
    const copy = copySnapshot();
    const folder = temporary();
    await build(copy.dir, join(folder, 'a'));
    copy.receiveAgain('lica-quay-1-20', '2031-05-06T07:08:09.000Z');
    await build(copy.dir, join(folder, 'a'));
    await build(copy.dir, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });

  it('equals a clean build when only the address changes', async () => {
    const folder = temporary();
    await build(inject('mirror').snapshot, join(folder, 'a'), '--site', 'https://one.example/');
    await build(inject('mirror').snapshot, join(folder, 'a'));
    await build(inject('mirror').snapshot, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });
});

it('D38: can be built from any working directory, and keeps its cache there', async () => {
  const folder = temporary();
  const { code, stderr } = await microfiche(['build', '--snapshot', inject('mirror').snapshot, '--json'], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(existsSync(join(folder, 'dist/index.html'))).toBe(true);
  // D38: the cache lies there too, where no version control takes it in
  expect(readdirSync(folder).sort()).toEqual(['.microfiche', 'dist']);
  expect(readFileSync(join(folder, '.microfiche/cache/.gitignore'), 'utf8')).toBe('*\n');
});

/** One line on standard error, exit code 1, and no stack trace. */
function expectRefused({ code, stderr }: { code: number | null; stderr: string }, message: RegExp): void {
  expect([code, stderr.trim().split('\n').length, stderr]).toEqual([1, 1, expect.stringMatching(message)]);
}

describe('a folder for the site', () => {
  it('D34: is written by one build at a time; other folders at the same time do not mind', async () => {
    const folder = temporary();
    const env = { MICROFICHE_CACHE: join(folder, 'cache') };
    const run = (out: string) => microfiche(['build', '--snapshot', SAMPLE, '--out', join(folder, out)], { env });
    const all = await Promise.all([run('a'), run('a'), run('b')]);
    const failed = all.filter(({ code }) => code !== 0);
    expect(failed).toHaveLength(1);
    expectRefused(
      failed[0] as (typeof all)[0],
      /Another build is writing to .*a: wait until it has finished, or name another folder/,
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
      /holds the site of http:\/\/127\.0\.0\.1:\d+, not of Lantern Islands Community Archive: name another folder with --out, or empty it yourself/,
    );
    expect(filesBelow(out)).toEqual(before);
  });

  it('S13: with a symbolic link in it is refused in a sentence, and nothing is written through it', async () => {
    const folder = temporary();
    const out = join(folder, 'dist');
    cpSync(inject('mirror').dist, out, { recursive: true });
    mkdirSync(join(folder, 'outside'));
    rmSync(join(out, 'objects'), { recursive: true });
    symlinkSync(join(folder, 'outside'), join(out, 'objects'));
    expectRefused(
      await microfiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out]),
      /objects is, or is below, a symbolic link.*: remove the link, or name another folder with --out/,
    );
    expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0 && canMount())('D40: that cannot be written is refused in a sentence', async () => {
    const disk = smallDisk(64);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expectRefused(
      await microfiche(['build', '--snapshot', SAMPLE, '--out', join(disk, 'dist')]),
      /dist cannot be made: its disk can only be read/,
    );
    expectRefused(
      await microfiche(['usb', '--dir', inject('mirror').dist, '--to', disk]),
      /No permission to write|not enough room|can only be read/,
    );
    const below = join(temporary(), 'file');
    writeFileSync(below, '');
    expectRefused(
      await microfiche(['build', '--snapshot', SAMPLE, '--out', below]),
      /is a file, and --out names a folder: name another one/,
    );
    expectRefused(
      await microfiche(['build', '--snapshot', SAMPLE, '--out', join(below, 'dist')]),
      /a part of this path is a file, where a folder is wanted/,
    );
  });
});

it('D41: says that the last harvest was interrupted', async () => {
  const copy = copySnapshot();
  const db = new DatabaseSync(join(copy.dir, 'snapshot.sqlite'));
  db.exec(
    `UPDATE run SET finished_at = NULL; UPDATE resource SET state = 'queued', response = NULL WHERE key = 'object:lica-ferry-1-12'`,
  );
  db.close();
  const report = await build(copy.dir, join(temporary(), 'dist'));
  expect(report.interrupted).toEqual({ waiting: 1 });
  expect(buildLines(report, 'dist')[0]).toBe(
    'The last harvest was interrupted or is still running: 1 resource is waiting. The site has what is there.',
  );
  expect(inject('mirror').build.interrupted).toBeUndefined();
});
