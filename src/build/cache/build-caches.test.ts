import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cacheRootDirectory } from '../../derivatives/cache-directories.ts';
import { openSiteCache } from './build-caches.ts';

const DAY = 86_400_000;

function createDirectories() {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-caches-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'cache');
  const out = join(top, 'dist');
  mkdirSync(out);
  return { root, out, other: join(top, 'other') };
}

it('puts the caches into the working directory, or into the one that MICROFICHE_CACHE sets', () => {
  const before = process.env['MICROFICHE_CACHE'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['MICROFICHE_CACHE'];
    else process.env['MICROFICHE_CACHE'] = before;
  });
  delete process.env['MICROFICHE_CACHE'];
  expect(cacheRootDirectory()).toBe(join(process.cwd(), '.microfiche/cache'));
  process.env['MICROFICHE_CACHE'] = '/var/cache/microfiche';
  expect(cacheRootDirectory()).toBe('/var/cache/microfiche');
});

it('empties the cache for a clean build, and deletes the derivatives that the site has used', () => {
  const { root, out, other } = createDirectories();
  mkdirSync(other);
  const first = openSiteCache(root, out, { clean: false });
  writeFileSync(join(first.directory, 'pages.json'), '');
  for (const name of ['aaa-1.webp', 'aaa-2.txt', 'bbb-1.webp']) writeFileSync(join(first.derivatives, name), '');
  first.noteUsedFiles(['aaa']);
  first.finish({ compact: false });
  const second = openSiteCache(root, other, { clean: true });
  expect([second.directory === first.directory, second.derivatives === first.derivatives]).toEqual([false, true]);
  second.finish({ compact: false });
  expect(readdirSync(second.derivatives).sort()).toEqual(['aaa-1.webp', 'aaa-2.txt', 'bbb-1.webp']);
  const clean = openSiteCache(root, out, { clean: true });
  expect([existsSync(join(clean.directory, 'pages.json')), readdirSync(clean.derivatives)]).toEqual([false, ['bbb-1.webp']]);
});

it('deletes the caches of deleted sites, and derivatives that no build has used for a long time', () => {
  const { root, out, other } = createDirectories();
  mkdirSync(other);
  const deleted = openSiteCache(root, other, { clean: false });
  deleted.finish({ compact: false });
  rmSync(other, { recursive: true });
  const now = Date.now();
  const old = new Date(now - 100 * DAY);
  for (const name of ['used-1.webp', 'unused-1.webp', 'used-tiles', 'unused-tiles', 'new-1.webp', 'x-1.webp.part']) {
    const path = join(deleted.derivatives, name);
    if (name.endsWith('tiles')) mkdirSync(path);
    else writeFileSync(path, '');
    if (name !== 'new-1.webp')
      utimesSync(
        path,
        name.endsWith('.part') ? new Date(now - 2 * DAY) : old,
        name.endsWith('.part') ? new Date(now - 2 * DAY) : old,
      );
  }
  const cache = openSiteCache(root, out, { clean: false, now: now - 20 * DAY }); // no derivative is old enough yet
  cache.noteUsedFiles(['used']);
  cache.finish({ compact: false });
  expect(readdirSync(deleted.derivatives).sort()).toEqual([
    'new-1.webp',
    'unused-1.webp',
    'unused-tiles',
    'used-1.webp',
    'used-tiles',
    'x-1.webp.part',
  ]);
  openSiteCache(root, out, { clean: false, now }).finish({ compact: false });
  expect(readdirSync(deleted.derivatives).sort()).toEqual(['new-1.webp', 'used-1.webp', 'used-tiles']);
  expect(existsSync(deleted.directory)).toBe(false);
  expect(readdirSync(root)).toEqual(expect.arrayContaining(['.gitignore', 'CACHEDIR.TAG']));
});

it('has a cache for each shard of a site, because machines may build them at the same path, and keeps it while it is used', () => {
  const { root, out, other } = createDirectories();
  const now = Date.now();
  const caches = [0, 1].map((number) => openSiteCache(root, other, { clean: false, now, shard: { number, of: 2 } }));
  for (const cache of caches) cache.finish({ compact: false });
  expect(new Set(caches.map(({ directory }) => directory)).size).toBe(2);
  const areKept = () => caches.map(({ directory }) => existsSync(directory));
  openSiteCache(root, out, { clean: false, now: now + 80 * DAY });
  expect(areKept()).toEqual([true, true]); // the directory is on another machine
  openSiteCache(root, out, { clean: false, now: now + 100 * DAY });
  expect(areKept()).toEqual([false, false]);
});
