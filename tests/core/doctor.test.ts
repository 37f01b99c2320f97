/** What watches over a mirror: `doctor` and `status --max-age`. */
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { findProgram } from '../../src/platform/find-program.ts';
import {
  createTestDirectory,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
  spawnMicrofiche,
  spawnMicroficheJson,
} from '../support/commands.ts';

interface Examination {
  found: string[];
  missing: Array<{ name: string; package: string; purpose: string }>;
  disks: Array<{ directory: string; free: number }>;
}

it('doctor names what is missing, what it is for, and what is installed', async () => {
  const bin = join(createTestDirectory(), 'bin');
  mkdirSync(bin);
  for (const name of ['node', 'git']) symlinkSync(findProgram(name) ?? expect.fail(`${name} is missing`), join(bin, name));
  const env = { ...process.env, PATH: bin };
  const report = await spawnMicroficheJson<Examination>(['doctor'], { env });
  expect(report.found.filter((name) => name !== 'poppler-data')).toEqual(['git']);
  expect(report.missing).toContainEqual({ name: 'zimwriterfs', package: 'zim-tools', purpose: 'export zim --fulltext' });
  for (const { directory, free } of report.disks) {
    expect(existsSync(directory)).toBe(true);
    expect(free).toBeGreaterThan(0);
  }
  const { code, stdout } = await spawnMicrofiche(['doctor'], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('Missing: ffmpeg, for posters of videos, waveforms of recordings. On Debian: apt install ffmpeg\n');
});

it('status exits with 1 if the last harvest is older than --max-age', async () => {
  const status = (maxAge: string) => runMicrofiche(['status', '--snapshot', SAMPLE, '--max-age', maxAge]);
  expect(await status('40000d')).toMatchObject({ code: 0 });
  const old = await status('0m');
  expect(old.code).toBe(1);
  expect(old.stdout).toContain('This is older than --max-age. Run "microfiche update", and look at its report.');
  expect(await status('2 days')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected a time, for example 2d, 36h or 90m.'),
  });
  expect(await runMicroficheJson(['status', '--snapshot', SAMPLE, '--max-age', '40000d'])).toMatchObject({ isTooOld: false });
});

it('status exits with 1 if the last harvest is in the future, where it would never be too old', async () => {
  const snapshot = join(createTestDirectory(), 'snapshot');
  cpSync(SAMPLE, snapshot, { recursive: true });
  using db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  db.exec(`UPDATE run SET finished_at = '2090-01-01T00:00:00.000Z'`);
  const { code, stdout } = await runMicrofiche(['status', '--snapshot', snapshot, '--max-age', '2d']);
  expect(code).toBe(1);
  expect(stdout).toContain('This is in the future: the clock was wrong then, or is now. Run "microfiche update", and look at');
});
