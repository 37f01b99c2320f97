/** A build that is killed leaves a site that the next build completes, without rendering everything again. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  /** Whether pages were rendered. Each site has a directory in the cache; derivatives come and go in another while this looks. */
  const hasRendered = () =>
    existsSync(env.MICROFICHE_CACHE) &&
    readdirSync(env.MICROFICHE_CACHE).some((site) => existsSync(join(env.MICROFICHE_CACHE, site, 'rendered/objects')));

  await buildKilled(hasRendered, 50);
  expect(existsSync(join(out, 'index.html'))).toBe(false);
  await build();
  const manifest = readFileSync(join(out, 'manifest-sha256.txt'), 'utf8');
  // Half of the site was deleted, and the build that makes it again is killed.
  rmSync(join(out, 'objects'), { recursive: true });
  await buildKilled(() => existsSync(join(out, '.microfiche-journal.txt')), 5);
  // The state of the search index is cut off, as a full disk would leave it.
  const states = globSync('*/search-index/{index,parts/parts}.json', { cwd: env.MICROFICHE_CACHE });
  expect(states).toHaveLength(2);
  for (const file of states) writeFileSync(join(env.MICROFICHE_CACHE, file), '{"key":');
  const inodes = () => new Map(readdirSync(out).map((name) => [name, statSync(join(out, name)).ino]));
  const [before, { written, files }, after] = [inodes(), await build(), inodes()];
  expect(written).toBeLessThan(files);
  for (const name of ['about.html', 'manifest-sha256.txt']) expect(after.get(name), name).toBe(before.get(name));
  expect(readFileSync(join(out, 'manifest-sha256.txt'), 'utf8')).toBe(manifest);
  expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
  expect((await build()).written).toBe(0);
});
