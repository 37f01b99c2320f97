/** A build that is killed leaves a site that the next build completes, without rendering everything again. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { createTestDirectory, ROOT, runMicroficheJson } from './support.ts';

it('is completed by the next build, wherever it was killed', async () => {
  const directory = createTestDirectory();
  const out = join(directory, 'dist');
  const env = { ...process.env, MICROFICHE_CACHE: join(directory, 'cache') };
  const args = ['build', '--snapshot', inject('mirror').snapshot, '--out', out, '--json'];
  const build = () => runMicroficheJson<{ written: number; files: number }>(args, { env });

  /** Kills a build some time after a condition is met. */
  async function buildKilled(isMet: () => boolean, delay: number): Promise<void> {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/microfiche.ts'), ...args], { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    while (child.exitCode === null && !isMet()) await setTimeout(5);
    await setTimeout(delay);
    child.kill('SIGKILL');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
  }
  const cached = (name: string) => () =>
    existsSync(env.MICROFICHE_CACHE) &&
    readdirSync(env.MICROFICHE_CACHE, { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith(name));

  await buildKilled(cached('rendered/objects'), 50);
  expect(existsSync(join(out, 'index.html'))).toBe(false);
  await build();
  const manifest = readFileSync(join(out, 'manifest-sha256.txt'), 'utf8');
  // Half of the site was deleted, and the build that makes it again is killed.
  rmSync(join(out, 'objects'), { recursive: true });
  await buildKilled(() => existsSync(join(out, '.microfiche-journal.txt')), 5);
  for (const file of readdirSync(join(env.MICROFICHE_CACHE), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('search.json')) writeFileSync(join(env.MICROFICHE_CACHE, file), '{"key":'); // as a full disk would leave it
  const inodes = () => new Map(readdirSync(out).map((name) => [name, statSync(join(out, name)).ino]));
  const [before, { written, files }, after] = [inodes(), await build(), inodes()];
  expect(written).toBeLessThan(files);
  for (const name of ['about.html', 'manifest-sha256.txt']) expect(after.get(name), name).toBe(before.get(name));
  expect(readFileSync(join(out, 'manifest-sha256.txt'), 'utf8')).toBe(manifest);
  expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
  expect((await build()).written).toBe(0);
});
