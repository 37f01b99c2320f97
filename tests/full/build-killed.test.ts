/** A killed build leaves a site of whole pages, and the next build completes it, without rendering everything again. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { auditSite } from '../../src/publish/site-audit.ts';
import { addCopies, changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { createTestDirectory, killWhileMoving, LONG, ROOT, readFiles, runMicroficheJson } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

/** Returns functions that build a site from a snapshot, in their own processes. The cache has the mirror's derivatives. */
function createBuilder(snapshot: string, out: string, cache: string) {
  const env = { ...process.env, MICROFICHE_CACHE: cache };
  const args = ['build', '--snapshot', snapshot, '--out', out, '--json'];
  createCache(cache);
  return {
    build: () => runMicroficheJson<BuildReport>(args, { env }),
    /** Kills a build that has moved a number of files into the site. Returns the signal that ended it. */
    killWhileMoving: (moves: number) => killWhileMoving(args, out, moves, env),
    /** Kills a build `delay` milliseconds after a condition is met. Returns whether it was running then. */
    async buildKilled(isMet: () => boolean, delay: number): Promise<boolean> {
      const child = spawn(process.execPath, [join(ROOT, 'scripts/bin.mjs'), ...args], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.on('exit', resolve));
      while (child.exitCode === null && !isMet()) await setTimeout(1);
      await Promise.race([setTimeout(delay), ended]);
      child.kill('SIGKILL');
      await ended;
      return child.signalCode === 'SIGKILL';
    },
  };
}

it('is completed by the next build, wherever it was killed', async () => {
  const directory = createTestDirectory();
  const [out, cache] = [join(directory, 'dist'), join(directory, 'cache')];
  const { build, killWhileMoving } = createBuilder(inject('mirror').snapshot, out, cache);

  /** Whether pages were rendered. Each site has a directory in the cache. */
  const hasRendered = () => readdirSync(cache).some((site) => existsSync(join(cache, site, 'rendered/objects')));

  expect(await killWhileMoving(0)).toBe('SIGKILL');
  expect(hasRendered()).toBe(true);
  expect(existsSync(join(out, 'index.html'))).toBe(false);
  await build();
  const manifest = readFileSync(join(out, 'manifest-sha256.txt'), 'utf8');
  // Half of the site was deleted, and the build that makes it again is killed.
  rmSync(join(out, 'objects'), { recursive: true });
  expect(await killWhileMoving(20)).toBe('SIGKILL');
  // The state of the search index is cut off, as a full disk would leave it.
  const states = globSync('*/search-index/{index,parts/parts}.json', { cwd: cache });
  expect(states).toHaveLength(2);
  for (const file of states) writeFileSync(join(cache, file), '{"key":');
  const inodes = () => new Map(readdirSync(out).map((name) => [name, statSync(join(out, name)).ino]));
  const [before, { written, files }, after] = [inodes(), await build(), inodes()];
  expect(written).toBeLessThan(files);
  for (const name of ['about.html', 'manifest-sha256.txt']) expect(after.get(name), name).toBe(before.get(name));
  expect(readFileSync(join(out, 'manifest-sha256.txt'), 'utf8')).toBe(manifest);
  expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
  expect((await build()).written).toBe(0);
});

/** How often a build is killed at a random moment. */
const KILLS = 25;
/** In which a build moves most of its files. */
const MOVING_MS = 60;

it.runIf(LONG)(
  `leaves whole pages and no dead link, killed at any of ${KILLS} random moments, and the next build gives the bytes of a clean one`,
  async () => {
    const directory = createTestDirectory();
    const [snapshot, out] = [join(directory, 'snapshot'), join(directory, 'dist')];
    const database = join(snapshot, 'snapshot.sqlite');
    const builder = createBuilder(snapshot, out, join(directory, 'cache'));
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    cpSync(database, join(directory, '0'));
    changeSnapshot(snapshot, changeMuch);
    cpSync(database, join(directory, '1'));
    const use = (state: number) => cpSync(join(directory, String(state)), database);
    const clean: Array<Map<string, Buffer>> = [];
    for (const state of [0, 1]) {
      use(state);
      const other = join(directory, `clean-${state}`);
      await createBuilder(snapshot, other, join(directory, `cache-${state}`)).build();
      clean.push(readFiles(other));
    }
    const { seconds } = await builder.build();
    const whole = Object.values(seconds).reduce((total, step) => total + step, 0) * 1000;

    const journal = join(out, '.microfiche-journal.txt');
    const isMoving = () => (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
    let [kills, mixtures, attempts] = [0, 0, 0];
    while (kills < KILLS && attempts < 3 * KILLS) {
      const state = attempts++ % 2;
      use(state);
      // Files are moved in a small part of the time. Two of three kills are then.
      const isLate = attempts % 3 !== 0;
      const delay = Math.random() * (isLate ? MOVING_MS : whole);
      const wasKilled = await builder.buildKilled(() => !isLate || isMoving(), delay);
      if (!wasKilled) continue; // it had ended
      kills++;
      const moment = `${isLate ? 'moving files of' : 'building'} state ${state} for ${delay} ms`;
      const files = readFiles(out);
      if (clean.every((site) => listDiffering(files, site).some((path) => !path.startsWith('.microfiche')))) mixtures++;
      for (const [path, bytes] of files)
        if (path.endsWith('.html')) expect(bytes.toString().trimEnd().endsWith('</html>'), `${moment}: ${path}`).toBe(true);
      const { broken, pages } = await auditSite(out);
      expect(pages, moment).toBeGreaterThan(500);
      // A page that is another one than the link was made for may lack the part to which it points.
      expect(
        broken.filter(({ cause }) => !/ has no #/.test(cause ?? '')),
        moment,
      ).toEqual([]);
      if (kills % 5 === 4) continue; // the next build is killed too
      await builder.build();
      expect(listDiffering(readFiles(out), clean[state] as Map<string, Buffer>), moment).toEqual([]);
    }
    console.info(`${kills} kills, after ${mixtures} of which the site had files of both states`);
    expect(kills).toBe(KILLS);
    expect(mixtures).toBeGreaterThanOrEqual(5);
  },
  1_800_000,
);

/** Changes every page, and adds and removes many. */
function changeMuch(db: DatabaseSync): void {
  rewriteBody(db, 'object:lica', (payload) => ({ ...payload, title: 'The islands, otherwise' }));
  addCopies(db, ['lica-quay-1-40', 150]);
  addCopies(db, ['lica-ferry-2-3', 50]);
  for (let n = 1; n <= 20; n++) {
    rewriteBody(db, `object:lica-quay-1-${n}`, (payload) => ({ ...payload, public: '0', status: 'inprocess' }));
    rewriteBody(db, `object:lica-quay-2-${n}`, (payload) => ({ ...payload, topics: [{ term: `Topic ${n}`, id: `${100 + n}` }] }));
  }
}

/** Returns the paths of the files that only one of two sites has, or that differ. */
function listDiffering(files: ReadonlyMap<string, Buffer>, others: ReadonlyMap<string, Buffer>): string[] {
  const paths = new Set([...files.keys(), ...others.keys()]);
  return [...paths].filter((path) => !files.get(path)?.equals(others.get(path) ?? Buffer.from('none')));
}
