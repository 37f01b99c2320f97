/** `build`: equal input produces equal bytes, and is published in the directory that is given. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildLines } from '../../scripts/commands/build.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { changeSnapshot } from '../support/change-snapshot.ts';
import {
  canMount,
  createSharedDirectory,
  createTestDirectory,
  mountSmallDisk,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
  spawnMicrofiche,
} from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const build = (snapshot: string, out: string, ...more: string[]) =>
  runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...more]);

function expectSameFiles(a: string, b: string): void {
  const [left, right] = [readFiles(a), readFiles(b)];
  expect([...left.keys()]).toEqual([...right.keys()]);
  for (const [path, content] of left) expect(content.equals(right.get(path) as Buffer), `${path} differs`).toBe(true);
}

const shared = createSharedDirectory();
/** The site of the mirror, made by a full build. */
const full = join(shared.path, 'full');
let report: BuildReport;
beforeAll(async () => {
  report = await build(inject('mirror').snapshot, full, '--clean');
});
afterAll(shared.remove);

describe('two builds of one snapshot', () => {
  it('produce the same bytes if both are full', async () => {
    const again = join(createTestDirectory(), 'again');
    await build(inject('mirror').snapshot, again, '--clean');
    expectSameFiles(again, full);
  });

  it('write no file the second time', async () => {
    const second = await build(inject('mirror').snapshot, full);
    expect([second.files, second.written, second.removed]).toEqual([report.files, 0, 0]);
  });
});

it('works in any working directory, and creates its cache there', async () => {
  const directory = createTestDirectory();
  const args = ['build', '--snapshot', inject('mirror').snapshot, '--collection', 'lica-quay-2', '--json'];
  const { code, stderr } = await runMicrofiche(args, { cwd: directory });
  expect([code, stderr]).toEqual([0, '']);
  expect(existsSync(join(directory, 'dist/index.html'))).toBe(true);
  expect(readdirSync(directory).sort()).toEqual(['.microfiche', 'dist']);
  expect(readFileSync(join(directory, '.microfiche/cache/.gitignore'), 'utf8')).toBe('*\n');
});

/** Expects one line on standard error, exit code 1, and no stack trace. */
function expectRefused({ code, stderr }: { code: number | null; stderr: string }, message: RegExp): void {
  const lines = stderr.trim().split('\n');
  expect([code, lines]).toEqual([1, [expect.stringMatching(message)]]);
}

describe('the output directory', () => {
  it('is written by one build at a time, without a lock on other directories', async () => {
    const directory = createTestDirectory();
    const env = { MICROFICHE_CACHE: join(directory, 'cache') };
    createCache(env.MICROFICHE_CACHE);
    const run = (out: string) => spawnMicrofiche(['build', '--snapshot', SAMPLE, '--out', join(directory, out)], { env });
    const all = await Promise.all([run('a'), run('a'), run('b')]);
    const failed = all.filter(({ code }) => code !== 0);
    expect(failed).toHaveLength(1);
    expectRefused(
      failed[0] as (typeof all)[0],
      /Another build is writing to .*a\. Wait until it has finished, or choose another directory/,
    );
    expect(all[2]?.code).toBe(0);
    expectSameFiles(join(directory, 'a'), join(directory, 'b'));
    expect(readdirSync(join(directory, 'a')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is not overwritten by another archive’s site', async () => {
    const out = join(createTestDirectory(), 'dist');
    cpSync(inject('mirror').dist, out, { recursive: true });
    const before = readFiles(out);
    expectRefused(
      await runMicrofiche(['build', '--snapshot', SAMPLE, '--out', out]),
      /contains the site of http:\/\/127\.0\.0\.1:\d+, not of Lantern Islands Community Archive\. Choose another directory with --out, or empty this one/,
    );
    expect(readFiles(out)).toEqual(before);
  });

  it('is rejected if it contains a symbolic link to a directory, and nothing is written through it', async () => {
    const directory = createTestDirectory();
    const out = join(directory, 'dist');
    cpSync(inject('mirror').dist, out, { recursive: true });
    mkdirSync(join(directory, 'outside'));
    rmSync(join(out, 'objects'), { recursive: true });
    symlinkSync(join(directory, 'outside'), join(out, 'objects'));
    expectRefused(
      await runMicrofiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out]),
      /objects is a symbolic link or is inside one.*\. Remove the link, or choose another directory with --out/,
    );
    expect(readdirSync(join(directory, 'outside'))).toEqual([]);
  });

  it.runIf(canMount())('is rejected with one line if it cannot be written', async () => {
    const disk = mountSmallDisk(64);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expectRefused(
      await runMicrofiche(['build', '--snapshot', SAMPLE, '--out', join(disk, 'dist')]),
      /dist cannot be created: its file system is read-only/,
    );
    expectRefused(
      await runMicrofiche(['usb', '--dir', inject('mirror').dist, '--to', disk]),
      /No permission to write|Not enough disk space|read-only/,
    );
    const below = join(createTestDirectory(), 'file');
    writeFileSync(below, '');
    expectRefused(
      await runMicrofiche(['build', '--snapshot', SAMPLE, '--out', below]),
      /is a file\. Choose a directory with --out/,
    );
    expectRefused(
      await runMicrofiche(['build', '--snapshot', SAMPLE, '--out', join(below, 'dist')]),
      /: part of this path is a file, not a directory/,
    );
  });
});

it('reports that the last harvest was interrupted', async () => {
  const snapshot = join(createTestDirectory(), 'snapshot');
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  changeSnapshot(snapshot, (db) =>
    db.exec(
      `UPDATE run SET finished_at = NULL; UPDATE resource SET state = 'queued', response = NULL WHERE key = 'object:lica-ferry-1-12'`,
    ),
  );
  const interrupted = await build(snapshot, join(createTestDirectory(), 'dist'), '--no-search');
  expect(interrupted.interrupted).toEqual({ waiting: 1 });
  expect(buildLines(interrupted, { out: 'dist' })[0]).toBe(
    'Warning: the last harvest was interrupted or is still running, with 1 resource queued. The site contains what was harvested so far.',
  );
  expect(inject('mirror').build.interrupted).toBeUndefined();
});
